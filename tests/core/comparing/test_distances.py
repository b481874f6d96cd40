"""How far apart the numbers of two layers are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_dtype, with_heads, with_heads_off, with_scores
from mha_core.changing.reordering import with_token_moved
from mha_core.changing.rules import with_rules
from mha_core.comparing.distances import (
    all_distances,
    array_of,
    distance,
    distances_of_given,
    is_in_use,
    numbers_of_both,
    steps_in_use,
    total_variation,
)
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.layer.trace import STEPS
from tests.core.strategies import scenario_of_distinct_sizes, scenarios

PIZZA = load_example("pizza")
OPEN = with_rules(PIZZA, [])
LARGE = scenario_of_distinct_sizes()
GIVEN_TOO = ("w_q", "b_k", "w_o", "b_o")


def changed(s: Scenario, by: float) -> Scenario:
    return replace(s, x=s.x + by)


@given(scenarios(), st.floats(0.01, 1))
def test_a_distance_is_what_it_says(a: Scenario, by: float) -> None:
    one, other = attend(a), attend(changed(a, by))
    for step, found in all_distances(one, other).items():
        pair = numbers_of_both(one, other, step)
        assert pair
        assert found
        with np.errstate(invalid="ignore"):
            apart = np.abs(pair[1] - pair[0])
        there = np.isfinite(apart)
        assert found.largest == apart[there].max(initial=0)
        assert found.mean == pytest.approx(apart[there].mean() if there.any() else 0)
        index = (found.cell.row, found.cell.column)
        shown = apart if apart.ndim > 1 else apart[:, None]
        shown = shown if found.cell.head is None else shown[found.cell.head]
        assert np.nan_to_num(shown[index]) == found.largest


@given(scenarios())
def test_a_layer_is_no_distance_from_itself(s: Scenario) -> None:
    trace = attend(s)
    found = all_distances(trace, attend(s))
    assert all(each and each.largest == 0 and each.is_rounding for each in found.values())


def test_of_each_head_and_of_all() -> None:
    a, b = attend(LARGE), attend(with_heads_off(LARGE, {4}))
    by_head = [distance(a, b, "head_outputs", head) for head in range(6)]
    assert [each is not None and each.largest > 0 for each in by_head] == [False] * 4 + [
        True,
        False,
    ]
    together = distance(a, b, "head_outputs")
    assert together
    assert by_head[4]
    assert together.largest == by_head[4].largest
    assert together.cell == by_head[4].cell == Cell("head_outputs", 4, *together_place(a, 4))
    assert together.mean == pytest.approx(by_head[4].mean / 6)
    assert distance(a, b, "head_outputs", 6) is None


def together_place(trace: Trace, head: int) -> tuple[int, int]:
    sizes = np.abs(trace.head_outputs[head])
    row, column = np.unravel_index(sizes.argmax(), sizes.shape)
    return int(row), int(column)


@pytest.mark.parametrize("name", GIVEN_TOO)
def test_of_given_arrays(name: str) -> None:
    array = getattr(LARGE, name).copy()
    array.flat[-1] += 3
    found = distance(attend(LARGE), attend(replace(LARGE, **{name: array})), name)
    assert found
    assert found.largest == pytest.approx(3)
    rows, columns = np.atleast_2d(array).shape
    assert found.cell == Cell(name, None, rows - 1, columns - 1)
    assert found.query is None


def test_of_every_given_array_that_one_of_them_has() -> None:
    found = distances_of_given(attend(PIZZA), attend(replace(PIZZA, b_v=np.ones(8), x=PIZZA.x + 1)))
    assert list(found) == ["x", "w_q", "w_k", "w_v", "w_o", "b_v"]
    assert found["b_v"] is None
    assert [name for name, each in found.items() if each and each.largest] == ["x"]


def test_of_one_number_for_each_query() -> None:
    hidden = replace(OPEN, mask=replace(OPEN.mask, custom=np.eye(4, dtype=bool) & False))
    found = distance(attend(OPEN), attend(hidden), "blind_queries")
    assert found
    assert found.cell == Cell("blind_queries", None, 0, 0)
    assert (found.largest, found.query) == (1, 0)


def test_what_cannot_be_compared_has_no_distance() -> None:
    a, b = attend(PIZZA), attend(with_heads(PIZZA, 4))
    assert distance(a, b, "weights") is None
    assert distance(a, b, "b_q") is None  # nobody has given it
    assert total_variation(a, b) is None
    assert array_of(a, "b_q") is None
    assert all_distances(a, b)["weights"] is None


def test_the_query_that_has_moved_most_is_named() -> None:
    x = OPEN.x.copy()
    x[2] += 0.5
    moved = distance(attend(OPEN), attend(replace(OPEN, x=x)), "x")
    assert moved
    assert moved.query == 2
    assert moved.cell.row == 2
    keys = distance(attend(OPEN), attend(replace(OPEN, x=x)), "k")
    assert keys
    assert keys.query is None


def test_rounding_is_told_from_a_change() -> None:
    a = attend(load_example("causal"))
    found = distance(a, attend(with_dtype(a.scenario, "float32")), "output")
    assert found
    assert found.is_rounding
    assert found.largest > 0
    nearly = distance(a, attend(changed(a.scenario, 1e-6)), "output")
    assert nearly
    assert not nearly.is_rounding


def test_what_only_one_side_hides_is_counted() -> None:
    found = distance(attend(OPEN), attend(PIZZA), "masked_scores")
    assert found
    assert (found.is_rounding, found.hidden_in_one, found.is_same) == (True, 12, False)
    by_head = distance(attend(PIZZA), attend(OPEN), "masked_scores", 1)
    assert by_head
    assert by_head.hidden_in_one == 6
    hidden_in_both = distance(attend(PIZZA), attend(PIZZA), "masked_scores")
    assert hidden_in_both
    assert hidden_in_both.is_same


def test_a_token_is_compared_with_itself_wherever_it_stands() -> None:
    plain, waves = load_example("permutation"), load_example("positions")
    for s, is_same in ((plain, True), (waves, False)):
        found = distance(attend(s), attend(with_token_moved(s, "tokens", 1, 4)), "output")
        assert found
        assert found.is_rounding == is_same


def test_steps_that_have_nothing_to_do_are_left_out() -> None:
    a, b = attend(OPEN), attend(PIZZA)
    assert "mask" not in steps_in_use(a, a)
    assert "mask" in steps_in_use(a, b)
    assert {"mask", "masked_scores"} <= {*steps_in_use(b, b)}
    assert not {"positions", "bias", "blind_queries", "q_rotated"} & {*steps_in_use(a, b)}
    turned = attend(with_scores(OPEN, positions="rope"))
    assert {"q_rotated", "k_rotated"} <= {*steps_in_use(a, turned)}
    waves = attend(with_scores(OPEN, positions="sinusoidal"))
    assert {"positions", "x_positioned"} <= {*steps_in_use(waves, a)}
    order = [step.name for step in STEPS]
    assert steps_in_use(a, b) == sorted(steps_in_use(a, b), key=order.index)
    assert all(is_in_use(a, step) for step in STEPS if step.name in ("weights", "output"))


def test_total_variation_is_the_share_of_weight_that_goes_elsewhere() -> None:
    a, b = attend(OPEN), attend(PIZZA)
    shares = total_variation(a, b)
    assert shares is not None
    assert shares.shape == (2, 4)
    assert shares[0, 0] == pytest.approx(1 - a.weights[0, 0, 0])  # all goes to the first token
    assert np.allclose(shares[:, -1], 0)
