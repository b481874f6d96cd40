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
from mha_core.checks.errors import LimitError, NumberError
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import (
    Derivation,
    Fed,
    explain,
    further_down,
    hidden_by,
    used_in,
)
from mha_core.layer.expressions import Explained, Operand
from mha_core.layer.influence import INPUTS, influence, strongest
from mha_core.layer.naming import name_of
from mha_core.layer.steps import Step
from mha_core.layer.trace import Trace
from mha_core.layer.where import ADDITIVE, is_given, number_at
from mha_core.layer.written import MOST_DIGITS, written, written_constant, written_with_digits
from mha_core.scenario.given_arrays import GIVEN
from mha_core.stack.cells import in_layer, layer_named, without_layer
from mha_core.stack.derivation import (
    AT_THE_END,
    LOGITS,
    PROBABILITIES,
    STREAM,
    SYMBOLS,
    W_U,
    MadeOf,
    Number,
    is_made_between,
    made_between,
    value_of,
)
from mha_core.stack.effects import direct_effects, path_effects
from mha_core.stack.parts import Part
from mha_core.stack.paths import Path
from ui.blocks.live_formula import live_formula, place
from ui.blocks.score_parts import name_of_part
from ui.edits.boxes import CellBox, boxes, lines
from ui.figures.layers import labels_of_stream
from ui.figures.strip import with_subscripts
from ui.state import Session, session_with, sessions_of_page

