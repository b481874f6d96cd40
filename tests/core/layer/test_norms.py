"""The norm of queries and keys: sizes, gains, and what it does to scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import attend
from mha_core.changing.changes import with_dtype, with_scores
from mha_core.checks.errors import NumberError
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive_cell
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


def test_a_long_row_is_not_written_out_in_full() -> None:
    s = with_scores(self_attention(3, 34, 2), qk_norm="head")
    found = derive_cell(attend(s), Cell("q_normed", 1, 0, 2))
    assert found.write("text").count("… (5 more)") == 2  # by name, then in numbers
    assert found.write("python").count("q_heads[1, 0, 16]") == 2
    assert len(found.operands) == 17
