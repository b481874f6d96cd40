"""A sheet as data: what is given and what is blank, in the order of the page."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.layer.trace import STEPS
from mha_core.worksheets.exercise import DIFFICULTIES, Exercise
from mha_core.worksheets.on_paper import MINUS
from mha_core.worksheets.sheet import Worksheet, make_exercise
from tests.core.worksheets.all_exercises import ALL, class_set, number

ONE_HEAD = Exercise(n_tokens=2, d_model=2, n_heads=1)


def names(sheet: Worksheet) -> list[str]:
    """All pieces: a star marks those that are filled in."""
    return [piece.name + "*" * (not piece.is_given) for piece in sheet.pieces]


@pytest.mark.parametrize(
    ("difficulty", "pieces"),
    [
        (
            "scores_given",
            "raw_scores/0 scaled_scores/0* masked_scores/0* weights/0* v_heads/0 head_outputs/0*",
        ),
        (
            "queries_given",
            "q_heads/0 k_heads/0 raw_scores/0* scaled_scores/0* masked_scores/0* weights/0* "
            "v_heads/0 head_outputs/0*",
        ),
        (
            "whole_way",
            "x w_q/0 q_heads/0* w_k/0 k_heads/0* w_v/0 v_heads/0* raw_scores/0* scaled_scores/0* "
            "masked_scores/0* weights/0* head_outputs/0* concat* w_o output*",
        ),
    ],
)
def test_the_difficulty_says_where_a_person_begins_and_ends(difficulty: Any, pieces: str) -> None:
    sheet = make_exercise(replace(ONE_HEAD, difficulty=difficulty))
    assert names(sheet) == pieces.split()


def test_the_parts_of_several_heads_follow_each_other() -> None:
    sheet = make_exercise(Exercise(n_heads=2, difficulty="scores_given"))
    assert [piece.head for piece in sheet.pieces] == [0] * 6 + [1] * 6
    assert [section.title for section in sheet.sections] == ["Head 1", "Head 2"]


def test_the_blanks_stand_in_the_order_of_the_lesson() -> None:
    order = [step.name for step in STEPS]
    sheet = make_exercise(Exercise(n_heads=1))
    places = [order.index(cell.step) for cell in sheet.blanks]
    assert places == sorted(places)


def test_steps_that_change_nothing_are_left_out() -> None:
    plain = make_exercise(replace(ONE_HEAD, mask="none", scale="none", difficulty="scores_given"))
    assert names(plain) == ["raw_scores/0", "weights/0*", "v_heads/0", "head_outputs/0*"]
    root_of_1 = make_exercise(Exercise(n_heads=4, scale="1/sqrt(d_k)"))
    assert not any(piece.step == "scaled_scores" for piece in root_of_1.pieces)


def test_an_example_in_the_first_row_leaves_the_other_rows_blank() -> None:
    whole = make_exercise(Exercise(n_tokens=3, seed=2))
    helped = make_exercise(Exercise(n_tokens=3, seed=2, difficulty="first_row_given"))
    assert [cell for cell in whole.blanks if cell.row > 0] == list(helped.blanks)
    assert len(helped.blanks) * 3 == len(whole.blanks) * 2
    assert [piece.texts for piece in whole.pieces] == [piece.texts for piece in helped.pieces]


@given(st.sampled_from(ALL), st.sampled_from(list(DIFFICULTIES)))
def test_each_blank_has_an_answer_and_each_product_its_factors(
    exercise: Exercise, difficulty: Any
) -> None:
    sheet = make_exercise(replace(exercise, difficulty=difficulty))
    assert len(set(sheet.blanks)) == len(sheet.blanks) > 0
    for cell in sheet.blanks:
        assert sheet.answer(cell)
        piece = sheet.piece_of(cell)
        assert cell in piece.cells
        assert piece.instruction.endswith(".")
        assert piece.formula
        key, exact = piece.key[cell.row, cell.column], number(sheet.trace, cell)
        assert key == exact or abs(key - exact) <= 0.05
        assert (sheet.answer(cell) == f"{MINUS}∞") == (key == -np.inf)
    for section in sheet.sections:
        for piece in section.pieces:
            assert piece.key.shape == piece.blanks.shape == piece.matrix.values.shape
            if piece.upper:
                upper, left = section.named(piece.upper), section.named(piece.left)
                assert left.columns.labels == upper.rows.labels
                assert left.rows.labels == piece.rows.labels
                assert upper.columns.labels == piece.columns.labels


def test_keys_stand_on_their_side_above_the_scores() -> None:
    sheet = make_exercise(Exercise(difficulty="queries_given"))
    keys = sheet.sections[1].named("k_heads/1")
    assert keys.latex == r"K_2^\top"
    assert (keys.rows.kind, keys.columns.kind) == ("d_k", "key")
    assert sheet.sections[1].named("q_heads/1").latex == "Q_2"


def test_projections_have_the_number_of_their_head() -> None:
    sheet = make_exercise(Exercise())
    assert sheet.sections[0].named("w_q/1").latex == "W_{Q,2}"
    assert sheet.sections[-1].named("w_o").latex == "W_O"


@pytest.mark.parametrize(
    ("settings", "formulas"),
    [
        (
            {"scale": "1/2", "mask": "causal"},
            {
                "q_heads/1": "Q_2 = X W_{Q,2}",
                "raw_scores/1": r"Q_2 K_{2}^\top",
                "scaled_scores/1": r"S_2 = Q_2 K_{2}^\top / 2",
                "masked_scores/1": r"S_2^M = S_2 \text{ where } M, \text{ else } {-\infty}",
                "weights/1": r"A_2 = e^{S_2^M} / \sum_k e^{S_2^M}",
                "head_outputs/1": r"\mathrm{head}_2 = A_2 V_{2}",
                "concat": r"\mathrm{concat} = \mathrm{Concat}_i(\mathrm{head}_i)",
                "output": r"\mathrm{output} = \mathrm{concat} \, W_O",
            },
        ),
        (
            {"d_model": 8, "scale": "1/sqrt(d_k)", "mask": "none", "base": "2"},
            {
                "scaled_scores/0": r"S_1 = Q_1 K_{1}^\top / \sqrt{d_k}",
                "weights/0": r"A_1 = 2^{S_1} / \sum_k 2^{S_1}",
            },
        ),
        (
            {"scale": "none", "mask": "none"},
            {"weights/0": r"A_1 = e^{Q_1 K_{1}^\top} / \sum_k e^{Q_1 K_{1}^\top}"},
        ),
        (
            {"n_heads": 4, "scale": "1/sqrt(d_k)"},
            {
                "masked_scores/3": r"S_4^M = Q_4 K_{4}^\top \text{ where } M, "
                r"\text{ else } {-\infty}",
                "weights/3": r"A_4 = e^{S_4^M} / \sum_k e^{S_4^M}",
            },
        ),
    ],
)
def test_formulas_have_only_what_is_in_use(
    settings: dict[str, Any], formulas: dict[str, str]
) -> None:
    sheet = make_exercise(Exercise(**settings))
    found = {piece.name: piece.formula for piece in sheet.pieces}
    assert {name: found[name] for name in formulas} == formulas


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"scale": "1/2"},
            "The scores are halved, so that they stay whole. A layer divides them by √d_k = √2.",
        ),
        (
            {"n_heads": 4, "scale": "1/2"},
            "The scores are halved, so that there is something to divide. "
            "A layer divides them by √d_k = √1 = 1.",
        ),
        ({"n_heads": 1, "scale": "1/2"}, "The scores are divided by √d_k = √4 = 2."),
        (
            {"d_model": 6, "scale": "none"},
            "The scores are not scaled here. A layer divides them by √d_k = √3.",
        ),
        ({"d_model": 8, "scale": "1/sqrt(d_k)"}, "The scores are divided by √d_k = √4 = 2."),
        ({"n_heads": 4, "scale": "1/sqrt(d_k)"}, "The scores are divided by √d_k = √1 = 1."),
        ({"mask": "none"}, "There is no mask: each token sees all tokens."),
        ({"mask": "causal"}, "The mask is causal: a token sees itself and the tokens before it."),
        ({"mask": "padding"}, "The mask hides t3, which only fills up: no token sees it."),
        ({"base": "2"}, "The softmax has base 2 here, not e: 2 to the power of each score."),
        ({"base": "2"}, "A fraction, as 2/3, or two decimals are both right."),
        ({"base": "e"}, "Use the table for eˢ."),
    ],
)
def test_the_notes_say_what_one_has_to_know(settings: dict[str, Any], sentence: str) -> None:
    assert sentence in make_exercise(Exercise(**settings)).notes


def test_a_number_is_worth_as_much_as_it_takes_to_compute() -> None:
    sheet = make_exercise(Exercise(n_tokens=5, d_model=6, n_heads=3))
    worth = {piece.step: piece.points for piece in sheet.pieces if piece.points}
    assert worth == {
        **dict.fromkeys(("q_heads", "k_heads", "v_heads", "output"), 6),  # products of width 6
        "raw_scores": 2,
        **dict.fromkeys(("scaled_scores", "masked_scores", "concat"), 1),
        "weights": 2,
        "head_outputs": 5,
    }
    counted = sum(piece.points * int(piece.blanks.sum()) for piece in sheet.pieces)
    assert sheet.points == counted == 1350
    for piece in sheet.pieces:
        said = {0: "", 1: "1 point each."}.get(piece.points, f"{piece.points} points each.")
        assert piece.instruction.endswith(said)


def test_the_table_holds_every_power_that_is_needed() -> None:
    for base, powers in (("e", "1 0.368 0.135 0.050"), ("2", "1 1/2 1/4 1/8")):
        sheet = make_exercise(Exercise(base=base))  # type: ignore[arg-type]
        assert [power for _, power in sheet.table] == powers.split()
        assert [step for step, _ in sheet.table] == ["0", "−1", "−2", "−3"]


def test_the_title_counts_tokens_and_heads() -> None:
    assert make_exercise(Exercise()).title == "Attention by hand: 3 tokens, 2 heads"
    assert make_exercise(ONE_HEAD).title == "Attention by hand: 2 tokens, 1 head"


def test_only_weights_ask_for_room_to_work() -> None:
    sheet = make_exercise(Exercise(n_tokens=3))
    assert {piece.step: piece.working for piece in sheet.pieces if piece.working} == {"weights": 3}


def test_numbers_of_a_sheet_cannot_be_changed() -> None:
    piece = make_exercise(Exercise()).piece_of(make_exercise(Exercise()).blanks[0])
    for array in (piece.key, piece.blanks):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_each_seed_has_a_sheet_of_its_own() -> None:
    sheets = class_set(Exercise(seed=3), 4)
    assert [sheet.exercise.seed for sheet in sheets] == [3, 4, 5, 6]
    assert len({tuple(piece.texts for piece in sheet.pieces) for sheet in sheets}) == 4


def test_a_class_set_of_thirty_takes_little_time() -> None:
    started = time.process_time()
    class_set(Exercise(), 30)
    assert time.process_time() - started < 5


def test_what_is_given_is_shown_as_it_is() -> None:
    sheet = make_exercise(Exercise(seed=1))
    x = sheet.sections[0].named("x")
    assert [[float(text) for text in row] for row in x.texts] == sheet.scenario.x.tolist()
    assert not x.cells
    assert np.array_equal(x.key, sheet.scenario.x)
