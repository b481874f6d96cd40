"""How much one number moves with each number that was given: derivatives, worked out by hand.

This goes backwards through the forward pass. Each method has the name of a step: it takes the
derivatives by the numbers of that step, and hands them on to what the step is made of. A number of
a query depends on no other query: so only the row of its query counts, up to X.

>>> from mha_core import attend
>>> from mha_core.examples import load_example
>>> trace = attend(load_example("two-tokens"))
>>> influence(trace, Cell("output", None, 0, 0))["x"].round(2).tolist()
[[1.24, -0.3, 1.24, -0.3], [-0.09, 0.0, -0.09, 0.0]]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import NumberError
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.layer.attention import all_finite, divisors_of_rows, for_query_heads
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import index_in
from mha_core.layer.functions import FUNCTIONS
from mha_core.layer.growth import growth_factors
from mha_core.layer.naming import dims_of
from mha_core.layer.norms import centered, roots
from mha_core.layer.on_scores import sinks_of
from mha_core.layer.positions import rotate_back
from mha_core.layer.relative import by_heads, rows_of_distances, summed_by_distance
from mha_core.layer.trace import STEPS, Trace
from mha_core.layer.unchanged import (
    without_gate,
    without_gate_of_additions,
    without_row_max,
    without_sinks,
)
from mha_core.layer.where import ADDITIVE, array_of, computed, shape
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN, OF_TOKENS
from mha_core.scenario.norms import Norm, NormOf, norm_of
from mha_core.scenario.rotation import rotation_of

INPUTS: Final = (*GIVEN, ADDITIVE)
BEFORE_QUERIES: Final = ("x", "positions", "x_positioned", ADDITIVE)  # here all rows count


def influence(trace: Trace, cell: Cell, of: Collection[str] = INPUTS) -> Mapping[str, FloatArray]:
    """The derivative of the number in a cell by each number that was given, array by array.

    Arrays on which it does not depend are left out, and so are those that `of` does not name.
    A number that a naive softmax has lost is refused: it has no derivative.
    """
    index = index_in(trace, cell)
    start = np.zeros(shape(trace, cell.step))
    start[index] = 1.0
    axes = dims_of(trace, cell.step).axes
    row = slice(None)
    if "n_q" in axes and cell.step not in BEFORE_QUERIES:
        at = axes.index("n_q")
        row = slice(index[at], index[at] + 1)
        start = start.take([index[at]], axis=at)
    with np.errstate(all="ignore"):
        found = _Backwards(trace, of, row).from_(cell.step, start)
    _check_not_lost(trace, cell, index, found)
    return found


def influence_of_output(trace: Trace, slopes: FloatArray) -> Mapping[str, FloatArray]:
    """The derivatives of a number by what was given, from those by each number of the output."""
    with np.errstate(all="ignore"):
        return _Backwards(trace, INPUTS, slice(None)).from_("output", slopes)


def _check_not_lost(
    trace: Trace, cell: Cell, index: tuple[int, ...], found: Mapping[str, FloatArray]
) -> None:
    """Refuse a number that a naive softmax has lost, or that was made of one."""
    if not without_row_max(trace.scenario):
        return
    value = array_of(trace, cell.step)[index]
    if np.isnan(value) or np.isposinf(value) or not all(map(all_finite, found.values())):
        raise NumberError(
            say("What a number moves with"),
            say("must be computed from finite numbers"),
            say("∞ or NaN"),
            say("Take the stable softmax, which subtracts the largest score of a row."),
        )


def strongest(slopes: Mapping[str, FloatArray]) -> tuple[Cell, float] | None:
    """The number of the rows of tokens, such as X, that moves a number most, and by how much.

    Of equal ones the first counts. None if no number of them moves it.
    """
    rows = [name for name in OF_TOKENS if name in slopes]
    if not any(slopes[name].any() for name in rows):
        return None
    name = max(rows, key=lambda name: float(np.abs(slopes[name]).max()))
    row, column = np.unravel_index(int(np.abs(slopes[name]).argmax()), slopes[name].shape)
    cell = Cell(name, None, int(row), int(column))
    return cell, float(slopes[name][row, column])


class _Backwards:
    """From the derivatives by the numbers of one step to those by the numbers of the steps before.

    Each method has the name of a step of `Trace`, whose words say what it is.
    `row` is that of the query, in all arrays with a row for each.
    """

    def __init__(self, trace: Trace, of: Collection[str], row: slice) -> None:
        self.trace = trace
        self.of = of
        self.row = row
        self.found: dict[str, FloatArray] = {}

    def from_(self, name: str, slopes: FloatArray) -> Mapping[str, FloatArray]:
        self.add(name, slopes)
        for step in reversed(STEPS):
            if step.name in self.found and (back := getattr(self, step.name, None)):
                back(self.found[step.name])
        return {name: self.found[name] for name in self.of if name in self.found}

    def add(self, name: str, slopes: FloatArray) -> None:
        """Add to the step that computes the array: one that changes nothing hands on another's."""
        where = computed(self.trace, name)
        self.found[where] = self.found.get(where, np.zeros(())) + slopes

    def x_positioned(self, slopes: FloatArray) -> None:
        self.add("x", slopes)

    def context_positioned(self, slopes: FloatArray) -> None:
        self.add("context", slopes)

    def q(self, slopes: FloatArray) -> None:
        self._from_x(slopes, "w_q", "b_q")

    def k(self, slopes: FloatArray) -> None:
        context = self.trace.context_positioned
        self.add("context_positioned", self._projected(slopes, context, "w_k", "b_k"))

    def v(self, slopes: FloatArray) -> None:
        self.add("context_v", self._projected(slopes, self.trace.context_v, "w_v", "b_v"))

    def q_heads(self, slopes: FloatArray) -> None:
        self.add("q", _joined(slopes))

    def k_heads(self, slopes: FloatArray) -> None:
        self.add("k", _joined(slopes))

    def v_heads(self, slopes: FloatArray) -> None:
        self.add("v", _joined(slopes * self.trace.scenario.scores.v_scale))

    def q_rotated_first(self, slopes: FloatArray) -> None:
        self.add("q_heads", self._turned_back(slopes, self._start_of_query))

    def k_rotated_first(self, slopes: FloatArray) -> None:
        self.add("k_heads", self._turned_back(slopes, self.trace.scenario.key_start))

    def q_centered(self, slopes: FloatArray) -> None:
        self.add("q_rotated_first", centered(slopes, self._norm("q")))

    def k_centered(self, slopes: FloatArray) -> None:
        self.add("k_rotated_first", centered(slopes, self._norm("k")))

    def q_normed(self, slopes: FloatArray) -> None:
        self.add("q_centered", _through_norm(slopes, self._of_query("q_centered"), self._norm("q")))

    def k_normed(self, slopes: FloatArray) -> None:
        self.add("k_centered", _through_norm(slopes, self.trace.k_centered, self._norm("k")))

    def v_normed(self, slopes: FloatArray) -> None:
        self.add("v_heads", _through_norm(slopes, self.trace.v_heads, self._norm("v")))

    def q_rotated(self, slopes: FloatArray) -> None:
        self.add("q_normed", self._turned_back(slopes, self._start_of_query))

    def k_rotated(self, slopes: FloatArray) -> None:
        self.add("k_normed", self._turned_back(slopes, self.trace.scenario.key_start))

    def raw_scores(self, slopes: FloatArray) -> None:
        queries = self._of_query("q_rotated")
        keys = for_query_heads(self.trace.k_rotated, len(queries))
        self.add("q_rotated", slopes @ keys)
        self.add("k_rotated", self._of_shared(slopes.mT @ queries))

    def relative_scores(self, slopes: FloatArray) -> None:
        s = self.trace.scenario
        places = rows_of_distances(s, self.row)
        if s.r_k is not None:
            by_query = summed_by_distance(slopes, places, s.n_distances)
            self.add("q_rotated", by_query @ by_heads(s, s.r_k))
            self.add("r_k", _joined(by_query.mT @ self._of_query("q_rotated")))
        if s.r_q is not None:
            keys = for_query_heads(self.trace.k_rotated, s.n_heads)
            by_key = summed_by_distance(slopes.mT, places.mT, s.n_distances)
            self.add("k_rotated", self._of_shared(by_key @ by_heads(s, s.r_q)))
            self.add("r_q", _joined(by_key.mT @ keys))

    def summed_scores(self, slopes: FloatArray) -> None:
        self.add("raw_scores", slopes)
        self.add("relative_scores", slopes)

    def grown_scores(self, slopes: FloatArray) -> None:
        self.add("summed_scores", slopes * growth_factors(self.trace.scenario, self.row))

    def scaled_scores(self, slopes: FloatArray) -> None:
        self.add("grown_scores", slopes * self._slope("scale", "scaled_scores"))

    def capped_scores(self, slopes: FloatArray) -> None:
        self.add("scaled_scores", slopes * self._slope("softcap", "capped_scores"))

    def f(self, slopes: FloatArray) -> None:
        if not without_gate_of_additions(self.trace.scenario):
            self._from_x(slopes, "w_f", "b_f")

    def f_gates(self, slopes: FloatArray) -> None:
        shares = self._of_query("f_gates")
        self.add("f", _joined(slopes * shares * (1 - shares)))

    def factors(self, slopes: FloatArray) -> None:
        s, shares = self.trace.scenario, self._of_query("f_gates")
        if without_gate_of_additions(s):
            return
        first, second = shares[..., :1], shares[..., 1:]
        of_heads = 1 if s.c_f is None else s.c_f[:, None, None]
        by_second = slopes * first
        by_first = slopes * (second * of_heads - 1)
        self.add("f_gates", np.concatenate([by_first, by_second * of_heads], axis=-1))
        if s.c_f is not None:
            self.add("c_f", (by_second * second).sum(axis=(1, 2)))

    def bias(self, slopes: FloatArray) -> None:
        s, added = self.trace.scenario, self.trace.scenario.mask.additive
        if s.b_s is not None:
            by_own = np.zeros((s.n_heads, s.n_q, s.n_k))
            by_own[:, self.row] = slopes
            if not without_gate_of_additions(s):
                own = s.b_s.reshape(by_own.shape)[:, self.row]
                self.add("factors", (slopes * own).sum(axis=-1, keepdims=True))
                by_own[:, self.row] *= self._of_query("factors")
            self.add("b_s", by_own.reshape(s.b_s.shape))
        if added is not None:
            by_added = np.zeros(added.shape)
            by_added[self.row] = np.where(np.isneginf(added[self.row]), 0, slopes.sum(axis=0))
            self.add(ADDITIVE, by_added)

    def biased_scores(self, slopes: FloatArray) -> None:
        self.add("capped_scores", slopes)
        self.add("bias", slopes)

    def masked_scores(self, slopes: FloatArray) -> None:
        self.add("biased_scores", np.where(self._of_query("mask"), slopes, 0))

    def tempered_scores(self, slopes: FloatArray) -> None:
        self.add("masked_scores", slopes * self._slope("temperature", "tempered_scores"))

    def row_max(self, slopes: FloatArray) -> None:
        """Of equal scores the first counts, and a sink is the last.

        A blind query has no score that counts, but its sink.
        """
        scores, sinks = self._of_query("tempered_scores"), sinks_of(self.trace.scenario)
        counts = self._sees
        if sinks is not None:
            counts = scores.max(axis=-1, keepdims=True) >= sinks
            self._add_to_sinks(np.where(counts, 0, slopes))
        is_first = np.arange(scores.shape[-1]) == scores.argmax(axis=-1)[..., None]
        self.add("tempered_scores", np.where(is_first & counts, slopes, 0))

    def exponentials(self, slopes: FloatArray) -> None:
        moved = slopes * self._of_query("exponentials")
        self.add("tempered_scores", moved)
        if not without_row_max(self.trace.scenario):
            self.add("row_max", -moved.sum(axis=-1, keepdims=True))

    def row_sums(self, slopes: FloatArray) -> None:
        self.add("exponentials", np.broadcast_to(slopes, self._of_query("exponentials").shape))
        self._exponential_of_sink(slopes)

    def sink_weights(self, slopes: FloatArray) -> None:
        if not without_sinks(self.trace.scenario):
            by_exponential = slopes / self._of_query("row_sums")
            self._exponential_of_sink(by_exponential)
            self.add("row_sums", -by_exponential * self._of_query("sink_weights"))

    def _exponential_of_sink(self, slopes: FloatArray) -> None:
        s = self.trace.scenario
        sinks = sinks_of(s)
        if sinks is not None:
            moved = slopes * np.exp(sinks - self._of_query("row_max"))
            self._add_to_sinks(moved)
            if not without_row_max(s):
                self.add("row_max", -moved)

    def _add_to_sinks(self, slopes: FloatArray) -> None:
        self.add("sinks", slopes.sum(axis=(1, 2)))

    def weights(self, slopes: FloatArray) -> None:
        sums = divisors_of_rows(self._of_query("row_sums"), ~self._sees)
        shares = np.where(self._sees, slopes / sums, 0)
        self.add("exponentials", shares)
        self.add("row_sums", -(shares * self._of_query("weights")).sum(axis=-1, keepdims=True))

    def head_outputs(self, slopes: FloatArray) -> None:
        on = slopes.copy()
        on[list(self.trace.scenario.heads_off)] = 0
        values = for_query_heads(self.trace.v_normed, len(on))
        self.add("weights", on @ values.mT)
        self.add("v_normed", self._of_shared(self._of_query("weights").mT @ on))

    def g(self, slopes: FloatArray) -> None:
        if not without_gate(self.trace.scenario):
            self._from_x(slopes, "w_g", "b_g")

    def gates(self, slopes: FloatArray) -> None:
        gates = self._of_query("gates")
        s = self.trace.scenario
        if not without_gate(s):
            opens = FUNCTIONS[s.scores.gate_function].derivative
            scores = self._of_query("g").reshape(-1, s.n_heads, s.d_g).swapaxes(0, 1)
            self.add("g", _joined(slopes * opens(scores, gates)))

    def gated_outputs(self, slopes: FloatArray) -> None:
        self.add("head_outputs", slopes * self._of_query("gates"))
        moved = slopes * self._of_query("head_outputs")
        is_one = self.trace.scenario.d_g == 1  # for all numbers of a head
        self.add("gates", moved.sum(axis=-1, keepdims=True) if is_one else moved)

    def heads_centered(self, slopes: FloatArray) -> None:
        self.add("gated_outputs", centered(slopes, self._norm("concat")))

    def heads_normed(self, slopes: FloatArray) -> None:
        heads = self._of_query("heads_centered")
        self.add("heads_centered", _through_norm(slopes, heads, self._norm("concat")))

    def heads_bent(self, slopes: FloatArray) -> None:
        bends = FUNCTIONS[self.trace.scenario.scores.concat_function].derivative
        before, after = self._of_query("heads_normed"), self._of_query("heads_bent")
        self.add("heads_normed", slopes * bends(before, after))

    def concat(self, slopes: FloatArray) -> None:
        n_heads = self.trace.scenario.n_heads
        self.add("heads_bent", slopes.reshape(len(slopes), n_heads, -1).swapaxes(0, 1))

    def contributions(self, slopes: FloatArray) -> None:
        s, outputs = self.trace.scenario, self._of_query("heads_bent")
        slopes = slopes * s.scores.output_scale
        rows = s.w_o.reshape(s.n_heads, s.d_v, s.d_out)
        self.add("heads_bent", slopes @ rows.mT)
        if "w_o" in self.of:
            self.add("w_o", (outputs.mT @ slopes).reshape(s.w_o.shape))

    def output(self, slopes: FloatArray) -> None:
        slopes = slopes * self.trace.scenario.scores.output_scale
        self.add("concat", self._projected(slopes, self._of_query("concat"), "w_o", "b_o"))

    def _from_x(self, slopes: FloatArray, weights: str, bias: str) -> None:
        x = self.trace.x_positioned
        by_x = np.zeros(x.shape)
        by_x[self.row] = self._projected(slopes, x[self.row], weights, bias)
        self.add("x_positioned", by_x)

    def _slope(self, option: str, changed: str) -> Any:
        """How much the scores after an option of the scores move with those before it."""
        step, s = OPTIONS[option].step, self.trace.scenario
        assert step is not None
        return step.slope(self._of_query(changed), s.scores.number(option, s.d_k))

    def _projected(
        self, slopes: FloatArray, rows: FloatArray, weights: str, bias: str
    ) -> FloatArray:
        """The derivatives by the rows that were projected."""
        if weights in self.of:
            self.add(weights, rows.T @ slopes)
        if bias in self.of and array_of(self.trace, bias) is not None:
            self.add(bias, slopes.sum(axis=0))
        by_rows: FloatArray = slopes @ array_of(self.trace, weights).T
        return by_rows

    def _norm(self, of: NormOf) -> Norm:
        return norm_of(self.trace.scenario, of)

    @property
    def _start_of_query(self) -> int:
        """The position of the first row that counts."""
        start: int = self.trace.scenario.query_start + (self.row.start or 0)
        return start

    def _turned_back(self, slopes: FloatArray, start: int) -> FloatArray:
        s = self.trace.scenario
        return rotate_back(slopes, start, rotation_of(s.scores, s.d_k))

    def _of_query(self, name: str) -> FloatArray:
        """The row of the query, in an array with a row for each."""
        its: FloatArray = getattr(self.trace, name)[..., self.row, :]
        return its

    @property
    def _sees(self) -> BoolArray:
        """Whether the query sees any key."""
        sees: BoolArray = ~self.trace.blind_queries[self.row, None]
        return sees

    def _of_shared(self, slopes: FloatArray) -> FloatArray:
        """The sum over the heads of a group, for the keys or values that they share."""
        n_kv_heads = self.trace.scenario.n_kv_heads
        summed: FloatArray = slopes.reshape(n_kv_heads, -1, *slopes.shape[1:]).sum(axis=1)
        return summed


def _joined(heads: FloatArray) -> FloatArray:
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def _through_norm(slopes: FloatArray, heads: FloatArray, norm: Norm) -> FloatArray:
    """A number moves its own quotient, and the root below all numbers of its row.

    A row that a naive softmax has lost has no root that counts: it is refused later.
    """
    by_quotient = slopes * norm.gain(heads)
    if not norm.is_divided:
        return by_quotient
    root = roots(heads, norm, may_be_lost=True)
    ratios = heads / root
    shared = (by_quotient * ratios).mean(axis=norm.axes, keepdims=True)
    back: FloatArray = (by_quotient - ratios * shared) / root
    return back
