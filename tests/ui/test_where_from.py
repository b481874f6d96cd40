"""What is said of a picked cell: words, a formula, links to other cells.

Takes long: a number of every step is explained and typeset, of layers drawn by chance.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import STEPS, Scenario, attend
from mha_core.changing.changes import with_changes, with_matrix, with_scores
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import MOST_TERMS, cell_at
from mha_core.layer.influence import influence, strongest
from tests.core.layer.test_derivation import any_index, traced
from tests.core.strategies import scenarios, self_attention
from tests.draws import draws
from ui.blocks.name_and_number import signed
from ui.blocks.where_from import NOTHING, SHOWN, answer, where_from
from ui.state import Asked, Session, View


def said_of(scenario: Scenario, cell: Cell | None, *trail: Cell, decimals: int = 2) -> str:
    session = Session(scenario, View(cell=cell, decimals=decimals))
    session.asked = Asked("heads", trail)
    return where_from(session).panel


def said_in(session: Session, cell: Cell) -> str:
    """The same in a session that goes on: its layer is computed once."""
    session.pick(cell)
    return where_from(session).panel


def words(panel: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", panel).split())


def links(panel: str) -> list[tuple[str, ...]]:
    return re.findall(r'"button" data-matrix="([^"]*)" data-row="(\d+)" data-column="(\d+)"', panel)


PIZZA = load_example("pizza")
LOVE = Cell("weights", 0, 3, 1)


def test_a_weight_says_its_words_its_formula_and_its_operands() -> None:
    panel = said_of(PIZZA, LOVE, decimals=1)
    assert "A 1 [PIZZA, LOVE] = 0.2" in words(panel)
    assert "Weights: the share of each key" in panel
    assert "<mfrac>" in panel
    assert links(panel)[:2] == [("exponentials/0", "3", "1"), ("row_sums/0", "3", "0")]
    assert "E 1 [PIZZA, LOVE] 0.5 Z 1 [PIZZA] 2.5" in words(panel)


def test_only_the_symbol_of_a_number_has_subscripts() -> None:
    labels = ("my_token", "<b>")
    panel = said_of(
        with_changes(load_example("two-tokens"), tokens=labels), Cell("weights", 0, 0, 1)
    )
    assert "A<sub>1</sub>[my_token, &lt;b&gt;]" in panel


def test_a_formula_wraps_at_its_signs_of_equality() -> None:
    panel = said_of(PIZZA, LOVE)
    pieces = re.findall(r"<div>(<math.*?</math>)</div>", panel)
    assert len(pieces) == 4  # its name, the formula, the numbers, the result
    shown = [html.unescape(words(piece)) for piece in pieces]
    assert shown[0].startswith("A 1 [")
    assert [piece.startswith("=") for piece in shown] == [False, True, True, True]
    assert shown[-1] == "= 0.20"


def test_what_a_cell_goes_into_stands_by_how_much_it_moves() -> None:
    panel = said_of(PIZZA, Cell("x", None, 2, 2))
    assert "Used in (effect of adding 1) K[PEPPERONI, 1.4] −2.41" in words(panel)
    assert "Q[PEPPERONI, 1.3] +1.00" in words(panel)
    assert "Q[PEPPERONI, 1.1]" not in words(panel)  # it does not move at all


def test_the_cells_that_were_asked_for_before_are_the_way_back() -> None:
    panel = said_of(PIZZA, LOVE, Cell("output", None, 3, 0), Cell("concat", None, 3, 1))
    (way,) = re.findall(r'<nav aria-label="Asked before">(.*?)</nav>', panel)
    assert links(way) == [("output", "3", "0"), ("concat", "3", "1")]
    assert "output[PIZZA, 1] concat[PIZZA, 1.2]" in words(panel)
    assert "Asked before" not in said_of(PIZZA, LOVE)


def test_a_way_back_to_cells_that_are_gone_is_not_offered() -> None:
    gone = Cell("output", None, 9, 0)
    assert "Asked before" not in said_of(PIZZA, LOVE, Cell("output", None, 3, 0), gone)


@draws(30)
@given(scenario=scenarios(), number=st.integers(0, 2**31))
def test_every_step_of_any_scenario_can_be_typeset(scenario: Scenario, number: int) -> None:
    trace, session = traced(scenario), Session(scenario)
    for name in steps_of(scenario):
        cell = cell_at(trace, name, any_index(np.asarray(getattr(trace, name)), number))
        panel = said_in(session, cell)
        assert "<h2" in panel
        assert panel.count("data-copy=") == 3


def steps_of(scenario: Scenario) -> list[str]:
    """Those that compute something; the others hand on the number of one of these."""
    return [step.name for step in STEPS if step.computed_by(scenario) is step]


def test_what_is_hidden_says_by_what() -> None:
    panel = said_of(PIZZA, Cell("masked_scores", 0, 0, 3))
    assert "It is −∞: the mask hides the key from the query." in panel
    assert "hidden by causal" in said_of(PIZZA, Cell("mask", None, 0, 3))


def test_a_given_number_says_who_gave_it() -> None:
    random = load_example("grouped-query")
    assert "W_Q, as the preset “Random” has it." in said_of(random, Cell("w_q", None, 0, 0))
    assert "row for each token, as the input “Word vectors” has it." in said_of(
        random, Cell("x", None, 0, 0)
    )
    of_pizza = said_of(PIZZA, Cell("w_q", None, 0, 0))
    assert "W_Q, as the example “Pizza, a language model” has it." in of_pizza
    entered = with_matrix(PIZZA, "w_q", PIZZA.w_q + np.eye(8))
    changed = said_of(entered, Cell("w_q", None, 1, 1))
    assert "W_Q, as it was given; the example “Pizza, a language model” has 1." in changed
    assert "as the example" in said_of(entered, Cell("w_q", None, 1, 0))
    assert "W_Q, as it was given." in said_of(self_attention(2, 4, 1), Cell("w_q", None, 0, 0))


def test_a_given_number_leads_to_its_matrix_where_it_is_edited() -> None:
    assert "Made of" not in said_of(PIZZA, Cell("w_q", None, 1, 2))
    for step, part in (("w_q", "into"), ("x", "into"), ("w_o", "together")):
        panel = said_of(PIZZA, Cell(step, None, 1, 2))
        place = f'data-matrix="{step}" data-row="1" data-column="2"'
        assert f'<button type="button" data-edits="fold-{part}" {place}>Edit it in ' in panel
    assert "data-edits" not in said_of(PIZZA, LOVE)


def test_a_given_number_is_not_explained_twice() -> None:
    assert "It is" not in said_of(PIZZA, Cell("w_q", None, 0, 0))


def test_a_step_that_changes_nothing_hands_on_the_number_of_another() -> None:
    panel = said_of(load_example("two-tokens"), Cell("masked_scores", 0, 0, 0))
    assert "Masked scores: unchanged here. Scaled scores" in panel


def test_labels_are_text_and_no_html() -> None:
    evil = '<img src=x onerror="alert(1)">'
    scenario = replace(PIZZA, tokens=(evil, "a", "b", "c"))
    panel = said_of(scenario, Cell("weights", 0, 3, 0))
    assert "&lt;img" in panel
    assert "<img" not in panel
    assert 'onerror="' not in panel


def test_a_long_sum_has_its_first_links_and_a_fold_that_is_filled_once_it_is_opened() -> None:
    session = Session(self_attention(2, 512, 1))
    q, shown = Cell("q", None, 0, 0), 2 * MOST_TERMS
    session.pick(q)
    panel = where_from(session).panel
    made_of = links(panel.partition("Used in")[0])
    assert len(made_of) == shown + SHOWN
    assert f"{1024 - shown:,} more" in panel
    for name, rest in (("made_of", 1024 - shown), ("goes_into", 0)):
        filled = answer(session.id, q, all_of=name)
        assert filled
        assert len(links(filled["fold"])) == rest
    whole = answer(session.id, q, all_of="made_of")
    assert whole
    assert links(whole["fold"])[:SHOWN] == made_of[-SHOWN:]
    assert answer(session.id, Cell("q", None, 9, 0), all_of="made_of") is None


def test_a_short_fold_has_all_of_it_at_once() -> None:
    panel = said_of(self_attention(2, 16, 1), Cell("q", None, 0, 0))
    assert "8 more" in panel
    assert "data-all-of" not in panel
    assert "more" in words(panel.partition('class="formula"')[2].partition('class="cells"')[0])


@pytest.mark.parametrize("width", [12, 13])
def test_the_same_terms_are_left_out_of_formula_links_and_what_is_lit(width: int) -> None:
    session = Session(self_attention(2, width, 1))
    session.pick(Cell("q", None, 1, 0))
    said = where_from(session)
    made_of, fold, _ = said.panel.partition("<details>")
    assert bool(fold) == (width > MOST_TERMS)
    linked = {int(row) for matrix, row, _ in links(made_of) if matrix == "w_q"}
    assert len(linked) == MOST_TERMS
    boxes = [box for box in said.made_of if box.matrix == "w_q"]
    assert {row for b in boxes for row in range(b.row, b.last_row + 1)} == linked
    (formula,) = re.findall(r'class="formula".*?</div></div>', said.panel)
    in_numbers = re.findall(r'data-matrix="w_q" data-row="(\d+)"', formula)
    assert {int(row) for row in in_numbers} == linked


def test_one_looks_past_scores_and_other_names_on_the_way_down() -> None:
    session = Session(load_example("three-tokens"))
    (score,) = links(said_in(session, Cell("weights", 1, 0, 2)).partition("Further down")[2])[1:2]
    assert score == ("raw_scores/1", "0", "2")
    query = links(said_in(session, Cell("raw_scores", 1, 0, 2)))[0]
    assert query == ("q_heads/1", "0", "0")
    panel = said_in(session, Cell("q_heads", 1, 0, 0))
    assert "Q 2 [t1, 1] = 1.20" in words(panel)
    assert ("w_q", "0", "3") in links(panel.partition("Goes into")[0])
    assert {"q", "x", "w_q"} <= {box.matrix for box in where_from(session).made_of}


@pytest.mark.parametrize("step", ["weights", "exponentials", "masked_scores"])
def test_a_hidden_cell_says_that_the_mask_hides_it_and_leads_to_why(step: str) -> None:
    panel = said_of(PIZZA, Cell(step, 0, 0, 3))
    assert "he mask hides th" in words(panel)
    assert ("mask", "0", "3") in links(panel)
    assert "he mask hides th" not in words(said_of(PIZZA, Cell(step, 0, 3, 0)))


def test_the_letters_of_a_formula_are_explained() -> None:
    rope = with_scores(PIZZA, positions="rope", temperature=2.0)
    panel = said_of(rope, Cell("q_rotated", 0, 2, 3))
    said = "p = 2: the position of the token, counted from 0; c = 1: the pair of columns"
    assert said in words(panel)
    tempered = said_of(rope, Cell("tempered_scores", 0, 3, 0))
    assert 'T = <b data-live="2" data-option="temperature">2</b>: the temperature' in tempered
    assert 'class="letters"' not in said_of(PIZZA, LOVE)


@pytest.mark.parametrize("name", ["positions", "four-heads"])
@pytest.mark.parametrize("positions", ["rope", "sinusoidal"])
def test_no_fraction_of_a_rotation_or_a_wave_is_1_over_1(name: str, positions: str) -> None:
    session = Session(with_scores(load_example(name), positions=positions))
    step = "q_rotated" if positions == "rope" else "positions"
    rows, columns = getattr(session.trace, step).shape[-2:]
    for row, column in np.ndindex(rows, columns):
        panel = said_in(session, Cell(step, 0 if step == "q_rotated" else None, row, column))
        for over in re.findall(r"<mfrac>(.*?)</mfrac>", panel):
            assert not re.fullmatch("11|110000 0", words(over))


@pytest.mark.parametrize("cell", [None, Cell("weights", 9, 0, 0), Cell("nothing", None, 0, 0)])
def test_a_cell_that_is_not_there_says_nothing(cell: Cell | None) -> None:
    session = Session(PIZZA, View(cell=cell))
    assert where_from(session) == NOTHING


@pytest.mark.parametrize("name", ["long", "eight-tokens-512", "grouped-query", "translation"])
def test_every_step_of_a_large_layer_says_where_its_numbers_come_from(name: str) -> None:
    session = Session(load_example(name))
    for step in steps_of(session.scenario):
        index = tuple(n // 2 for n in np.shape(getattr(session.trace, step)))
        panel = said_in(session, cell_at(session.trace, step, index))
        assert "<h2" in panel
        assert panel.count("data-copy=") == 3


def test_of_a_scenario_with_two_sequences_and_an_additive_mask() -> None:
    translation = load_example("translation")
    added = np.zeros((translation.n_q, translation.n_k))
    scenario = replace(translation, mask=replace(translation.mask, additive=added))
    assert "The additive mask, as it was given." in said_of(
        scenario, Cell("mask.additive", None, 0, 0)
    )


def test_of_an_additive_mask_that_nobody_gave() -> None:
    panel = said_of(PIZZA, Cell("mask.additive", None, 1, 1))
    assert "M<sub>add</sub>[LOVE, LOVE] = <b" in panel
    assert "The additive mask: not given, so nothing is added." in panel
    assert "Used in" not in panel


def test_all_of_a_number_of_a_head_stands_below() -> None:
    sixteen = self_attention(2, 16, 16)
    assert "A<sub>12</sub>[t1, t1] = <b" in said_of(sixteen, Cell("weights", 11, 0, 0))


def test_it_names_the_number_of_x_that_moves_it_most() -> None:
    panel = said_of(PIZZA, Cell("output", None, 3, 2))
    of, slope = strongest(influence(attend(PIZZA), Cell("output", None, 3, 2))) or (None, 0)
    assert of
    assert "Most sensitive to" in panel
    label = (PIZZA.tokens[of.row], of.column + 1)
    assert f"X[{label[0]}, {label[1]}] {slope:+.2f}".replace("-", "−") in words(panel)


@pytest.mark.parametrize(
    ("slope", "shown"),
    [
        (0.00314, "+0.0031"),
        (-0.00314, "−0.0031"),
        (3e-12, "+3.0e−12"),
        (0.0, "+0.00"),
        (2, "+2.00"),
    ],
)
def test_a_little_is_not_written_as_nothing(slope: float, shown: str) -> None:
    assert signed(slope, 2) == shown


def test_where_a_number_hardly_moves_it_says_how_little() -> None:
    panel = said_of(load_example("saturated"), Cell("weights", 1, 3, 1))
    slopes = re.findall(r"[+−]([0-9.]+)(?:e−\d+)?</b>", panel)
    assert slopes
    assert all(float(slope) for slope in slopes)


def test_what_no_number_of_x_moves_says_nothing_of_it() -> None:
    for cell in (Cell("masked_scores", 0, 0, 3), Cell("w_q", None, 0, 0), Cell("x", None, 0, 0)):
        assert "Most sensitive" not in said_of(PIZZA, cell)


def test_a_visitor_is_answered_and_nobody_else() -> None:
    session = Session(PIZZA, View(decimals=1))
    said = answer(session.id, LOVE)
    assert said
    assert "A 1 [PIZZA, LOVE] = 0.2" in words(said["panel"])
    session.pick(LOVE)
    assert where_from(session)._asdict() == said
    assert answer(session.id, Cell("weights", 0, 99, 0)) is None
    assert answer("nobody", LOVE) is None
    gone = session.id
    del session
    assert answer(gone, LOVE) is None


LOST = replace(load_example("saturated"), scores=replace(PIZZA.scores, softmax="naive"))


def test_an_exponential_that_overflowed_says_so_and_what_it_moves_with_is_refused() -> None:
    said = words(said_of(LOST, Cell("exponentials", 1, 0, 0)))
    assert "= ∞ " in said
    assert "exp(727.15) is beyond float64, which ends at 1.8e+308: ∞." in said
    assert "Take the stable softmax" in said


def test_a_weight_that_is_no_number_says_of_what() -> None:
    panel = said_of(LOST, Cell("weights", 1, 0, 0))
    assert "∞ ÷ ∞ is not a number." in words(panel)
    assert "NaN" in words(panel)
    assert "+NaN" not in panel
    assert "nan" not in panel.replace("equal_nan=True", "")
    assert "beyond" not in words(said_of(LOST, Cell("exponentials", 0, 0, 0)))
