"""W_Q = W_K is set, and undone where a preset tells them apart."""

from __future__ import annotations

import pytest

from mha_core.changing.changes import with_matrix, with_weights
from mha_core.changing.shared_keys import shares_queries_and_keys, with_queries_as_keys
from mha_core.checks.errors import OptionError
from mha_core.examples import load_example
from mha_core.making.presets import PRESETS

PIZZA = load_example("pizza")


def test_sharing_and_parting_give_back_the_presets_own_keys() -> None:
    drawn = with_weights(PIZZA, "random", 5)
    shared = with_queries_as_keys(drawn, share=True)
    assert shares_queries_and_keys(shared)
    assert with_queries_as_keys(shared, share=False) == drawn


@pytest.mark.parametrize("preset", ["shared_qk", "split_only", "zeros"])
def test_what_a_preset_makes_the_same_cannot_be_parted(preset: str) -> None:
    s = with_weights(PIZZA, preset, 0)
    assert shares_queries_and_keys(s)
    with pytest.raises(OptionError, match=f"got {PRESETS[preset].title}"):
        with_queries_as_keys(s, share=False)


def test_keys_of_grouped_heads_have_another_shape_and_are_not_shared() -> None:
    assert not shares_queries_and_keys(load_example("grouped-query"))


def test_parting_what_was_edited_to_be_the_same_needs_no_preset() -> None:
    edited = with_matrix(PIZZA, "w_k", PIZZA.w_q)
    with pytest.raises(OptionError, match="got given numbers"):
        with_queries_as_keys(edited, share=False)
