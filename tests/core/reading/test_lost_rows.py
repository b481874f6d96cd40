"""What a naive softmax has lost, in words; and no sentence says anything about lost numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mha_core import Mask, attend
from mha_core.changing.changes import with_dtype, with_scores
from mha_core.comparing.distances import all_distances, distance, total_variation
from mha_core.comparing.sentences import comparison_sentences
from mha_core.examples import EXAMPLES, load_example
from mha_core.reading.head_orders import ORDERS, heads_in_order
from mha_core.reading.homework import check_numbers
from mha_core.reading.lost_rows import lost_in_head, lost_rows, overflow_note
from mha_core.reading.metrics import contributions_gap, output_change
from mha_core.reading.patterns import patterns
from mha_core.reading.sentences import all_readings, change_sentence
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.scenario import Scenario
from tests.core.by_hand import resembled
from tests.core.layer.test_naive_softmax import of_scores
from tests.core.strategies import with_stable_softmax

SMALL = [name for name in EXAMPLES if load_example(name).d_model <= 16]
SATURATED = with_scores(load_example("saturated"), softmax="naive")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("options", [{"scale": 1000.0}, {"temperature": 0.001}, {"scale": -400.0}])
def test_all_that_is_read_of_a_trace_can_be_read_of_a_lost_one(
    name: str, options: dict[str, float]
) -> None:
    stable = with_dtype(with_scores(load_example(name), **options), "float32")
    trace = attend(with_scores(stable, softmax="naive"))
    readings, lost = all_readings(trace), lost_rows(trace).any(axis=-1)
    assert [math.isinf(each.effective_tokens) for each in readings] == lost.tolist()
    for head in np.flatnonzero(lost):
        assert patterns(trace)[head] == {}
        assert resembled(trace, int(head)) is None
    said = [each.sentence for each in readings]
    said += [*setting_notes(trace), *comparison_sentences(attend(stable), trace)]
    for order in ORDERS:
        assert sorted(heads_in_order(trace, readings, order)) == list(range(len(readings)))
    for claim in EXAMPLES[name].claims:
        assert claim.holds(trace) in (True, False)
    assert math.isfinite(contributions_gap(trace))
    assert not [words for words in said if "nan" in words.replace("domin", "") or "inf" in words]
    assert check_numbers(trace, "weights", 0, np.zeros((1, 1)), 2).wrong is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1, 2], [3, 4]], ""),
        ([[800, 2], [3, 4]], "1 of 2 rows is not a number: exp overflowed."),
        ([[800, 2], [3, 4], [0, 900]], "2 of 3 rows are not numbers: exp overflowed."),
        ([[-800, -800]], "1 of 1 row is not a number: every exponential is 0."),
        ([[709.7, 709.7]], "1 of 1 row is all 0: the sum of the exponentials overflowed."),
        (
            [[800, 0], [-800, -800], [709.7, 709.7]],
            "1 of 3 rows is not a number: exp overflowed. "
            "1 of 3 rows is not a number: every exponential is 0. "
            "1 of 3 rows is all 0: the sum of the exponentials overflowed.",
        ),
    ],
)
def test_a_head_says_how_many_of_its_rows_are_lost(rows: list[list[float]], words: str) -> None:
    trace = attend(of_scores(rows))
    assert lost_in_head(trace, 0) == words
    assert (all_readings(trace)[0].sentence == words) == bool(words)


STABLE = "The stable softmax subtracts the row's maximum first."


@pytest.mark.parametrize(
    ("scenario", "note"),
    [
        (of_scores([[800, 0], [800, 1]], mask=Mask(custom=np.eye(2, dtype=bool))), "1 of 2 "),
        (
            of_scores([[800, 0], [800, 1]]),
            "2 of 4 exponentials are too large for float64. "
            f"What is computed from them is not a number. {STABLE}",
        ),
        (
            of_scores([[90, 0]], "float32"),
            "1 of 2 exponentials is too large for float32. "
            f"What is computed from it is not a number. {STABLE}",
        ),
        (of_scores([[709.7, 709.7], [0, 0]]), f"1 of 2 rows is lost: see each head. {STABLE}"),
        (
            of_scores([[80, 80]], "float32"),
            "The softmax is naive: nothing is subtracted. "
            "In float32, exp overflows from a score of 88.7 on.",
        ),
        (with_stable_softmax(of_scores([[800, 0]])), ""),
    ],
)
def test_the_note_says_what_becomes_of_the_exponentials(scenario: Scenario, note: str) -> None:
    said = overflow_note(attend(scenario))
    assert said.startswith(note)
    assert bool(said) == bool(note)
    assert (said in setting_notes(attend(scenario))) == bool(note)


def test_equal_scores_of_a_lost_head_are_no_average() -> None:
    assert "averages" in setting_notes(attend(of_scores([[1, 1], [1, 1]])))[-1]
    assert "averages" not in " ".join(setting_notes(attend(of_scores([[800, 800]]))))


def test_how_far_a_lost_output_moves_is_not_made_up() -> None:
    trace = attend(SATURATED)
    change = output_change(trace, without=[1])
    assert math.isnan(change.relative)
    assert change_sentence(trace, change) == "3 of 4 rows of the output are not numbers"
    assert math.isfinite(output_change(trace, without=[0]).relative) is False
    assert heads_in_order(trace, all_readings(trace), "effect") == (0, 1)


def test_a_distance_counts_what_is_lost_on_one_side() -> None:
    naive, stable = attend(SATURATED), attend(with_stable_softmax(SATURATED))
    weights = distance(stable, naive, "weights")
    assert weights is not None
    assert (weights.lost, weights.is_rounding) == (3, False)
    assert weights.mean < weights.largest < 1e-12
    own = all_distances(naive, naive)
    assert all(each is not None and each.lost == 0 and each.is_rounding for each in own.values())
    shares = total_variation(stable, naive)
    assert shares is not None
    assert int(np.isnan(shares).sum()) == 3


def test_two_sides_are_compared_in_words_where_one_is_lost() -> None:
    naive, stable = attend(SATURATED), attend(with_stable_softmax(SATURATED))
    assert comparison_sentences(stable, naive) == (
        "Both agree through the scaled scores. "
        "They begin to differ at the largest score of the row.",
        "3 of 4 rows of the output are not numbers.",
        "In B, 3 of 8 rows of weights are lost to a naive softmax.",
    )
    assert "In A, 3 of 8" in " ".join(comparison_sentences(naive, stable))
    one = attend(of_scores([[800, 0], [1, 2]]))
    other = attend(with_scores(one.scenario, temperature=0.5))
    said = comparison_sentences(other, one)
    assert "In A, 1 of 2 rows of weights is lost to a naive softmax." in said
    assert said[-1].startswith("Most weight moves for “t2” in head 1: 0.15")
