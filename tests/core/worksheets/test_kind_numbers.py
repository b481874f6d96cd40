"""The numbers of a sheet: small, whole, different for each seed, and right to the last digit.

Takes long: numbers are found for every allowed setting of an exercise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import exp, floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.checks.errors import NumberError
from mha_core.checks.limits import LIMITS, PAGE_LIMITS
from mha_core.io.scenario.link import decode_link, encode_link
from mha_core.worksheets import kind_numbers
from mha_core.worksheets.exercise import DIFFICULTIES, Exercise
from mha_core.worksheets.kind_numbers import TABLE, kind_scenario
from tests.core.refusals import check_refused
from tests.core.worksheets.all_exercises import ALL, groups, sheet_of

Exact = int | Fraction
Matrix = list[list[Exact]]


def by_head(matrix: np.ndarray, heads: int) -> list[Matrix]:
    """The columns of each head, as whole numbers of Python, which are exact as fractions are."""
    assert (matrix == matrix.round()).all()
    return [each.astype(int).tolist() for each in np.hsplit(matrix, heads)]


def times(a: Sequence[Sequence[Exact]], b: Sequence[Sequence[Exact]]) -> Matrix:
    return [
        [sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))]
        for i in range(len(a))
    ]


def sees(exercise: Exercise, query: int, key: int) -> bool:
    match exercise.mask:
        case "causal":
            return key <= query
        case "padding":
            return key != exercise.n_tokens - 1
        case _:
            return True


@cache
def scores_by_hand(exercise: Exercise) -> list[Matrix]:
    """The scaled scores of each head of its sheet in fractions, with nested loops."""
    s = sheet_of(exercise).scenario
    (x,) = by_head(s.x, 1)
    factor = Fraction(exercise.factor)
    scores = []
    for w_q, w_k in zip(by_head(s.w_q, s.n_heads), by_head(s.w_k, s.n_heads), strict=True):
        queries, keys = times(x, w_q), times(x, w_k)
        raw = times(queries, list(zip(*keys, strict=True)))
        scores.append([[factor * score for score in row] for row in raw])
    return scores


def weights_in_base_2(exercise: Exercise, scores: Matrix) -> Matrix:
    rows = []
    for query, row in enumerate(scores):
        powers = [
            Fraction(2) ** int(score) if sees(exercise, query, key) else Fraction()
            for key, score in enumerate(row)
        ]
        rows.append([each / sum(powers) for each in powers])
    return rows


@pytest.mark.parametrize("exercises", groups())
def test_every_allowed_setting_has_kind_numbers(exercises: list[Exercise]) -> None:
    for exercise in exercises:
        s = sheet_of(exercise).scenario
        given_numbers = np.concatenate([array.ravel() for array in s.given().values()])
        assert (given_numbers == given_numbers.round()).all()
        assert np.abs(given_numbers).max() <= 2
        assert len({row.tobytes() for row in s.x}) == exercise.n_tokens
        trace = sheet_of(exercise).trace
        assert (trace.scaled_scores == trace.scaled_scores.round()).all()
        assert np.abs(trace.raw_scores).max() <= 12
        for head, scores in enumerate(scores_by_hand(exercise)):
            assert trace.scaled_scores[head].tolist() == scores
            for query, row in enumerate(scores):
                seen = [score for key, score in enumerate(row) if sees(exercise, query, key)]
                assert max(seen) - min(seen) <= 3


@pytest.mark.parametrize("exercises", groups())
def test_no_exercise_is_trivial(exercises: list[Exercise]) -> None:
    for exercise in exercises:
        trace = sheet_of(exercise).trace
        weights = trace.weights
        for head in weights:
            assert any(len(set(row[row > 0].round(9))) > 1 for row in head)
        assert len({head.tobytes() for head in weights}) == exercise.n_heads
        assert trace.output.any()
        assert (trace.raw_scores != trace.raw_scores.mT).any(axis=(1, 2)).all()
        is_unmasked = exercise.mask == "none"
        plain = attend(replace(trace.scenario, mask=type(trace.scenario.mask)()))
        assert np.array_equal(plain.weights, weights) == is_unmasked
        assert (trace.q_heads.any(axis=1)).all()
        assert (trace.k_heads.any(axis=1)).all()
        assert (trace.v_heads.any(axis=1)).all()


@pytest.mark.parametrize("exercises", groups("2"))
def test_in_base_2_the_explorer_shows_the_fractions_of_the_sheet(exercises: list[Exercise]) -> None:
    for exercise in exercises:
        sheet = sheet_of(exercise)
        s = sheet.scenario
        (x,), values = by_head(s.x, 1), by_head(s.w_v, s.n_heads)
        outputs = []
        for head, scores in enumerate(scores_by_hand(exercise)):
            weights = weights_in_base_2(exercise, scores)
            assert all(each.denominator <= 12 for row in weights for each in row)
            shown = sheet.trace.weights[head]
            assert np.abs(shown - np.array(weights, dtype=float)).max() <= 2**-52
            outputs.append(times(weights, times(x, values[head])))
            part = next(part for part in sheet.pieces if part.name == f"weights/{head}")
            assert [[Fraction(text) for text in row] for row in part.texts] == weights
        concat = [sum((head[query] for head in outputs), []) for query in range(exercise.n_tokens)]  # noqa: RUF017 (a few rows)
        (w_o,) = by_head(s.w_o, 1)
        output = times(concat, w_o)
        written = [
            [Fraction(text.replace("−", "-")) for text in row] for row in sheet.pieces[-1].texts
        ]
        assert written == output
        assert all(each.denominator <= 40 for row in output for each in row)
        assert np.abs(sheet.trace.output - np.array(output, dtype=float)).max() <= 1e-14


@pytest.mark.parametrize("exercises", groups("e"))
def test_in_base_e_the_table_and_a_calculator_round_to_the_same_weights(
    exercises: list[Exercise],
) -> None:
    for exercise in exercises:
        sheet = sheet_of(exercise)
        table = [Fraction(text) for _, text in sheet.table]
        assert table == [Fraction(str(round(exp(-step), 3))) for step in range(4)]
        assert [float(each) for each in table] == list(TABLE)
        for head, scores in enumerate(scores_by_hand(exercise)):
            (part,) = (part for part in sheet.pieces if part.name == f"weights/{head}")
            for query, row in enumerate(scores):
                largest = max(s for key, s in enumerate(row) if sees(exercise, query, key))
                down = [
                    int(largest - score) if sees(exercise, query, key) else None
                    for key, score in enumerate(row)
                ]
                by_table = [Fraction() if step is None else table[step] for step in down]
                exact = [0.0 if step is None else exp(-step) for step in down]
                for key, text in enumerate(part.texts[query]):
                    share, true = by_table[key] / sum(by_table), exact[key] / sum(exact)
                    for each in (float(share), true):
                        units = 100 * each
                        assert abs(units - floor(units) - 0.5) > 0.05  # no tie: 0.0005 of a weight
                        assert floor(units + 0.5) == round(100 * float(text))


def test_weights_that_a_coarse_table_leads_to_are_taken_only_where_a_calculator_rounds_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With three decimals in the table, all weights that are clear round alike; with two, not."""
    coarse = [round(each, 2) for each in TABLE]
    monkeypatch.setattr(kind_numbers, "TABLE", tuple(coarse))
    for seed in range(9):
        for row in np.vstack(list(attend(kind_scenario(Exercise(seed=seed))).masked_scores)):
            down = [int(step) for step in row.max() - row if np.isfinite(step)]
            by_table, exact = [coarse[step] for step in down], [exp(-step) for step in down]
            for entry, true in zip(by_table, exact, strict=True):
                assert round(entry / sum(by_table), 2) == round(true / sum(exact), 2)


