"""How the matrices of a section are arranged: on paper, in HTML and on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mha_core.worksheets.sheet import Piece, SheetSection

# All in mm. A4 and Letter both have this width between their margins.
WIDTH: Final = 184
BLANK: Final = (11, 8)  # width and height of a blank, so that a person can write into it
GIVEN: Final = (8, 5.5)  # of a given number where it meets no blank
LABEL: Final = 6
GAP: Final = 4
LINE: Final = 6  # of room for a line of working

PER_HEAD: Final = 3  # Q, K and V

Place = Literal["", "left", "upper", "result", "below"]  # in a corner, or in none


@dataclass(frozen=True, eq=False)
class Placed:
    """A matrix where it stands.

    In a corner, its cells have the size of those that they meet, and its labels stand once: those
    of the columns above, those of the rows on the left.
    """

    piece: Piece
    place: Place = ""

    @property
    def is_tall(self) -> bool:
        return not self.piece.is_given or self.place == "left"

    @property
    def is_wide(self) -> bool:
        return not self.piece.is_given or self.place == "upper"

    @property
    def has_row_labels(self) -> bool:
        return self.place != "result"

    @property
    def is_lower(self) -> bool:
        """Whether it stands below the columns of another, which have the labels."""
        return self.place in ("left", "result", "below")


@dataclass(frozen=True, eq=False)
class Corner:
    """Products with one left factor: each result stands where its factors meet.

    `pairs` has the upper factor and the result of each. `left` is None where the left factor is too
    wide: then it stands before the corner.
    """

    left: Piece | None
    pairs: tuple[tuple[Piece, Piece], ...]

    def columns(self) -> Iterator[tuple[Placed, ...]]:
        """What stands above one another: the left factor, then each pair."""
        if self.left is not None:
            yield (Placed(self.left, "left"),)
        for upper, result in self.pairs:
            yield Placed(upper, "upper"), Placed(result, "result" if self.left else "below")


def blocks_of(section: SheetSection) -> Iterator[Piece | Corner]:
    """The matrices of a section in the order of the page: products as corners, others alone."""
    products = [piece for piece in section.pieces if piece.upper]
    factors = {name for piece in products for name in (piece.left, piece.upper)}
    lefts: set[str] = set()
    for piece in section.pieces:
        if piece.upper and piece.left not in lefts:
            lefts.add(piece.left)
            same_left = [each for each in products if each.left == piece.left]
            yield from _corners(section, section.named(piece.left), same_left)
        elif not piece.upper and piece.name not in factors:
            yield piece


def room_for_working(section: SheetSection) -> int:
    """How high the room for working is, in mm."""
    return LINE * sum(piece.working for piece in section.pieces)


def _corners(
    section: SheetSection, left: Piece, results: Sequence[Piece]
) -> Iterator[Piece | Corner]:
    """Products in groups that are no wider than the paper, the left factor again in each."""
    beside = LABEL + len(left.columns.labels) * (GIVEN if left.is_given else BLANK)[0]
    one = GAP + LABEL + len(results[0].columns.labels) * BLANK[0]
    at_most = int((WIDTH - beside) // one)
    if at_most == 0:
        yield left
    if at_most > PER_HEAD:
        at_most -= at_most % PER_HEAD
    pairs = tuple((section.named(result.upper), result) for result in results)
    for first in range(0, len(pairs), at_most or 1):
        yield Corner(left if at_most else None, pairs[first : first + (at_most or 1)])
