"""How many layers there are, and what is done with the stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mha_core.changing.layers import with_layer_count, with_prediction, with_residual
from mha_core.checks.limits import LIMITS
from mha_core.language import say
from ui.controls.form import Item, one_of, tick
from ui.state import Session


def layer_count(session: Session) -> Item:
    count = len(session.stack.layers)
    choices = {n: str(n) for n in range(1, LIMITS.layers + 1)}
    field = one_of("layers", say("Number of layers"), choices, count, None)
    return replace(field, on_stack=with_layer_count)


def of_the_stream(session: Session) -> Sequence[Item]:
    """What else is chosen of all layers."""
    stack = session.stack
    residual = tick(
        "residual",
        say("Each layer adds its output to its X"),
        stack.residual,
        None,
        help=say("This is the residual stream. Else a layer hands on its output alone."),
    )
    prediction = tick(
        "prediction",
        say("Predict a word from each row"),
        stack.w_u is not None,
        None,
        help=say(
            "W_U makes a logit for each word; at first, its columns are the words' rows of X."
        ),
    )
    return [
        replace(residual, on_stack=with_residual),
        replace(prediction, on_stack=with_prediction),
    ]
