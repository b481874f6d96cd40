"""Scenarios that are kept packed: they come back to the last bit, and take little memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Scenario
from mha_core.changing.changes import with_changes, with_matrix, with_scores
from mha_core.examples import load_example
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from tests.core.any_scenario import any_scenario, assert_same_to_the_last_bit
from tests.ui.state.working import PIZZA
from ui.state import packed as packing
from ui.state.packed import Kept, Stored, packed

WIDE = load_example("pizza-1024")


def edited(s: Scenario, number: float, row: int = 0) -> Scenario:
    w_q = s.w_q.copy()
    w_q[row, 0] = number
    return with_matrix(s, "w_q", w_q)


def uploaded(seed: int) -> Scenario:
    """Numbers that no recipe makes, and that cannot be squeezed."""
    numbers = np.random.default_rng(seed).standard_normal((256, 256))
    made = with_changes(load_example("pizza"), sizes={"d_model": 256, "d_k": 128, "d_v": 128})
    return replace(with_matrix(made, "w_q", numbers), origin=Origin())


def size_of(kept: Kept) -> int:
    return sum(kept.memory.values())


@given(any_scenario(), st.none() | any_scenario())
def test_any_scenario_comes_back_to_the_last_bit(s: Scenario, near: Scenario | None) -> None:
    back = packed(s, packed(near) if near else None).unpacked()
    assert_same_to_the_last_bit(back, s)
    assert {name: a.dtype for name, a in back.given().items()} == {
        name: a.dtype for name, a in s.given().items()
    }


def test_minus_zero_comes_back() -> None:
    minus = edited(WIDE, -0.0)
    back = packed(minus).unpacked()
    assert np.signbit(back.w_q[0, 0])


def test_numbers_of_recipes_are_made_again_and_edited_ones_are_kept() -> None:
    kept = Kept(edited(WIDE, 1.5))
    assert size_of(kept) > 2**24
    kept.pack()
    assert kept.is_packed
    assert size_of(kept) < 100
    assert_same_to_the_last_bit(kept.stack.first, edited(WIDE, 1.5))
    assert not kept.is_packed


def test_what_no_recipe_makes_is_stored_once_for_all_that_differ_little_from_it() -> None:
    first, second = Kept(uploaded(1)), Kept(edited(uploaded(1), 2.0))
    other_visitor = Kept(uploaded(1))
    for kept, near in ((first, None), (second, first), (other_visitor, None)):
        kept.pack(near)
    whole = uploaded(1).w_q.nbytes
    assert size_of(first) >= whole
    together = first.memory | second.memory | other_visitor.memory
    assert sum(together.values()) < 1.01 * size_of(first)
    assert_same_to_the_last_bit(second.stack.first, edited(uploaded(1), 2.0))
    assert_same_to_the_last_bit(other_visitor.stack.first, uploaded(1))


def test_an_array_in_which_much_differs_is_stored_anew() -> None:
    first, second = Kept(uploaded(1)), Kept(uploaded(2))
    first.pack()
    second.pack(first)
    assert sum((first.memory | second.memory).values()) >= 2 * uploaded(1).w_q.nbytes


def test_an_array_that_repeats_itself_is_squeezed() -> None:
    stripes = np.arange(2.0**16).reshape(256, 256) % 7
    stored = Stored.of(stripes)
    assert stored.memory[1] < stripes.nbytes / 20
    assert np.array_equal(stored.array, stripes)


def test_what_nobody_keeps_any_more_is_not_stored() -> None:
    stored = Stored.of(uploaded(3).w_q)
    before = len(packing._STORED)
    del stored
    assert len(packing._STORED) == before - 1


def test_a_small_scenario_is_kept_as_it_is() -> None:
    kept = Kept(PIZZA)
    kept.pack()
    assert kept.stack.first is PIZZA


def test_wrong_recipes_are_no_recipes() -> None:
    wrong = replace(WIDE, origin=Origin(example="no such example", weights="no such preset"))
    assert_same_to_the_last_bit(packed(wrong).unpacked(), wrong)


def test_drawn_masks_come_back() -> None:
    drawn = np.tri(4, dtype=bool)
    masked = replace(WIDE, mask=Mask((), drawn, np.where(drawn, -0.0, -np.inf)))
    assert_same_to_the_last_bit(packed(masked).unpacked(), masked)


@pytest.mark.parametrize("scale", [2.0, "none"])
def test_what_is_no_array_comes_back(scale: float | str) -> None:
    scaled = with_scores(WIDE, scale=scale)
    assert packed(scaled).unpacked() == scaled


def test_two_are_the_same_where_their_scenarios_are() -> None:
    assert Kept(WIDE) == Kept(replace(WIDE))
    assert Kept(WIDE) != Kept(PIZZA)
    assert Kept(WIDE) != WIDE
