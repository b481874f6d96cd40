"""Relative positions: each key is seen as the key plus the vector of its distance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core import Scenario, Trace, attend, decode_link, encode_link
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_heads,
    with_matrix,
    with_scores,
    with_tokens,
)
from mha_core.changing.distances import with_reach, without_distances
from mha_core.changing.reordering import with_head_moved, with_token_removed
from mha_core.checks.errors import FormatError, NumberError, ShapeError
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive, feeds
from mha_core.layer.equations import equations
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.relative import rows_of_distances
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenario_of_distinct_sizes, self_attention

RNG = np.random.default_rng(4)
PLAIN = self_attention(5, 4, 2)
R = RNG.normal(size=(5, 4))  # for distances -2 to 2, two heads of two columns
NEAR = replace(PLAIN, r_k=R)
# Six patches in two rows: R has three distances from row to row, then three from column to column.
GRID = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
ON_AXES = RNG.normal(size=(6, 4))
IMAGE = self_attention(6, 4, 2, r_k=ON_AXES, scores=ScoreOptions(r_places=GRID))
DISTINCT = scenario_of_distinct_sizes(r_k=RNG.normal(size=(9, 12)), r_q=RNG.normal(size=(9, 12)))


def test_a_query_meets_the_key_plus_the_vector_of_its_distance() -> None:
    trace = attend(NEAR)
    for query, key, row in ((0, 0, 2), (1, 0, 1), (0, 1, 3), (4, 0, 0), (0, 4, 4), (3, 1, 0)):
        seen = trace.k_heads[1, key] + R[row, 2:]
        assert trace.summed_scores[1, query, key] == pytest.approx(trace.q_heads[1, query] @ seen)


def test_a_key_meets_vectors_of_its_own() -> None:
    trace = attend(replace(PLAIN, r_q=R))
    met = trace.k_heads[0, 3] @ R[3, :2]
    assert trace.relative_scores[0, 2, 3] == pytest.approx(met)


def test_a_query_of_a_cache_counts_distances_from_its_own_place() -> None:
    """The two queries are the last of five tokens."""
    whole = attend(NEAR)
    cached = replace(NEAR, x=NEAR.x[3:], tokens=(), context=NEAR.x)
    assert cached.query_start == 3
    np.testing.assert_allclose(attend(cached).weights, whole.weights[:, 3:])
    assert replace(cached, r_k=None).query_start == 0


def test_without_vectors_the_steps_cost_one_number_and_hand_on_raw_scores() -> None:
    trace = attend(PLAIN)
    assert trace.relative_scores.strides == (0, 0, 0)
    assert trace.summed_scores is trace.raw_scores
    shown = ("scaled_scores", "weights")
    titles = [equation.title for equation in equations(NEAR, shown)]
    assert titles == ["Relative scores", "Summed scores", "Scaled scores", "Weights"]
    assert [equation.title for equation in equations(PLAIN, shown)] == titles[2:]
    nothing = derive(trace, "relative_scores", (0, 1, 2))
    assert nothing.because == "no distance has a vector"


def test_formulas_say_both_sums() -> None:
    both = replace(NEAR, r_q=R)
    assert Trace.summed_scores.formula(NEAR) == r"Q_i K_{i}^\top + D_i"
    assert Trace.scaled_scores.formula(NEAR) == r"S_i^R / \sqrt{d_k}"
    assert Trace.relative_scores.formula(both) == (
        r"(Q_i R_{K,i}^\top)_{q, \, k - q} + (K_{i} R_{Q,i}^\top)_{k, \, k - q}"
    )


def test_a_score_says_of_which_products_it_is_made() -> None:
    trace = attend(NEAR)
    text = derive(trace, "relative_scores", (1, 4, 0)).write("text")
    assert text.startswith("D_2[t5, t1] = Q_2[t5, 1]·R_K[-2, 2.1] + Q_2[t5, 2]·R_K[-2, 2.2] = ")
    both = derive(trace, "summed_scores", (1, 4, 0)).write("text")
    assert both.startswith("S_2^R[t5, t1] = (Q_2 K_2^T)[t5, t1] + D_2[t5, t1] = ")


def test_the_vector_at_the_end_is_read_by_all_that_is_farther_away() -> None:
    readers = [fed.cell for fed in feeds(attend(NEAR), "r_k", (0, 3))]
    far = [(2, 0), (3, 0), (3, 1), (4, 0), (4, 1), (4, 2)]
    assert readers == [Cell("relative_scores", 1, *pair) for pair in far]


def test_rows_are_named_by_their_distance() -> None:
    matrix = labelled_matrix(attend(NEAR), "r_k")
    assert (matrix.rows.kind, matrix.rows.labels) == ("distance", ("-2", "-1", "0", "+1", "+2"))
    assert matrix.columns.labels == ("1.1", "1.2", "2.1", "2.2")


def test_an_even_number_of_rows_is_refused() -> None:
    for name, symbol in (("r_k", "R_K"), ("r_q", "R_Q")):
        with pytest.raises(ShapeError) as caught:
            replace(PLAIN, **{name: R[:4]})
        assert str(caught.value) == (
            f"{symbol} must have an odd number of rows: one for each distance from -m to m, got 4. "
            "Add a row; that in the middle is for distance 0."
        )


# Distances on axes.


def test_a_query_meets_a_vector_of_each_axis() -> None:
    """As SAM's encoder has it: a table of rows and one of columns, whose rows are added."""
    trace = attend(IMAGE)
    of_rows, of_columns = ON_AXES[:3], ON_AXES[3:]
    for query, key, down, right in ((4, 0, -1, -1), (0, 4, 1, 1), (2, 1, 0, -1), (5, 5, 0, 0)):
        met = of_rows[down + 1, 2:] + of_columns[right + 1, 2:]
        found = trace.relative_scores[1, query, key]
        assert found == pytest.approx(trace.q_heads[1, query] @ met)
    far = of_rows[1, 2:] + of_columns[2, 2:]  # two columns away counts as one
    assert trace.relative_scores[1, 0, 2] == pytest.approx(trace.q_heads[1, 0] @ far)


