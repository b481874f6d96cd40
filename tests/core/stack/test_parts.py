"""A score is the sum of a table: parts of the query by parts of the key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Layer, Scenario, Stack, attend, load_example
from mha_core.changing.changes import with_scores, with_width
from mha_core.checks.errors import NumberError, OptionError
from mha_core.layer.score_table import Part
from mha_core.scenario.score_options import ScoreOptions
from mha_core.stack.composition import composition
from mha_core.stack.heads import HeadOfLayer, looks_for, moves
from mha_core.stack.parts import has_parts, score_table, stream_parts
from mha_core.stack.trained_stack import trained_stack
from mha_core.trained.numbers import RECIPE
from tests.core.compare import TOLERANCE, largest_difference
from tests.core.stack.stacks import stacks
from tests.core.strategies import scenario_of_distinct_sizes, self_attention

CLOSE = TOLERANCE["float64"]


@given(stack=stacks())
def test_the_stream_is_the_sum_of_its_parts_in_each_layer(stack: Stack) -> None:
    trace = attend(stack)
    for layer, there in enumerate(trace.stream):
        total = sum(stream_parts(trace, layer).values(), np.zeros_like(there))
        assert largest_difference(total, there) < CLOSE


@given(stack=stacks(), data=st.data())
def test_a_table_adds_up_to_its_score(stack: Stack, data: st.DataObject) -> None:
    trace = attend(stack)
    layer = data.draw(st.integers(0, len(trace.layers) - 1))
    s, there = trace.layers[layer].scenario, trace.layers[layer]
    head, query, key = (data.draw(st.integers(0, n - 1)) for n in (s.n_heads, s.n_q, s.n_k))
    table = score_table(trace, HeadOfLayer(layer, head), query, key)
    assert table.terms.shape == (len(table.of_query), len(table.of_key))
    score = there.scaled_scores[head, query, key] / s.scores.temperature
    assert largest_difference(table.terms.sum(), score) < CLOSE


@pytest.mark.parametrize(
    ("thing", "place"),
    {
        "The layer": (1, 0, 0, 0),
        "The head": (0, 9, 0, 0),
        "The query": (0, 0, -1, 0),
        "The key": (0, 0, 0, 6),
    }.items(),
)
def test_a_place_that_the_layer_does_not_have_is_refused(
    thing: str, place: tuple[int, int, int, int]
) -> None:
    trace = attend(Stack((load_example("the-cat"),), residual=False))
    layer, head, query, key = place
    with pytest.raises(NumberError, match=f"{thing} must name"):
        score_table(trace, HeadOfLayer(layer, head), query, key)


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("norm", ["head", "all"])
def test_a_table_adds_up_through_a_layer_norm_with_shifts(norm: str, place: str) -> None:
    s = with_scores(
        scenario_of_distinct_sizes(),
        **{"qk_norm": norm, "qk_norm_kind": "layer", "qk_norm_place": place, "positions": "rope"},
        **{"q_gain": tuple(np.arange(12) / 4), "q_shift": tuple(np.arange(12) - 5.5)},
        **{"k_shift": tuple(np.arange(6) - 2.5)},
    )
    for each in (s, replace(s, b_q=None, b_k=None)):  # shifts are told as a bias, or with it
        trace = attend(Stack((each,), residual=False))
        table = score_table(trace, HeadOfLayer(0, 4), query=3, key=6)
        assert Part("bias") in table.of_query
        assert np.isclose(table.terms.sum(), trace.layers[0].scaled_scores[4, 3, 6])


def test_words_places_and_earlier_heads_are_told_apart() -> None:
    first = load_example("the-cat")
    trace = attend(Stack((first, Layer.of(first))))
    table = score_table(trace, HeadOfLayer(1, 0), query=2, key=1)
    heads = [Part("head", 0, head) for head in range(4)]
    assert list(table.of_query) == [Part("word"), Part("place"), *heads]
    assert table.of_key == table.of_query


def test_x_of_the_trained_model_is_a_word_and_a_place() -> None:
    stack = trained_stack("Leo Snow met Leo")
    trace = attend(stack)
    parts = stream_parts(trace, 0)
    assert [part.kind for part in parts] == ["word", "place"]
    np.testing.assert_array_equal(sum(parts.values()), stack.first.x)
    np.testing.assert_array_equal(parts[Part("word")][0], parts[Part("word")][3])
    assert has_parts(stack.first)


def test_what_looks_one_word_back_looks_at_places() -> None:
    trace = attend(trained_stack("Leo Snow met Ida"))
    table = score_table(trace, HeadOfLayer(0, 0), query=3, key=2)
    largest = np.unravel_index(table.terms.argmax(), table.terms.shape)
    assert [table.of_query[largest[0]], table.of_key[largest[1]]] == [Part("place"), Part("place")]


@pytest.mark.parametrize(
    "change",
    [
        lambda s: replace(s, x=s.x + 1),
        lambda s: replace(s, tokens=("Leo", "Snow", "met", "Ben")),
        lambda s: with_width(s, 68),
        lambda s: replace(s, x=np.zeros((65, 64)), tokens=("Leo",) * 65),
    ],
)
def test_another_x_is_not_told_as_what_the_model_has_learned(
    change: Callable[[Scenario], Scenario],
) -> None:
    first = change(trained_stack("Leo Snow met Ida").first)
    assert first.origin.x == RECIPE
    assert [*stream_parts(attend(Stack((first,))), 0)] == [Part("x")]
    assert not has_parts(first)


def test_a_distance_is_a_part_that_the_other_side_meets() -> None:
    r_k, r_q = np.arange(1.0, 13).reshape(3, 4), np.ones((3, 4))
    s = replace(self_attention(3, 4, 2), r_k=r_k, r_q=r_q)
    assert has_parts(s)
    table = score_table(attend(Stack((s,), residual=False)), HeadOfLayer(0, 1), 0, 1)
    assert table.of_query == table.of_key == (Part("x"), Part("distance"))
    q, k = attend(s).q_heads[1, 0], attend(s).k_heads[1, 1]
    expected = np.array([[q @ k, q @ r_k[2, 2:]], [k @ r_q[2, 2:], 0]]) / np.sqrt(2)
    np.testing.assert_allclose(table.terms, expected)


def test_a_distance_on_each_axis_is_a_part() -> None:
    r_k, r_q = np.arange(1.0, 25).reshape(6, 4), np.ones((6, 4))
    scores = ScoreOptions(r_places=((0, 0), (0, 1), (1, 1)))
    s = replace(self_attention(3, 4, 2), r_k=r_k, r_q=r_q, scores=scores)
    table = score_table(attend(Stack((s,), residual=False)), HeadOfLayer(0, 1), 0, 2)
    down, right = Part("distance", axis=0), Part("distance", axis=1)
    assert table.of_query == table.of_key == (Part("x"), down, right)
    q, k = attend(s).q_heads[1, 0], attend(s).k_heads[1, 2]
    by_query = [q @ k, q @ r_k[2, 2:], q @ r_k[5, 2:]]
    expected = np.array([by_query, [k.sum(), 0, 0], [k.sum(), 0, 0]]) / np.sqrt(2)
    np.testing.assert_allclose(table.terms, expected)


def test_a_distance_that_keys_alone_meet_is_a_part_of_the_query_alone() -> None:
    s = replace(self_attention(3, 4, 2), r_q=np.ones((3, 4)))
    table = score_table(attend(Stack((s,), residual=False)), HeadOfLayer(0, 1), 0, 1)
    assert table.of_query == (Part("x"), Part("distance"))
    assert table.of_key == (Part("x"),)
    assert np.isclose(table.terms.sum(), attend(s).scaled_scores[1, 0, 1])


def test_sinusoids_are_a_part_of_all_that_stand_behind_the_first_place() -> None:
    s = with_scores(self_attention(3, 4, 2), positions="sinusoidal")
    table = score_table(attend(Stack((s,), residual=False)), HeadOfLayer(0, 1), 2, 1)
    assert table.of_query == table.of_key == (Part("x"), Part("positions"))
    assert np.isclose(table.terms.sum(), attend(s).scaled_scores[1, 2, 1])


def test_biases_are_parts_too() -> None:
    biased = replace(self_attention(3, 4, 2), b_q=np.ones(4), b_k=np.ones(4), b_o=np.ones(4))
    trace = attend(Stack((biased, Layer.of(biased))))
    table = score_table(trace, HeadOfLayer(1, 1), 0, 0)
    kinds = ["x", "head", "head", "bias", "bias"]
    assert [part.kind for part in table.of_query] == kinds
    assert [part.layer for part in table.of_query] == [None, 0, 0, 0, None]


def test_a_head_looks_for_and_moves_what_its_matrices_say() -> None:
    s = Scenario(
        x=np.ones((2, 4)),
        w_q=np.arange(16.0).reshape(4, 4),
        w_k=np.ones((4, 2)),
        w_v=np.eye(4)[:, :2],
        w_o=np.arange(16.0).reshape(4, 4),
        n_heads=2,
        n_kv_heads=1,
    )
    assert (looks_for(s, 1) == s.w_q[:, 2:] @ s.w_k.T).all()
    assert (moves(s, 1) == s.w_v @ s.w_o[2:]).all()


@pytest.mark.parametrize("through", ["q", "k", "v"])
def test_a_head_is_read_through_the_matrix_that_reads_its_columns(through: str) -> None:
    """Head 1 writes columns 1 and 2, head 2 columns 3 and 4; the later head reads 3 and 4."""
    eye = np.eye(4)
    earlier = Scenario(x=eye, w_q=eye, w_k=eye, w_v=eye, w_o=eye, n_heads=2)
    reads, other = np.diag([0.0, 0, 1, 1]), np.eye(4)
    matrices = {"w_q": other, "w_k": other, "w_v": other, f"w_{through}": reads}
    later = Scenario(x=eye, w_o=eye, n_heads=1, **matrices)
    numbers = composition(earlier, later, through)  # type: ignore[arg-type]
    assert numbers[0, 0] == 0
    assert numbers[1, 0] > 0.5


def test_a_head_of_zeros_is_read_by_nobody_and_another_way_is_refused() -> None:
    first = self_attention(3, 4, 2)
    zeros = replace(first, w_v=np.zeros((4, 4)))
    assert (composition(zeros, first, "k") == 0).all()
    with pytest.raises(OptionError, match="through must be one of q, k, v"):
        composition(first, first, "o")  # type: ignore[arg-type]