@pytest.mark.parametrize("exercises", groups("e"))
def test_in_base_e_rounding_leads_nowhere_beyond_what_is_accepted(
    exercises: list[Exercise],
) -> None:
    for exercise in exercises:
        sheet = sheet_of(exercise)
        for part in sheet.pieces:
            exact = part.matrix.values
            near = np.isfinite(part.key)
            assert (near == np.isfinite(exact)).all()
            assert np.abs(part.key[near] - exact[near]).max() <= max(part.tolerance - 0.005, 1e-12)


@pytest.mark.parametrize(
    "exercise",
    [Exercise(), Exercise(n_tokens=2, d_model=2, n_heads=1), Exercise(5, 8, 4, "none", base="2")],
    ids=str,
)
def test_thirty_seeds_give_thirty_different_scenarios(exercise: Exercise) -> None:
    links = {encode_link(kind_scenario(replace(exercise, seed=seed))) for seed in range(30)}
    assert len(links) == 30


def test_a_seed_gives_the_same_numbers_at_any_time_and_any_difficulty() -> None:
    first, *others = (
        kind_scenario(Exercise(difficulty=name, seed=3))  # type: ignore[arg-type]
        for name in (*DIFFICULTIES, "whole_way")
    )
    assert all(other == first for other in others)


@given(st.sampled_from(ALL), st.integers(0, LIMITS.seed))
def test_no_seed_fails(exercise: Exercise, seed: int) -> None:
    s = kind_scenario(replace(exercise, seed=seed))
    assert (s.n_q, s.d_model, s.n_heads) == (exercise.n_tokens, exercise.d_model, exercise.n_heads)


@pytest.mark.parametrize("exercise", [Exercise(), Exercise(5, 8, 2, base="2")], ids=str)
def test_the_explorer_opens_the_scenario_from_a_short_link(exercise: Exercise) -> None:
    s = kind_scenario(exercise)
    link = encode_link(s)
    assert len(link) < PAGE_LIMITS.address_chars
    assert decode_link(link) == s


@pytest.mark.parametrize(
    ("candidates", "exercise"),
    [(1, Exercise(2, 2, 1)), (4, Exercise()), (4, Exercise(base="2", mask="none"))],
    ids=str,
)
def test_few_candidates_take_more_trials_and_lead_to_kind_numbers_all_the_same(
    monkeypatch: pytest.MonkeyPatch, candidates: int, exercise: Exercise
) -> None:
    monkeypatch.setattr(kind_numbers, "CANDIDATES", candidates)
    for seed in range(9):
        trace = attend(kind_scenario(replace(exercise, seed=seed)))
        assert np.abs(trace.raw_scores).max() <= 12
        assert trace.output.any()


def test_where_no_trial_is_left_the_seed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind_numbers, "TRIALS", 0)
    refusal = NumberError(
        "The seed", "must lead to numbers that are kind to a pen", "5", "Take another seed."
    )
    check_refused(lambda: kind_scenario(Exercise(seed=5)), refusal)