def test_places_of_a_line_are_as_without_them() -> None:
    line = replace(NEAR, scores=ScoreOptions(r_places=tuple((n,) for n in range(5))))
    np.testing.assert_array_equal(attend(line).weights, attend(NEAR).weights)
    jumping = replace(NEAR, scores=ScoreOptions(r_places=((0,), (1,), (7,), (8,), (9,))))
    np.testing.assert_array_equal(rows_of_distances(jumping)[0, 1], [1, 2, 4, 4, 4])


def test_keys_and_queries_of_a_cache_share_their_places() -> None:
    whole, cached = attend(IMAGE), replace(IMAGE, x=IMAGE.x[4:], tokens=(), context=IMAGE.x)
    np.testing.assert_allclose(attend(cached).weights, whole.weights[:, 4:])


def test_the_formula_says_that_axes_are_summed() -> None:
    both = replace(IMAGE, r_q=ON_AXES)
    one = replace(NEAR, scores=ScoreOptions(r_places=((0,),) * 5))
    assert Trace.relative_scores.formula(both) == (
        r"\sum_{a=1}^{2} (Q_i R_{K,i,a}^\top)_{q, \, p_a(k) - p_a(q)} + "
        r"\sum_{a=1}^{2} (K_{i} R_{Q,i,a}^\top)_{k, \, p_a(k) - p_a(q)}"
    )
    assert Trace.relative_scores.formula(one) == r"(Q_i R_{K,i}^\top)_{q, \, p(k) - p(q)}"


