"""How the page shows a scenario: what the address holds beside the scenario itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from mha_core import Scenario
from mha_core.checks.errors import FormatError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.guide.screens import SCREENS
from mha_core.guide.tours import TOURS
from mha_core.layer.cells import Cell
from mha_core.layer.influence import INPUTS
from mha_core.layer.trace import HEAD_STEPS, STEPS
from mha_core.reading.head_orders import ORDERS
from mha_core.scenario.given_arrays import GIVEN
from ui.edits.tour_text import MOST_STOPS, PACKED, unpack_tour
from ui.theme import PALETTES

SCORES: Final = ("raw", "scaled", "masked")
ROWS: Final = ("scores", "weights", "outputs")  # of the heads' picture, in the words of the page
COMPARISONS: Final = ("off", "before", "example")  # what the numbers are compared with
STEP_OF_ROW: Final = {"weights": "weights", "outputs": "head_outputs"}
MORE_ROWS: Final = tuple(s.name for s in HEAD_STEPS if s.name not in STEP_OF_ROW.values())
# What a person picks only to look at it.
GLANCES: Final = (
    *("head", "cell", "influence", "page", "unfolded", "folded", "step", "screen"),
    *("tour", "stop", "present", "part"),
)
# Of these, an address says those that its page shows.
OF_ONE_PAGE: Final = ("step", "screen", "present", "part")
COMPARED: Final = tuple(dict.fromkeys([*(step.name for step in STEPS), *GIVEN]))
# What two sessions side by side show alike.
SHOWN_ALIKE: Final = ("decimals", "shared_scale", "values", "palette", "drawn", "hide")
IN_SIDEBAR: Final = ("example", "input", "heads", "weights", "mask", "scores")
SECTIONS: Final = (*IN_SIDEBAR, "view", "editors")  # what a link may hide
# Parts of a page that are presented, beside the steps: what is seen first, what is seen last, and
# the sides of a comparison.
FIRST_PARTS: Final = ("into", "queries", "keys", "values")
LAST_PARTS: Final = ("head", "together")
COMPARED_PARTS: Final = ("a", "b", "difference")
PARTS: Final = (*FIRST_PARTS, *(s.name for s in HEAD_STEPS), *LAST_PARTS, *COMPARED_PARTS)
SIDEBAR: Final = "sidebar"  # in an address, all sections of the sidebar
# Parts of the page that fold: those that are folded at first, and those that are open.
FOLDED_PARTS: Final = ("into",)
OPEN_PARTS: Final = ("heads", "together")
# Boards of pictures, each drawn live or by Plotly.
BOARDS: Final = (
    *("heads", "one-head", "together", "contributions", "into", "mask", "additive"),
    *("influence", "walk", "pattern", "compared", "difference"),
)
EVERY_BOARD: Final = "plotly"  # in an address, all boards by Plotly
LONGEST_TITLE: Final = 80  # characters
MOST_DECIMALS: Final = 6


@dataclass(frozen=True)
class View:
    """What is shown and how; never what is computed.

    `head` is the head that was picked and `cell` the cell, both counted from 0. `influence` names
    the array for which is shown how much that cell moves with its numbers. `page` is that of the
    heads, counted from 1. `unfolded` names the parts of the page that a person has opened, `folded`
    those that a person has folded, `hide` those that a teacher has put away. `title` stands above
    the page, instead of the example's. `moved` says from what pictures show the difference. `drawn`
    names the boards that Plotly draws. `step`
    is the array in which two sessions are compared, `order` that of the heads.
    `screen` is that of the walkthrough. `tour` is the name of a tour, or a whole one packed into a
    word, and `stop` says where in it the page is, counted from 1. With `present` the page is shown
    as a lecturer presents it: one `part` at a time, "" being the first.

    >>> View(decimals=3, head=1).to_params()
    {'decimals': '3', 'head': '2'}
    >>> View.from_params({"decimals": "3", "head": "2"}) == (View(decimals=3, head=1), [])
    True
    """

    decimals: int = 2
    shared_scale: bool = True
    values: bool = True
    palette: str = "indigo"
    moved: str = "off"
    drawn: tuple[str, ...] = ()
    scores: str = "masked"
    rows: tuple[str, ...] = ("scores", "weights")
    head: int | None = None
    cell: Cell | None = None
    influence: str | None = None
    page: int = 1
    step: str = "weights"
    order: str = "number"
    screen: str = "input"
    tour: str = ""
    stop: int = 1
    present: bool = False
    part: str = ""
    unfolded: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    title: str = ""

    def to_params(self) -> dict[str, str]:
        """The parameters of what differs from the first view."""
        first = View()
        return {
            param: written.write(getattr(self, written.field))
            for param, written in PARAMS.items()
            if getattr(self, written.field) != getattr(first, written.field)
        }

    @classmethod
    def from_params(cls, params: Mapping[str, str]) -> tuple[View, list[MhaError]]:
        """The view that an address describes, and an error for each wrong parameter.

        A wrong parameter gets its default; a stop that its tour does not have, no tour. Parameters
        that are not the view's are left alone.
        """
        fields, wrong = {}, []
        for param, written in {**PARAMS, "stop": _stop_of(params.get("tour", ""))}.items():
            try:
                if param in params:
                    fields[written.field] = written.read(param, params[param])
            except MhaError as error:
                wrong.append(error)
        if "stop" in params and "stop" not in fields:
            fields.pop("tour", None)
        return cls(**fields), wrong

    @property
    def glances(self) -> dict[str, Any]:
        """What was picked only to look at it."""
        return {name: getattr(self, name) for name in GLANCES}

    def without_glances(self) -> View:
        return replace(self, **View().glances)

    @property
    def presented(self) -> dict[str, Any]:
        """Whether the page is presented, and which part of it."""
        return {"present": self.present, "part": self.part}

    def without_presenting(self) -> View:
        return replace(self, **View().presented)

    def without_step(self) -> View:
        """The view on a page that compares nothing."""
        return replace(self, step=View().step)

    def shows(self, part: str) -> bool:
        """Whether a part that folds is open.

        >>> View().shows("heads"), View().shows("into"), View(unfolded=("into",)).shows("into")
        (True, False, True)
        """
        return part in self.unfolded if part in FOLDED_PARTS else part not in self.folded

    def folds(self, part: str, *, is_open: bool) -> dict[str, tuple[str, ...]]:
        """The field of the view that changes when a part is opened or folded.

        >>> View().folds("into", is_open=True)
        {'unfolded': ('into',)}
        >>> View().folds("heads", is_open=False)
        {'folded': ('heads',)}
        """
        is_first = part in FOLDED_PARTS
        field, parts = ("unfolded", FOLDED_PARTS) if is_first else ("folded", OPEN_PARTS)
        others = [name for name in getattr(self, field) if name != part]
        named = [*others, part] if is_open == is_first else others
        return {field: tuple(name for name in parts if name in named)}

    def is_by_plotly(self, board: str) -> bool:
        return board in self.drawn or EVERY_BOARD in self.drawn

    def drawing(self, board: str, *, by_plotly: bool) -> tuple[str, ...]:
        """The boards that Plotly draws, once this one is drawn by it, or live.

        >>> View().drawing("heads", by_plotly=True)
        ('heads',)
        >>> "heads" in View(drawn=(EVERY_BOARD,)).drawing("heads", by_plotly=False)
        False
        """
        others = [each for each in BOARDS if each != board and self.is_by_plotly(each)]
        if by_plotly and len(others) == len(BOARDS) - 1:
            return (EVERY_BOARD,)
        named = [*others, board] if by_plotly else others
        return tuple(each for each in BOARDS if each in named)

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that the rows of the heads' picture show, in the order of the lesson.

        >>> View(scores="raw", rows=("scores", "weights", "exponentials")).steps
        ('raw_scores', 'exponentials', 'weights')
        """
        of_row = {"scores": f"{self.scores}_scores", **STEP_OF_ROW}
        chosen = {of_row.get(row, row) for row in self.rows}
        return tuple(step.name for step in HEAD_STEPS if step.name in chosen)

    def check_head(self, scenario: Scenario) -> None:
        """Refuse a view that picks a head which the scenario does not have."""
        if self.head is not None and self.head >= scenario.n_heads:
            need = f"must be one of the heads, 1 to {scenario.n_heads}"
            raise _wrong("head", need, str(self.head + 1))

    def without_what_is_gone(self, scenario: Scenario) -> View:
        """The view as other sizes leave it: cells have moved, and a picked head may be gone."""
        gone = self.head is not None and self.head >= scenario.n_heads
        return replace(self, cell=None, page=1, head=None if gone else self.head)


