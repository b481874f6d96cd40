"""A stack is the sum of its paths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from mha_core import Layer, Stack, attend
from mha_core.checks.errors import LimitError
from mha_core.stack.paths import HeadOfLayer, Path, paths
from tests.core.compare import TOLERANCE, largest_difference
from tests.core.refusals import check_refused
from tests.core.stack.stacks import stacks
from tests.core.strategies import self_attention

CLOSE = TOLERANCE["float64"]
FIRST, SECOND = HeadOfLayer(0, 1), HeadOfLayer(1, 0)


@given(stack=stacks())
def test_paths_add_up_to_the_stream(stack: Stack) -> None:
    trace = attend(stack)
    total = sum(paths(trace).values(), np.zeros_like(trace.stream[-1]))
    assert largest_difference(total, trace.stream[-1]) < CLOSE


@pytest.fixture(scope="module")
def two() -> Stack:
    first, second = (self_attention(5, 6, 2, seed=seed) for seed in (1, 2))
    return Stack((first, Layer.of(second)))


def test_there_is_a_path_past_all_heads_through_each_and_through_each_pair(two: Stack) -> None:
    found = paths(attend(two))
    assert len(found) == (1 + 2) * (1 + 2)
    assert {path.start for path in found} == {"x"}
    assert found[Path("x")] is two.first.x


def test_a_path_through_two_heads_is_what_the_second_moves_of_what_the_first_has_added(
    two: Stack,
) -> None:
    trace = attend(two)
    below, above = trace.layers
    of_first = below.weights[1] @ below.v_heads[1] @ below.scenario.w_o[3:]
    v_of_second = of_first @ above.scenario.w_v[:, :3]
    expected = above.weights[0] @ v_of_second @ above.scenario.w_o[:3]
    found = paths(trace)[Path("x", 0, (FIRST, SECOND))]
    assert largest_difference(found, expected) < CLOSE


def test_no_path_goes_through_a_head_that_is_off(two: Stack) -> None:
    off = replace(two, layers=(replace(two.first, heads_off=frozenset({1})), two.layers[1]))
    assert not any(FIRST in path.heads for path in paths(attend(off)))


def test_waves_and_biases_begin_paths_of_their_own() -> None:
    first = self_attention(4, 4, 2)
    scores = replace(first.scores, positions="sinusoidal")
    first = replace(first, scores=scores, b_v=np.ones(4), b_o=np.ones(4))
    starts = {path.start for path in paths(attend(Stack((first,))))}
    assert starts == {"x", "positions", "biases"}


def test_too_many_paths_are_refused() -> None:
    first = self_attention(2, 64, 64)
    expected = LimitError(
        "A sum of paths", "must have at most 4,096 paths", "4,225", "Take fewer layers or heads."
    )
    check_refused(lambda: paths(attend(Stack((first, Layer.of(first))))), expected)