def test_a_score_says_what_each_axis_gives() -> None:
    text = derive(attend(IMAGE), "relative_scores", (1, 4, 0)).write("text")
    assert text.startswith(
        "D_2[t5, t1] = Q_2[t5, 1]·R_K[-1 …, 2.1] + Q_2[t5, 2]·R_K[-1 …, 2.2] + "
        "Q_2[t5, 1]·R_K[… -1, 2.1] + Q_2[t5, 2]·R_K[… -1, 2.2] = "
    )


def test_rows_are_named_by_their_distance_and_axis() -> None:
    labels = labelled_matrix(attend(IMAGE), "r_k").rows.labels
    assert labels == ("-1 …", "0 …", "+1 …", "… -1", "… 0", "… +1")


def test_a_row_of_an_axis_is_read_by_the_pairs_that_are_so_far_apart_on_it() -> None:
    trace = attend(IMAGE)
    up = [(query, key) for query in (3, 4, 5) for key in (0, 1, 2)]
    found = [fed.cell for fed in feeds(trace, "r_k", (0, 3))]
    assert found == [Cell("relative_scores", 1, *pair) for pair in up]
    of_query = [fed.slope for fed in feeds(trace, "q_heads", (1, 4, 0)) if fed.cell.column == 0]
    assert of_query == pytest.approx([trace.k_heads[1, 0, 0], ON_AXES[0, 2] + ON_AXES[3, 2]])


def test_rows_that_axes_cannot_share_are_refused() -> None:
    for rows in (5, 8):
        with pytest.raises(ShapeError) as caught:
            replace(IMAGE, r_k=np.ones((rows, 4)))
        assert str(caught.value) == (
            "R_K must have an odd number of rows for each of 2 axes: one for each distance from -m "
            f"to m, got {rows}. Give all axes as many, those of the first axis on top."
        )


def test_places_are_as_many_as_positions_where_there_are_vectors() -> None:
    few = ScoreOptions(r_places=GRID[:5])
    assert replace(IMAGE, r_k=None, scores=few).scores == few
    with pytest.raises(ShapeError, match="places of distances must be 6: one for each position"):
        replace(IMAGE, scores=few)


# Changes.


def test_what_is_switched_on_begins_as_waves_and_reaches_two_tokens() -> None:
    s = with_reach(PLAIN, 2)
    np.testing.assert_allclose(s.r_k[:, 0], np.sin([-2, -1, 0, 1, 2]))
    np.testing.assert_array_equal(s.r_k[:, 2:], s.r_k[:, :2])
    assert without_distances(s) == PLAIN
    assert without_distances(IMAGE).scores.r_places is None


def test_vectors_for_more_distances_change_no_score() -> None:
    far = with_reach(NEAR, 4)
    np.testing.assert_array_equal(far.r_k, R[[0, 0, 0, 1, 2, 3, 4, 4, 4]])
    np.testing.assert_array_equal(attend(far).weights, attend(NEAR).weights)
    assert with_reach(far, 2) == NEAR
    assert with_reach(replace(NEAR, r_q=R), 0).sizes["n_distances"] == 1


def test_axes_come_and_go_with_their_rows() -> None:
    """A new axis begins with the rows of the last one."""
    one = with_scores(IMAGE, r_places=None)
    np.testing.assert_array_equal(one.r_k, ON_AXES[:3])
    three = with_scores(IMAGE, r_places=tuple((*place, 0) for place in GRID))
    np.testing.assert_array_equal(three.r_k, ON_AXES[[0, 1, 2, 3, 4, 5, 3, 4, 5]])
    moved = with_changes(IMAGE, scores=replace(IMAGE.scores, r_places=((0,),) * 6))
    np.testing.assert_array_equal(moved.r_k, one.r_k)
    other = with_scores(IMAGE, r_places=GRID[::-1])
    assert other.r_k is IMAGE.r_k


