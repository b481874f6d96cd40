"""From one stack to the next: a layer that was changed, one more, one less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.changing.changes import with_changes, with_context, with_width
from mha_core.changing.places_of_tokens import OF_PLACES, places_of_layer_in_order
from mha_core.changing.reordering import (
    Order,
    additions_in_order,
    mask_in_order,
    order_between,
    own_values_in_order,
)
from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import FloatArray, differing_cells
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer
from mha_core.stack.stack import Stack

OF_THE_LAYERS_BELOW: Final = say("Look at layer 1 to change it.")


def as_stack(scenario: Scenario | Stack) -> Stack:
    """A scenario as a stack of this one layer, which computes the same."""
    return scenario if isinstance(scenario, Stack) else Stack((scenario,), residual=False)


def with_layer(stack: Stack, number: int, before: Scenario, after: Scenario) -> Stack:
    """The stack after one of its layers, counted from 0, was changed.

    `before` and `after` are that layer on its X. Where the first layer gets other tokens or another
    width, the layers above follow, as a scenario does; where its tokens stand in another order, so
    do those of the masks above. X of a higher layer cannot be changed: it
    is what the layers below make.
    """
    if number == 0:
        layers: list[Scenario | Layer] = [after, *_that_follow(stack, after)]
        return replace(stack, layers=tuple(layers), w_u=_as_wide_as(stack, layers[-1]))
    _check_input_stays(number, before, after)
    layers = [*stack.layers]
    layers[number] = Layer.of(after)
    return replace(stack, layers=tuple(layers))


def _check_input_stays(number: int, before: Scenario, after: Scenario) -> None:
    is_another_x = after.x.shape != before.x.shape or differing_cells(after.x, before.x).any()
    if is_another_x or after.tokens != before.tokens:
        raise OptionError(
            say("X of layer {number}").format(number=number + 1),
            say("must be what the layers below make"),
            say("another X, or other tokens"),
            OF_THE_LAYERS_BELOW,
        )
    if after.context is not None:
        raise OptionError(
            say("A second sequence"),
            say("must belong to layer 1"),
            say("layer {number}").format(number=number + 1),
            OF_THE_LAYERS_BELOW,
        )


def _that_follow(stack: Stack, first: Scenario) -> list[Layer]:
    """The layers above the first, in its sizes."""
    width, others = first.d_out, list[Layer]()
    order = order_between(stack.first, first)
    for above in stack.above:
        layer = _in_order(above, order) if order else above
        is_as_before = (layer.w_q.shape[0], stack.first.n_q) == (width, first.n_q)
        layer = layer if is_as_before else _resized(stack, layer, first, width)
        others.append(_at_places_of(first, layer, _shared_places(stack, above, first)))
        width = others[-1].w_o.shape[1]
    return others


def _shared_places(stack: Stack, layer: Layer, first: Scenario) -> list[str]:
    """Which places a layer shared with the first, whose tokens came, went or moved."""
    before, scores = stack.first.scores, layer.scores
    moved = first.tokens != stack.first.tokens and first.n_positions == first.n_q
    if not moved or scores.query_start is not None:
        return []
    had = {name: getattr(before, name) for name in OF_PLACES}
    return [name for name, its in had.items() if its is not None and its == getattr(scores, name)]


def _at_places_of(first: Scenario, layer: Layer, names: Sequence[str]) -> Layer:
    places = {name: getattr(first.scores, name) for name in names}
    return replace(layer, scores=replace(layer.scores, **places)) if names else layer


def _in_order(layer: Layer, order: Order) -> Layer:
    """What a layer hides or adds for single tokens goes with them."""
    return replace(
        layer,
        mask=mask_in_order(layer.mask, order, order),
        b_s=additions_in_order(layer, order, order),
        context_v=own_values_in_order(layer, order),
        scores=places_of_layer_in_order(layer.scores, order),
    )


def _resized(stack: Stack, layer: Layer, first: Scenario, width: int) -> Layer:
    on_its_x = layer.on(np.zeros((stack.first.n_q, layer.w_q.shape[0])), stack.tokens)
    return Layer.of(with_changes(on_its_x, tokens=first.tokens, sizes={"d_model": width}))


def _as_wide_as(stack: Stack, last: Scenario | Layer) -> FloatArray | None:
    """W_U in the width of the stream at its end: rows are cut, or zeros added."""
    w_u, width = stack.w_u, last.w_o.shape[1]
    if w_u is None or len(w_u) == width:
        return w_u
    resized = np.zeros((width, w_u.shape[1]))
    rows = min(width, len(w_u))
    resized[:rows] = w_u[:rows]
    return resized


def with_one_more_layer(stack: Stack) -> Stack:
    """One more layer above all, at first a copy of the last one.

    The first to be added makes a stream: each layer adds its output to its X, where both are
    equally wide.
    """
    last = stack.on_zeros[-1]
    like = last if last.context is None else with_context(last, None)
    if last.d_out != like.d_model:
        like = with_width(like, last.d_out)
    origin = replace(like.origin, x="", x_seed=0)
    copied = replace(Layer.of(like), heads_off=frozenset(), origin=origin)
    residual = stack.residual if len(stack.layers) > 1 else last.d_out == last.d_model
    return replace(stack, layers=(*stack.layers, copied), residual=residual)


def without_last_layer(stack: Stack) -> Stack:
    """The layer above all others taken away. A single layer is left as it is without a stream."""
    layers = stack.layers[:-1]
    if not layers:
        raise OptionError(
            say("The layers of a stack"),
            say("must be one layer or more"),
            say("none"),
            say("Keep one."),
        )
    is_plain = len(layers) == 1 and stack.w_u is None
    return replace(stack, layers=layers, residual=stack.residual and not is_plain)


def with_layer_count(stack: Stack, count: int) -> Stack:
    """So many layers: new ones are copies, and the last go first."""
    while len(stack.layers) < count:
        stack = with_one_more_layer(stack)
    while len(stack.layers) > count:
        stack = without_last_layer(stack)
    return stack


def with_residual(stack: Stack, residual: bool) -> Stack:
    """Whether each layer adds its output to its X, or hands on its output alone."""
    return replace(stack, residual=residual)


def with_prediction(stack: Stack, is_on: bool) -> Stack:
    """With a W_U, or without one: a column for each word of the sentence, which is its row of X.

    So a word's logit is large where the stream at its end points where the word's row does.
    """
    if not is_on:
        return replace(stack, w_u=None, words=())
    first = stack.first
    width = stack.on_zeros[-1].d_out
    if width != first.d_model:
        raise ShapeError(
            "W_U",
            say("must be as wide as X, whose rows are its columns"),
            say("an output of width {width}").format(width=width),
            say("Take d_out = d_model = {d_model}.").format(d_model=first.d_model),
        )
    words = tuple(dict.fromkeys(first.tokens))
    rows = [first.x[first.tokens.index(word)] for word in words]
    return replace(stack, w_u=np.stack(rows, axis=1), words=words)
