"""T5's tokens in GGUF: cut as SentencePiece cuts them, which tools/record_pieces.py wrote down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import pytest

from mha_core.checks.errors import FileError
from mha_core.io.tensors.opening import open_tensors
from mha_core.models.text import Ids, Tokenizer
from mha_core.models.tokenizers_of_models import tokenizer_of
from mha_core.models.unigram import BYTE, NORMAL
from tests.core.models.held import Held
from tests.core.models.recorded_models import FOLDER

RECORDED: dict[str, Any] = json.loads((FOLDER / "pieces.json").read_text("utf-8"))
IDS: Mapping[str, list[int]] = RECORDED.pop("ids")
N_PIECES, N_MORE = len(RECORDED["tokens"]), 8
END = 1
# The converter makes the list as long as the model's table, and says that nobody uses these.
UNUSED: dict[str, list[Any]] = {
    "tokens": [f"[PAD{place}]" for place in range(N_PIECES, N_PIECES + N_MORE)],
    "scores": [-10_000.0] * N_MORE,
    "token_type": [int(gguf.TokenType.UNUSED)] * N_MORE,
}
LONGER = {name: [*value, *UNUSED.get(name, [])] for name, value in RECORDED.items()}


def of_t5(**says: Any) -> Tokenizer:
    fields = {"model": "t5", **LONGER, **says}
    return tokenizer_of(Held({}, {f"tokenizer.ggml.{name}": each for name, each in fields.items()}))


def test_texts_are_cut_as_by_sentencepiece() -> None:
    tokenizer = of_t5()
    assert len(IDS) > 100
    for text, ids in IDS.items():
        assert tokenizer.read(text).ids == (*ids, END), text


def test_it_is_read_out_of_a_file(tmp_path: Path) -> None:
    writer = gguf.GGUFWriter(tmp_path / "model.gguf", "t5")
    writer.add_tokenizer_model("t5")
    writer.add_token_list(LONGER["tokens"])
    writer.add_token_scores(LONGER["scores"])
    writer.add_token_types(LONGER["token_type"])
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    writer.add_precompiled_charsmap(bytes(LONGER["precompiled_charsmap"]))
    writer.add_eos_token_id(END)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    tokenizer = tokenizer_of(open_tensors(tmp_path / "model.gguf"))
    for text, ids in IDS.items():
        assert tokenizer.read(text).ids == (*ids, END), text


def test_the_words_of_a_text_are_told() -> None:
    text = of_t5().read("They  came so.")
    assert text.tokens == ("The", "##y", "came", "so", ".", "</s>")
    assert text.words == (0, 0, 1, 2, 3, 4)


def test_the_table_of_characters_counts() -> None:
    ligature = "\ufb01ne"
    assert of_t5().read(ligature).ids == of_t5().read("fine").ids
    assert of_t5(precompiled_charsmap=[]).read(ligature).ids != of_t5().read("fine").ids


def test_pieces_that_nobody_uses_change_nothing() -> None:
    """What is unknown scores less than the least: less than -10,000, it would be cut elsewhere."""
    fields = {
        "tokens": ["</s>", "<unk>", "\u2581a", "xb", "c", "bc"],
        "scores": [0.0, 0.0, -1.0, -60.0, -60.0, -1.0],
        "token_type": [3, 2, 1, 1, 1, 1],
    }
    longer = {name: [*value, UNUSED[name][0]] for name, value in fields.items()}
    for each in (fields, longer):
        read = of_t5(**each, eos_token_id=0, precompiled_charsmap=[]).read("axbc")
        assert read.ids == (2, 1, 5, 0)


def test_the_end_and_the_first_blank_are_as_the_file_says() -> None:
    read = of_t5().read("the thing").ids
    assert of_t5(add_eos_token=False).read("the thing").ids == read[:-1]
    assert of_t5(add_space_prefix=False).read("the thing").ids != read


@pytest.mark.parametrize(
    "says",
    [
        {"remove_extra_whitespaces": False},
        {"token_type": [*LONGER["token_type"][:-1], BYTE]},
        {"token_type": [NORMAL] * (N_PIECES + N_MORE)},
    ],
)
def test_what_would_be_cut_otherwise_is_left_as_ids(says: dict[str, Any]) -> None:
    assert isinstance(of_t5(**says), Ids)


@pytest.mark.parametrize(
    "says",
    [
        {"scores": [0.5]},
        {"scores": ["none"] * (N_PIECES + N_MORE)},
        {"precompiled_charsmap": [256]},
        {"precompiled_charsmap": [1, 2, 3]},
        {"token_type": [1]},
        {"eos_token_id": N_PIECES + N_MORE},
    ],
)
def test_lists_that_cannot_be_are_refused(says: dict[str, Any]) -> None:
    with pytest.raises(FileError, match="must be a tokenizer"):
        of_t5(**says)
