"""What becomes of the places of RoPE and of distances when tokens come, go or move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Scenario, attend
from mha_core.changing.changes import with_changes, with_context, with_scores, with_tokens
from mha_core.changing.layers import as_stack, with_layer, with_one_more_layer
from mha_core.changing.reordering import (
    with_token_added,
    with_token_moved,
    with_token_removed,
    with_tokens_backwards,
)
from mha_core.scenario.score_options import ScoreOptions
from mha_core.stack.stack import Stack
from tests.core.strategies import self_attention

GRID = ((0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (1.0, 0.0), (1.0, 1.0), (1.0, 2.0))
TOKENS = tuple("abcdef")


def image(**scores: Any) -> Scenario:
    """Six patches in two rows."""
    chosen = {"positions": "rope", "rope_places": GRID, **scores}
    return self_attention(6, 8, 1, tokens=TOKENS, scores=ScoreOptions(**chosen))


def places_by_token(s: Scenario) -> dict[str, tuple[float, ...]]:
    return dict(zip(s.tokens, s.scores.rope_places[s.query_start :], strict=True))


BEFORE = dict(zip(TOKENS, GRID, strict=True))


@pytest.mark.parametrize(("place", "to"), [(0, 5), (4, 1), (2, 2)])
@pytest.mark.parametrize("positions", ["rope", "none"])
def test_a_place_goes_with_its_token(place: int, to: int, positions: str) -> None:
    moved = with_token_moved(image(positions=positions), "tokens", place, to)
    assert places_by_token(moved) == BEFORE


def test_moved_tokens_with_their_places_give_the_same_rows_in_another_order() -> None:
    s = image()
    backwards = attend(with_tokens_backwards(s, "tokens"))
    assert np.allclose(backwards.output, attend(s).output[::-1], rtol=0, atol=1e-12)


def test_a_token_that_goes_takes_its_place_along() -> None:
    gone = with_token_removed(image(), "tokens", 1)
    assert places_by_token(gone) == {t: place for t, place in BEFORE.items() if t != "b"}


@pytest.mark.parametrize(
    ("at", "stands"),
    [
        (1, (0.0, 0.5)),  # halfway between its neighbours
        (3, (0.5, 1.0)),
        (6, (1.0, 3.0)),  # one step further
        (0, (0.0, -1.0)),
    ],
)
def test_a_new_token_stands_between_its_neighbours_or_one_step_further(
    at: int, stands: tuple[float, ...]
) -> None:
    added = with_token_added(image(), "tokens", at, "new")
    assert places_by_token(added) == {**BEFORE, "new": stands}


@pytest.mark.parametrize(
    ("last", "stands"),
    [
        (((5.0, 5.0), (6.0, 6.0)), (7.0, 7.0)),  # words behind an image
        (((0.0, 2.0), (1.0, 0.0)), (1.0, 1.0)),  # the next row of an image
        (((0.0, 0.0), (0.0, 0.0)), (0.0, 1.0)),  # padding
        (((0.0, 0.0), (9.0, 0.0)), (10.0, 0.0)),  # a place that jumped
        (((-0.5, 0.5), (-0.5, 1.0)), (-0.5, 1.5)),
        (((0.0, 1e6), (0.0, 1e6)), (0.0, 1e6)),  # no number is larger
    ],
)
def test_what_follows_at_the_end(
    last: tuple[tuple[float, ...], ...], stands: tuple[float, ...]
) -> None:
    s = self_attention(2, 8, 1, scores=ScoreOptions(positions="rope", rope_places=last))
    assert with_tokens(s, ["x", "y", "z"]).scores.rope_places == (*last, stands)


def test_after_a_single_token_a_step_is_1() -> None:
    s = self_attention(1, 4, 1, scores=ScoreOptions(positions="rope", rope_places=((3.0,),)))
    assert with_tokens(s, ["x", "y", "z"]).scores.rope_places == ((3.0,), (4.0,), (5.0,))
    assert with_tokens(with_tokens(s, ["x", "y"]), ["x"]).scores == s.scores


def test_places_before_the_first_position_stay() -> None:
    s = image(query_start=1, rope_places=((9.0, 9.0), *GRID))
    added = with_token_added(s, "tokens", 0, "new")
    assert added.scores.rope_places == ((9.0, 9.0), (0.0, -1.0), *GRID)


def test_what_was_chosen_with_other_tokens_stays_as_chosen() -> None:
    three = GRID[3:]
    scores = ScoreOptions(positions="rope", rope_places=three)
    assert with_changes(image(), tokens=["x", "y", "z"], scores=scores).scores == scores


def test_places_that_do_not_fit_are_left_alone() -> None:
    few = image(positions="none", rope_places=GRID[:2])
    for changed in (
        with_token_moved(few, "tokens", 0, 3),
        with_tokens(few, ["x"]),
        with_token_added(few, "tokens", 0, "new"),
    ):
        assert changed.scores.rope_places == GRID[:2]


# Second sequences.


def cache() -> Scenario:
    """Six keys, of which the last two are the queries."""
    return with_tokens(with_context(image(), TOKENS), ["e", "f"])


def test_a_second_sequence_has_the_places_of_its_keys() -> None:
    s = cache()
    assert s.query_start == 4
    assert s.scores.rope_places == GRID
    alone = attend(image()).q_rotated[:, :2]
    shared = attend(s).q_rotated
    assert shared.shape == alone.shape
    assert not np.allclose(shared, alone)  # the same rows, at the places of the last keys


def test_places_follow_the_keys_of_a_second_sequence() -> None:
    moved = with_token_moved(cache(), "context_tokens", 0, 5)
    assert moved.scores.rope_places == (*GRID[1:], GRID[0])
    assert with_token_moved(cache(), "tokens", 0, 1).scores.rope_places == GRID
    shorter = with_token_removed(cache(), "context_tokens", 2)
    assert shorter.scores.rope_places == (*GRID[:2], *GRID[3:])


def test_queries_behind_all_keys_take_their_places_along() -> None:
    s = with_scores(cache(), query_start=6, rope_places=(*GRID, (7.0, 7.0), (8.0, 8.0)))
    moved = with_token_moved(s, "tokens", 0, 1)
    assert moved.scores.rope_places == (*GRID, (8.0, 8.0), (7.0, 7.0))


def test_keys_before_the_queries_take_their_places_along_when_they_move() -> None:
    s = with_scores(cache(), query_start=6, rope_places=(*GRID, (7.0, 7.0), (8.0, 8.0)))
    moved = with_token_moved(s, "context_tokens", 0, 5)
    assert moved.scores.rope_places == (*GRID[1:], GRID[0], (7.0, 7.0), (8.0, 8.0))
    added = with_token_added(s, "context_tokens", 0, "new")
    assert added.scores == s.scores  # the queries stay at their positions


def test_where_queries_and_keys_share_some_places_all_stay_at_their_positions() -> None:
    """Three queries, of which two have the positions of the two keys."""
    three = with_tokens(with_context(image(), ["a", "b"]), ["x", "y", "z"])
    assert three.scores.rope_places == GRID[:3]
    assert with_token_moved(three, "context_tokens", 0, 1).scores == three.scores
    more = with_token_added(three, "context_tokens", 0, "new")
    assert more.scores == three.scores
    assert with_token_removed(more, "context_tokens", 0).scores == three.scores


def test_without_its_second_sequence_x_keeps_the_places_of_its_tokens() -> None:
    assert with_context(cache(), None).scores.rope_places == GRID[4:]


# Places of distances: whole numbers.

WHOLE = tuple(divmod(n, 3) for n in range(6))


def near(**scores: Any) -> Scenario:
    """Six patches whose distances have vectors, on two axes."""
    chosen = ScoreOptions(r_places=WHOLE, **scores)
    return self_attention(6, 8, 1, tokens=TOKENS, r_k=np.ones((6, 8)), scores=chosen)


@pytest.mark.parametrize(
    ("at", "place"), [(0, (0, -1)), (1, (0, 0)), (3, (0, 1)), (6, (1, 3))], ids=str
)
def test_a_new_token_has_a_whole_place_for_its_distances(at: int, place: tuple[int, ...]) -> None:
    added = with_token_added(near(), "tokens", at, "new")
    assert repr(added.scores.r_places) == repr((*WHOLE[:at], place, *WHOLE[at:]))


def test_places_of_distances_go_with_their_tokens() -> None:
    moved = with_token_moved(near(), "tokens", 0, 5)
    assert moved.scores.r_places == (*WHOLE[1:], WHOLE[0])
    np.testing.assert_allclose(attend(moved).weights[0, 5, 5], attend(near()).weights[0, 0, 0])
    assert with_tokens(near(), ["x", "y"]).scores.r_places == WHOLE[:2]


def test_both_kinds_of_places_go_along() -> None:
    both = with_scores(near(), positions="rope", rope_places=GRID)
    moved = with_token_moved(both, "tokens", 0, 5)
    assert moved.scores.r_places == moved.scores.rope_places
    shorter = with_tokens(both, ["x", "y"])
    assert shorter.scores.r_places == shorter.scores.rope_places == WHOLE[:2]


def test_a_layer_above_keeps_its_places_of_distances() -> None:
    stack = with_one_more_layer(as_stack(near()))
    for change in (
        with_token_moved(near(), "tokens", 0, 4),
        with_token_added(near(), "tokens", 3, "new"),
    ):
        after = with_layer(stack, 0, stack.first, change)
        assert after.layers[1].scores.r_places == change.scores.r_places
        assert attend(after).layers[1].weights.shape == (1, change.n_q, change.n_q)
    own = with_scores(stack.on_zeros[1], r_places=WHOLE[::-1])
    apart = with_layer(stack, 1, stack.on_zeros[1], own)
    moved = with_layer(apart, 0, apart.first, with_token_moved(apart.first, "tokens", 0, 5))
    assert moved.layers[1].scores.r_places == (*WHOLE[::-1][1:], WHOLE[5])


# Layers above the first.


def two_layers(**scores: Any) -> Stack:
    stack = with_one_more_layer(as_stack(image()))
    above = with_scores(stack.on_zeros[1], **scores) if scores else stack.on_zeros[1]
    return with_layer(stack, 1, stack.on_zeros[1], above)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: with_token_moved(s, "tokens", 0, 4),
        lambda s: with_token_added(s, "tokens", 3, "new"),
        lambda s: with_token_removed(s, "tokens", 0),
        lambda s: with_tokens(s, ["x", "y"]),
    ],
)
def test_a_layer_with_the_places_of_the_first_keeps_having_them(change: Any) -> None:
    stack = two_layers()
    after = with_layer(stack, 0, stack.first, change(stack.first))
    assert after.layers[1].scores.rope_places == after.first.scores.rope_places
    assert len(after.first.scores.rope_places) == after.first.n_q


def test_places_of_a_layer_of_its_own_move_with_the_tokens() -> None:
    own = tuple((float(n),) for n in range(6))
    stack = two_layers(rope_places=own)
    moved = with_layer(stack, 0, stack.first, with_token_moved(stack.first, "tokens", 0, 5))
    assert moved.layers[1].scores.rope_places == (*own[1:], own[0])
    without = two_layers(rope_places=None)
    moved = with_layer(without, 0, without.first, with_token_moved(without.first, "tokens", 0, 5))
    assert moved.layers[1].scores.rope_places is None


def test_other_places_of_the_first_layer_are_its_own() -> None:
    stack = two_layers()
    after = with_layer(stack, 0, stack.first, with_scores(stack.first, rope_places=GRID[::-1]))
    assert after.layers[1].scores.rope_places == GRID


@given(order=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=4))
def test_moving_there_and_back_changes_nothing(order: list[tuple[int, int]]) -> None:
    s = image()
    moved = s
    for place, to in order:
        moved = with_token_moved(moved, "tokens", place, to)
    for place, to in reversed(order):
        moved = with_token_moved(moved, "tokens", to, place)
    assert moved.scores == s.scores
