"""A teacher's own puzzle: what the fields of a form say, and its name in an address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from mha_core.io.matrix.matrix_text import format_matrix
from mha_core.io.packed_text import PACKED
from mha_core.language import say
from mha_core.puzzles.own import OwnPuzzle, pack_puzzle, unpack_puzzle
from mha_core.puzzles.own.asked import read_asked, write_asked
from mha_core.puzzles.puzzle import Arrays

MAKE: Final = "make"  # begins the name of a puzzle that is being made
FIRST: Final = OwnPuzzle(
    title=say("Look at the word before"),
    job=say("Each word but the first gives nearly all of its weight to the one before it."),
    words=("yes", "no", "perhaps"),
    seen=read_asked("yes no perhaps : - 1 2\nno no yes : - 1 2", predicts=False),
    hidden=read_asked("no : -\nyes yes no yes perhaps : - 1 2 3 4", predicts=False),
    longest=5,
    d_k=5,
    d_v=3,
)


def is_own_puzzle(name: str) -> bool:
    """Whether the name of a puzzle says all of it; or that one is being made, from this one."""
    return name.startswith(PACKED) or is_being_made(name)


def is_being_made(name: str) -> bool:
    return name == MAKE or name.startswith(MAKE + PACKED)


def own_puzzle_named(name: str) -> OwnPuzzle:
    """The puzzle that the name says; a new one is made from an example."""
    packed = name.removeprefix(MAKE)
    return _unpacked(packed) if packed else FIRST


@lru_cache(maxsize=64)
def _unpacked(word: str) -> OwnPuzzle:
    return unpack_puzzle(word)


def to_be_changed(name: str) -> str:
    """The name under which this puzzle is being made."""
    return MAKE + name


@dataclass(frozen=True, kw_only=True)
class PuzzleForm:
    """What the fields of the form hold; all that is a list is a text there."""

    title: str
    job: str
    words: str
    seen: str
    hidden: str
    longest: int
    x: str
    predicts: bool
    d_k: int
    d_v: int
    layers: int
    mask: str
    free: tuple[str, ...]
    given: Mapping[str, str] = field(default_factory=dict)
    most_numbers: int
    hints: str

    @classmethod
    def of(cls, own: OwnPuzzle) -> PuzzleForm:
        """A form that shows this puzzle."""
        return cls(
            title=own.title,
            job=own.job,
            words=" ".join(own.words),
            seen=write_asked(own.seen),
            hidden=write_asked(own.hidden),
            longest=own.longest,
            x=own.x,
            predicts=own.predicts,
            d_k=own.d_k,
            d_v=own.d_v,
            layers=own.layers,
            mask=own.mask,
            free=own.free,
            given=own.given,
            most_numbers=own.most_numbers,
            hints="\n".join(own.hints),
        )

    def puzzle(self) -> OwnPuzzle:
        """The puzzle that the fields say. What is wrong with them is refused."""
        return OwnPuzzle(
            title=self.title.strip(),
            job=self.job.strip(),
            words=tuple(self.words.split()),
            seen=read_asked(self.seen, predicts=self.predicts),
            hidden=read_asked(self.hidden, predicts=self.predicts),
            longest=self.longest,
            x=self.x,
            d_k=self.d_k,
            d_v=self.d_v,
            layers=self.layers,
            mask=self.mask,
            free=self.free,
            given={name: text for name, text in self.given.items() if text.strip()},
            most_numbers=self.most_numbers,
            hints=tuple(line for line in self.hints.splitlines() if line.strip()),
        )


def with_solution(name: str, arrays: Arrays) -> str:
    """The name of the same puzzle, with these arrays as its solution."""
    solution = {each: format_matrix(array) for each, array in arrays.items()}
    return pack_puzzle(replace(own_puzzle_named(name), solution=solution))
