"""Functions and factors at the output of the heads, and gains of Q and K without a norm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, Stack, attend
from mha_core.changing.changes import with_scores
from mha_core.changing.reordering import with_head_moved
from mha_core.guide.screens import screens_of
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive, feeds
from mha_core.layer.equations import equations
from mha_core.layer.functions import FUNCTIONS
from mha_core.layer.matrices import labelled_matrix
from mha_core.options.concat_function import OPTION as CONCAT_FUNCTION
from mha_core.reading.metrics import contributions_gap, output_change
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.masks import Mask
from mha_core.stack.layer import Layer
from mha_core.stack.parts import stream_parts
from mha_core.stack.paths import paths
from tests.core.strategies import self_attention

PLAIN = self_attention(3, 4, 2, b_v=np.arange(4.0), b_o=np.array([1.0, -2, 0, 3]))
GATED = replace(PLAIN, w_g=np.zeros((4, 4)), b_g=np.array([-2.0, 0, 1, 3]))
MINUS = "\N{MINUS SIGN}"


def of(s: Scenario, **options: Any) -> Scenario:
    return with_scores(s, **options)


# The function of the gate.


def test_softplus_makes_the_gate_and_may_let_more_through_than_there_was() -> None:
    trace = attend(of(GATED, gate_function="softplus"))
    by = np.log(1 + np.exp(GATED.b_g))
    np.testing.assert_allclose(trace.concat, attend(PLAIN).concat * by)
    assert by.max() > 3


def test_a_gate_whose_numbers_are_no_shares_has_not_the_colours_of_shares() -> None:
    for function, is_share in (("sigmoid", True), ("softplus", False), ("tanh", False)):
        trace = attend(of(GATED, gate_function=function))
        assert labelled_matrix(trace, "gates", 0).from_0_to_1 is is_share
        assert trace.__class__.gates.meaning_in(trace.scenario).startswith("from 0") is is_share


def test_without_a_gate_its_function_changes_nothing_and_nobody_speaks_of_it() -> None:
    s = of(PLAIN, gate_function="softplus")
    trace = attend(s)
    assert trace.gated_outputs is trace.head_outputs
    assert (trace.gates == 1).all()
    assert setting_notes(attend(s)) == setting_notes(attend(PLAIN))
    assert (
        "softplus" in " ".join(setting_notes(attend(of(GATED, gate_function="softplus")))).lower()
    )


@pytest.mark.parametrize(
    ("b_g", "says"),
    [
        (GATED.b_g, f"by numbers from {MINUS}0.24 to 2.86."),
        (np.full(4, 2.0), "by 1.76 everywhere."),
    ],
)
def test_a_note_says_from_where_to_where_its_numbers_go(b_g: Any, says: str) -> None:
    notes = setting_notes(attend(of(replace(GATED, b_g=b_g), gate_function="silu")))
    assert f"A gate before W_O multiplies what the heads give {says}" in notes


# The function before W_O.


@pytest.mark.parametrize("function", [name for name in CONCAT_FUNCTION.drawn if name != "none"])
def test_each_number_passes_the_function_after_gate_and_norm(function: str) -> None:
    s = of(GATED, concat_norm="layer", concat_shift=(0.5,) * 4, concat_function=function)
    trace = attend(s)
    before = attend(of(s, concat_function="none")).concat
    np.testing.assert_allclose(trace.concat, FUNCTIONS[function].of(before))
    np.testing.assert_allclose(trace.output, trace.concat @ s.w_o + s.b_o)
    assert FUNCTIONS[function].of(np.zeros(1)) == 0  # a head that is off gives nothing


def test_without_a_function_the_step_hands_on() -> None:
    trace = attend(PLAIN)
    assert trace.heads_bent is trace.head_outputs
    assert "function-of-heads" not in [screen.name for screen in screens_of(PLAIN)]
    bent = of(PLAIN, concat_function="relu")
    assert "function-of-heads" in [screen.name for screen in screens_of(bent)]


# What reads and writes all of them.

ALL = {
    **{"gate_function": "softplus", "concat_function": "hardswish", "concat_norm": "layer"},
    **{"concat_shift": (1.0, -1.0, 0.5, 2.0), "v_scale": 0.75, "output_scale": -1.5},
    **{"qk_norm": "gains", "q_gain": (2.0, -0.5), "k_shift": (1.0, 0.0, 0.0, -1.0)},
}


def test_gains_alone_multiply_columns_and_divide_nothing() -> None:
    s = of(PLAIN, qk_norm="gains", q_gain=(2.0, -0.5), k_shift=(1.0, 0.0, 0.0, -1.0))
    trace, plain = attend(s), attend(PLAIN)
    np.testing.assert_allclose(trace.q_normed, plain.q_heads * [2, -0.5])
    np.testing.assert_allclose(trace.k_normed[1], plain.k_heads[1] + [0, -1])
    multiplied = replace(PLAIN, w_q=PLAIN.w_q * [2, -0.5, 2, -0.5])
    without_shifts = attend(of(s, k_shift=None))
    np.testing.assert_allclose(without_shifts.output, attend(multiplied).output)
    assert without_shifts.k_normed is without_shifts.k_heads
    centered = attend(of(s, qk_norm_kind="layer"))  # nothing is divided, and no mean subtracted
    assert centered.q_centered is centered.q_heads


def test_gains_alone_may_stand_behind_the_rotation() -> None:
    s = of(PLAIN, qk_norm="gains", q_gain=(2.0, -0.5), positions="rope", qk_norm_place="after")
    turned = attend(of(PLAIN, positions="rope")).q_rotated
    np.testing.assert_allclose(attend(s).q_rotated, turned * [2, -0.5])
    assert labelled_matrix(attend(s), "q_rotated", 0).symbol == "gain(rope(Q_1))"


def test_the_factors_of_values_and_output_are_exact() -> None:
    plain = attend(PLAIN)
    np.testing.assert_array_equal(
        attend(of(PLAIN, v_scale=0.5)).head_outputs, plain.head_outputs / 2
    )
    trace = attend(of(PLAIN, output_scale=0.25))
    np.testing.assert_array_equal(trace.output, plain.output / 4)
    np.testing.assert_array_equal(trace.contributions, plain.contributions / 4)
    single = of(
        replace(PLAIN, **{n: a.astype(np.float32) for n, a in PLAIN.given().items()}), **ALL
    )
    assert attend(single).output.dtype == np.float32


def test_formulas_speak_of_them_only_where_they_are() -> None:
    shown = ("v_heads", "q_normed", "gates", "heads_bent", "concat", "contributions", "output")
    told = dict(equations(of(GATED, **ALL | {"concat_norm": "none", "k_shift": None}), shown))
    assert told["Values by head"] == r"V_i = 0.75 \cdot \mathrm{split}(V)_i"
    assert told["Queries after the norm"] == r"\mathrm{gain}(Q_i) = Q_i \cdot g_{Q}"
    assert told["Gate"] == r"\mathrm{gate}_i = \mathrm{softplus}(\mathrm{split}(G)_i)"
    assert told["Bent outputs"] == r"f(\mathrm{head}_i') = \mathrm{hardswish}(\mathrm{head}_i')"
    assert told["Concatenation"] == r"\mathrm{concat} = \mathrm{Concat}_i(f(\mathrm{head}_i'))"
    assert told["Contributions"] == r"-1.5 \cdot f(\mathrm{head}_i') W_{O,i}"
    assert told["Output"] == r"\mathrm{output} = -1.5 \cdot (\mathrm{concat} \, W_O + b_O)"
    plain = dict(equations(PLAIN, ("v_heads", "concat", "output")))
    assert plain["Values by head"] == r"V_i = \mathrm{split}(V)_i"
    assert plain["Output"] == r"\mathrm{output} = \mathrm{concat} \, W_O + b_O"


def test_numbers_say_what_they_are_made_of() -> None:
    trace = attend(of(GATED, **ALL))
    value = derive(trace, "v_heads", (1, 2, 0)).write("text")
    assert value.startswith("V_2[t3, 1] = V[t3, 2.1]·0.75 = ")
    assert (
        derive(trace, "q_normed", (1, 2, 0))
        .write("text")
        .startswith("gain(Q_2)[t3, 1] = Q_2[t3, 1]·g = ")
    )
    gate = derive(trace, "gates", (0, 1, 1)).write("text")
    assert gate.startswith("gate_1[t2, 2] = softplus(G[t2, 1.2]) = softplus(0.00) = 0.69")
    bent = derive(trace, "heads_bent", (0, 1, 1))
    arrays = {"np": np, "heads_bent": trace.heads_bent, "heads_normed": trace.heads_normed}
    assert eval(bent.write("python").partition("#")[0], arrays)  # noqa: S307 - our own text
    assert (
        derive(trace, "output", (1, 2))
        .write("text")
        .rstrip()
        .endswith(f"{trace.output[1, 2]:.2f}".replace("-", MINUS))
    )
    read = [fed.cell for fed in feeds(trace, "q_heads", (1, 2, 0))]
    assert read == [Cell("q_normed", 1, 2, 0)]


def test_paths_parts_and_contributions_add_up() -> None:
    first = of(GATED, **ALL)
    trace = attend(Stack((first, Layer.of(first))))
    np.testing.assert_allclose(sum(paths(trace).values()), trace.stream[-1])
    np.testing.assert_allclose(sum(stream_parts(trace, 2).values()), trace.stream[-1])
    assert contributions_gap(attend(first)) < 1e-12
    bare = of(first, concat_norm="none")
    off = attend(replace(bare, heads_off={1}))
    assert output_change(attend(bare), without=[1]).rows == pytest.approx(
        output_change(attend(bare), without=off).rows
    )


def test_heads_take_them_along() -> None:
    s = of(GATED, **ALL)
    np.testing.assert_allclose(attend(with_head_moved(s, 0, 1)).output, attend(s).output)


def test_a_query_that_sees_nothing_gets_what_b_o_and_the_factor_give() -> None:
    hides = Mask(custom=np.array([[False] * 3, [True] * 3, [True] * 3]))
    for s in (replace(PLAIN, mask=hides), replace(PLAIN, heads_off={0, 1})):
        halved = of(s, output_scale=0.5, concat_function="silu")
        np.testing.assert_array_equal(attend(halved).output[0], PLAIN.b_o / 2)
        assert "b_O alone" in " ".join(setting_notes(attend(s)))
        assert "b_O alone" not in " ".join(setting_notes(attend(halved)))


def test_notes_say_what_factors_and_functions_do() -> None:
    said = " ".join(setting_notes(attend(of(GATED, **ALL))))
    for words in ("Values are multiplied by 0.75.", "The output is multiplied by -1.5."):
        assert words in said
    assert "hardswish(x): 0 below -3" in said
    assert "Nothing is divided: each column" in said


def test_the_screens_of_gains_and_of_another_gate() -> None:
    names = [screen.name for screen in screens_of(of(GATED, **ALL))]
    assert {
        "gains-of-queries",
        "gains-of-keys",
        "gate-of-another-kind",
        "gated",
        "function-of-heads",
    } <= {*names}
    assert not {"norm", "gate"} & {*names}
    usual = [screen.name for screen in screens_of(of(GATED, qk_norm="head"))]
    assert {"norm", "gate"} <= {*usual}
    assert not {"gains-of-queries", "gains-of-keys", "gate-of-another-kind"} & {*usual}
