"""What a model reads at first: a text that its own words can write."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mha_core.checks.errors import FileError
from mha_core.models import Model, open_installed, open_model
from mha_core.survey.sentences import sentences
from mha_core.trained.numbers import FILE
from tests.core.models.held import Held
from tests.core.models.own_model import own_model
from tests.core.models.recorded_models import Recorded
from ui.state.opened_first import FIRST_TEXT
from ui.state.texts_to_read import OUR_TEXT, reads_ids, text_for, texts_for, writes

STORY_WORDS = [*dict.fromkeys(OUR_TEXT.replace(".", " .").lower().split())]


def with_words(words: list[str], places: int = 40) -> Model:
    """The small model with these words."""
    file = own_model(words=words)
    drawn = np.random.default_rng(1)
    file.tensors["embed"] = drawn.normal(size=(len(words), 5)).astype(np.float32)
    file.tensors["unembed"] = drawn.normal(size=(5, len(words))).astype(np.float32)
    file.tensors["positions"] = drawn.normal(size=(places, 5)).astype(np.float32)
    return open_model(Held(file.tensors, file.config))


def in_folder(folder: Path, **vocabulary: Any) -> Model:
    """A recorded model with a list of words beside it."""
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    file = Recorded("llama").file
    return open_model(Held(file.tensors, file.config, folder))


def test_a_text_of_ours_is_read_where_all_its_words_are_known() -> None:
    known = [*dict.fromkeys(FIRST_TEXT.lower().replace(",", " ,").replace(".", " .").split())]
    assert text_for(with_words(known)) == FIRST_TEXT
    assert text_for(with_words(STORY_WORDS)) == OUR_TEXT
    first, second = sentences()[3], sentences()[100]
    words = re.findall(r"\w+|[^\w\s]", f"{second} {first}".lower())
    model = with_words([*dict.fromkeys(words)])
    assert text_for(model) == first
    assert texts_for(model) == [first, second]


@pytest.mark.parametrize("unknown", [[], ["<unk>"], ["[UNK]"]])
def test_else_words_of_its_own_list_are_said_twice(unknown: list[str]) -> None:
    model = with_words(["?", "red", "green", "<s>", "blue", *unknown])
    assert text_for(model) == "red green blue red green blue"
    assert model.run_on(model.read_text(text_for(model))).result.shape == (6, 5)


def test_a_model_with_few_places_reads_fewer_words() -> None:
    assert text_for(with_words(["red", "green", "blue"], places=5)) == "red green red green"


def test_a_list_of_signs_alone_is_read_too() -> None:
    assert text_for(with_words(["+", "=", "-"])) == "+=-+=-"


def test_a_list_of_characters_reads_what_it_can_write(tmp_path: Path) -> None:
    model = in_folder(tmp_path, **{"<unk>": 0, "7": 1, "5": 2, "+": 3, "=": 4})
    assert text_for(model) == "7+5="
    assert text_for(in_folder(tmp_path, **{"<unk>": 0, "x": 1, "y": 2})) == "xyxy"


def test_the_models_of_the_package_read_their_sums() -> None:
    model = open_installed("mathformer-add")
    assert text_for(model) == "7+5="
    assert len(texts_for(model)) == 100


def test_our_own_model_knows_all_words_of_what_it_reads_first() -> None:
    model = open_model(FILE)
    text = text_for(model)
    assert "?" not in model.read_text(text).tokens
    assert writes(model, text)
    assert not writes(model, "the xylophone saw the cat")
    assert all(writes(model, text) for text in texts_for(model))


def test_without_a_tokenizer_ids_are_read_that_the_model_has() -> None:
    model = open_model(Recorded("llama").file)
    assert reads_ids(model)
    assert text_for(model) == "0 1 2 3 4 5 0 1 2 3 4 5"
    assert not writes(model, "the cat")


def test_many_texts_of_ours_stay_where_no_word_of_them_is_known() -> None:
    assert texts_for(with_words(["red", "green"])) == sentences()


def test_a_tokenizer_that_cannot_be_read_is_told_when_the_text_is(tmp_path: Path) -> None:
    (tmp_path / "vocab.json").write_text("none", encoding="utf-8")
    file = Recorded("llama").file
    model = open_model(Held(file.tensors, file.config, tmp_path))
    assert text_for(model) == FIRST_TEXT
    assert not reads_ids(model)
    with pytest.raises(FileError, match="must be a tokenizer"):
        model.read_text(FIRST_TEXT)
