"""One matrix as a picture shows it: its numbers, its labels, its words, its colours, its room."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from ui import theme

MOST_CELLS_A_SIDE: Final = 128  # lengths of a cell along a side of a matrix
KINDS: Final = {  # of rows and columns, in words; a width such as d_model has none
    "query": say("query"),
    "key": say("key"),
    "output": say("output"),
    "concat": say("concat"),
}


class Band(NamedTuple):
    """A coloured line above some columns, that says where they came from."""

    start: float  # in columns
    stop: float
    color: str


class Headed(NamedTuple):
    """The head that stands below a heading."""

    place: int  # from 0
    n_heads: int  # of which it is one
    is_off: bool


@dataclass(frozen=True, eq=False)
class Matrix:
    """One heatmap. `masked` is True where a cell is hidden: hidden is not the same as zero.

    Only in the mask itself it is: there, a cell that is hidden has moved from 1 to 0.

    `name` is what a click reports; `title` says in words which matrix this is; `rows` and
    `columns` name the kind of thing on each axis. A thing pointed at in one matrix is lit in every
    matrix that has its kind on an axis. Matrices of one `color_group` share a range of colours.

    A matrix with more rows or columns than MOST_CELLS_A_SIDE gets no more room for them. Its cells
    are then not square, and may be narrower than a pixel. `most_across` makes the room narrower
    still. `row_room` and `column_room` are labels of another picture: they get room too. So do
    lines of `note_chars` letters below the heading: new numbers with new notes move nothing.
    """

    name: str
    title: str
    values: FloatArray
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    rows: str = "query"
    columns: str = "key"
    row_word: str = ""  # what a row is called, if not by its kind
    column_word: str = ""
    scale: theme.Scale = "diverging"
    color_group: str = ""  # by default the name of its scale
    masked: BoolArray | None = None
    is_zero_where_masked: bool = False
    heading: str = ""  # above the matrix
    notes: Sequence[str] = ()  # lines below the heading, in few words
    note_chars: int = 0
    headed: Headed | None = None  # the head that the heading names, if it names one
    row_title: str = ""  # of its row of the board, said once, in the corner of the first
    caption: str = ""  # below it
    has_own_range: bool = False  # of colours, which no bar shows; its caption may say it
    color: str = ""  # of the mark beside the heading
    bands: Sequence[Band] = ()  # above the columns
    row_height: float = 1  # in widths of a cell
    most_across: int = MOST_CELLS_A_SIDE
    repeats_row_labels: bool = False  # also where those of its left neighbour are the same
    row_room: Sequence[str] = ()
    column_room: Sequence[str] = ()
    is_left_factor: bool = False  # it stands at the right of its place, beside its product
    feeds: Sequence[str] = ()  # names of products in its row, to which lines lead from it
    leaves_zeros_out: bool = False  # of what is written into cells
    wanted_of: str = ""  # the name of a matrix whose numbers should be these
    is_given: bool = False  # by a person, who may change its numbers
    row_source: str = ""  # what a person may rename, add to and move: see `Axis.source`
    column_source: str = ""
    is_transposed: bool = False  # it shows the columns of the array that it is named after as rows
    is_whole: bool = False  # one of many: without labels, and picked as a whole
    is_chosen: bool = False  # of these, the one that is shown large

    def __post_init__(self) -> None:
        need = (len(self.row_labels), len(self.column_labels))
        if self.values.shape != need or 0 in need:
            raise ShapeError(
                say("The values of {matrix}").format(matrix=self.title),
                say("must have a row and a column for each label, {shape}").format(shape=need),
                str(self.values.shape),
                say("Give one label for each row and each column, and at least one of each."),
            )
        if self.masked is not None and self.masked.shape != need:
            raise ShapeError(
                say("The mask of {matrix}").format(matrix=self.title),
                say("must have the shape of its values, {shape}").format(shape=need),
                str(self.masked.shape),
                say("Give True or False for every cell."),
            )

    @property
    def transposed(self) -> Matrix:
        """The same numbers, rows as columns. A cell keeps its address."""
        return replace(
            self,
            title=say("{matrix}, transposed").format(matrix=self.title),
            values=self.values.T,
            masked=None if self.masked is None else self.masked.T,
            row_labels=self.column_labels,
            column_labels=self.row_labels,
            rows=self.columns,
            columns=self.rows,
            row_word=self.column_word,
            column_word=self.row_word,
            row_source=self.column_source,
            column_source=self.row_source,
            is_transposed=not self.is_transposed,
        )

    @property
    def group(self) -> str:
        """Whose colours it shares."""
        return self.color_group or self.scale

    @property
    def words(self) -> tuple[str, str]:
        """What a row and a column are called."""
        rows, columns = self.rows, self.columns
        row, column = KINDS.get(rows, rows), KINDS.get(columns, columns)
        return self.row_word or row, self.column_word or column

    @cached_property
    def axes(self) -> list[str]:
        """What its axes are: in one line if that is no wider than the row labels, else in two."""
        lines = [f"{word} {arrow}" for word, arrow in zip(self.words, "↓→", strict=True) if word]
        one_line = " ".join(lines)
        longest = max(map(len, [*self.row_labels, *self.row_room]))
        return [one_line] if len(one_line) <= longest else lines

    @property
    def across(self) -> int:
        """The width, in lengths of a cell."""
        return min(MOST_CELLS_A_SIDE, self.most_across, len(self.column_labels))

    @property
    def down(self) -> float:
        """The height, in lengths of a cell."""
        return min(MOST_CELLS_A_SIDE, len(self.row_labels) * self.row_height)

    @cached_property
    def outline(self) -> tuple[Hashable, ...]:
        """All that can decide its place on a board, and the places of others beside it."""
        said = (getattr(self, name) for name in OUTLINE)
        plain = (tuple(each) if isinstance(each, list) else each for each in said)
        of_notes = len(self.notes), self.longest_note
        return (*plain, self.values.shape, *of_notes, bool(self.caption))

    @property
    def longest_note(self) -> int:
        """How many letters have room in each line below the heading."""
        return max([self.note_chars, *map(len, self.notes)])

    @property
    def is_squeezed(self) -> bool:
        """Whether its cells are narrower than those of others."""
        return self.across < len(self.column_labels)

    @property
    def visible(self) -> BoolArray:
        """True where a cell has a number to show."""
        finite: BoolArray = np.isfinite(self.values)
        return finite if self.masked is None else finite & ~self.masked


# Its numbers, and how far their colours go, move no matrix.
OUTLINE: Final = tuple(
    field.name
    for field in fields(Matrix)
    if field.name not in ("values", "masked", "bands", "caption", "title", "notes", "note_chars")
)
