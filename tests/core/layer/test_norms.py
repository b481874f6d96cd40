"""Norms: of queries and keys, of values, of the concatenation; sizes, gains, what they do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import Trace, attend
from mha_core.changing.changes import with_dtype, with_scores
from mha_core.checks.errors import NumberError, ShapeError
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive_cell
from mha_core.options.registry import OPTIONS
from mha_core.reading.metrics import output_change
from mha_core.scenario.scenario import Scenario
from tests.core.compare import largest_difference
from tests.core.strategies import scenario_of_distinct_sizes, self_attention

ROUNDING = 1e-12
# In sizes that all differ: the queries have 6 heads of 2 columns, the keys 3.
NORMS = {"head": (2, 2), "all": (12, 6)}


def normed(norm: str, **options: object) -> Scenario:
    return with_scores(scenario_of_distinct_sizes(), qk_norm=norm, qk_norm_eps=1e-12, **options)


@pytest.mark.parametrize("norm", NORMS)
def test_each_row_has_a_root_mean_square_of_1(norm: str) -> None:
    trace = attend(normed(norm))
    for heads in (trace.q_normed, trace.k_normed):
        axes = (2,) if norm == "head" else (0, 2)
        means = (heads**2).mean(axes)
        assert largest_difference(means, np.ones_like(means)) <= 1e-9
    assert np.array_equal(trace.q_rotated, trace.q_normed)


def test_over_all_heads_one_may_stay_longer_than_another() -> None:
    trace = attend(normed("all"))
    ratio = trace.q_normed / trace.q_heads
    assert largest_difference(ratio, np.broadcast_to(ratio[:1, :, :1], ratio.shape)) <= 1e-9
    assert np.ptp(np.linalg.norm(trace.q_normed[:, 0], axis=-1)) > 0.1


@pytest.mark.parametrize("norm", NORMS)
def test_gains_multiply_columns(norm: str) -> None:
    of_queries, of_keys = NORMS[norm]
    q_gain, k_gain = tuple(np.arange(of_queries) - 3.5), tuple(np.arange(of_keys) + 0.5)
    plain, gained = attend(normed(norm)), attend(normed(norm, q_gain=q_gain, k_gain=k_gain))
    for name, gains in (("q_normed", q_gain), ("k_normed", k_gain)):
        before = getattr(plain, name)
        by = np.reshape(gains, (len(before), 1, 2)) if norm == "all" else np.array(gains)
        assert largest_difference(getattr(gained, name), before * by) <= ROUNDING


def test_a_norm_forgets_how_long_queries_are() -> None:
    s = normed("head")
    longer = replace(s, w_q=3 * s.w_q, b_q=3 * s.b_q)
    assert largest_difference(attend(longer).raw_scores, attend(s).raw_scores) <= 1e-9


@pytest.mark.parametrize("norm", NORMS)
def test_a_query_of_zeros_stays_as_it_is(norm: str) -> None:
    s = normed(norm)
    silent = replace(s, w_q=0 * s.w_q, b_q=0 * s.b_q)
    assert not attend(silent).q_normed.any()


def test_the_kind_of_number_stays() -> None:
    s = with_dtype(normed("all", q_gain=(2.0,) * 12), "float32")
    large = replace(s, w_q=s.w_q * np.float32(1e25))  # its squares are beyond float32
    assert attend(s).q_normed.dtype == np.float32
    assert (
        largest_difference(attend(large).q_normed, attend(replace(large, b_q=None)).q_normed) < 1e-5
    )
    assert np.isclose(np.square(attend(large).q_normed).mean(), 4, rtol=1e-5)


def test_squares_beyond_the_range_are_refused() -> None:
    s = normed("head")
    with pytest.raises(NumberError, match="The squares of the norm must stay within float64"):
        _ = attend(replace(s, w_q=s.w_q * 1e99, x=s.x * 1e99)).q_normed


def test_without_a_norm_nothing_is_computed() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert trace.q_normed is trace.q_heads
    assert trace.k_rotated is trace.k_heads
    assert trace.v_normed is trace.v_heads
    assert trace.heads_normed is trace.head_outputs


def test_a_long_row_is_not_written_out_in_full() -> None:
    s = with_scores(self_attention(3, 34, 2), qk_norm="head")
    found = derive_cell(attend(s), Cell("q_normed", 1, 0, 2))
    assert found.write("text").count("… (5 more)") == 2  # by name, then in numbers
    assert found.write("python").count("q_heads[1, 0, 16]") == 2
    assert len(found.operands) == 17


# LayerNorm.


@pytest.mark.parametrize("norm", NORMS)
def test_a_layer_norm_leaves_rows_of_mean_0_and_size_1(norm: str) -> None:
    trace = attend(normed(norm, qk_norm_kind="layer"))
    axes = (2,) if norm == "head" else (0, 2)
    for heads in (trace.q_normed, trace.k_normed):
        assert np.abs(heads.mean(axes)).max() <= ROUNDING
        means = (heads**2).mean(axes)
        assert (
            largest_difference(means, np.ones_like(means)) <= 1e-6
        )  # epsilon, where columns are alike
    difference = trace.q_heads - trace.q_centered
    assert largest_difference(difference, np.broadcast_to(difference[..., :1], (6, 5, 2))) <= 1e-9


@pytest.mark.parametrize("norm", NORMS)
def test_shifts_are_added_after_gains(norm: str) -> None:
    of_queries, of_keys = NORMS[norm]
    q_shift, k_shift = tuple(np.arange(of_queries) - 3.5), tuple(np.arange(of_keys) + 0.5)
    gains = {"q_gain": (2.0,) * of_queries, "k_gain": (3.0,) * of_keys}
    plain = attend(normed(norm, **gains))
    shifted = attend(normed(norm, **gains, q_shift=q_shift, k_shift=k_shift))
    for name, shifts in (("q_normed", q_shift), ("k_normed", k_shift)):
        before = getattr(plain, name)
        more = np.reshape(shifts, (len(before), 1, 2)) if norm == "all" else np.array(shifts)
        assert largest_difference(getattr(shifted, name), before + more) <= ROUNDING


def test_each_head_may_have_gains_of_its_own() -> None:
    gains = tuple(np.arange(12) - 3.5)
    plain, gained = attend(normed("head")), attend(normed("head", q_gain=gains, k_shift=gains[:6]))
    assert (
        largest_difference(gained.q_normed, plain.q_normed * np.reshape(gains, (6, 1, 2)))
        <= ROUNDING
    )
    assert (
        largest_difference(gained.k_normed, plain.k_normed + np.reshape(gains[:6], (3, 1, 2)))
        <= ROUNDING
    )


@pytest.mark.parametrize(
    ("options", "need"),
    [
        ({"qk_norm": "head", "k_shift": (1.0,)}, "must be 2, one for each column of a head, or 6"),
        ({"qk_norm": "all", "q_shift": (1.0, 2.0)}, "must be 12: one for each column"),
        (
            {"v_norm": "rms", "v_gain": (1.0, 2.0)},
            "must be 17, one for each column of a head, or 51",
        ),
        ({"concat_norm": "rms", "concat_gain": (1.0,) * 17}, "must be 102: one for each column"),
    ],
)
def test_as_many_gains_as_columns(options: dict[str, object], need: str) -> None:
    with pytest.raises(ShapeError, match=need):
        with_scores(scenario_of_distinct_sizes(), **options)


@pytest.mark.parametrize("norm", ["v_norm", "concat_norm"])
def test_an_epsilon_is_told(norm: str) -> None:
    option = OPTIONS[f"{norm}_eps"]
    assert option.note(0.25).endswith("adds 0.25 to each mean square.")
    trace = attend(with_scores(scenario_of_distinct_sizes(), **{norm: "rms", option.name: 1.0}))
    heads, normed = {
        "v_norm": (trace.v_heads, trace.v_normed),
        "concat_norm": (trace.head_outputs, trace.heads_normed),
    }[norm]
    axes = 2 if norm == "v_norm" else (0, 2)
    roots = np.sqrt((heads**2).mean(axes, keepdims=True) + 1)
    assert largest_difference(normed, heads / roots) <= ROUNDING


# After the rotation.


def test_without_gains_a_norm_does_not_mind_a_rotation() -> None:
    before = attend(normed("head", positions="rope"))
    after = attend(normed("head", positions="rope", qk_norm_place="after"))
    assert largest_difference(before.raw_scores, after.raw_scores) <= 1e-9


def test_with_gains_the_order_counts() -> None:
    gains = {"q_gain": (0.5, 2.0), "positions": "rope"}
    before, after = (
        attend(normed("head", **gains)),
        attend(normed("head", **gains, qk_norm_place="after")),
    )
    assert np.abs(before.raw_scores - after.raw_scores).max() > 0.1
    turned = attend(with_scores(scenario_of_distinct_sizes(), positions="rope"))
    assert np.array_equal(after.q_rotated_first, turned.q_rotated)
    roots = np.sqrt((turned.q_rotated**2).mean(axis=2, keepdims=True))
    assert largest_difference(after.q_rotated, turned.q_rotated / roots * [0.5, 2]) <= 1e-9


def test_the_place_means_nothing_without_a_rotation_or_a_norm() -> None:
    unturned = attend(normed("head", qk_norm_place="after"))
    assert unturned.q_rotated_first is unturned.q_heads
    unnormed = with_scores(scenario_of_distinct_sizes(), positions="rope", qk_norm_place="after")
    trace = attend(unnormed)
    assert trace.q_rotated_first is trace.q_heads


# Values.


def test_values_of_each_head_are_normed_before_they_are_blended() -> None:
    gains = tuple(np.arange(51) / 10)
    s = with_scores(scenario_of_distinct_sizes(), v_norm="rms", v_norm_eps=1e-12, v_gain=gains)
    trace = attend(s)
    ungained = trace.v_normed[:, :, 1:] / np.reshape(gains, (3, 1, 17))[:, :, 1:]
    assert (
        largest_difference(
            ungained, trace.v_heads[:, :, 1:] / np.sqrt((trace.v_heads**2).mean(2, keepdims=True))
        )
        <= 1e-9
    )
    blended = trace.weights @ np.repeat(trace.v_normed, 2, axis=0)
    assert largest_difference(trace.head_outputs, blended) <= ROUNDING


# The concatenation.


@pytest.mark.parametrize("norm", ["rms", "layer"])
def test_the_concatenation_is_normed_over_all_heads_and_contributions_still_add_up(
    norm: str,
) -> None:
    s = scenario_of_distinct_sizes(heads_off={2})
    trace = attend(with_scores(s, concat_norm=norm, concat_norm_eps=1e-12))
    means = (trace.concat**2).mean(axis=1)
    assert largest_difference(means, np.ones(5)) <= 1e-9
    assert bool(np.abs(trace.concat.mean(axis=1)).max() <= ROUNDING) == (norm == "layer")
    total = trace.contributions.sum(axis=0) + s.b_o
    assert largest_difference(trace.output, total) <= 1e-9


def test_a_contribution_is_called_after_what_is_multiplied() -> None:
    s = scenario_of_distinct_sizes()
    step = Trace.contributions
    assert (step.symbol_in(s), step.meaning_in(s)) == (
        "head_i W_O_i",
        "what each head alone adds to the output.",
    )
    s = with_scores(s, concat_norm="rms")
    assert step.symbol_in(s, head=1) == "norm(head_2) W_O_2"
    assert "depends on all heads" in step.meaning_in(s)


def test_without_a_head_the_norm_divides_by_less() -> None:
    s = with_scores(scenario_of_distinct_sizes(), concat_norm="layer")
    change = output_change(attend(s), without=[1, 4])
    expected = attend(s).output - attend(replace(s, heads_off=frozenset({1, 4}))).output
    size = np.linalg.norm(expected) / np.linalg.norm(attend(s).output)
    assert change.relative == pytest.approx(size)
    assert output_change(attend(replace(s, heads_off={1, 4}))).relative == pytest.approx(size)


def test_rows_that_a_naive_softmax_has_lost_stay_lost() -> None:
    s = with_scores(
        self_attention(3, 4, 2),
        scale=1e6,
        softmax="naive",
        concat_norm="rms",
        concat_gain=(2.0,) * 4,
    )
    trace = attend(s)
    is_lost = np.isnan(trace.head_outputs).any(axis=(0, 2))
    assert is_lost.any()
    assert np.array_equal(np.isnan(trace.concat).all(axis=1), is_lost)
    large = replace(s, w_v=s.w_v * 1e99, x=s.x * 1e99, w_q=0 * s.w_q)
    with pytest.raises(NumberError, match="The squares of the norm"):
        _ = attend(large).output


@pytest.mark.parametrize(
    ("step", "options", "latex"),
    [
        ("q_rotated_first", {"qk_norm_place": "after"}, "R_p Q_i"),
        ("q_centered", {"qk_norm_kind": "layer"}, r"Q_i - \mathrm{mean}(Q_i)"),
        (
            "q_normed",
            {
                "qk_norm": "all",
                "qk_norm_place": "after",
                "q_gain": (1.0,) * 12,
                "q_shift": (1.0,) * 12,
            },
            r"\frac{\mathrm{rope}(Q_i)}{\sqrt{\mathrm{mean}_i(\mathrm{rope}(Q_i)^2) + \varepsilon}}"
            r" \cdot g_{Q} + \beta_{Q}",
        ),
        (
            "v_normed",
            {"v_norm": "rms", "v_gain": (1.0,) * 17},
            r"\frac{V_i}{\sqrt{\mathrm{mean}(V_i^2) + \varepsilon}} \cdot g_{V}",
        ),
        (
            "heads_centered",
            {"concat_norm": "layer"},
            r"\mathrm{head}_i - \mathrm{mean}_i(\mathrm{head}_i)",
        ),
        ("concat", {"concat_norm": "rms"}, r"\mathrm{Concat}_i(\mathrm{norm}(\mathrm{head}_i))"),
        ("contributions", {"concat_norm": "rms"}, r"\mathrm{norm}(\mathrm{head}_i) W_{O,i}"),
    ],
)
def test_formulas_of_norms(step: str, options: dict[str, object], latex: str) -> None:
    s = with_scores(
        scenario_of_distinct_sizes(), **{"qk_norm": "head", "positions": "rope", **options}
    )
    assert getattr(Trace, step).formula(s) == latex
