"""Which token of A stands where in B."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.changing.changes import with_tokens
from mha_core.changing.reordering import with_token_moved
from mha_core.comparing.token_order import TokenOrder, token_order
from mha_core.examples import load_example

PIZZA = load_example("pizza")
TRANSLATION = load_example("translation")


@given(st.lists(st.sampled_from("ABC"), min_size=1, max_size=6).flatmap(
    lambda tokens: st.tuples(st.just(tokens), st.permutations(tokens))
))  # fmt: skip
def test_the_tokens_of_a_in_the_order_of_b_are_those_of_b(tokens: tuple[list[str], ...]) -> None:
    a, b = (with_tokens(PIZZA, each) for each in tokens)
    order = token_order(a, b)
    assert list(order.applied(np.array(a.tokens), ("n_q",))) == list(b.tokens)
    assert order.queries == order.keys  # in self-attention
    assert order.is_changed == (a.tokens != b.tokens)
    assert order.queries is None or sorted(order.queries) == list(range(len(a.tokens)))


def test_tokens_that_are_others_keep_their_places() -> None:
    assert not token_order(PIZZA, with_tokens(PIZZA, ["I", "LOVE", "PIZZA", "SO"])).is_changed
    assert not token_order(PIZZA, with_tokens(PIZZA, ["LOVE", "I"])).is_changed


@pytest.mark.parametrize(("sequence", "axis"), [("tokens", "queries"), ("context_tokens", "keys")])
def test_each_sequence_has_an_order_of_its_own(sequence: str, axis: str) -> None:
    order = token_order(TRANSLATION, with_token_moved(TRANSLATION, sequence, 0, 2))
    other = {"queries": "keys", "keys": "queries"}[axis]
    assert getattr(order, axis)[:3] == (1, 2, 0)
    assert getattr(order, other) is None


def test_an_order_turns_the_axes_of_tokens_and_no_others() -> None:
    array = np.arange(2 * 3 * 3).reshape(2, 3, 3)
    order = TokenOrder(queries=(2, 0, 1), keys=(1, 2, 0))
    turned = order.applied(array, ("n_heads", "n_q", "n_k"))
    assert np.array_equal(turned, array[:, [2, 0, 1]][:, :, [1, 2, 0]])
    assert order.applied(array, ("n_heads", "d_model", "d_k")) is array
