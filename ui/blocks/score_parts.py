"""Why does it look there? A score as a sum: parts of the query by parts of the key."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import streamlit as st

from mha_core.language import say, say_number
from mha_core.layer.cells import Cell
from mha_core.layer.score_table import Part, ScoreTable, with_fewer_parts
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_centering, without_division
from mha_core.scenario.scenario import Scenario
from mha_core.stack.heads import HeadOfLayer
from mha_core.stack.parts import has_parts, score_table
from ui.machine.budget import TURNS
from ui.number_format import format_number
from ui.state import Session
from ui.state.refusals import REFUSES
from ui.state.x_of_model import is_made_by_model, is_of_model, model_of, where_it_is

if TYPE_CHECKING:
    from mha_core.models.score_parts import HeldNorm
    from ui.state.models_here import OpenedModel

SHOWN_FOR: Final = (
    *("raw_scores", "summed_scores", "grown_scores"),
    *("scaled_scores", "capped_scores", "biased_scores"),
    *("masked_scores", "tempered_scores", "exponentials", "weights"),
)
MOST_PRODUCTS: Final = 8
STRONGEST: Final = 40  # percent of the colour in the ground of the largest term
COLOR_OF: Final = {True: "#d03b3b", False: "#2a78d6"}  # above 0 and below, as in pictures
DIGITS_OF_A_FACTOR: Final = 4
ROUNDED: Final = 1e-5  # of the largest part: layers of models are float32
X_IS_ANOTHER: Final = say(
    "X is no longer what the model made, so nobody knows what it is the sum of: it is one part."
)
C_IS_ANOTHER: Final = say(
    "X or the second sequence is not what the model made, so nobody knows what they are the sum "
    "of: each is one part."
)
X_IS_GIVEN: Final = say(
    "The model did not make X here, so nobody knows what it is the sum of: it is one part. Where "
    "Real layers runs a whole model on a text, words, places and earlier heads are told apart: "
    "that needs a file of a family that it knows, and that reads texts."
)
NAMES: Final = {
    "word": say("word “{token}”"),
    "place": say("place {number}"),
    "x": say("X"),
    "context": say("C"),
    "bias": say("bias"),
    "head": say("head {head} of layer {layer}"),
    "positions": say("position added"),
    "distance": say("the distance"),
    "every": say("what every token has"),
    "mlp": say("MLP of layer {layer}"),
    "heads": say("the other heads"),
    "mlps": say("the other MLPs"),
    "biases": say("the other biases"),
}
IN_LAYER: Final = {  # of a model whose layers have names, as those of a decoder
    "bias": say("{layer}: bias"),
    "head": say("{layer}: head {head}"),
    "mlp": say("{layer}: MLP"),
}


def why_it_looks_there(session: Session, place: str) -> None:
    """A fold with the table of the picked score or weight, where it has more than one part.

    The table is made only when somebody opens it: every pick of a number comes by here.
    """
    cell, trace = session.view.cell, session.trace
    if cell is None or cell.head is None or cell.step not in SHOWN_FOR:
        return
    is_of = session.layer == 0 and is_of_model(trace.scenario)
    has_several = session.layer > 0 or has_parts(trace.scenario)
    if not has_several and not is_of:
        return
    fold = st.expander(
        say("Why does it look there?"),
        key=session.key(f"parts-{place}"),
        on_change="rerun",
        type="compact",
    )
    if fold.open:
        with fold:
            split = _made_by_model(session, cell) if is_of else None
            if split is None and has_several:
                split = session.keep_last("score table", cell, lambda: _split(session, cell))
            if split is not None:
                st.html(_as_html(trace, cell, split, session.view.decimals))


class Split(NamedTuple):
    """A score as a sum, and what is held on the way, in words.

    `names` has parts that are called otherwise than in NAMES.
    """

    table: ScoreTable
    held: str = ""
    names: Mapping[Part, str] = {}


def _split(session: Session, cell: Cell) -> Split:
    head = HeadOfLayer(session.layer, cell.head or 0)
    with np.errstate(over="ignore", invalid="ignore"):  # parts may be larger than their sum
        return Split(score_table(session.traces, head, cell.row, cell.column))


def _made_by_model(session: Session, cell: Cell) -> Split | None:
    """The score by what the model has made X of; None where that cannot be told, and why not."""
    s = session.trace.scenario
    origin = s.origin
    if not is_made_by_model(s):
        st.html(_paragraph(X_IS_GIVEN))
        return None
    try:
        with TURNS.turn(session.use):
            model = model_of(origin)
            if model is None:
                st.html(_paragraph(where_it_is(origin)))
                return None
            asked = (cell, id(model))  # a file of the same name may be another model
            split = session.keep_last(
                "score of a model", asked, lambda: _of_model(model, session.trace, cell)
            )
    except REFUSES as error:
        st.html(_paragraph(str(error)))
        return None
    if split is None:
        st.html(_paragraph(X_IS_ANOTHER if s.context is None else C_IS_ANOTHER))
    return split


def _of_model(model: OpenedModel, trace: Trace, cell: Cell) -> Split | None:
    at = (cell.row, cell.column)
    with np.errstate(over="ignore", invalid="ignore"):
        parts = model.score_parts(trace.scenario.origin, trace, cell.head or 0, at)
    if parts is None:
        return None
    table = with_fewer_parts(parts.table)
    held = _held_in(trace.scenario)(parts.held_of_query, parts.held_of_key)
    return Split(table, held, _names(model, {*table.of_query, *table.of_key}))


def _held_in(s: Scenario) -> Callable[[Sequence[HeldNorm], Sequence[HeldNorm]], str]:
    """How it is said which norms are held, by what the layer reads."""
    if s.context is None:
        return _held
    return _held_of_latents if s.origin.has_latents else _held_across


def _names(model: OpenedModel, parts: Iterable[Part]) -> dict[Part, str]:
    """The parts of layers, where it takes more than a number to say which layer."""
    if not model.has_decoder:
        return {}
    return {
        part: IN_LAYER[part.kind].format(
            layer=model.layer_name(part.layer, is_of_mlp=part.kind == "mlp"),
            head=(part.head or 0) + 1,
        )
        for part in parts
        if part.layer is not None
    }


def _held(of_query: Sequence[HeldNorm], of_key: Sequence[HeldNorm]) -> str:
    """That the norms between the words and this layer are held, and the numbers of the last."""
    if not of_query:
        return ""
    says = say_number(
        "A norm on the way is held: it multiplies each part by what it made of the whole row, "
        "{what} = {query} for the query and {key} for the key.",
        "{count} norms on the way are held: each multiplies the parts by what it made of the whole "
        "row. Of the last, {what} is {query} for the query and {key} for the key.",
        len(of_query),
    )
    what, query = _last(of_query)
    _, key = _last(of_key)
    return says.format(count=len(of_query), what=what, query=query, key=key)


def _held_across(of_query: Sequence[HeldNorm], of_key: Sequence[HeldNorm]) -> str:
    """The same, where a decoder looks at what its encoder made: each of the two has its own."""
    says = say(
        "Norms on the way are held: each multiplies the parts by what it made of the whole row. "
        "On the query's way, in the decoder, stand {queries}: the last has {of_query}. On the "
        "key's way, in the encoder, stand {keys}: the last has {of_key}."
    )
    query, key = (" = ".join(_last(norms)) for norms in (of_query, of_key))
    return says.format(queries=len(of_query), of_query=query, keys=len(of_key), of_key=key)


def _held_of_latents(of_query: Sequence[HeldNorm], of_key: Sequence[HeldNorm]) -> str:
    """The same, where queries and keys are made of latents, each behind a norm of its own."""
    says = say(
        "Norms on the way are held: each multiplies the parts by what it made of the whole row. "
        "On the query's way stand {queries}: the last has {of_query}. On the key's way stand "
        "{keys}: the last, that of its latent, has {of_key}. The columns that all heads share do "
        "not pass that one."
    )
    query, key = (" = ".join(_last(norms)) for norms in (of_query, of_key))
    return says.format(queries=len(of_query), of_query=query, keys=len(of_key), of_key=key)


def _last(norms: Sequence[HeldNorm]) -> tuple[str, str]:
    """What the last norm multiplies a row by, and that number."""
    last = norms[-1]
    number = format_number(float(last.scales[0]), DIGITS_OF_A_FACTOR)
    return "1 / rms" if last.is_rms else "1 / σ", number


def _paragraph(says: str) -> str:
    return f'<p class="shows">{html.escape(says)}</p>'


def _cell(
    table: ScoreTable, row: int, column: int, written: Callable[[float], str], most: float
) -> str:
    """A number of the table; opened, the products of which it is the sum.

    Its ground is the stronger the larger it is: few of many parts make a score.
    """
    term = float(table.terms[row, column])
    number = written(term)
    begin = f"<td{_ground(term / most)}>" if most else "<td>"
    pairs = list(zip(table.queries[row], table.keys[column], strict=True))
    products = [f"{_factor(q, written)} · {_factor(k, written)}" for q, k in pairs if q and k]
    if not products:
        return f"{begin}{number}</td>"
    shown = " + ".join(products[:MOST_PRODUCTS]) + (" + …" if len(products) > MOST_PRODUCTS else "")
    formula = f"{number} = ({shown}) · {format_number(table.factor, DIGITS_OF_A_FACTOR)}"
    return f"{begin}<details><summary>{number}</summary><p>{formula}</p></details></td>"


def _ground(share: float) -> str:
    """The colour behind a part, by its share of the largest."""
    percent = round(STRONGEST * abs(share)) if math.isfinite(share) else 0
    color = COLOR_OF[share > 0]
    return (
        f' style="background:color-mix(in srgb, {color} {percent}%, transparent)"'
        if percent
        else ""
    )


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
    split: Split,
    queries: Sequence[str],
    keys: Sequence[str],
    decimals: int,
) -> str:
    """What the score is, and which product has most of it."""
    table = split.table
    score = float(table.terms.sum())
    row, column = divmod(int(abs(table.terms).argmax()), len(keys))
    most = float(table.terms[row, column])
    says = [say("The score is {score}, the sum of these products. Open one to see its own sum.")]
    if most:
        says.append(say("The largest is {query} of the query with {key} of the key: {most}."))
    else:
        says.append(say("No part of the query meets a part of the key."))
    if split.held:
        says.append(split.held)
    if not without_division(trace.scenario):
        says.append(
            say(
                "The norm of queries and keys is held: each part is divided by the root mean "
                "square of the whole."
            )
        )
        if not without_centering(trace.scenario):
            says.append(say("Before that, each part loses its own mean."))
    then = float(trace.tempered_scores[cell.head, cell.row, cell.column])
    if not np.isclose(score, then, atol=ROUNDED * abs(most)):
        says.append(say("Then come soft cap, additions or mask: {then}."))
    numbers = {"score": score, "most": most, "then": then}
    written = {name: format_number(number, decimals) for name, number in numbers.items()}
    return " ".join(says).format(query=queries[row], key=keys[column], **written)


def _as_html(trace: Trace, cell: Cell, split: Split, decimals: int) -> str:
    s, table = trace.scenario, split.table

    def written(number: float) -> str:
        return format_number(number, decimals)

    def named(parts: tuple[Part, ...], token: str, row: int) -> list[str]:
        return [split.names.get(part) or name_of_part(part, token, row) for part in parts]

    queries = named(table.of_query, s.tokens[cell.row], cell.row)
    keys = named(table.of_key, s.key_tokens[cell.column], cell.column)
    most = float(abs(table.terms).max())
    sentence = _sentence(trace, cell, split, queries, keys, decimals)
    head = "".join(f'<th scope="col">{html.escape(key)}</th>' for key in keys)
    rows = "".join(
        f'<tr><th scope="row">{html.escape(query)}</th>'
        + "".join(_cell(table, row, column, written, most) for column in range(len(keys)))
        + "</tr>"
        for row, query in enumerate(queries)
    )
    corner = html.escape(say("query \\ key"))
    return (
        f'{_paragraph(sentence)}<div class="checked parts"><table>'
        f"<thead><tr><td>{corner}</td>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
