"""Why does it look there? A score as a sum: parts of the query by parts of the key."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import streamlit as st

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_norms
from mha_core.stack.heads import HeadOfLayer
from mha_core.stack.parts import Part, ScoreTable, has_parts, score_table
from ui.number_format import format_number
from ui.state import Session

SHOWN_FOR: Final = (
    *("raw_scores", "scaled_scores", "capped_scores", "biased_scores", "masked_scores"),
    *("tempered_scores", "exponentials", "weights"),
)
MOST_PRODUCTS: Final = 8
DIGITS_OF_A_FACTOR: Final = 4
NAMES: Final = {
    "word": say("word “{token}”"),
    "place": say("place {number}"),
    "x": say("X"),
    "context": say("C"),
    "bias": say("bias"),
    "head": say("head {head} of layer {layer}"),
    "positions": say("position added"),
}


def why_it_looks_there(session: Session, place: str) -> None:
    """A fold with the table of the picked score or weight, where it has more than one part.

    The table is made only when somebody opens it: every pick of a number comes by here.
    """
    cell, trace = session.view.cell, session.trace
    if cell is None or cell.head is None or cell.step not in SHOWN_FOR:
        return
    if session.layer == 0 and not has_parts(trace.scenario):
        return
    fold = st.expander(
        say("Why does it look there?"),
        key=session.key(f"parts-{place}"),
        on_change="rerun",
        type="compact",
    )
    if fold.open:
        table = session.keep_last("score table", cell, lambda: _table(session, cell))
        with fold:
            st.html(_as_html(trace, cell, table, session.view.decimals))


def _table(session: Session, cell: Cell) -> ScoreTable:
    at = HeadOfLayer(session.layer, cell.head or 0)
    with np.errstate(over="ignore", invalid="ignore"):  # parts may be larger than their sum
        return score_table(session.traces, at, cell.row, cell.column)


def _cell(table: ScoreTable, row: int, column: int, written: Callable[[float], str]) -> str:
    """A number of the table; opened, the products of which it is the sum."""
    number = written(float(table.terms[row, column]))
    pairs = list(zip(table.queries[row], table.keys[column], strict=True))
    products = [f"{_factor(q, written)} · {_factor(k, written)}" for q, k in pairs if q and k]
    if not products:
        return f"<td>{number}</td>"
    shown = " + ".join(products[:MOST_PRODUCTS]) + (" + …" if len(products) > MOST_PRODUCTS else "")
    formula = f"{number} = ({shown}) · {format_number(table.factor, DIGITS_OF_A_FACTOR)}"
    return f"<td><details><summary>{number}</summary><p>{formula}</p></details></td>"


def _factor(number: float, written: Callable[[float], str]) -> str:
    text = written(float(number))
    return f"({text})" if number < 0 else text


def name_of_part(part: Part, token: str, row: int) -> str:
    """A part of the stream in words, for a token and its row."""
    head, layer = (part.head or 0) + 1, (part.layer or 0) + 1
    if part.kind == "bias" and part.layer is not None:
        return say("bias of layer {layer}").format(layer=layer)
    return NAMES[part.kind].format(token=token, number=row + 1, head=head, layer=layer)


def _sentence(
    trace: Trace,
    cell: Cell,
    table: ScoreTable,
    queries: Sequence[str],
    keys: Sequence[str],
    decimals: int,
) -> str:
    """What the score is, and which product has most of it."""
    score = float(table.terms.sum())
    row, column = divmod(int(abs(table.terms).argmax()), len(keys))
    most = float(table.terms[row, column])
    says = [say("The score is {score}, the sum of these products. Open one to see its own sum.")]
    if most:
        says.append(say("The largest is {query} of the query with {key} of the key: {most}."))
    else:
        says.append(say("No part of the query meets a part of the key."))
    if not without_norms(trace.scenario):
        says.append(
            say("The norm is held: each part is divided by the root mean square of the whole.")
        )
    then = float(trace.tempered_scores[cell.head, cell.row, cell.column])
    if not np.isclose(score, then):
        says.append(say("Then come soft cap, additions or mask: {then}."))
    numbers = {"score": score, "most": most, "then": then}
    written = {name: format_number(number, decimals) for name, number in numbers.items()}
    return " ".join(says).format(query=queries[row], key=keys[column], **written)


def _as_html(trace: Trace, cell: Cell, table: ScoreTable, decimals: int) -> str:
    s = trace.scenario

    def written(number: float) -> str:
        return format_number(number, decimals)

    def named(parts: tuple[Part, ...], token: str, row: int) -> list[str]:
        return [name_of_part(part, token, row) for part in parts]

    queries = named(table.of_query, s.tokens[cell.row], cell.row)
    keys = named(table.of_key, s.key_tokens[cell.column], cell.column)
    sentence = _sentence(trace, cell, table, queries, keys, decimals)
    head = "".join(f'<th scope="col">{html.escape(key)}</th>' for key in keys)
    rows = "".join(
        f'<tr><th scope="row">{html.escape(query)}</th>'
        + "".join(_cell(table, row, column, written) for column in range(len(keys)))
        + "</tr>"
        for row, query in enumerate(queries)
    )
    corner = html.escape(say("query \\ key"))
    return (
        f'<p class="shows">{html.escape(sentence)}</p><div class="checked"><table>'
        f"<thead><tr><td>{corner}</td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
