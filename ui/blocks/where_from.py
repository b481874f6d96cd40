"""Where the picked cell's number comes from, and where it goes: words, a formula, links.

Each link leads to the cell of one operand, or of one number that is made with this one, so that a
person can go on asking: down to X and the weights, and back up.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping
from heapq import nlargest
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.changing.sources import source_of
from mha_core.checks.errors import NumberError
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import Derivation, Fed, explain, further_down, hidden_by, used_in
from mha_core.layer.expressions import Explained, Operand
from mha_core.layer.influence import INPUTS, influence, strongest
from mha_core.layer.steps import Step
from mha_core.layer.trace import Trace
from mha_core.layer.where import ADDITIVE, is_given, number_at
from mha_core.layer.written import MOST_DIGITS, written, written_constant
from mha_core.scenario.given_arrays import GIVEN, GIVEN_BEFORE_HEADS, OF_TOKENS
from mha_core.stack.cells import layer_named, without_layer
from mha_core.stack.derivation import is_made_between
from ui.blocks.between_layers import between_layers
from ui.blocks.live_formula import live_formula, place
from ui.blocks.name_and_number import in_html, live_number, name_in_stack, name_of_cell, signed
from ui.edits.boxes import CellBox, boxes, lines
from ui.figures.strip import with_subscripts
from ui.state import Session, session_with, sessions_of_page

MOST_LINKS: Final = 12  # to cells that a number goes into, before the rest stand in a fold
ASKED_BEFORE: Final = say("Asked before")
HIDDEN: Final = say("The mask hides this cell:")
LET_GO: Final = say("The layer has other sizes now. Pick a number to see where it comes from.")
SHOWN: Final = 48  # cells of a fold that are sent before somebody opens it
# The part of the explorer in which each given array can be edited.
PART_OF: Final = {
    **dict.fromkeys(GIVEN_BEFORE_HEADS, "into"),
    **dict.fromkeys(("w_o", "b_o"), "together"),
}
COPY_AS: Final = say("Copy as")
COPIES: Final = {"LaTeX": "latex", "Python": "python", say("Text"): "text"}


Cells = list[tuple[Cell, str]]  # each with its number, as HTML


class WhereFrom(NamedTuple):
    """The words on a cell as HTML, and what is lit with it.

    These are the places of its operands and of what it goes into, and its row and column.
    """

    panel: str = ""
    made_of: tuple[CellBox, ...] = ()
    goes_into: tuple[CellBox, ...] = ()
    lines: tuple[tuple[str, int], ...] = ()


NOTHING: Final = WhereFrom()


def where_from(session: Session) -> WhereFrom:
    """All words on the picked cell; nothing if none is picked, or none of this layer."""
    if cell := session.view.cell:
        return _said(session, cell, session.asked.trail)
    return WhereFrom(_was_let_go(session.let_go)) if session.let_go else NOTHING


def _was_let_go(name: str) -> str:
    """A panel that closes by itself would leave people to wonder what they had done."""
    title = say("{number} was let go").format(number=in_html(name))
    return f'<h2 tabindex="-1">{title}</h2><p>{LET_GO}</p>'


def answer(
    session_id: str, cell: Cell, *, goes_on: bool = False, all_of: str = ""
) -> Mapping[str, Any] | None:
    """The same for a cell that a person picks just now; None where there is no such cell.

    With `goes_on` a link in the words on another cell has led there. With `all_of` a fold of this
    name was opened, and the answer is what it holds. The browser asks beside Streamlit: a run of
    the page takes longer. Several threads may ask at once.
    """
    session = session_with(session_id)
    if not session or not session.has(cell):
        return None
    if all_of:
        trace, cell = session.trace_of(cell), without_layer(cell)
        return {"fold": _whole_fold(trace, cell, session.view.decimals, all_of)}
    said = _said(session, cell, session.trail_to(cell) if goes_on else ())
    return said._asdict() if said.panel else None


def _said(session: Session, cell: Cell, trail: tuple[Cell, ...]) -> WhereFrom:
    asked = (cell, session.view.decimals, trail, _side(session))
    with session.explaining:
        return session.keep_last("where from", asked, lambda: _explained(session, *asked))


def _explained(
    session: Session, cell: Cell, decimals: int, trail: tuple[Cell, ...], side: str
) -> WhereFrom:
    """What one layer makes is explained by that layer; the rest, by the layers before it."""
    if not session.has(cell):  # a link may name any cell
        return NOTHING
    named = layer_named(cell)
    layer = session.layer if named is None else named
    way_back = _way_back(session, trail)
    own = without_layer(cell)
    if is_made_between(session.traces, own, layer):
        return WhereFrom(between_layers(session, own, layer, decimals, way_back, side))
    trace = session.traces.layers[layer]
    if len(session.stack.layers) > 1:
        side += say("Layer {number}: ").format(number=layer + 1)
    said = _of(trace, own, decimals, way_back, side)
    return said if layer == session.layer else _as_of(said, layer)


def _as_of(said: WhereFrom, layer: int) -> WhereFrom:
    """The words on a cell of another layer than the one that is shown: each cell says its layer."""
    named = said.panel.replace('data-matrix="', f'data-matrix="{layer + 1}.')
    return WhereFrom(named)


def _side(session: Session) -> str:
    """Whose number it is, where a page has several sessions: both have one of this name."""
    is_one_of_several = session.name and len(sessions_of_page(session)) > 1
    return f"{session.name.upper()}: " if is_one_of_several else ""


def _of(trace: Trace, cell: Cell, decimals: int, way_back: str, side: str) -> WhereFrom:
    found = explain(trace, cell)
    fed = list(used_in(trace, found.cell))
    number = live_number(found.cell, found.value, decimals)
    given = " data-given" if found.cell.step in (*GIVEN, ADDITIVE) else ""  # edited where it stands
    panel = (
        way_back,
        f'<h2 tabindex="-1"{given}>{side}{name_of_cell(trace, found.cell)} = {number}</h2>',
        f"<p>{html.escape(words_of(trace, cell, found))}</p>",
        _edit(found.cell),
        _hidden(trace, found),
        _formula(found, decimals),
        _letters(found, decimals),
        _what_happened(found, decimals),
        _made_of(found, decimals),
        _further_down(found, decimals),
        _goes_into(trace, found.cell, fed, decimals),
        _moves_with(trace, found.cell, decimals),
        _copies(found, decimals),
    )
    operands = (*found.names, *(each.cell for each in found.written_out()))
    made_of, goes_into = boxes(trace, operands), boxes(trace, (each.cell for each in fed))
    return WhereFrom("".join(panel), made_of, goes_into, lines(trace, cell))


def _way_back(session: Session, trail: tuple[Cell, ...]) -> str:
    """The cells that were asked for before this one, the first first.

    They may be gone: undo may have led to other sizes since.
    """
    if not trail or not all(map(session.has, trail)):
        return ""
    links = (
        f'<li><button type="button" {place(cell)}>{name_in_stack(session, cell)}</button></li>'
        for cell in trail
    )
    return f'<nav aria-label="{ASKED_BEFORE}"><ol>{"".join(links)}</ol></nav>'


def words_of(trace: Trace, cell: Cell, found: Derivation) -> str:
    """What the number is; or, if the step changes nothing here, that it hands on another's."""
    step = getattr(type(trace), found.cell.step, None)
    if not isinstance(step, Step):
        is_array = found.cell.step in GIVEN
        title = GIVEN[found.cell.step].symbol if is_array else say("The additive mask")
        if not is_given(trace, found.cell.step):
            says = say("{matrix}: not given, so {reason}.")
            return says.format(matrix=title, reason=found.because)
        return f"{title}, {_as_given(trace, found)}."
    said = f"{step.title}: {step.meaning_in(trace.scenario)}"
    if found.cell.step in GIVEN:
        said = f"{said.removesuffix('.')}, {_as_given(trace, found)}."
    if cell.step == found.cell.step:
        return said
    says = say("{step}: unchanged here. {sentence}")
    return says.format(step=getattr(type(trace), cell.step).title, sentence=said)


