"""Heads with a sink: one more score in each row, which takes weight and has no value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_heads, with_matrix, with_scores
from mha_core.changing.reordering import with_head_moved
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive, feeds
from mha_core.layer.influence import influence
from mha_core.reading.sentences import all_readings
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.masks import Mask
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import self_attention

NO_SCORES = self_attention(3, 4, 2, w_q=np.zeros((4, 4)))  # every score is 0


def test_a_sink_takes_its_share_as_one_more_key_would() -> None:
    trace = attend(replace(NO_SCORES, sinks=np.log([1, 3])))  # as 1 key and as 3 keys
    np.testing.assert_allclose(trace.weights[:, 0, 0], [1 / 4, 1 / 6])
    np.testing.assert_allclose(trace.sink_weights[:, :, 0], [[1 / 4] * 3, [1 / 2] * 3])


def test_where_nothing_is_seen_the_sink_takes_all() -> None:
    blind = Mask(custom=np.zeros((3, 3), np.bool_))
    trace = attend(replace(NO_SCORES, sinks=np.array([-900.0, 900.0]), mask=blind))
    assert (trace.sink_weights == 1).all()
    assert not trace.weights.any()
    assert not trace.output.any()


def test_a_sink_far_above_all_scores_overflows_nothing() -> None:
    trace = attend(replace(NO_SCORES, sinks=np.array([5000.0, -5000.0])))
    np.testing.assert_array_equal(trace.sink_weights[:, 0, 0], [1, 0])
    np.testing.assert_array_equal(trace.row_max[:, 0, 0], [5000, 0])


def test_a_naive_softmax_counts_the_sink_too() -> None:
    stable = replace(NO_SCORES, sinks=np.array([0.5, -0.5]))
    naive = attend(with_scores(stable, softmax="naive"))
    assert not naive.row_max.any()
    np.testing.assert_allclose(naive.weights, attend(stable).weights)
    np.testing.assert_allclose(naive.sink_weights, attend(stable).sink_weights)


def test_the_temperature_leaves_the_sink_as_it_is() -> None:
    trace = attend(replace(NO_SCORES, sinks=np.log([1, 3]), scores=ScoreOptions(temperature=9)))
    np.testing.assert_allclose(trace.sink_weights[:, 0, 0], [1 / 4, 1 / 2])


def test_a_share_says_what_it_is_made_of() -> None:
    trace = attend(replace(NO_SCORES, sinks=np.log([1, 3])))
    share = derive(trace, "sink_weights", (1, 2, 0)).write("text")
    assert (
        share == "sink(A_2)[t3] = exp(sink[2] − m_2[t3]) / Z_2[t3] = exp(1.10 − 1.10) / 2.00 = 0.50"
    )
    readers = [fed.cell for fed in feeds(trace, "sinks", (1,))]
    assert readers == [
        Cell(step, 1, row, 0)
        for step in ("row_max", "row_sums", "sink_weights")
        for row in range(3)
    ]
    none = derive(attend(NO_SCORES), "sink_weights", (1, 2, 0)).write("text")
    assert none == "sink(A_2)[t3] = 0.00"
    assert derive(attend(NO_SCORES), "sink_weights", (1, 2, 0)).because == "no head has a sink"


def test_a_higher_sink_takes_from_every_weight_of_its_head() -> None:
    trace = attend(replace(NO_SCORES, sinks=np.log([1, 3])))
    slopes = influence(trace, Cell("weights", 1, 0, 2))["sinks"]
    np.testing.assert_allclose(slopes, [0, -1 / 2 * 1 / 6])
    own = influence(trace, Cell("sink_weights", 1, 0, 0))["sinks"]
    np.testing.assert_allclose(own, [0, 1 / 4])


def test_a_head_takes_its_sink_along_and_a_new_one_begins_with_0() -> None:
    s = replace(self_attention(3, 8, 4), sinks=np.arange(1.0, 5))
    np.testing.assert_array_equal(with_head_moved(s, 0, 2).sinks, [2, 3, 1, 4])
    np.testing.assert_array_equal(with_heads(s, 8).sinks, [1, 2, 3, 4, 0, 0, 0, 0])
    np.testing.assert_array_equal(with_heads(s, 2).sinks, [1, 2])
    assert with_matrix(s, "sinks", None).sinks is None


def sentence(s: Scenario, head: int) -> str:
    return all_readings(attend(s))[head].sentence


def test_words_say_what_the_sink_takes() -> None:
    s = replace(NO_SCORES, sinks=np.log([3, 1e-9]))
    assert sentence(s, 0) == (
        "On average over the queries, no token stands out (0.17 at most). "
        "A query attends to about 3.0 tokens. Its sink takes 0.50 of the weight on average."
    )
    alone = sentence(self_attention(1, 4, 2, w_q=np.zeros((4, 4)), sinks=np.zeros(2)), 0)
    assert alone == (
        "No query may see more than one token. Its sink takes 0.50 of the weight on average."
    )
    some = replace(s, w_q=9 * np.eye(4), w_k=np.outer(np.ones(4), [1, 0, 0, 0]))
    assert " of all tokens (" in sentence(replace(some, sinks=np.full(2, 30.0)), 0)
    blind = replace(s, mask=Mask(custom=np.zeros((3, 3), np.bool_)))
    assert sentence(blind, 0) == "No query may attend to anything."


def test_only_a_head_whose_sink_takes_little_averages() -> None:
    notes = setting_notes(attend(replace(NO_SCORES, sinks=np.log([3, 1e-9]))))
    assert "In head 2, scores within a row are nearly equal, so it averages." in notes
    assert any(note.startswith("Each head has a sink") for note in notes)
    assert not any(
        note.startswith("Each head has a sink") for note in setting_notes(attend(NO_SCORES))
    )


def test_only_where_there_are_sinks_the_weights_speak_of_them() -> None:
    with_sinks = replace(NO_SCORES, sinks=np.zeros(2))
    assert Trace.weights.meaning_in(NO_SCORES) == Trace.weights.meaning
    assert Trace.weights.meaning_in(with_sinks).endswith("sums to 1 with its sink's share.")
    assert Trace.sink_weights.meaning_in(with_sinks) == Trace.sink_weights.meaning