def test_each_axis_reaches_as_far() -> None:
    far = with_reach(IMAGE, 2)
    np.testing.assert_array_equal(far.r_k, ON_AXES[[0, 0, 1, 2, 2, 3, 3, 4, 5, 5]])
    assert with_reach(far, 1) == IMAGE
    begun = with_reach(replace(IMAGE, r_k=None), 1)
    np.testing.assert_allclose(begun.r_k[:, 0], np.sin([-1, 0, 1, -1, 0, 1]))
    with pytest.raises(NumberError, match="reach must be a whole number from 0 to 2047"):
        with_reach(IMAGE, 3000)


def test_tokens_come_and_go_and_the_vectors_stay() -> None:
    for s in (with_tokens(NEAR, ["a", "b"]), with_token_removed(NEAR, "tokens", 0)):
        np.testing.assert_array_equal(s.r_k, R)
    np.testing.assert_array_equal(with_context(NEAR, ["a", "b"]).r_k, R)


def test_heads_take_their_columns_along_and_new_ones_begin_with_zeros() -> None:
    np.testing.assert_array_equal(with_head_moved(NEAR, 0, 1).r_k, R[:, [2, 3, 0, 1]])
    wider = with_heads(NEAR, 2, d_k=3)
    np.testing.assert_array_equal(wider.r_k[:, [0, 1, 3, 4]], R)
    assert not wider.r_k[:, [2, 5]].any()
    np.testing.assert_array_equal(with_heads(NEAR, 1, d_k=2, d_v=4).r_k, R[:, :2])
    assert with_matrix(NEAR, "r_k", None) == PLAIN


def test_a_link_says_for_how_many_distances_there_are_vectors() -> None:
    link = encode_link(NEAR)
    assert "distances=5" in link
    assert decode_link(link) == NEAR
    assert "distances" not in encode_link(PLAIN)
    shorter = decode_link("example=pizza&distances=1&r_k.rows=1_0_0_0_0_0_0_2")
    np.testing.assert_array_equal(shorter.r_k, [[1, 0, 0, 0, 0, 0, 0, 2]])
    for wrong in ("0", "1000000000"):
        with pytest.raises(FormatError, match="must be from 1 to"):
            decode_link(f"example=pizza&distances={wrong}")


def test_a_link_says_the_axes() -> None:
    link = encode_link(IMAGE)
    assert "r_places=2x3" in link
    assert "distances=6" in link
    assert decode_link(link) == IMAGE
    neighbours = load_example("neighbours")
    assert neighbours.n_distances == 5
    changed = with_scores(neighbours, r_places=tuple(divmod(n, 3) for n in range(5)))
    link = encode_link(changed)
    assert "distances" not in link  # the axes say it
    assert decode_link(link) == changed


# Words.


def note_of(s: Scenario) -> str:
    return next((note for note in setting_notes(attend(s)) if note.startswith("By R_")), "")


def test_notes_say_what_the_vectors_do() -> None:
    assert note_of(PLAIN) == ""
    assert note_of(replace(NEAR, r_k=0 * R)) == (
        "By R_K, 0 is added to each score: distances play no part yet."
    )
    assert note_of(replace(NEAR, r_q=R)) == (
        "By R_K and R_Q, a score counts the distance of the key too. "
        "What is farther away than 2 tokens counts as 2 tokens away."
    )
    assert note_of(replace(PLAIN, r_k=R[1:4])).endswith(
        "What is farther away than 1 token counts as 1 token away."
    )
    assert note_of(IMAGE) == (
        "By R_K, a score counts the distance of the key too, on each of 2 axes. What is farther "
        "away than 1 on an axis counts as 1 away on it."
    )
    assert note_of(replace(NEAR, scores=ScoreOptions(r_places=((0,),) * 5))) == (
        "By R_K, a score counts the distance of the key's place too. "
        "What is farther away than 2 counts as 2 away."
    )


def test_notes_say_where_positions_stand_if_a_distance_has_a_vector() -> None:
    says = "Distances are between places: the first stands at 0, 0, the last at 1, 2."
    assert says in setting_notes(attend(IMAGE))
    assert says not in setting_notes(attend(replace(IMAGE, r_k=None)))