def _as_given(trace: Trace, found: Derivation) -> str:
    """Who gave the number, and what stood there before somebody changed it."""
    cell = found.cell
    source = source_of(trace.scenario, cell.step) if cell.step in GIVEN else None
    if not source:
        return say("as it was given")
    its = np.asarray(number_at(source.array, cell), np.asarray(found.value).dtype)
    if its == found.value:
        return say("as {source} has it").format(source=source.words)
    says = say("as it was given; {source} has {number}")
    return says.format(source=source.words, number=written_constant(its, MOST_DIGITS, "text"))


def _edit(cell: Cell) -> str:
    """A button that leads to the cell in its matrix, where it is edited."""
    part = PART_OF.get(cell.step)
    if not part:
        return ""
    matrix = with_subscripts(GIVEN[cell.step].symbol)
    words = say("Edit it in {matrix}").format(matrix=matrix)
    leads = f'data-edits="fold-{part}" {place(cell)}'
    return f'<div class="cells"><button type="button" {leads}>{words}</button></div>'


def _formula(found: Derivation, decimals: int) -> str:
    """The typeset formula; in words why, if nothing is computed."""
    if found.cell.step in INPUTS:
        return ""
    if found.because:
        number, reason = written(found.value, decimals, "text"), html.escape(found.because)
        said = say("It is {number}: {reason}.").format(number=number, reason=reason)
        return f"<p>{said}</p>"
    label, formula = say("Formula"), live_formula(found, decimals)
    return f'<div class="formula" tabindex="0" role="group" aria-label="{label}">{formula}</div>'


def _hidden(trace: Trace, found: Derivation) -> str:
    """Says that the mask hides a cell, with a link to the reason, if nothing else says so."""
    of_mask = hidden_by(trace, found.cell)
    if not of_mask or found.because:
        return ""
    return f'<div class="cells"><span>{HIDDEN}</span>{_link(trace, of_mask)}</div>'


def _letters(found: Derivation, decimals: int) -> str:
    """What the letters of the formula are, and their numbers."""
    said = "; ".join(
        f"{with_subscripts(each.text)} = {_constant(each, decimals)}: {html.escape(each.words)}"
        for each in found.letters
    )
    return f'<p class="letters">{said}</p>' if said else ""