MOST_LINKS: Final = 12  # to cells that a number goes into, before the rest stand in a fold
ASKED_BEFORE: Final = say("Asked before")
HIDDEN: Final = say("The mask hides this cell:")
LET_GO: Final = say("The layer has other sizes now. Pick a number to see where it comes from.")
DIGITS_OF_A_LITTLE: Final = 2
SHOWN: Final = 48  # cells of a fold that are sent before somebody opens it
ROWS_GIVEN: Final = ("x", "context")
# The part of the explorer in which each given array can be edited.
PART_OF: Final = {
    **dict.fromkeys(("x", "context", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v"), "into"),
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
    title = say("{number} was let go").format(number=_in_html(name))
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
        return between_layers(session, own, layer, decimals, way_back, side)
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
    number = _live(found.cell, found.value, decimals)
    given = " data-given" if found.cell.step in (*GIVEN, ADDITIVE) else ""  # edited where it stands
    panel = (
        way_back,
        f'<h2 tabindex="-1"{given}>{side}{_name(trace, found.cell)} = {number}</h2>',
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
    said = f"{step.title}: {step.meaning}"
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
        number, reason = _written(found.value, decimals), html.escape(found.because)
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
    return [(each.cell, _live(each.cell, each.value, decimals)) for each in operands]


def _goes_into(trace: Trace, cell: Cell, fed: list[Fed], decimals: int) -> str:
    """The cells that move with this one, those that move most first."""
    moved = [each for each in fed if each.slope]
    fold = _Fold("goes_into", cell, len(moved), MOST_LINKS)
    readers = _readers(moved, decimals, MOST_LINKS + SHOWN)
    return _links(trace, say("Used in (effect of adding 1)"), readers, fold)


def _readers(moved: list[Fed], decimals: int, most: int | None = None) -> Cells:
    in_order = nlargest(most or len(moved), moved, key=lambda each: _size(each.slope))
    return [(each.cell, f"<b>{_signed(each.slope, decimals)}</b>") for each in in_order]


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
        most = strongest(influence(trace, cell, of=ROWS_GIVEN))
    except NumberError as error:
        return f"<p>{html.escape(str(error))}</p>"
    if most is None:
        return ""
    of, slope = most
    number = f"<b>{_signed(slope, decimals)}</b>"
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
    named = f"{_name(trace, cell)} {number}".strip()
    return f'<button type="button" {place(cell)}>{named}</button>'


def _live(cell: Cell, value: float, decimals: int) -> str:
    """A number that the browser keeps up to date while another one is dragged."""
    return f'<b data-live="{decimals}" {place(cell)}>{_written(value, decimals)}</b>'


def _signed(number: float, decimals: int) -> str:
    """How much something moves: a little is not written as if it were nothing."""
    shown = _written(number, decimals)
    if number and not shown.strip("0."):
        shown = written_with_digits(number, DIGITS_OF_A_LITTLE, decimals, "text")
    return f"+{shown}" if number >= 0 else shown


def _copies(found: Derivation, decimals: int) -> str:
    """Buttons that copy the formula, in each notation."""
    buttons: Iterable[str] = (
        f'<button type="button" data-copy="{html.escape(found.write(how, decimals=decimals))}">'
        f"{name}</button>"
        for name, how in COPIES.items()
    )
    return f'<div class="copies waits"><span>{COPY_AS}</span>{"".join(buttons)}</div>'


# Between the layers, and after the last one.

SAYS_OF_X: Final = {
    True: say("X of layer {layer}: what the stream was before layer {below}, and what it added."),
    False: say("X of layer {layer}: the output of layer {below}."),
}
SAYS_AT_THE_END: Final = {
    "stream": say("The stream at its end: X of the last layer, and what it added."),
    "w_u": say("W_U, as it was given: a column for each word."),
    "logits": say("Logits: how much each word is in front. A row of the stream times W_U."),
    "probabilities": say("Probabilities of the next word: the softmax of the logits."),
}


def between_layers(
    session: Session, cell: Cell, layer: int, decimals: int, way_back: str, side: str
) -> WhereFrom:
    """The words on a number that no layer computes."""
    made = made_between(session.traces, cell, layer)
    here = cell if cell.step in AT_THE_END else in_layer(cell, layer)
    number = _live(here, value_of(session.traces, here), decimals)
    panel = (
        way_back,
        f'<h2 tabindex="-1">{side}{name_in_stack(session, here)} = {number}</h2>',
        f"<p>{html.escape(_says_between(session, cell, layer))}</p>",
        _formula_between(session, made, number, decimals) if made else "",
        _numbers_between(session, made, decimals) if made else "",
        _effects(session, cell, layer, decimals),
        _paths(session, cell, decimals),
    )
    return WhereFrom("".join(panel))


def _says_between(session: Session, cell: Cell, layer: int) -> str:
    if cell.step in AT_THE_END:
        return SAYS_AT_THE_END[cell.step]
    return SAYS_OF_X[session.stack.residual].format(layer=layer + 1, below=layer)


def _formula_between(session: Session, made: MadeOf, number: str, decimals: int) -> str:
    """The terms that count most, with their numbers; the rest as three dots."""
    in_order = sorted(made.terms, key=lambda term: -abs(math.prod(each.value for each in term)))
    terms = in_order[:MOST_LINKS] if made.how == "products" else made.terms[:MOST_LINKS]
    more = " + …" if len(made.terms) > len(terms) else ""
    if made.how == "softmax":
        powers = [f"e<sup>{_live(each.cell, each.value, decimals)}</sup>" for (each,) in terms]
        formula = f"{powers[0]} / ({' + '.join(powers)}{more})"
    else:
        written_terms = (
            " · ".join(_in_brackets(each, decimals) for each in term) for term in terms
        )
        formula = " + ".join(written_terms) + more
    label = say("Formula")
    return (
        f'<div class="formula" tabindex="0" role="group" aria-label="{label}">'
        f"<p>{formula} = {number}</p></div>"
    )


def _in_brackets(each: Number, decimals: int) -> str:
    """A number in a formula: a negative one stands in brackets."""
    number = _live(each.cell, each.value, decimals)
    return f"({number})" if each.value < 0 else number


def _numbers_between(session: Session, made: MadeOf, decimals: int) -> str:
    """Buttons to the numbers that it is made of."""
    each_once: dict[Cell, Number] = {each.cell: each for term in made.terms for each in term}
    buttons = [
        f'<button type="button" {place(each.cell)}>{name_in_stack(session, each.cell)} '
        f"{_live(each.cell, each.value, decimals)}</button>"
        for each in each_once.values()
    ]
    return _said_in_order(say("Made of"), buttons)


def _effects(session: Session, cell: Cell, layer: int, decimals: int) -> str:
    """How much each part of the stream adds, the largest first; a head leads to what it added."""
    if cell.step in (W_U, PROBABILITIES):
        return ""
    effects = direct_effects(session.traces, cell, layer)
    in_order = sorted(effects.items(), key=lambda each: -abs(each[1]))
    parts = [_of_part(session, part, cell, number, decimals) for part, number in in_order if number]
    return _said_in_order(say("It is the sum of (direct effects)"), parts)


def _of_part(session: Session, part: Part, cell: Cell, number: float, decimals: int) -> str:
    name = name_of_part(part, session.stack.tokens[cell.row], cell.row)
    words = f"{html.escape(name)} <b>{_signed(number, decimals)}</b>"
    if part.head is None or part.layer is None or cell.step == LOGITS:
        return f"<span>{words}</span>"
    added = in_layer(Cell("contributions", part.head, cell.row, cell.column), part.layer)
    return f'<button type="button" {place(added)}>{words}</button>'


def _paths(session: Session, cell: Cell, decimals: int) -> str:
    """The same by the heads that each term went through, with the patterns held."""
    if cell.step not in (STREAM, LOGITS) or len(session.stack.layers) == 1:
        return ""
    try:
        effects = path_effects(session.traces, cell)
    except LimitError as error:
        return f"<p>{html.escape(str(error))}</p>"
    in_order = sorted(effects.items(), key=lambda each: -abs(each[1]))
    said = [
        f"<span>{html.escape(_name_of_path(path))} <b>{_signed(number, decimals)}</b></span>"
        for path, number in in_order
        if number
    ]
    return _said_in_order(say("By paths, with the weights held"), said)


STARTS: Final = {
    "x": say("X"),
    "context": say("C"),
    "positions": say("positions of layer {layer}"),
    "biases": say("biases of layer {layer}"),
}


def _name_of_path(path: Path) -> str:
    says = say("head {head} of layer {layer}")
    through = [says.format(head=at.head + 1, layer=at.layer + 1) for at in path.heads]
    return " → ".join([STARTS[path.start].format(layer=path.layer + 1), *through])


def _said_in_order(title: str, said: list[str]) -> str:
    """Those that count most; the rest in a fold."""
    if not said:
        return ""
    first, rest = "".join(said[:MOST_LINKS]), said[MOST_LINKS:]
    counted = say("{count:,} more").format(count=len(rest))
    more = f"<details><summary>{counted}</summary>{''.join(rest)}</details>" if rest else ""
    return f'<div class="cells waits"><span>{title}</span>{first}{more}</div>'


def name_in_stack(session: Session, cell: Cell) -> str:
    """The name of a cell, with its layer where it says one."""
    own, layer = without_layer(cell), layer_named(cell)
    if own.step in AT_THE_END:
        return _in_html(_name_at_the_end(session, own))
    name = _name(session.trace_of(cell), own)
    if layer is None:
        return name
    return say("Layer {number}: {name}").format(number=layer + 1, name=name)


def _name_at_the_end(session: Session, cell: Cell) -> str:
    stack = session.stack
    of_stream = labels_of_stream(session.traces, len(stack.layers))
    column = (of_stream if cell.step == STREAM else stack.words)[cell.column]
    row = (of_stream if cell.step == W_U else stack.tokens)[cell.row]
    symbol = SYMBOLS.get(cell.step) or f"X_{len(stack.layers)}"
    return f"{symbol}[{row}, {column}]"


def _name(trace: Trace, cell: Cell) -> str:
    return _in_html(name_of(trace, cell, "text"))


def _in_html(name: str) -> str:
    """The symbol of a number gets its subscripts; the labels behind it stay as they are."""
    symbol, bracket, labels = name.partition("[")
    return with_subscripts(symbol) + html.escape(bracket + labels)


def _written(value: float, decimals: int) -> str:
    return written(value, decimals, "text")
