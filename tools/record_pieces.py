"""Record how SentencePiece cuts texts into pieces, as T5 has them cut: the tests read it.

    python -m tools.record_pieces

It needs sentencepiece and protobuf, which nothing else does. The pieces are learned from our own
sentences, with a small table of replaced characters in the place of the 240 kB of NFKC.
"""

from __future__ import annotations

import json
import random
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mha_core.survey import sentences as ours

RECORDED: Final = Path("tests/core/models/recorded/pieces.json")
REPLACED: Final = {"\t": " ", "\u00a0": " ", "\ufb01": "fi", "\uff21": "A", "e\u0301": "\u00e9"}
ODD: Final = (
    "  two   blanks\tand a tab \n",
    "\ufb01ne \uff21nna, cafe\u0301",
    "\u65e5\u672c\u8a9e xyz",
    "a\u00a0hard\u00a0blank",
    "\U0001f642\U0001f642 ok\U0001f642",
    "[PAD161] don't-stop_it...!?",
    "QZX9",
)
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz    .,'ABC\u00c9\u4e2d"
N_PIECES: Final = 160
N_DRAWN: Final = 60


def main() -> None:
    library, proto = (
        import_module(f"sentencepiece{name}") for name in ("", ".sentencepiece_model_pb2")
    )
    with TemporaryDirectory() as folder:
        file = _trained(library, Path(folder))
        model = proto.ModelProto()
        model.ParseFromString(file.read_bytes())
        reader = library.SentencePieceProcessor(model_file=str(file))
    drawn = random.Random(0)
    texts = [*ours.sentences()[:40], *ODD]
    texts += ["".join(drawn.choices(LETTERS, k=drawn.randint(1, 30))) for _ in range(N_DRAWN)]
    said = {
        "tokens": [piece.piece for piece in model.pieces],
        "scores": [round(piece.score, 6) for piece in model.pieces],
        "token_type": [piece.type for piece in model.pieces],
        "precompiled_charsmap": [*model.normalizer_spec.precompiled_charsmap],
        "ids": {text: reader.encode(text) for text in texts},
    }
    RECORDED.write_text(json.dumps(said, ensure_ascii=True), encoding="utf-8")


def _trained(library: Any, folder: Path) -> Path:
    rules = folder / "rules.tsv"
    rules.write_text("".join(f"{_codes(a)}\t{_codes(b)}\n" for a, b in REPLACED.items()), "utf-8")
    library.SentencePieceTrainer.train(
        input=str(Path(ours.__file__).with_name("sentences.txt")),
        model_prefix=str(folder / "pieces"),
        vocab_size=N_PIECES,
        model_type="unigram",
        normalization_rule_tsv=str(rules),
        pad_id=0,
        eos_id=1,
        unk_id=2,
        bos_id=-1,
    )
    return folder / "pieces.model"


def _codes(text: str) -> str:
    return " ".join(f"{ord(letter):X}" for letter in text)


if __name__ == "__main__":
    main()