class Written(NamedTuple):
    """How one field of the view is written in an address, and read from it."""

    field: str
    write: Callable[[Any], str]
    read: Callable[[str, str], Any]


def _whole(field: str, least: int, most: int) -> Written:
    """A number as people count: heads are counted from 1 on screen and from 0 inside."""

    def read(param: str, text: str) -> int:
        if _is_whole(text) and least <= int(text) <= most:
            return int(text) - least if field == "head" else int(text)
        raise _wrong(param, f"must be a whole number from {least} to {most}", text)

    return Written(field, lambda n: str(n + least if field == "head" else n), read)


def _switch(field: str, on: str, off: str) -> Written:
    def read(param: str, text: str) -> bool:
        if text in (on, off):
            return text == on
        raise _wrong(param, f"must be {on} or {off}", text)

    return Written(field, lambda value: on if value else off, read)


def _mark(field: str) -> Written:
    """What is there or not: a 1, or nothing at all."""

    def read(param: str, text: str) -> bool:
        if text == "1":
            return True
        raise _wrong(param, "must be 1", text)

    return Written(field, lambda _: "1", read)


def _word(field: str, words: Sequence[str]) -> Written:
    def read(param: str, text: str) -> str:
        if text in words:
            return text
        raise _wrong(param, f"must be one of {', '.join(words)}", text)

    return Written(field, str, read)


