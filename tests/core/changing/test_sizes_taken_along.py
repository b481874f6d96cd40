"""Where one size alone would not fit, others are taken along."""

from __future__ import annotations

from itertools import product

import pytest

from mha_core import attend
from mha_core.changing.changes import with_changes, with_context, with_scores, with_x
from mha_core.changing.sizes_taken_along import (
    sizes_for_context,
    sizes_for_input,
    sizes_of_heads,
    sizes_of_width,
    sizes_with_one,
)
from mha_core.examples import load_example

PIZZA = load_example("pizza")
ANY_WIDTH = with_x(PIZZA, "random")


def test_every_width_and_every_head_count_is_taken_after_any_other() -> None:
    for d_model, n_heads in product(range(1, 12), repeat=2):
        wide = with_changes(ANY_WIDTH, sizes=sizes_of_width(ANY_WIDTH, d_model))
        s = with_changes(wide, sizes=sizes_of_heads(wide, n_heads))
        assert (s.d_model, s.n_heads) == (d_model, n_heads)
        again = with_changes(s, sizes=sizes_of_width(s, n_heads * 2))
        assert (again.d_model, again.d_k) == (n_heads * 2, 2)
        assert attend(again).output.shape == (4, n_heads * 2)


@pytest.mark.parametrize("n_heads", [1, 2, 3, 6])
def test_heads_for_a_sentence_never_become_too_narrow(n_heads: int) -> None:
    cat = load_example("the-cat")
    s = with_changes(cat, sizes=sizes_of_heads(cat, n_heads))
    assert s.d_k == s.d_v == max(2, cat.d_model // n_heads)


def test_one_size_leaves_the_others() -> None:
    s = with_changes(PIZZA, sizes=sizes_with_one(PIZZA, "d_v", 3))
    assert (s.n_heads, s.n_kv_heads, s.d_k, s.d_v) == (2, 2, 4, 3)


def test_an_input_gets_the_columns_that_it_needs_and_no_others() -> None:
    many = [f"t{i}" for i in range(11)]
    assert sizes_for_input(PIZZA, "one_hot", ("a", "b")) == {}
    assert sizes_for_input(PIZZA, "random", many) == {}
    assert sizes_for_input(PIZZA, "", many) == {}
    assert sizes_for_input(PIZZA, "one_hot", many) == {"d_model": 12}
    turned = with_scores(PIZZA, positions="rope")
    assert sizes_for_input(turned, "one_hot", [*many, "x", "y"]) == {"d_model": 16}


def test_a_second_sequence_gets_the_columns_that_it_needs() -> None:
    s = with_context(with_x(PIZZA, "one_hot"), ("a", "b"))
    assert sizes_for_context(s, ("a", "b", "c")) == {}
    assert sizes_for_context(s, [f"t{i}" for i in range(11)]) == {"d_model_kv": 11}
