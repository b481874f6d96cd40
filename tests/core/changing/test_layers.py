"""From one stack to the next: what follows a changed layer, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import Layer, Mask, Rule, Scenario, Stack, attend, load_example
from mha_core.changing.changes import with_context, with_matrix, with_tokens, with_width
from mha_core.changing.layers import (
    as_stack,
    with_layer,
    with_layer_count,
    with_one_more_layer,
    with_prediction,
    with_residual,
    without_last_layer,
)
from mha_core.changing.reordering import with_token_moved
from mha_core.checks.errors import MhaError
from mha_core.layer.cells import Cell
from mha_core.stack.cells import in_layer, layer_named, without_layer
from tests.core.strategies import self_attention

CAT = load_example("the-cat")
TWO = with_one_more_layer(as_stack(CAT))


def on_its_x(stack: Stack, number: int) -> Scenario:
    return attend(stack).layers[number].scenario


def test_a_scenario_is_a_stack_that_computes_the_same() -> None:
    stack = as_stack(CAT)
    assert stack.is_one_layer
    assert as_stack(stack) is stack
    np.testing.assert_array_equal(attend(stack).stream[-1], attend(CAT).output)


def test_a_new_layer_is_a_copy_of_the_last_on_one_stream() -> None:
    assert TWO.residual
    assert not TWO.is_one_layer
    origin = replace(CAT.origin, x="")
    assert TWO.above == (replace(Layer.of(CAT), origin=origin),)
    np.testing.assert_array_equal(attend(TWO).stream[1], CAT.x + attend(CAT).output)


def test_a_new_layer_above_another_width_has_no_stream_and_that_width() -> None:
    narrow = self_attention(3, 4, 2)
    narrow = replace(narrow, w_o=narrow.w_o[:, :2])
    stack = with_one_more_layer(as_stack(narrow))
    assert not stack.residual
    assert stack.on_zeros[1].d_model == 2


def test_a_new_layer_has_no_second_sequence() -> None:
    crossed = with_context(CAT, ["one", "two"])
    (above,) = with_one_more_layer(as_stack(crossed)).above
    assert above.w_k.shape == crossed.w_k.shape


def test_the_last_layer_goes_and_with_it_the_stream() -> None:
    three = with_one_more_layer(TWO)
    assert len(without_last_layer(three).layers) == 2
    assert without_last_layer(TWO) == as_stack(CAT)
    with pytest.raises(MhaError, match="one layer or more"):
        without_last_layer(as_stack(CAT))


def test_the_stream_stays_where_words_are_read_of_it() -> None:
    read = replace(TWO, w_u=np.eye(CAT.d_model))
    assert without_last_layer(read).residual


def test_a_changed_layer_leaves_the_others_as_they_are() -> None:
    before = on_its_x(TWO, 1)
    after = with_matrix(before, "w_q", before.w_q * 2)
    stack = with_layer(TWO, 1, before, after)
    assert stack.first is CAT
    np.testing.assert_array_equal(stack.above[0].w_q, CAT.w_q * 2)


def test_layers_above_follow_other_tokens_and_another_width() -> None:
    drawn = np.ones((CAT.n_q, CAT.n_q), np.bool_)
    drawn[0, 1] = False
    (above,) = TWO.above
    stack = replace(TWO, layers=(CAT, replace(above, mask=Mask(custom=drawn))))
    stack = replace(stack, w_u=np.eye(CAT.d_model))
    longer = with_tokens(CAT, [*CAT.tokens, "again"])
    wider = with_width(longer, CAT.d_model + CAT.n_heads)
    after = with_layer(stack, 0, CAT, wider)
    assert after.on_zeros[1].n_q == CAT.n_q + 1
    assert after.on_zeros[1].d_model == wider.d_model
    custom = after.above[0].mask.custom
    assert custom is not None
    assert not custom[0, 1]
    assert custom[-1].all()
    assert after.w_u is not None
    np.testing.assert_array_equal(after.w_u[: CAT.d_model], np.eye(CAT.d_model))
    assert not after.w_u[CAT.d_model :].any()


def test_masks_above_follow_tokens_that_move() -> None:
    drawn = np.tri(6, dtype=bool)
    drawn[4, 1] = False
    mask = Mask((Rule("padding", hidden=[0]),), custom=drawn)
    two = with_layer_count(as_stack(CAT), 2)
    two = replace(two, layers=(CAT, replace(two.above[0], mask=mask)))
    moved = with_token_moved(CAT, "tokens", 0, 2)
    (above,) = with_layer(two, 0, CAT, moved).above
    order = [1, 2, 0, 3, 4, 5]
    np.testing.assert_array_equal(above.mask.custom, drawn[np.ix_(order, order)])
    assert above.mask.rules[0].options["hidden"] == (2,)
    renamed = replace(moved, tokens=("one", *moved.tokens[1:]))
    (as_before,) = with_layer(two, 0, CAT, renamed).above
    assert as_before.mask == mask
    edited = replace(CAT, x=2 * CAT.x)
    assert with_layer(two, 0, CAT, edited).above == two.above


def test_layers_above_stay_where_sizes_stay() -> None:
    hidden = replace(CAT, mask=Mask((Rule("causal"),)))
    assert with_layer(TWO, 0, CAT, hidden).above == TWO.above


def test_x_of_a_higher_layer_is_what_the_layers_below_make() -> None:
    before = on_its_x(TWO, 1)
    others = [
        replace(before, x=before.x + 1),
        replace(before, tokens=tuple(reversed(before.tokens))),
        with_tokens(before, before.tokens[:-1]),
    ]
    for after in others:
        with pytest.raises(MhaError, match="X of layer 2 must be what the layers below make"):
            with_layer(TWO, 1, before, after)
    with pytest.raises(MhaError, match="A second sequence must belong to layer 1"):
        with_layer(TWO, 1, before, with_context(before, ["one"]))


def test_a_cell_may_say_in_which_layer_it_is() -> None:
    cell = Cell("mask.additive", None, 0, 1)
    named = in_layer(cell, 2)
    assert named.matrix == "3.mask.additive"
    assert layer_named(named) == 2
    assert without_layer(named) == cell
    assert layer_named(cell) is None
    assert without_layer(cell) is cell


def test_as_many_layers_as_asked_for() -> None:
    assert len(with_layer_count(TWO, 4).layers) == 4
    assert with_layer_count(TWO, 1) == as_stack(CAT)
    with pytest.raises(MhaError, match="at most 4 layers"):
        with_layer_count(TWO, 5)


def test_the_residual_may_be_left_out() -> None:
    assert attend(with_residual(TWO, False)).stream[1] is not attend(TWO).stream[1]
    np.testing.assert_array_equal(attend(with_residual(TWO, False)).stream[1], attend(CAT).output)


def test_words_are_predicted_by_their_rows_of_x() -> None:
    stack = with_prediction(TWO, True)
    trace = attend(stack)
    assert stack.words == tuple(dict.fromkeys(CAT.tokens))
    assert trace.logits is not None
    place = CAT.tokens.index(stack.words[1])
    np.testing.assert_allclose(trace.logits[:, 1], trace.stream[-1] @ CAT.x[place])
    assert with_prediction(stack, False) == TWO
    narrow = replace(CAT, w_o=CAT.w_o[:, :2])
    with pytest.raises(MhaError, match="W_U must be as wide as X"):
        with_prediction(as_stack(narrow), True)
