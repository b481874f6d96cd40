"""What may be shown, by names, and how each field of a view is written in the address and read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mha_core.checks.errors import FormatError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.guide.screens import SCREENS
from mha_core.guide.tours import TOURS
from mha_core.io.packed_text import PACKED
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.influence import INPUTS
from mha_core.layer.trace import HEAD_STEPS, STEPS
from mha_core.puzzles.ladder import PUZZLES
from mha_core.reading.head_orders import ORDERS
from mha_core.scenario.given_arrays import GIVEN
from ui.edits.own_puzzle_form import is_own_puzzle, own_puzzle_named
from ui.edits.puzzle_entries import TITLES
from ui.edits.tour_text import MOST_STOPS, unpack_tour
from ui.theme import PALETTES

SCORES: Final = ("raw", "scaled", "masked")
ROWS: Final = ("scores", "weights", "outputs")  # of the heads' picture, in the words of the page
COMPARISONS: Final = ("off", "before", "example")  # what the numbers are compared with
STEP_OF_ROW: Final = {"weights": "weights", "outputs": "head_outputs"}
MORE_ROWS: Final = tuple(s.name for s in HEAD_STEPS if s.name not in STEP_OF_ROW.values())
COMPARED: Final = tuple(dict.fromkeys([*(step.name for step in STEPS), *GIVEN]))
IN_SIDEBAR: Final = ("example", "input", "heads", "weights", "mask", "scores")
SECTIONS: Final = (*IN_SIDEBAR, "view", "editors", "hints")  # what a link may hide
# Parts of a page that are presented, beside the steps: what is seen first, what is seen last, and
# the sides of a comparison.
FIRST_PARTS: Final = ("into", "queries", "keys", "values")
LAST_PARTS: Final = ("head", "together")
COMPARED_PARTS: Final = ("beside", "a", "b", "difference")
PARTS: Final = (
    *(*FIRST_PARTS, *(s.name for s in HEAD_STEPS), *LAST_PARTS, *COMPARED_PARTS),
    "build",
)
SIDEBAR: Final = "sidebar"  # in an address, all sections of the sidebar
# Parts of the page that fold: those that are folded at first, and those that are open.
FOLDED_PARTS: Final = ("into",)
OPEN_PARTS: Final = ("layers", "heads", "together")
# Boards of pictures, each drawn live or by Plotly.
BOARDS: Final = (
    *("heads", "layers", "one-head", "together", "contributions", "into", "mask", "additive"),
    *("own-additions", "gated-additions", "sinks", "distances", "gated"),
    *("influence", "walk", "pattern", "build", "compared", "difference"),
)
EVERY_BOARD: Final = "plotly"  # in an address, all boards by Plotly
FIRST_PUZZLE: Final = next(iter(PUZZLES))
INFLUENCES: Final = (  # arrays of the layer that is shown, and of those below
    *INPUTS,
    *(f"{layer}.{name}" for layer in range(1, LIMITS.layers) for name in INPUTS),
)
MOST_NAMED: Final = 16  # words in a message
HINTS: Final = 3  # of each puzzle
LONGEST_TITLE: Final = 80  # characters
MOST_DECIMALS: Final = 6
FROM_0: Final = ("head", "layer")  # fields that are counted from 0 inside
NAMES_A_PART: Final = say("must name a part that can be presented, as in weights")


class Written(NamedTuple):
    """How one field of the view is written in an address, and read from it."""

    field: str
    write: Callable[[Any], str]
    read: Callable[[str, str], Any]


def _whole(field: str, least: int, most: int) -> Written:
    """A number as people count: heads and layers are counted from 1 on screen and from 0 inside."""

    def read(param: str, text: str) -> int:
        if _is_whole(text) and least <= int(text) <= most:
            return int(text) - least if field in FROM_0 else int(text)
        need = say("must be a whole number from {least} to {most}")
        raise wrong_param(param, need.format(least=least, most=most), text)

    return Written(field, lambda n: str(n + least if field in FROM_0 else n), read)


def _choice(field: str, values: Mapping[str, Any], need: str) -> Written:
    """One of these texts; each stands for a value."""
    texts = {value: text for text, value in values.items()}

    def read(param: str, text: str) -> Any:
        if text in values:
            return values[text]
        raise wrong_param(param, need, text)

    return Written(field, texts.__getitem__, read)


def _switch(field: str, on: str, off: str) -> Written:
    need = say("must be {word} or {other_word}").format(word=on, other_word=off)
    return _choice(field, {on: True, off: False}, need)


def _word(field: str, words: Sequence[str]) -> Written:
    need = say("must be one of {words}").format(words=", ".join(words))
    return _choice(field, {word: word for word in words}, need)


def _words(field: str, words: Sequence[str]) -> Written:
    def read(param: str, text: str) -> tuple[str, ...]:
        chosen = [word.strip() for word in text.split(",")]  # blanks as in the message below
        if all(word in words for word in chosen):
            return tuple(word for word in words if word in chosen)
        need = say("must be some of {words}") if len(words) > 1 else say("must be {words}")
        raise wrong_param(param, need.format(words=_named(words)), text)

    return Written(field, ",".join, read)


def _named(words: Sequence[str]) -> str:
    """Words that may be chosen. Of many, the first, so that people read to the end."""
    named = ", ".join(words[:MOST_NAMED])
    more = len(words) - MOST_NAMED
    return say("{words} and {count} more").format(words=named, count=more) if more > 0 else named


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
        need = say("must be a text of at most {limit} characters").format(limit=LONGEST_TITLE)
        raise wrong_param(param, need, text)
    return title


def _read_tour(param: str, text: str) -> str:
    if text.startswith(PACKED):
        unpack_tour(text)
    elif text not in TOURS:
        need = say("must be one of {tours}, or a tour of one's own")
        raise wrong_param(param, need.format(tours=", ".join(TOURS)), text)
    return text


def _read_puzzle(param: str, text: str) -> str:
    if is_own_puzzle(text):
        own_puzzle_named(text)
    elif text not in TITLES:
        need = say("must be one of {puzzles}, or a puzzle of one's own")
        raise wrong_param(param, need.format(puzzles=", ".join(TITLES)), text)
    return text


def stop_of(tour: str) -> Written:
    """A stop of this tour; of any tour, if there is no such tour."""
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
    need = say("must name a matrix, a row and a column, as in weights/0:2.1")
    raise wrong_param(param, need, text)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6


def no_such_cell(cell: Cell) -> FormatError:
    """What is wrong with an address that picks a cell which the layer does not have."""
    need = say("must be a number that this layer has, such as weights/0:1.1")
    return wrong_param("cell", need, PARAMS["cell"].write(cell))


def wrong_param(param: str, need: str, text: str) -> FormatError:
    thing = say("{name} in the address").format(name=param)
    way_out = say("Leave out {name}= for the usual view.").format(name=param)
    return FormatError(thing, need, repr(text[:40]), way_out)


PARAMS: Final[Mapping[str, Written]] = {
    "decimals": _whole("decimals", 0, MOST_DECIMALS),
    "colors": _switch("shared_scale", "shared", "own"),
    "values": _switch("values", "on", "off"),
    "palette": _word("palette", tuple(PALETTES)),
    "moved": _word("moved", COMPARISONS),
    "drawn": _words("drawn", (EVERY_BOARD, *BOARDS)),
    "show": _word("scores", SCORES),
    "rows": _words("rows", (*ROWS, *MORE_ROWS)),
    "layer": _whole("layer", 1, LIMITS.layers),
    "head": _whole("head", 1, LIMITS.heads),
    "cell": Written(
        "cell", lambda cell: f"{cell.matrix}:{cell.row + 1}.{cell.column + 1}", _read_cell
    ),
    "influence": _word("influence", INFLUENCES),
    "page": _whole("page", 1, LIMITS.heads),
    "step": _word("step", COMPARED),
    "order": _word("order", tuple(ORDERS)),
    "screen": _word("screen", tuple(SCREENS)),
    "puzzle": Written("puzzle", str, _read_puzzle),
    "hints": _whole("hints", 0, HINTS),
    "tour": Written("tour", str, _read_tour),
    "stop": _whole("stop", 1, MOST_STOPS),
    "present": _choice("present", {"1": True}, say("must be 1")),
    "part": _choice("part", {part: part for part in PARTS}, NAMES_A_PART),
    "open": _words("unfolded", FOLDED_PARTS),
    "fold": _words("folded", OPEN_PARTS),
    "hide": _hide("hide"),
    "title": Written("title", str, _read_title),
}
