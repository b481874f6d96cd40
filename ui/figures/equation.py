"""One head as the equation it is: where its matrices stand, in as many lines as there is room for.

Q_i stands at the left and K_i^T above, their product where the rows of the one meet the columns of
the other. From there the chain goes on to the right, line by line. It ends with the weights and the
output, which stands below V_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from ui.figures.board import Rows
from ui.figures.matrix import Matrix

# Matrices that stay together when the chain is cut into lines: the exponentials with their sums.
Link = Sequence[Matrix]

WEIGHTS_AND_OUTPUT: Final = 2  # links that stand side by side at the end


@dataclass(frozen=True)
class HeadEquation:
    """From the queries to the output; `keys` are transposed, `steps` go from scores to weights."""

    queries: Matrix
    keys: Matrix
    steps: Sequence[Link]
    values: Matrix
    output: Matrix

    @property
    def chain(self) -> list[Link]:
        return [[self.queries], *self.steps, [self.output]]

    @property
    def arrangements(self) -> list[Rows]:
        """In one line, in more and more lines, and at last all below each other."""
        counts = dict.fromkeys(-(-len(self.chain) // n) for n in range(1, len(self.chain)))
        return [*(self._in_lines(count) for count in counts), self._below_each_other]

    def _in_lines(self, count: int) -> Rows:
        """At most `count` links to a line."""
        *before, weights, output = self.chain
        *lines, last = _cut(before, count)
        if len(last) + WEIGHTS_AND_OUTPUT > count:
            lines.append(last)
            last = []
        rows: list[list[Link]] = [[[], [self.keys]], *lines]
        last = [*last, weights, output]
        place = max(len(last) - 1, len(rows[-1]))  # of the output, below what is free
        if place >= count:
            place = len(last) - 1
            rows.append([])
        rows[-1] += [*_empty(place - len(rows[-1])), [self.values]]
        return _in_columns([*rows, [*_empty(place + 1 - len(last)), *last]])

    @property
    def _below_each_other(self) -> Rows:
        between = [matrix for link in self.steps for matrix in link]
        return [[m] for m in (self.queries, self.keys, *between, self.values, self.output)]


def chain_in_lines(links: Sequence[Link]) -> list[Rows]:
    """A chain by itself, in fewer and fewer links to a line."""
    counts = dict.fromkeys(-(-len(links) // n) for n in range(1, len(links)))
    below = [[matrix] for link in links for matrix in link]
    return [*(_in_columns(_cut(links, count)) for count in counts), below]


def _cut(links: Sequence[Link], count: int) -> list[list[Link]]:
    return [list(links[start : start + count]) for start in range(0, len(links), count)]


def _empty(count: int) -> list[Link]:
    return [[] for _ in range(count)]


def _in_columns(rows: Sequence[Sequence[Link]]) -> Rows:
    """A column of the board for each matrix of a link, the same for all lines."""
    widths = [max(map(len, links)) for links in zip_longest(*rows, fillvalue=[])]
    return [
        [
            matrix
            for link, width in zip(row, widths, strict=False)
            for matrix in (*link, *[None] * (width - len(link)))
        ]
        for row in rows
    ]