def _constant(letter: Explained, decimals: int) -> str:
    number = written_constant(letter.number, decimals, "text")
    if not letter.given_as:
        return number
    return f'<b data-live="{decimals}" data-option="{letter.given_as}">{number}</b>'


def _what_happened(found: Derivation, decimals: int) -> str:
    """Why the number is infinite or not a number, in words."""
    words = found.what_happened(decimals)
    return f'<p class="waits">{html.escape(words)}.</p>' if words else ""


def _made_of(found: Derivation, decimals: int) -> str:
    """The cells that the formula names; those of terms that it leaves out stand in a fold."""
    shown = found.written_out()
    fold = _Fold("made_of", found.cell, len(found.operands), len(shown))
    cells = _in_links([*shown, *_left_out(found)[:SHOWN]], decimals)
    return _links(found.trace, say("Made of"), cells, fold, waits=False)


def _left_out(found: Derivation) -> list[Operand]:
    shown = {each.cell for each in found.written_out()}
    return [each for each in found.operands if each.cell not in shown]


def _further_down(found: Derivation, decimals: int) -> str:
    cells = _in_links(further_down(found), decimals)
    return _links(found.trace, say("Further down"), cells, waits=False)


def _in_links(operands: Iterable[Operand], decimals: int) -> Cells:
    return [(each.cell, live_number(each.cell, each.value, decimals)) for each in operands]


def _goes_into(trace: Trace, cell: Cell, fed: list[Fed], decimals: int) -> str:
    """The cells that move with this one, those that move most first."""
    moved = [each for each in fed if each.slope]
    fold = _Fold("goes_into", cell, len(moved), MOST_LINKS)
    readers = _readers(moved, decimals, MOST_LINKS + SHOWN)
    return _links(trace, say("Used in (effect of adding 1)"), readers, fold)


def _readers(moved: list[Fed], decimals: int, most: int | None = None) -> Cells:
    in_order = nlargest(most or len(moved), moved, key=lambda each: _size(each.slope))
    return [(each.cell, f"<b>{signed(each.slope, decimals)}</b>") for each in in_order]


def _whole_fold(trace: Trace, cell: Cell, decimals: int, name: str) -> str:
    """All that a fold holds."""
    found = explain(trace, cell)
    if name == "made_of":
        cells = _in_links(_left_out(found), decimals)
    else:
        moved = [each for each in used_in(trace, found.cell) if each.slope]
        cells = _readers(moved, decimals)[MOST_LINKS:]
    return "".join(_link(trace, *each) for each in cells)


def _size(slope: float) -> float:
    """What is not a number counts as the largest."""
    return math.inf if math.isnan(slope) else abs(slope)


def _moves_with(trace: Trace, cell: Cell, decimals: int) -> str:
    """The number of X, however far back, that moves this one most."""
    if cell.step in INPUTS:
        return ""
    try:
        most = strongest(influence(trace, cell, of=OF_TOKENS))
    except NumberError as error:
        return f"<p>{html.escape(str(error))}</p>"
    if most is None:
        return ""
    of, slope = most
    number = f"<b>{signed(slope, decimals)}</b>"
    return _links(trace, say("Most sensitive to (effect of adding 1)"), [(of, number)])


class _Fold(NamedTuple):
    """A fold's name, the cell it tells of, how many cells there are, and how many precede it."""

    name: str
    of: Cell
    total: int
    before: int


def _links(
    trace: Trace, title: str, cells: Cells, fold: _Fold | None = None, *, waits: bool = True
) -> str:
    """Buttons to cells with their numbers; those that are too many stand in a fold.

    Numbers that do not follow a drag wait for the server. Where there are more than were sent, the
    browser asks for all as soon as the fold is opened.
    """
    if not cells:
        return ""
    buttons = [_link(trace, cell, number) for cell, number in cells]
    before = fold.before if fold else len(buttons)
    first, rest = buttons[:before], buttons[before:]
    more = ""
    if fold and rest:
        asks = f' data-all-of="{fold.name}" {place(fold.of)}' if fold.total > len(cells) else ""
        counted = say("{count:,} more").format(count=fold.total - len(first))
        more = f"<details{asks}><summary>{counted}</summary>{''.join(rest)}</details>"
    kind = "cells waits" if waits else "cells"
    return f'<div class="{kind}"><span>{title}</span>{"".join(first)}{more}</div>'


def _link(trace: Trace, cell: Cell, number: str = "") -> str:
    named = f"{name_of_cell(trace, cell)} {number}".strip()
    return f'<button type="button" {place(cell)}>{named}</button>'


def _copies(found: Derivation, decimals: int) -> str:
    """Buttons that copy the formula, in each notation."""
    buttons: Iterable[str] = (
        f'<button type="button" data-copy="{html.escape(found.write(how, decimals=decimals))}">'
        f"{name}</button>"
        for name, how in COPIES.items()
    )
    return f'<div class="copies waits"><span>{COPY_AS}</span>{"".join(buttons)}</div>'
