"""Where the matrices of a section stand on paper, whatever draws them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mha_core.worksheets.sheet import Part, Section

# All in mm. A4 and Letter both have this width between their margins.
WIDTH: Final = 184
BLANK: Final = (11, 8)  # width and height of a blank, so that a person can write into it
GIVEN: Final = (8, 5.5)  # of a given number where it meets no blank
LABEL: Final = 6
GAP: Final = 4
LINE: Final = 6  # of room for a line of working

PER_HEAD: Final = 3  # Q, K and V


@dataclass(frozen=True, eq=False)
class Corner:
    """Products with one left factor: each result stands where its factors meet.

    `pairs` has the upper factor and the result of each. `left` is None where the left factor is too
    wide: then it stands before the corner.
    """

    left: Part | None
    pairs: tuple[tuple[Part, Part], ...]


def blocks_of(section: Section) -> Iterator[Part | Corner]:
    """The matrices of a section in the order of the page: products as corners, others alone."""
    products = [part for part in section.parts if part.upper]
    factors = {name for part in products for name in (part.left, part.upper)}
    lefts: set[str] = set()
    for part in section.parts:
        if part.upper and part.left not in lefts:
            lefts.add(part.left)
            same_left = [each for each in products if each.left == part.left]
            yield from _corners(section, section.named(part.left), same_left)
        elif not part.upper and part.name not in factors:
            yield part


def room_for_working(section: Section) -> int:
    """How high the room for working is, in mm."""
    return LINE * sum(part.working for part in section.parts)


def _corners(section: Section, left: Part, results: Sequence[Part]) -> Iterator[Part | Corner]:
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
