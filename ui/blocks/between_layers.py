"""What is said of a picked number that no layer computes.

This is X between two layers, and what follows the last one: the end of the stream, the logits and
the probabilities. The words say of what it is made, and how much each head and each path adds.
"""

from __future__ import annotations

import html
import math
from typing import Final

from mha_core.checks.errors import LimitError
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.score_table import Part
from mha_core.stack.cells import in_layer
from mha_core.stack.derivation import (
    AT_THE_END,
    LOGITS,
    NO_STEPS,
    PROBABILITIES,
    STREAM,
    W_U,
    MadeOf,
    Number,
    made_between,
    value_of,
)
from mha_core.stack.effects import direct_effects, path_effects
from mha_core.stack.head_products import HEAD_PRODUCTS
from mha_core.stack.paths import Path
from ui.blocks.live_formula import place
from ui.blocks.name_and_number import live_number, name_in_stack, signed
from ui.blocks.score_parts import name_of_part
from ui.state import Session

MOST_TERMS: Final = 60  # whose numbers are links
MOST_SHOWN: Final = 12  # terms of a formula, and links, before the rest stand in a fold
SAYS_OF_X: Final = {
    True: say("X of layer {layer}: what the stream was before layer {below}, and what it added."),
    False: say("X of layer {layer}: the output of layer {below}."),
}
SAYS_OF_HEADS: Final = {
    "looks_for": say("How much a number of a query wants a number of a key: W_Q times W_Kᵀ."),
    "moves": say("What becomes of a number that the head takes along: W_V times W_O."),
    "words_look_for": say("How much a word wants another one: with the X of both words."),
    "words_move": say("How much of a word the head makes of a word that it takes along."),
}
SAYS_AT_THE_END: Final = {
    "stream": say("The stream at its end: X of the last layer, and what it added."),
    "w_u": say("W_U, as it was given: a column for each word."),
    "logits": say("Logits: how much each word is in front. A row of the stream times W_U."),
    "probabilities": say("Probabilities of the next word: the softmax of the logits."),
}


def between_layers(
    session: Session, cell: Cell, layer: int, decimals: int, way_back: str, side: str
) -> str:
    """The words on a number that no layer computes."""
    made = made_between(session.traces, cell, layer)
    here = cell if cell.step in AT_THE_END else in_layer(cell, layer)
    number = live_number(here, value_of(session.traces, here), decimals)
    panel = (
        way_back,
        f'<h2 tabindex="-1">{side}{name_in_stack(session, here)} = {number}</h2>',
        f"<p>{html.escape(_says(session, cell, layer))}</p>",
        _formula(session, made, number, decimals) if made else "",
        _made_of(session, made, decimals) if made else "",
        _effects(session, cell, layer, decimals),
        _paths(session, cell, decimals),
    )
    return "".join(panel)


def _says(session: Session, cell: Cell, layer: int) -> str:
    if cell.step in NO_STEPS:
        return (SAYS_AT_THE_END | SAYS_OF_HEADS)[cell.step]
    return SAYS_OF_X[session.stack.residual].format(layer=layer + 1, below=layer)


def _formula(session: Session, made: MadeOf, number: str, decimals: int) -> str:
    """The terms that count most, with their numbers; the rest as three dots."""
    terms = _largest_first(made)[:MOST_SHOWN] if made.how == "products" else made.terms[:MOST_SHOWN]
    more = " + …" if len(made.terms) > len(terms) else ""
    if made.how == "softmax":
        powers = [
            f"e<sup>{live_number(each.cell, each.value, decimals)}</sup>" for (each,) in terms
        ]
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


def _largest_first(made: MadeOf) -> list[tuple[Number, ...]]:
    return sorted(made.terms, key=lambda term: -abs(math.prod(each.value for each in term)))


def _in_brackets(each: Number, decimals: int) -> str:
    """A number in a formula: a negative one stands in brackets."""
    number = live_number(each.cell, each.value, decimals)
    return f"({number})" if each.value < 0 else number


def _made_of(session: Session, made: MadeOf, decimals: int) -> str:
    """Buttons to the numbers that it is made of."""
    terms = _largest_first(made)[:MOST_TERMS] if made.how == "products" else made.terms
    each_once: dict[Cell, Number] = {each.cell: each for term in terms for each in term}
    buttons = [
        f'<button type="button" {place(each.cell)}>{name_in_stack(session, each.cell)} '
        f"{live_number(each.cell, each.value, decimals)}</button>"
        for each in each_once.values()
    ]
    return _said_in_order(say("Made of"), buttons)


def _effects(session: Session, cell: Cell, layer: int, decimals: int) -> str:
    """How much each part of the stream adds, the largest first; a head leads to what it added."""
    if cell.step in (W_U, PROBABILITIES, *HEAD_PRODUCTS):
        return ""
    effects = direct_effects(session.traces, cell, layer)
    in_order = sorted(effects.items(), key=lambda each: -abs(each[1]))
    parts = [_of_part(session, part, cell, number, decimals) for part, number in in_order if number]
    return _said_in_order(say("It is the sum of (direct effects)"), parts)


def _of_part(session: Session, part: Part, cell: Cell, number: float, decimals: int) -> str:
    name = name_of_part(part, session.stack.tokens[cell.row], cell.row)
    words = f"{html.escape(name)} <b>{signed(number, decimals)}</b>"
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
        f"<span>{html.escape(_name_of_path(path))} <b>{signed(number, decimals)}</b></span>"
        for path, number in in_order
        if number
    ]
    return _said_in_order(say("By paths, with the weights held"), said)


STARTS: Final = {
    "x": say("X"),
    "context": say("C"),
    "context_v": say("C_V of layer {layer}"),
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
    first, rest = "".join(said[:MOST_SHOWN]), said[MOST_SHOWN:]
    counted = say("{count:,} more").format(count=len(rest))
    more = f"<details><summary>{counted}</summary>{''.join(rest)}</details>" if rest else ""
    return f'<div class="cells waits"><span>{title}</span>{first}{more}</div>'