def _words(field: str, words: Sequence[str]) -> Written:
    def read(param: str, text: str) -> tuple[str, ...]:
        chosen = [word.strip() for word in text.split(",")]  # blanks as in the message below
        if all(word in words for word in chosen):
            return tuple(word for word in words if word in chosen)
        several = f"some of {', '.join(words)}"
        raise _wrong(param, f"must be {several if len(words) > 1 else words[0]}", text)

    return Written(field, ",".join, read)


def _hide(field: str) -> Written:
    """Sections by their names; `sidebar` is short for all those that stand there.

    >>> hide = _hide("hide")
    >>> hide.read("hide", "sidebar,editors") == (*IN_SIDEBAR, "editors")
    True
    >>> hide.write((*IN_SIDEBAR, "editors"))
    'sidebar,editors'
    """
    sections = _words(field, (SIDEBAR, *SECTIONS))

    def read(param: str, text: str) -> tuple[str, ...]:
        chosen = set(sections.read(param, text))
        if SIDEBAR in chosen:
            chosen.update(IN_SIDEBAR)
        return tuple(section for section in SECTIONS if section in chosen)

    def write(hidden: Sequence[str]) -> str:
        if not set(IN_SIDEBAR) <= set(hidden):
            return sections.write(hidden)
        return sections.write([SIDEBAR, *(name for name in hidden if name not in IN_SIDEBAR)])

    return Written(field, write, read)


def _read_title(param: str, text: str) -> str:
    title = " ".join(text.split())
    if len(title) > LONGEST_TITLE or not title.isprintable():
        raise _wrong(param, f"must be a text of at most {LONGEST_TITLE} characters", text)
    return title


def _read_tour(param: str, text: str) -> str:
    if text.startswith(PACKED):
        unpack_tour(text)
    elif text not in TOURS:
        raise _wrong(param, f"must be one of {', '.join(TOURS)}, or a tour of one's own", text)
    return text


def _read_part(param: str, text: str) -> str:
    if text in PARTS:
        return text
    raise _wrong(param, "must name a part that can be presented, as in weights", text)


def _stop_of(tour: str) -> Written:
    """A stop, of those that the tour has: of any tour, if it is none."""
    try:
        own = unpack_tour(tour).stops if tour.startswith(PACKED) else ()
    except MhaError:
        own = ()
    stops = TOURS[tour].stops if tour in TOURS else own
    return _whole("stop", 1, len(stops) or MOST_STOPS)


def _read_cell(param: str, text: str) -> Cell:
    matrix, _, place = text.rpartition(":")
    step, slash, head = matrix.partition("/")
    row, _, column = place.partition(".")
    counted = all(_is_whole(n) and int(n) > 0 for n in (row, column))
    is_named = step and len(matrix) <= LIMITS.label_chars and (not slash or _is_whole(head))
    if is_named and counted:
        return Cell.of_matrix(matrix, int(row) - 1, int(column) - 1)
    raise _wrong(param, "must name a matrix, a row and a column, as in weights/0:2.1", text)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6


def no_such_cell(cell: Cell) -> FormatError:
    """What is wrong with an address that picks a cell which the layer does not have."""
    need = "must be a number that this layer has, such as weights/0:1.1"
    return _wrong("cell", need, PARAMS["cell"].write(cell))


def _wrong(param: str, need: str, text: str) -> FormatError:
    way_out = f"Leave out {param}= in the address for the usual view."
    return FormatError(f"{param} in the address", need, repr(text[:40]), way_out)


PARAMS: Final[Mapping[str, Written]] = {
    "decimals": _whole("decimals", 0, MOST_DECIMALS),
    "colors": _switch("shared_scale", "shared", "own"),
    "values": _switch("values", "on", "off"),
    "palette": _word("palette", tuple(PALETTES)),
    "moved": _word("moved", COMPARISONS),
    "drawn": _words("drawn", (EVERY_BOARD, *BOARDS)),
    "show": _word("scores", SCORES),
    "rows": _words("rows", (*ROWS, *MORE_ROWS)),
    "head": _whole("head", 1, LIMITS.heads),
    "cell": Written(
        "cell", lambda cell: f"{cell.matrix}:{cell.row + 1}.{cell.column + 1}", _read_cell
    ),
    "influence": _word("influence", INPUTS),
    "page": _whole("page", 1, LIMITS.heads),
    "step": _word("step", COMPARED),
    "order": _word("order", tuple(ORDERS)),
    "screen": _word("screen", tuple(SCREENS)),
    "tour": Written("tour", str, _read_tour),
    "stop": _whole("stop", 1, MOST_STOPS),
    "present": _mark("present"),
    "part": Written("part", str, _read_part),
    "open": _words("unfolded", FOLDED_PARTS),
    "fold": _words("folded", OPEN_PARTS),
    "hide": _hide("hide"),
    "title": Written("title", str, _read_title),
}
