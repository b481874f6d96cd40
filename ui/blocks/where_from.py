"""Where the picked cell's number comes from, and where it goes: words, a formula, links.

Each link leads to the cell of one operand, or of one number that is made with this one, so that a
person can go on asking: down to X and the weights, and back up.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Mapping
from heapq import nlargest
from typing import Any, Final, NamedTuple

from latex2mathml.converter import convert

from mha_core.checks.errors import MhaError, NumberError
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import Derivation, Fed, derive_cell, feeds_cell, index_in
from mha_core.layer.influence import INPUTS, influence, strongest
from mha_core.layer.naming import labels_in_latex, name_of
from mha_core.layer.steps import Step
from mha_core.layer.trace import Trace
from mha_core.layer.written import written
from mha_core.scenario.given_arrays import GIVEN
from ui.edits.boxes import Box, boxes
from ui.figures.strip import with_subscripts
from ui.state import Session, session_with

MOST_LINKS: Final = 12  # to cells, before the rest stand in a fold
MOST_IN_FOLD: Final = 256
ROWS_GIVEN: Final = ("x", "context")
COPIES: Final = {"LaTeX": "latex", "Python": "python", "Text": "text"}


class WhereFrom(NamedTuple):
    """What is said of a cell as HTML, and the places of its operands and of what it goes into."""

    panel: str = ""
    made_of: tuple[Box, ...] = ()
    goes_into: tuple[Box, ...] = ()


NOTHING: Final = WhereFrom()


def where_from(session: Session) -> WhereFrom:
    """All that is said of the picked cell; nothing where none is picked, or none of this layer."""
    cell = session.view.cell
    return _said(session, cell, session.asked.trail) if cell else NOTHING


def answer(session_id: str, cell: Cell) -> Mapping[str, Any] | None:
    """The same for a cell that a person picks just now; None where there is no such cell.

    The browser asks for it beside Streamlit: the run of the page that says so takes longer. Several
    threads may ask at once.
    """
    session = session_with(session_id)
    said = _said(session, cell, ()) if session else NOTHING
    return said._asdict() if said.panel else None


def _said(session: Session, cell: Cell, trail: tuple[Cell, ...]) -> WhereFrom:
    asked = (cell, session.view.decimals, trail)
    with session.explaining:
        return session.keep_last("where from", asked, lambda: _of(session.trace, *asked))


def _of(trace: Trace, cell: Cell, decimals: int, trail: tuple[Cell, ...]) -> WhereFrom:
    if not is_there(trace, cell):  # a link may name any cell
        return NOTHING
    found = derive_cell(trace, cell)
    fed = list(feeds_cell(trace, found.cell))
    number = _live(found.cell, found.value, decimals)
    panel = (
        _way_back(trace, trail),
        f'<h3 tabindex="-1">{_name(trace, found.cell)} = {number}</h3>',
        f"<p>{html.escape(_words(trace, cell, found))}</p>",
        _formula(found, decimals),
        _what_happened(found, decimals),
        _made_of(found, decimals),
        _goes_into(trace, fed, decimals),
        _moves_with(trace, found.cell, decimals),
        _copies(found, decimals),
    )
    operands, readers = (each.cell for each in found.operands), (each.cell for each in fed)
    return WhereFrom("".join(panel), boxes(trace, operands), boxes(trace, readers))


def is_there(trace: Trace, cell: Cell) -> bool:
    try:
        index_in(trace, cell)
    except MhaError:
        return False
    return True


def _way_back(trace: Trace, trail: tuple[Cell, ...]) -> str:
    """The cells that were asked for before this one, the first first.

    They may be gone: undo may have led to other sizes since.
    """
    if not trail or not all(is_there(trace, cell) for cell in trail):
        return ""
    links = (
        f'<li><button type="button" data-back="{place}">{_name(trace, cell)}</button></li>'
        for place, cell in enumerate(trail)
    )
    return f'<nav aria-label="Asked before"><ol>{"".join(links)}</ol></nav>'


def _words(trace: Trace, cell: Cell, found: Derivation) -> str:
    """What the number is; of a step that changes nothing here, that it hands on another's."""
    step = getattr(type(trace), found.cell.step, None)
    if not isinstance(step, Step):
        title = GIVEN[found.cell.step].symbol if found.cell.step in GIVEN else "The additive mask"
        return f"{title}, as it was given."
    said = f"{step.title}: {step.meaning}"
    if cell.step == found.cell.step:
        return said
    return f"{getattr(type(trace), cell.step).title}: nothing has changed since {said}"


