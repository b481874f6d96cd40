"""A number and its name as HTML, as the words on a picked number write them."""

from __future__ import annotations

import html
from typing import Final

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.naming import name_of
from mha_core.layer.trace import Trace
from mha_core.layer.written import written, written_with_digits
from mha_core.stack.cells import layer_named, without_layer
from mha_core.stack.derivation import AT_THE_END, STREAM, SYMBOLS, W_U
from mha_core.stack.head_products import HEAD_PRODUCTS, head_product
from mha_core.stack.head_products import SYMBOLS as SYMBOLS_OF_HEADS
from ui.blocks.live_formula import place
from ui.figures.layers import labels_of_stream
from ui.figures.strip import with_subscripts
from ui.state import Session

DIGITS_OF_A_LITTLE: Final = 2


def live_number(cell: Cell, value: float, decimals: int) -> str:
    """A number that the browser keeps up to date while another one is dragged."""
    return f'<b data-live="{decimals}" {place(cell)}>{written(value, decimals, "text")}</b>'


def signed(number: float, decimals: int) -> str:
    """How much something moves: a little is not written as if it were nothing."""
    shown = written(number, decimals, "text")
    if number and not shown.strip("0."):
        shown = written_with_digits(number, DIGITS_OF_A_LITTLE, decimals, "text")
    return f"+{shown}" if number >= 0 else shown


def name_in_stack(session: Session, cell: Cell) -> str:
    """The name of a cell, with its layer where it says one."""
    own, layer = without_layer(cell), layer_named(cell)
    if own.step in AT_THE_END:
        return in_html(_name_at_the_end(session, own))
    if own.step in HEAD_PRODUCTS:
        name = in_html(_name_in_product(session, own, session.layer if layer is None else layer))
    else:
        name = name_of_cell(session.trace_of(cell), own)
    if layer is None or len(session.stack.layers) == 1:
        return name
    return say("Layer {number}: {name}").format(number=layer + 1, name=name)


def _name_in_product(session: Session, cell: Cell, layer: int) -> str:
    found = head_product(session.traces, cell.step, layer, cell.head or 0)
    assert found is not None
    says = say("{matrix}, head {head}").format(
        matrix=SYMBOLS_OF_HEADS[cell.step], head=(cell.head or 0) + 1
    )
    return f"{says} [{found.rows[cell.row]}, {found.columns[cell.column]}]"


def _name_at_the_end(session: Session, cell: Cell) -> str:
    stack = session.stack
    of_stream = labels_of_stream(session.traces, len(stack.layers))
    column = (of_stream if cell.step == STREAM else stack.words)[cell.column]
    row = (of_stream if cell.step == W_U else stack.tokens)[cell.row]
    symbol = SYMBOLS.get(cell.step) or f"X_{len(stack.layers)}"
    return f"{symbol}[{row}, {column}]"


def name_of_cell(trace: Trace, cell: Cell) -> str:
    return in_html(name_of(trace, cell, "text"))


def in_html(name: str) -> str:
    """The symbol of a number gets its subscripts; the labels behind it stay as they are."""
    symbol, bracket, labels = name.partition("[")
    return with_subscripts(symbol) + html.escape(bracket + labels)
