"""The stream as a sum of paths, with the attention patterns held, and gates with them.

With its pattern held, a head is linear: it multiplies the rows of its X by W_V and W_O, and adds
them up by its weights. What norms of values and of the concatenation multiply by is held too, and
so is what a function before W_O does. So the stream at its end is a sum. Each term began somewhere,
as X, and went through some heads, at most one a layer. Where it went through none, it stayed in the
stream.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

import numpy as np

from mha_core.checks.errors import LimitError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_kind
from mha_core.language import say
from mha_core.layer.head_matrices import added_by_b_o, b_v_of, w_o_of, w_v_of
from mha_core.layer.norms import centered, factors
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import (
    without_concat_function,
    without_gate,
    without_norm_of_concat,
    without_norm_of_values,
    without_waves_in_values,
)
from mha_core.scenario.norms import norm_of
from mha_core.stack.heads import HeadOfLayer
from mha_core.stack.trace import StackTrace

MOST_PATHS: Final = 4096

Start = Literal["x", "context", "context_v", "positions", "biases"]


class Path(NamedTuple):
    """Where a term began, in which layer, and the heads that it went through.

    X begins in layer 0. The second sequence begins there too. Waves of positions, biases and rows
    that values alone are made from begin in the layer that has them.
    """

    start: Start
    layer: int = 0
    heads: tuple[HeadOfLayer, ...] = ()


def paths(trace: StackTrace) -> dict[Path, FloatArray]:
    """Each path with what it adds to the stream at its end. Together they are that stream.

    >>> from mha_core import Layer, Scenario, Stack, attend
    >>> I = np.eye(2)
    >>> first = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> trace = attend(Stack((first, Layer(w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1))))
    >>> [[head.layer for head in path.heads] for path in paths(trace)]
    [[], [0], [1], [0, 1]]
    >>> np.allclose(sum(paths(trace).values()), trace.stream[-1])
    True
    """
    check_kind(say("What has paths"), trace, StackTrace, say("Write paths(attend(stack))."))
    _check_count(trace)
    found = {Path("x"): trace.stack.first.x}
    for number, layer in enumerate(trace.layers):
        added = dict(_added_by(layer, number, found))
        found = found | added if trace.stack.residual else added
    return found


def _check_count(trace: StackTrace) -> None:
    """One more for each layer than it has heads: those that go past all of them."""
    count = math.prod(layer.scenario.n_heads + 1 for layer in trace.layers)
    if count > MOST_PATHS:
        raise LimitError(
            say("A sum of paths"),
            say("must have at most {count:,} paths").format(count=MOST_PATHS),
            f"{count:,}",
            say("Take fewer layers or heads."),
        )


def _added_by(
    layer: Trace, number: int, stream: Mapping[Path, FloatArray]
) -> Iterator[tuple[Path, FloatArray]]:
    """What the heads of a layer make of each term, and what begins in this layer."""
    s = layer.scenario
    read = dict(stream) if s.context is None else {Path("context"): s.context}
    if layer.context_positions.any() and not without_waves_in_values(s):
        read[Path("positions", number)] = layer.context_positions
    if s.context_v is not None:
        read = {Path("context_v", number): s.context_v}
    for path, part in read.items():
        for head in _heads_on(layer):
            through = (*path.heads, HeadOfLayer(number, head))
            yield path._replace(heads=through), moved_by_head(layer, head, part)
    biases = _biases(layer)
    if biases.any():
        yield Path("biases", number), biases


def _heads_on(layer: Trace) -> list[int]:
    s = layer.scenario
    return [head for head in range(s.n_heads) if head not in s.heads_off]


def moved_by_head(layer: Trace, head: int, rows: FloatArray) -> FloatArray:
    """What a head adds to the stream if its X has these rows; its weights and its gate stay.

    What its norms multiply by stays too.
    """
    return _moved_by_values(layer, head, rows @ w_v_of(layer.scenario, head))


def _moved_by_values(layer: Trace, head: int, values: FloatArray) -> FloatArray:
    """The same, if the head has these values before their norm."""
    s = layer.scenario
    values = values * s.scores.number("v_scale", s.d_k)
    if not without_norm_of_values(s):
        scales = np.broadcast_to(factors(layer.v_heads, norm_of(s, "v")), layer.v_heads.shape)
        values = values * scales[head * s.n_kv_heads // s.n_heads]
    outputs = _let_through(layer, head, layer.weights[head] @ values)
    moved: FloatArray
    if without_norm_of_concat(s):
        mixed = outputs * _bent_by(layer)[head] @ w_o_of(s, head)
        moved = mixed * s.scores.number("output_scale", s.d_k)
        return moved
    norm, heads = norm_of(s, "concat"), np.zeros_like(layer.head_outputs)
    heads[head] = outputs
    if norm.is_centered:  # its part of the mean is subtracted from all heads
        heads = centered(heads, norm)
    return _mixed(layer, heads * factors(layer.heads_centered, norm))


def _mixed(layer: Trace, heads: FloatArray) -> FloatArray:
    """What W_O makes of a part of the normed concatenation."""
    s = layer.scenario
    joined = (heads * _bent_by(layer)).swapaxes(0, 1).reshape(s.n_q, -1)
    moved: FloatArray = joined @ s.w_o * s.scores.number("output_scale", s.d_k)
    return moved


def _bent_by(layer: Trace) -> FloatArray:
    """What the function before W_O multiplies each number by; of 0 it makes 0."""
    before, after = layer.heads_normed, layer.heads_bent
    if without_concat_function(layer.scenario):
        return np.ones_like(before)
    return np.divide(after, before, out=np.ones_like(before), where=before != 0)


def _let_through(layer: Trace, head: int, outputs: FloatArray) -> FloatArray:
    """By the gate of a head, if the layer has one; it is held too."""
    return outputs if without_gate(layer.scenario) else outputs * layer.gates[head]


def _biases(layer: Trace) -> FloatArray:
    """What the biases of values and of the output add, and shifts: the same whatever X is."""
    s = layer.scenario
    added = np.zeros((s.n_q, s.d_out), s.dtype)
    if s.b_v is not None:
        for head in _heads_on(layer):
            rows = np.tile(b_v_of(s.b_v, s, head), (s.n_k, 1))
            added += _moved_by_values(layer, head, rows)
    if s.scores.concat_shift is not None and not without_norm_of_concat(s):
        shifts = np.broadcast_to(
            norm_of(s, "concat").shift(layer.heads_normed), layer.heads_normed.shape
        )
        added += _mixed(layer, shifts)
    bias = added_by_b_o(s)
    return added if bias is None else added + bias
