"""The numbers of the trained model, as its file holds them.

A word that the model does not know is read as "?", as one word in a hundred was when the model was
trained. Capitals make no other word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_limit
from mha_core.language import say
from mha_core.trained.stories import UNKNOWN

FILE: Final = Path(__file__).parent / "induction.npz"
RECIPE: Final = "trained_words"  # what the X of its words and places is called
LAYERS: Final = 2
WEIGHTS: Final = ("w_q", "w_k", "w_v", "w_o")


@dataclass(frozen=True, eq=False)
class Trained:
    """Its numbers, in float64, which holds each number of the file exactly.

    Shapes: `embed` (words, width), `positions` (places, width), each projection (width, width) with
    the heads side by side, `unembed` (width, words).
    """

    embed: FloatArray
    positions: FloatArray
    layers: tuple[Mapping[str, Any], ...]  # of the projections by name
    unembed: FloatArray
    heads: int
    words: tuple[str, ...]

    @property
    def width(self) -> int:
        return len(self.unembed)

    @property
    def places(self) -> int:
        return len(self.positions)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word.casefold(): number for number, word in enumerate(self.words)}

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """Which of its words each token is. One that it does not know is "?"."""
        unknown = self._numbers[UNKNOWN]
        return [self._numbers.get(token.casefold(), unknown) for token in tokens]

    def x(self, tokens: Sequence[str]) -> FloatArray:
        """What it has learned of each word and of each place, added. Shape: (n, width)"""
        of_words, of_places = self.words_and_places(tokens)
        return of_words + of_places

    def words_and_places(self, tokens: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """The two terms of X. Shape of each: (n, width)"""
        check_limit(
            say("The number of tokens for the trained model"),
            len(tokens),
            self.places,
            say("Take fewer: it has learned no more places."),
        )
        return self.embed[self.numbers(tokens)], self.positions[: len(tokens)]


@cache
def trained() -> Trained:
    """The model of the repository. It is read once."""
    return read_trained(FILE)


def read_trained(path: Path) -> Trained:
    """The model of a file that `tools/train_induction.py` wrote."""
    with np.load(path, allow_pickle=False) as file:
        config = json.loads(file["config"].tobytes())
        arrays = {name: file[name].astype(np.float64) for name in file.files if name != "config"}
    for array in arrays.values():
        array.setflags(write=False)  # all who ask share them
    names = [f"layers.{number}." for number in range(LAYERS)]
    return Trained(
        embed=arrays["embed"],
        positions=arrays["positions"],
        layers=tuple({name: arrays[of + name] for name in WEIGHTS} for of in names),
        unembed=arrays["unembed"],
        heads=config["heads"],
        words=tuple(config["words"]),
    )
