"""The forward pass: every array by its name, each with its equation.

`attend(scenario)` gives a Trace. Its fields are the steps of the lesson, in order. Each array is
computed when it is first used, then kept, and read-only. The screen, the exports and the tests read
`STEPS`: to add a step, add one method below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.layer import (
    formulas,
    made_of,
    made_of_gates,
    made_of_norms,
    made_of_places,
    made_of_products,
    made_of_sinks,
)
from mha_core.layer.attention import (
    check_within_range,
    divisors_of_rows,
    for_query_heads,
    row_maximum,
    weights_in_place,
)
from mha_core.layer.cache_blocks import (
    CacheBlock,
    cache_blocks,
    fits_in_one_block,
    relative_in_blocks,
    scores_in_blocks,
    weights_by_block,
)
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.functions import FUNCTIONS, sigmoid
from mha_core.layer.gates import factors_of
from mha_core.layer.growth import growth_factors
from mha_core.layer.in_notebook import as_text
from mha_core.layer.norms import centered, normed
from mha_core.layer.on_scores import added_to, allowed_in, changed_by, changes_to_scores, sinks_of
from mha_core.layer.positions import rotate, sinusoids
from mha_core.layer.relative import relative, rows_of_distances
from mha_core.layer.steps import Step, step
from mha_core.layer.unchanged import (
    gates_are_shares,
    without,
    without_additions,
    without_centering,
    without_centering_of_concat,
    without_concat_function,
    without_distances,
    without_factor_of_output,
    without_factor_of_values,
    without_gains_alone,
    without_gate,
    without_gate_of_additions,
    without_growth,
    without_mask,
    without_norm_of,
    without_norm_of_concat,
    without_norm_of_values,
    without_own_values,
    without_rotation_first,
    without_rotation_last,
    without_row_max,
    without_second_sequence,
    without_sinks,
    without_sinusoids,
    without_waves_in_values,
)
from mha_core.mask_rules.places import ALL_ROWS
from mha_core.scenario.norms import norm_of
from mha_core.scenario.rotation import Rotation, rotation_of

NO_GATE_OF_ADDITIONS: Final = say("there is no gate of b_S")


class Trace(ForwardPass):
    """Every array of one forward pass, in the order of the lesson.

    It is frozen: no field can be set. The `dims` of a step is its shape; heads are always the first
    axis. Print a trace to see every field with its symbol and shape.

    >>> from mha_core import Scenario, attend
    >>> I = np.eye(2)
    >>> trace = attend(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2))
    >>> trace.weights[0].round(8)
    array([[0.73105858, 0.26894142],
           [0.5       , 0.5       ]])
    """

    def __repr__(self) -> str:
        sizes = self.scenario.sizes
        lines = (f"{step!r} = {step.dims.shape(sizes)}" for step in STEPS)
        return "\n".join(lines)

    # What a notebook shows. Screens are not the core's: `ui/notebook` paints a picture.
    painter: ClassVar[Callable[[Trace], str]] = staticmethod(as_text)

    def _repr_html_(self) -> str:
        return type(self).painter(self)

    # From the input to Q, K and V.

    @step("X", "n_q d_model", "X", made_of.Input(), words=say("Input: one row for each token."))
    def x(self) -> FloatArray:
        return self.scenario.x

    @step(
        "C",
        "n_k d_model_kv",
        "C",
        made_of.Input(),
        same_as={"x": without_second_sequence},
        words=say("Source of keys and values: the second sequence, or X itself."),
        unless=(without_own_values, say("the second sequence, from which keys are made.")),
    )
    def context(self) -> FloatArray:
        return self.scenario.keys_from

    @step(
        "P",
        "n_q d_model",
        formulas.positions,
        made_of_places.Waves("x", lambda s: s.query_start),
        words=say("Positions: a wave in each column, read at the place of each token; else zeros."),
    )
    def positions(self) -> FloatArray:
        return self._sinusoids_like(self.x, self.scenario.query_start)

    @step(
        "X + P",
        "n_q d_model",
        formulas.x_positioned,
        made_of.InPlace(("x", "positions"), made_of.added),
        same_as={"x": without_sinusoids},
        words=say("Input with positions: X, plus the sinusoids where they are chosen."),
    )
    def x_positioned(self) -> FloatArray:
        return self.x + self.positions

    @step(
        "P_C",
        "n_k d_model_kv",
        formulas.positions,
        made_of_places.Waves("context", lambda s: s.key_start),
        same_as={"positions": without_second_sequence},
        words=say(
            "Positions of the second sequence: the same waves, from the first place on; else zeros."
        ),
    )
    def context_positions(self) -> FloatArray:
        return self._sinusoids_like(self.context, self.scenario.key_start)

    @step(
        "C + P_C",
        "n_k d_model_kv",
        formulas.context_positioned,
        made_of.InPlace(("context", "context_positions"), made_of.added),
        same_as={"x_positioned": without_second_sequence, "context": without_sinusoids},
        words=say("Second sequence with positions: C, plus the sinusoids where they are chosen."),
    )
    def context_positioned(self) -> FloatArray:
        return self.context + self.context_positions

    @step(
        "C_V",
        "n_k d_model_v",
        "C_V",
        made_of.Input(),
        same_as={"context": without_waves_in_values, "context_positioned": without_own_values},
        words=say("Source of values: rows of their own, without positions, or those of the keys."),
    )
    def context_v(self) -> FloatArray:
        return self.scenario.values_from

    @step(
        "Q",
        "n_q n_heads*d_k",
        formulas.q,
        made_of_products.Projected("x_positioned", "w_q", "b_q"),
        words=say("Queries: what each token asks for, all heads side by side."),
    )
    def q(self) -> FloatArray:
        return _project(self.x_positioned, self.scenario.w_q, self.scenario.b_q)

    @step(
        "K",
        "n_k n_kv_heads*d_k",
        formulas.k,
        made_of_products.Projected("context_positioned", "w_k", "b_k"),
        words=say("Keys: what each token answers to, all heads side by side."),
    )
    def k(self) -> FloatArray:
        return _project(self.context_positioned, self.scenario.w_k, self.scenario.b_k)

    @step(
        "V",
        "n_k n_kv_heads*d_v",
        formulas.v,
        made_of_products.Projected("context_v", "w_v", "b_v"),
        words=say("Values: what each token hands over, all heads side by side."),
    )
    def v(self) -> FloatArray:
        return _project(self.context_v, self.scenario.w_v, self.scenario.b_v)

    @step(
        "Q_i",
        "n_heads n_q d_k",
        formulas.q_heads,
        made_of.Split("q", "q_heads"),
        words=say("Queries by head: head i owns d_k columns of Q."),
    )
    def q_heads(self) -> FloatArray:
        return _split(self.q, self.scenario.n_heads)

    @step(
        "K_i",
        "n_kv_heads n_k d_k",
        formulas.k_heads,
        made_of.Split("k", "k_heads"),
        words=say("Keys by head: head i owns d_k columns of K."),
    )
    def k_heads(self) -> FloatArray:
        return _split(self.k, self.scenario.n_kv_heads)

    @step(
        "V_i",
        "n_kv_heads n_k d_v",
        formulas.v_heads,
        made_of.Split("v", "v_heads", "v_scale"),
        words=say("Values by head: head i owns d_v columns of V."),
        unless=(
            without_factor_of_values,
            say("head i owns d_v columns of V, times the factor of values."),
        ),
    )
    def v_heads(self) -> FloatArray:
        s = self.scenario
        heads = _split(self.v, s.n_kv_heads)
        return heads if without_factor_of_values(s) else heads * s.scores.number("v_scale", s.d_k)

    @step(
        "rope(Q_i)",
        "n_heads n_q d_k",
        formulas.q_rotated_first,
        made_of_places.Rotated("q_heads", lambda s: s.query_start),
        same_as={"q_heads": without_rotation_first},
        words=say("Queries turned before the norm: under RoPE, if that is chosen, else unchanged."),
    )
    def q_rotated_first(self) -> FloatArray:
        return rotate(self.q_heads, self.scenario.query_start, self._rotation)

    @step(
        "rope(K_i)",
        "n_kv_heads n_k d_k",
        formulas.k_rotated_first,
        made_of_places.Rotated("k_heads", lambda s: s.key_start),
        same_as={"k_heads": without_rotation_first},
        words=say("Keys turned before the norm: under RoPE, if that is chosen, else unchanged."),
    )
    def k_rotated_first(self) -> FloatArray:
        return rotate(self.k_heads, self.scenario.key_start, self._rotation)

    @step(
        "center(Q_i)",
        "n_heads n_q d_k",
        formulas.q_centered,
        made_of_norms.Centered("q", "q_rotated_first"),
        symbol_of="center({q_rotated_first})",
        same_as={"q_rotated_first": without_centering},
        words=say("Queries less their mean: what a LayerNorm does first, else unchanged."),
    )
    def q_centered(self) -> FloatArray:
        return centered(self.q_rotated_first, norm_of(self.scenario, "q"))

    @step(
        "center(K_i)",
        "n_kv_heads n_k d_k",
        formulas.k_centered,
        made_of_norms.Centered("k", "k_rotated_first"),
        symbol_of="center({k_rotated_first})",
        same_as={"k_rotated_first": without_centering},
        words=say("Keys less their mean: what a LayerNorm does first, else unchanged."),
    )
    def k_centered(self) -> FloatArray:
        return centered(self.k_rotated_first, norm_of(self.scenario, "k"))

    @step(
        "norm(Q_i)",
        "n_heads n_q d_k",
        formulas.q_normed,
        made_of_norms.Normed("q", "q_centered"),
        symbol_of=formulas.symbol_of_norm("q_rotated_first"),
        same_as={"q_centered": without_norm_of("q")},
        words=say("Queries after the norm: divided by their root mean square, else unchanged."),
        unless=(without_gains_alone, say("each column times its gain; nothing is divided.")),
    )
    def q_normed(self) -> FloatArray:
        return normed(self.q_centered, norm_of(self.scenario, "q"))

    @step(
        "norm(K_i)",
        "n_kv_heads n_k d_k",
        formulas.k_normed,
        made_of_norms.Normed("k", "k_centered"),
        symbol_of=formulas.symbol_of_norm("k_rotated_first"),
        same_as={"k_centered": without_norm_of("k")},
        words=say("Keys after the norm: divided by their root mean square, else unchanged."),
        unless=(without_gains_alone, say("each column times its gain; nothing is divided.")),
    )
    def k_normed(self) -> FloatArray:
        return normed(self.k_centered, norm_of(self.scenario, "k"))

    @step(
        "norm(V_i)",
        "n_kv_heads n_k d_v",
        formulas.v_normed,
        made_of_norms.Normed("v", "v_heads"),
        same_as={"v_heads": without_norm_of_values},
        words=say("Values after the norm: divided by their root mean square, else unchanged."),
    )
    def v_normed(self) -> FloatArray:
        return normed(self.v_heads, norm_of(self.scenario, "v"))

    @step(
        "Q_i'",
        "n_heads n_q d_k",
        formulas.q_rotated,
        made_of_places.Rotated("q_normed", lambda s: s.query_start),
        same_as={"q_normed": without_rotation_last},
        words=say("Queries after rotation: turned by their positions under RoPE, else unchanged."),
    )
    def q_rotated(self) -> FloatArray:
        return rotate(self.q_normed, self.scenario.query_start, self._rotation)

    @step(
        "K_i'",
        "n_kv_heads n_k d_k",
        formulas.k_rotated,
        made_of_places.Rotated("k_normed", lambda s: s.key_start),
        same_as={"k_normed": without_rotation_last},
        words=say("Keys after rotation: turned by their positions under RoPE, else unchanged."),
    )
    def k_rotated(self) -> FloatArray:
        return rotate(self.k_normed, self.scenario.key_start, self._rotation)

    # Scores: growth, scale, soft cap, additions, mask and temperature, in this order.

    @step(
        "Q_i K_i^T",
        "n_heads n_q n_k",
        formulas.raw_scores,
        made_of_products.Scores(),
        symbol_of="{q_rotated} {k_rotated}^T",
        words=say("Raw scores: how well each query matches each key."),
    )
    def raw_scores(self) -> FloatArray:
        return scores_in_blocks(self.q_rotated, self._shared_keys)

    @step(
        "D_i",
        "n_heads n_q n_k",
        formulas.relative_scores,
        made_of.Either(
            without_distances,
            made_of.Nothing(say("no distance has a vector")),
            made_of_products.Relative(),
        ),
        words=say(
            "Relative scores: how well a query matches the distance of each key, 0 without R_K."
        ),
    )
    def relative_scores(self) -> FloatArray:
        s = self.scenario
        if without_distances(s):
            return np.broadcast_to(np.zeros((), s.dtype), (s.n_heads, s.n_q, s.n_k))
        return relative_in_blocks(s, self.q_rotated, self._shared_keys)

    @step(
        "S_i^R",
        "n_heads n_q n_k",
        formulas.summed_scores,
        made_of.InPlace(("raw_scores", "relative_scores"), made_of.added),
        same_as={"raw_scores": without_distances},
        words=say("Summed scores: raw scores plus relative scores, where distances have vectors."),
    )
    def summed_scores(self) -> FloatArray:
        return self.raw_scores + self.relative_scores

    @step(
        "S_i^G",
        "n_heads n_q n_k",
        formulas.grown_scores,
        made_of_places.Grown(),
        same_as={"summed_scores": without_growth},
        words=say(
            "Grown scores: times a factor that grows with the query's position, where one is set."
        ),
    )
    def grown_scores(self) -> FloatArray:
        return self.summed_scores * growth_factors(self.scenario)

    @step(
        "S_i",
        "n_heads n_q n_k",
        formulas.changed("grown_scores", "scale"),
        made_of.Changed("grown_scores", "scale"),
        words=say(
            "Scaled scores: raw scores times the scale, so that a wide head has no larger scores."
        ),
    )
    def scaled_scores(self) -> FloatArray:
        return changed_by("scale", self.scenario, self.grown_scores)

    @step(
        "cap(S_i)",
        "n_heads n_q n_k",
        formulas.changed("scaled_scores", "softcap"),
        made_of.Changed("scaled_scores", "softcap"),
        same_as={"scaled_scores": without("softcap")},
        words=say("Capped scores: bent so that none leaves the soft cap, where one is set."),
    )
    def capped_scores(self) -> FloatArray:
        return changed_by("softcap", self.scenario, self.scaled_scores)

    @step(
        "F",
        "n_q n_heads*2",
        formulas.f,
        made_of.Either(
            without_gate_of_additions,
            made_of.Nothing(NO_GATE_OF_ADDITIONS),
            made_of_products.Projected("x_positioned", "w_f", "b_f"),
        ),
        words=say(
            "Gate scores of additions: two of each token for each head; 0 where there is no gate."
        ),
    )
    def f(self) -> FloatArray:
        s = self.scenario
        if s.w_f is None:
            return np.zeros((s.n_q, s.n_heads * 2), s.dtype)
        return _project(self.x_positioned, s.w_f, s.b_f)

    @step(
        "gate(F_i)",
        "n_heads n_q 2",
        formulas.f_gates,
        made_of.Either(
            without_gate_of_additions, made_of.Nothing(NO_GATE_OF_ADDITIONS), made_of_gates.Shares()
        ),
        from_0_to_1=True,
        words=say(
            "Gate of additions: two shares of each query, of which its factor is made; else 0."
        ),
    )
    def f_gates(self) -> FloatArray:
        s = self.scenario
        if without_gate_of_additions(s):
            return np.zeros((s.n_heads, s.n_q, 2), s.dtype)
        return sigmoid(_split(self.f, s.n_heads))

    @step(
        "f_i",
        "n_heads n_q 1",
        formulas.factors,
        made_of_gates.Factor(),
        words=say(
            "Factors of additions: by its own, each query multiplies what the head adds; else 1."
        ),
    )
    def factors(self) -> FloatArray:
        s = self.scenario
        if without_gate_of_additions(s):
            return np.ones((s.n_heads, s.n_q, 1), s.dtype)
        return factors_of(self.f_gates, s.c_f)

    @step(
        "B_i",
        "n_heads n_q n_k",
        formulas.bias,
        made_of_places.Added(),
        words=say(
            "Additions: ALiBi's distances, b_S and the additive mask, 0 where there is none."
        ),
    )
    def bias(self) -> FloatArray:
        s = self.scenario
        added = added_to(ALL_ROWS, s, self._own_factors)
        nothing = np.zeros((), s.dtype)
        return np.broadcast_to(nothing if added is None else added, (s.n_heads, s.n_q, s.n_k))

    @step(
        "S_i + B_i",
        "n_heads n_q n_k",
        formulas.biased_scores,
        made_of.InPlace(("capped_scores", "bias"), made_of.added),
        symbol_of="{capped_scores} + {bias}",
        same_as={"capped_scores": without_additions},
        words=say("Scores with additions: the scores just before the mask is applied."),
    )
    def biased_scores(self) -> FloatArray:
        return self.capped_scores + self.bias

    @step(
        "M",
        "n_q n_k",
        r"M",
        made_of_places.Allowed(),
        from_0_to_1=True,
        words=say("Mask: True where a query may attend to a key, the same for all heads."),
    )
    def mask(self) -> BoolArray:
        return self.scenario.mask.allowed(self.scenario.n_q, self.scenario.n_k)

    @step(
        "blind",
        "n_q",
        r"\lnot \exists k: M_{qk}",
        made_of_places.Blind(),
        from_0_to_1=True,
        words=say(
            "Blind queries: True for a query that may attend to nothing; its output is zero."
        ),
    )
    def blind_queries(self) -> BoolArray:
        return np.logical_not(self.mask.any(axis=-1))

    @step(
        "S_i^M",
        "n_heads n_q n_k",
        formulas.masked_scores,
        made_of.Masked("biased_scores"),
        same_as={"biased_scores": without_mask},
        after_mask=True,
        words=say("Masked scores: minus infinity wherever the mask hides a key."),
    )
    def masked_scores(self) -> FloatArray:
        return np.where(self.mask, self.biased_scores, np.array(-np.inf, self.scenario.dtype))

    @step(
        "S_i'",
        "n_heads n_q n_k",
        formulas.changed("masked_scores", "temperature"),
        made_of.Changed("masked_scores", "temperature"),
        same_as={"masked_scores": without("temperature")},
        after_mask=True,
        words=say(
            "Scores / T: masked scores divided by the temperature T; a small T sharpens weights."
        ),
    )
    def tempered_scores(self) -> FloatArray:
        return changed_by("temperature", self.scenario, self.masked_scores)

    # Softmax, and what follows it.

    @step(
        "m_i",
        "n_heads n_q 1",
        formulas.row_max,
        made_of.Either(
            without_row_max,
            made_of.Nothing(say("the softmax is naive: nothing is subtracted")),
            made_of.Either(
                without_sinks,
                made_of.OfRow("tempered_scores", made_of.most_of),
                made_of_sinks.LARGEST,
            ),
        ),
        words=say("Largest score of the row: it is subtracted, so that exp never overflows."),
    )
    def row_max(self) -> FloatArray:
        largest = row_maximum(self.tempered_scores, self._blind, sinks_of(self.scenario))
        return np.zeros_like(largest) if without_row_max(self.scenario) else largest

    @step(
        "E_i",
        "n_heads n_q n_k",
        formulas.exponentials,
        made_of.Either(
            without_row_max,
            made_of.InPlace(("tempered_scores",), made_of.exponential),
            made_of.InPlace(("tempered_scores", "row_max"), made_of.exponential_below),
        ),
        after_mask=True,
        words=say("Exponentials: every score made positive; 0 where masked."),
    )
    def exponentials(self) -> FloatArray:
        return np.exp(self.tempered_scores - self.row_max)

    @step(
        "Z_i",
        "n_heads n_q 1",
        formulas.row_sums,
        made_of.Either(
            without_sinks, made_of.OfRow("exponentials", made_of.summed), made_of_sinks.SUM
        ),
        words=say("Row sums: what each row's exponentials are divided by."),
    )
    def row_sums(self) -> FloatArray:
        sums: FloatArray = self.exponentials.sum(axis=-1, keepdims=True)
        return sums if without_sinks(self.scenario) else sums + self._exponentials_of_sinks

    @step(
        "A_i",
        "n_heads n_q n_k",
        formulas.weights,
        made_of.InPlace(("exponentials", "row_sums"), made_of.share),
        from_0_to_1=True,
        after_mask=True,
        words=say(
            "Weights: the share of each key in a query's answer; a row sums to 1, or is all 0."
        ),
        unless=(
            without_sinks,
            say(
                "the share of each key in a query's answer; a row sums to 1 with its sink's share."
            ),
        ),
    )
    def weights(self) -> FloatArray:
        if "raw_scores" in self.__dict__:  # somebody has read them: go on from there
            return self.exponentials / divisors_of_rows(self.row_sums, self._blind)
        s, q, k = self.scenario, self.q_rotated, self._shared_keys
        if fits_in_one_block(s):
            scores = q @ k.mT
            if not without_distances(s):
                scores += relative(s, q, k, rows_of_distances(s))
            if not without_growth(s):
                scores *= growth_factors(s)
            return weights_in_place(
                scores,
                bias=added_to(ALL_ROWS, s, self._own_factors),
                allowed=allowed_in(ALL_ROWS, s),
                sinks=sinks_of(s),
                **changes_to_scores(s),
            )
        weights = np.empty((s.n_heads, s.n_q, s.n_k), s.dtype)
        for _ in weights_by_block(s, q, k, self._own_factors, into=weights):
            pass  # each block is written to its place in `weights`
        return weights

    @step(
        "sink(A_i)",
        "n_heads n_q 1",
        formulas.sink_weights,
        made_of.Either(
            without_sinks, made_of.Nothing(say("no head has a sink")), made_of_sinks.SHARE
        ),
        from_0_to_1=True,
        words=say("Sink: the share of the head's sink, which has no value to give; else 0."),
    )
    def sink_weights(self) -> FloatArray:
        s = self.scenario
        if without_sinks(s):
            return np.zeros((s.n_heads, s.n_q, 1), s.dtype)
        return self._exponentials_of_sinks / self.row_sums

    @step(
        "head_i",
        "n_heads n_q d_v",
        formulas.head_outputs,
        made_of_products.Blended(),
        words=say(
            "Head outputs: each query's blend of the values; 0 for a head that is switched off."
        ),
    )
    def head_outputs(self) -> FloatArray:
        s = self.scenario
        v = for_query_heads(self.v_normed, s.n_heads)
        if fits_in_one_block(s):
            heads = self.weights @ v
        else:
            # The heads are side by side in memory, so that the concatenation copies nothing.
            heads = np.empty((s.n_q, s.n_heads, s.d_v), s.dtype).swapaxes(0, 1)
            for block, weights in self._weights_in_blocks():
                np.matmul(weights, v[block[0]], out=heads[block])
        for head in s.heads_off:
            heads[head] = 0
        return heads

    # The gate between the heads and W_O, where there is one.

    @step(
        "G",
        "n_q n_heads*d_g",
        formulas.g,
        made_of.Either(
            without_gate,
            made_of.Nothing(say("there is no gate")),
            made_of_products.Projected("x_positioned", "w_g", "b_g"),
        ),
        words=say("Gate scores: how far each token opens the heads; 0 where there is no gate."),
    )
    def g(self) -> FloatArray:
        s = self.scenario
        if s.w_g is None:
            return np.zeros((s.n_q, s.n_heads * s.d_g), s.dtype)
        return _project(self.x_positioned, s.w_g, s.b_g)

    @step(
        "gate_i",
        "n_heads n_q d_g",
        formulas.gates,
        made_of_gates.Opened(),
        from_0_to_1=True,
        from_0_to_1_if=gates_are_shares,
        words=say("Gate: from 0, shut, to 1, open; 1 where there is none."),
        unless=(
            gates_are_shares,
            say("what each number of a head is multiplied by; 0 is shut, 1 changes nothing."),
        ),
    )
    def gates(self) -> FloatArray:
        s = self.scenario
        if without_gate(s):
            return np.ones((s.n_heads, s.n_q, s.d_g), s.dtype)
        opened: FloatArray = FUNCTIONS[s.scores.gate_function].of(_split(self.g, s.n_heads))
        return opened

    @step(
        "head_i'",
        "n_heads n_q d_v",
        formulas.gated_outputs,
        made_of.InPlace(("head_outputs", "gates"), made_of.multiplied),
        same_as={"head_outputs": without_gate},
        words=say("Gated outputs: what the gate lets through of each head's output."),
    )
    def gated_outputs(self) -> FloatArray:
        return self.head_outputs * self.gates

    @step(
        "center(head_i)",
        "n_heads n_q d_v",
        formulas.heads_centered,
        made_of_norms.Centered("concat", "gated_outputs"),
        symbol_of="center({gated_outputs})",
        same_as={"gated_outputs": without_centering_of_concat},
        words=say(
            "Outputs less the mean of all heads: what a LayerNorm does first, else unchanged."
        ),
    )
    def heads_centered(self) -> FloatArray:
        return centered(self.gated_outputs, norm_of(self.scenario, "concat"))

    @step(
        "norm(head_i)",
        "n_heads n_q d_v",
        formulas.heads_normed,
        made_of_norms.Normed("concat", "heads_centered"),
        symbol_of="norm({gated_outputs})",
        same_as={"heads_centered": without_norm_of_concat},
        words=say(
            "Outputs after the norm: divided by the root mean square of all heads, else unchanged."
        ),
    )
    def heads_normed(self) -> FloatArray:
        s = self.scenario
        return normed(self.heads_centered, norm_of(s, "concat"), may_be_lost=without_row_max(s))

    @step(
        "f(head_i)",
        "n_heads n_q d_v",
        formulas.heads_bent,
        made_of_gates.Bent(),
        symbol_of="f({heads_normed})",
        same_as={"heads_normed": without_concat_function},
        words=say("Bent outputs: each number after the function before W_O, else unchanged."),
    )
    def heads_bent(self) -> FloatArray:
        bent: FloatArray = FUNCTIONS[self.scenario.scores.concat_function].of(self.heads_normed)
        return bent

    @step(
        "concat",
        "n_q n_heads*d_v",
        formulas.concat,
        made_of.Joined("heads_bent"),
        words=say("Concatenation: the heads' outputs side by side."),
    )
    def concat(self) -> FloatArray:
        return self.heads_bent.swapaxes(0, 1).reshape(self.scenario.n_q, -1)

    @step(
        "head_i W_O_i",
        "n_heads n_q d_out",
        formulas.contributions,
        made_of_products.Contributed(),
        symbol_of="{heads_bent} W_O_i",
        words=say("Contributions: what each head alone adds to the output."),
        unless=(
            without_norm_of_concat,
            say(
                "what the columns of each head add to the output; the norm before it depends on "
                "all heads."
            ),
        ),
    )
    def contributions(self) -> FloatArray:
        s = self.scenario
        mixed = self.heads_bent @ s.w_o.reshape(s.n_heads, s.d_v, s.d_out)
        return self._times_its_factor(mixed)

    @step(
        "output",
        "n_q d_out",
        formulas.output,
        made_of_products.Projected("concat", "w_o", "b_o", "output_scale"),
        words=say("Output: the heads mixed by W_O, one row for each query."),
    )
    def output(self) -> FloatArray:
        s = self.scenario
        output = self._times_its_factor(_project(self.concat, s.w_o, s.b_o))
        if without_row_max(self.scenario):
            self._check_but_for_lost_weights(output)
        else:
            check_within_range(say("The output"), output)
        return output

    # What several equations share.

    def _times_its_factor(self, output: FloatArray) -> FloatArray:
        """The output, or a part of it, times its factor, if it has one. In place."""
        s = self.scenario
        if not without_factor_of_output(s):
            output *= s.scores.number("output_scale", s.d_k)
        return output

    def _check_but_for_lost_weights(self, output: FloatArray) -> None:
        """Refuse products beyond the range, but allow rows whose weights are not numbers."""
        check_within_range("V", self.v)
        check_within_range(say("The output"), output[np.isfinite(self.concat).all(axis=-1)])

    @property
    def _blind(self) -> BoolArray:
        """The blind queries as a column."""
        blind: BoolArray = np.logical_not(self.mask.any(axis=-1, keepdims=True))
        return blind

    @property
    def _exponentials_of_sinks(self) -> FloatArray:
        """Of each row, as a column."""
        sinks = sinks_of(self.scenario)
        assert sinks is not None
        made: FloatArray = np.exp(sinks - self.row_max)
        return made

    @property
    def _own_factors(self) -> FloatArray | None:
        """By which a gate multiplies what the heads add to their scores; None without one."""
        return None if without_gate_of_additions(self.scenario) else self.factors

    @property
    def _shared_keys(self) -> FloatArray:
        return for_query_heads(self.k_rotated, self.scenario.n_heads)

    @property
    def _rotation(self) -> Rotation:
        return rotation_of(self.scenario.scores, self.scenario.d_k)

    def _sinusoids_like(self, x: FloatArray, start: int) -> FloatArray:
        """The sinusoids to add to these rows; zeros where none are chosen."""
        if without_sinusoids(self.scenario):
            return np.zeros_like(x)
        return sinusoids(len(x), x.shape[1], start).astype(x.dtype)

    def _weights_in_blocks(self) -> Iterator[tuple[CacheBlock, FloatArray]]:
        """The weights that blend V, block by block: here those of the `weights` step."""
        s = self.scenario
        for block in cache_blocks(s.n_heads, s.n_q, s.n_k, s.dtype.itemsize):
            yield block, self.weights[block]


STEPS: Final[tuple[Step[Any], ...]] = tuple(s for s in vars(Trace).values() if isinstance(s, Step))

# The steps that have, for each head, a matrix with a row for each query.
HEAD_STEPS: Final = tuple(s for s in STEPS if s.dims.axes[:2] == ("n_heads", "n_q"))


def _project(x: FloatArray, w: FloatArray, b: FloatArray | None) -> FloatArray:
    product: FloatArray = x.dot(w)  # on tiny matrices three times as fast as @
    if b is not None:
        product += b
    return product


def _split(x: FloatArray, n_heads: int) -> FloatArray:
    return x.reshape(len(x), n_heads, -1).swapaxes(0, 1)