def _formula(found: Derivation, decimals: int) -> str:
    """The typeset formula; in words why, where nothing is computed."""
    if found.cell.step in INPUTS:
        return ""
    if found.because:
        return f"<p>It is {_written(found.value, decimals)}: {html.escape(found.because)}.</p>"
    math = typeset(found.write("latex", decimals=decimals))
    return f'<div class="formula" tabindex="0" role="group" aria-label="Formula">{math}</div>'


def _what_happened(found: Derivation, decimals: int) -> str:
    """Why the number is infinite or none, in words."""
    words = found.what_happened(decimals)
    return f"<p>{html.escape(words)}.</p>" if words else ""


def typeset(latex: str) -> str:
    """LaTeX as MathML. Labels never go through the converter, which would take them for markup."""
    labels: list[str] = []

    def numbered(label: str) -> str:
        labels.append(f"<mtext>{html.escape(label)}</mtext>")
        return rf"\text{{{len(labels) - 1}}}"

    without_labels = labels_in_latex(latex, numbered)
    math = convert(without_labels.replace("<", r"\lt "), display="block")
    return re.sub(r"<mtext>(\d+)</mtext>", lambda found: labels[int(found[1])], math)


def _made_of(found: Derivation, decimals: int) -> str:
    operands = [
        (each.cell, _live(each.cell, each.value, decimals))
        for each in found.operands[: MOST_LINKS + MOST_IN_FOLD]
    ]
    return _links(found.trace, "Made of", operands, len(found.operands))


def _goes_into(trace: Trace, fed: list[Fed], decimals: int) -> str:
    """The cells that move with this one, those that move most first."""
    moved = [each for each in fed if each.slope]
    most = nlargest(MOST_LINKS + MOST_IN_FOLD, moved, key=lambda each: _size(each.slope))
    cells = [(each.cell, f"<b>{_signed(each.slope, decimals)}</b>") for each in most]
    return _links(trace, "Goes into, by so much for each 1", cells, len(moved))


def _size(slope: float) -> float:
    """What is not a number counts as the largest."""
    return math.inf if math.isnan(slope) else abs(slope)


def _moves_with(trace: Trace, cell: Cell, decimals: int) -> str:
    """The number of X, however far back, that moves this one most."""
    if cell.step in INPUTS:
        return ""
    try:
        most = strongest(influence(trace, cell, of=ROWS_GIVEN))
    except NumberError as error:
        return f"<p>{html.escape(str(error))}</p>"
    if most is None:
        return ""
    of, slope = most
    number = f"<b>{_signed(slope, decimals)}</b>"
    return _links(trace, "Moves most with, by so much for each 1", [(of, number)], 1)


def _links(trace: Trace, title: str, cells: list[tuple[Cell, str]], count: int) -> str:
    """Buttons to cells with their numbers; those that are too many stand in a fold.

    `count` is how many there are in all.
    """
    if not cells:
        return ""
    buttons = [_link(trace, cell, number) for cell, number in cells]
    first, rest = buttons[:MOST_LINKS], buttons[MOST_LINKS:]
    counted = f"{len(rest)} more" + (f" of {count - len(first)}" if count > len(cells) else "")
    more = f"<details><summary>{counted}</summary>{''.join(rest)}</details>" if rest else ""
    return f'<div class="cells"><span>{title}</span>{"".join(first)}{more}</div>'


def _link(trace: Trace, cell: Cell, number: str) -> str:
    return f'<button type="button" {_place(cell)}>{_name(trace, cell)} {number}</button>'


def _live(cell: Cell, value: float, decimals: int) -> str:
    """A number that the browser keeps up to date while another one is dragged."""
    return f'<b data-live="{decimals}" {_place(cell)}>{_written(value, decimals)}</b>'


def _place(cell: Cell) -> str:
    matrix = html.escape(cell.matrix)
    return f'data-matrix="{matrix}" data-row="{cell.row}" data-column="{cell.column}"'


def _signed(number: float, decimals: int) -> str:
    shown = _written(number, decimals)
    return f"+{shown}" if number >= 0 else shown


def _copies(found: Derivation, decimals: int) -> str:
    """Buttons that copy the formula, in each notation."""
    buttons: Iterable[str] = (
        f'<button type="button" data-copy="{html.escape(found.write(how, decimals=decimals))}">'
        f"{name}</button>"
        for name, how in COPIES.items()
    )
    return f'<div class="copies"><span>Copy as</span>{"".join(buttons)}</div>'


def _name(trace: Trace, cell: Cell) -> str:
    return with_subscripts(name_of(trace, cell, "text"))


def _written(value: float, decimals: int) -> str:
    return written(value, decimals, "text")
