"""Where every number comes from, and where it goes.

Takes long: each law takes fifty random layers, and examples are followed down to their inputs.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mha_core import STEPS, Mask, Rule, Trace, attend
from mha_core.changing.changes import with_scores
from mha_core.checks.errors import MhaError, ShapeError
from mha_core.checks.shapes import Dims
from mha_core.examples import EXAMPLES, load_example
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import (
    Derivation,
    cell_at,
    derive,
    derive_cell,
    explain,
    feeds,
    feeds_cell,
    further_down,
    handed_on_by,
    index_in,
    readers,
    used_in,
)
from mha_core.layer.expressions import Operand, Sum
from mha_core.layer.naming import dims_of, name_of
from mha_core.layer.steps import Step
from mha_core.layer.where import ADDITIVE, array_of
from mha_core.layer.written import written
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenarios, self_attention, with_larger_epsilons
from tests.draws import draws

# A library sums these, in its own order; or a factor is rounded before it multiplies.
BY_A_LIBRARY = {
    "q",
    "k",
    "v",
    "q_centered",
    "k_centered",
    "q_normed",
    "k_normed",
    "v_normed",
    "grown_scores",
    "raw_scores",
    "relative_scores",
    "head_outputs",
    "f",
    "g",
    "heads_centered",
    "heads_normed",
    "contributions",
    "output",
}
NUMBERS = st.integers(0, 2**31)


@cache
def example(name: str) -> Trace:
    """The trace of an example, computed once for all tests: a trace is frozen."""
    return attend(load_example(name))


def traced(scenario: Scenario) -> Trace:
    """A trace whose numbers can be asked for; its scores are computed step by step."""
    trace = attend(scenario)
    try:
        assert trace.raw_scores is not None
        assert trace.output is not None
        assert trace.weights is not None
    except MhaError:
        assume(False)
    return trace


def any_index(array: Any, number: int) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(number % array.size, array.shape))


def arrays_of(trace: Trace) -> dict[str, Any]:
    """All arrays under the names that Python's notation has for them."""
    names = [step.name for step in STEPS]
    names += [name for name in GIVEN if getattr(trace.scenario, name) is not None]
    arrays = {name: np.array(array_of(trace, name)) for name in names}
    if (added := trace.scenario.mask.added()) is not None:
        arrays["additive"] = np.array(added)
    return arrays


def all_arrays(trace: Trace) -> list[str]:
    """The names of the steps, and of what was given."""
    given_names = [name for name in (*GIVEN, ADDITIVE) if array_of(trace, name) is not None]
    return list(dict.fromkeys((*[step.name for step in STEPS], *given_names)))


def computed_by_python(derivation: Derivation, arrays: dict[str, Any]) -> Any:
    _, formula = derivation.sides("python")
    with np.errstate(all="ignore"):
        return eval(formula, {"np": np, **arrays})  # noqa: S307 - what the core has written


def size_of(derivation: Derivation) -> float:
    """The size to measure rounding against: that of the terms, not of their sum."""
    expression = derivation.expression
    terms = expression.terms if isinstance(expression, Sum) else (expression,)
    return sum(abs(float(term.value)) for term in terms)


@given(scenario=scenarios(), number=NUMBERS)
def test_every_number_is_the_one_that_its_operands_give(scenario: Scenario, number: int) -> None:
    trace = traced(scenario)
    for step in STEPS:
        array = getattr(trace, step.name)
        index = any_index(array, number)
        with np.errstate(all="ignore"):
            found = derive(trace, step.name, index)
            replayed = found.replayed
        operand = found.expression if isinstance(found.expression, Operand) else None
        assert handed_on_by(trace, found.cell) == (operand and operand.cell)
        assert found.value == array[index]
        if found.cell.step in BY_A_LIBRARY:
            near = 1e-12 if scenario.dtype == np.float64 else 1e-5
            off = abs(float(replayed) - float(found.value))
            assert off <= near * max(1, size_of(found)), step.name
        else:
            assert replayed == found.value, step.name


@given(scenario=scenarios(), number=NUMBERS)
def test_the_formula_in_python_computes_the_number(scenario: Scenario, number: int) -> None:
    assume(scenario.dtype == np.float64)
    trace = traced(scenario)
    arrays = arrays_of(trace)
    for step in STEPS:
        found = derive(trace, step.name, any_index(getattr(trace, step.name), number))
        value = float(found.value)
        again = float(computed_by_python(found, arrays))
        assert again == value or abs(again - value) <= 1e-12 * max(1, size_of(found))


@given(scenario=scenarios(), number=NUMBERS)
def test_the_copied_python_is_true(scenario: Scenario, number: int) -> None:
    trace = traced(scenario)
    arrays = {"np": np, **arrays_of(trace), "additive": array_of(trace, ADDITIVE)}
    for name in all_arrays(trace):
        array = array_of(trace, name)
        text = derive(trace, name, any_index(array, number)).write("python")
        with np.errstate(all="ignore"):
            assert eval(text, arrays), text  # noqa: S307 - what the core has written


def test_the_copied_python_allows_for_rounding_where_the_order_is_not_the_cores() -> None:
    trace = example("pizza")
    asked = {"weights": (0, 3, 1), "exponentials": (0, 3, 1), "k": (1, 0), "mask": (0, 3)}
    texts = {step: derive(trace, step, index).write("python") for step, index in asked.items()}
    assert texts["weights"] == "weights[0, 3, 1] == exponentials[0, 3, 1] / row_sums[0, 3, 0]"
    assert texts["exponentials"] == (
        "np.isclose(exponentials[0, 3, 1], np.exp(masked_scores[0, 3, 1] - row_max[0, 3, 0]))"
        "  # import numpy as np"
    )
    assert texts["k"].startswith("np.isclose(k[1, 0], x[1, 0] * w_k[0, 0] + x[1, 1] * w_k[1, 0]")
    assert texts["mask"] == "mask[0, 3] == False"


def test_the_copied_python_says_what_it_allows_where_large_terms_cancel() -> None:
    x = np.array([[1e10, 1e10, 1.0]])
    scenario = self_attention(1, 3, 1, x=x, w_q=np.array([[1.0, 0, 0], [-1, 0, 0], [0.1, 0, 0]]))
    assert ", atol=1e-4)" in derive(attend(scenario), "q", (0, 0)).write("python")


@given(scenario=scenarios(), number=NUMBERS)
def test_a_cell_feeds_the_cells_that_it_is_an_operand_of(scenario: Scenario, number: int) -> None:
    trace = traced(scenario)

    @cache  # steps that change nothing have the same cells, and cells of a row the same operands
    def made(cell: Cell) -> Derivation:
        return derive(trace, cell.step, index_in(trace, cell))

    @cache
    def read_by(cell: Cell) -> list[Cell]:
        return [*readers(trace, cell)]

    for name in all_arrays(trace):
        if name == ADDITIVE:  # where it is -inf, it hides: nothing is added
            continue
        cell = derive(trace, name, any_index(array_of(trace, name), number)).cell
        for operand in made(cell).operands:
            assert cell in read_by(operand.cell)
        for fed, slope in feeds(trace, cell.step, index_in(trace, cell)):
            is_cut_off = fed.step in ("masked_scores", "weights", "row_max", "blind_queries")
            assert is_cut_off or cell in [each.cell for each in made(fed).operands]
            with np.errstate(all="ignore"):
                expected = float(made(fed).expression.slope(cell))
            assert slope == pytest.approx(expected, rel=1e-5, nan_ok=True)


@given(scenario=scenarios(), number=NUMBERS)
def test_slopes_are_those_of_finite_differences(scenario: Scenario, number: int) -> None:
    assume(scenario.dtype == np.float64)
    trace = traced(replace(scenario, scores=with_larger_epsilons(scenario.scores)))
    arrays = arrays_of(trace)
    for step in STEPS:
        if step.name in ("mask", "blind_queries", "row_max"):
            continue  # truth values, and a largest number that may have an equal one
        found = derive(trace, step.name, any_index(getattr(trace, step.name), number))
        for operand in found.operands[:3]:
            if not np.isfinite(operand.value) or operand.cell.step == "mask":
                continue
            if step.name == "heads_bent" and operand.value == 0:
                continue  # there ReLU has a corner, as where a head is off
            name = operand.cell.step
            array = arrays["additive" if name == ADDITIVE else name]
            index, ends = index_in(trace, operand.cell), []
            for way in (1e-6, -1e-6):
                array[index] = operand.value + way
                ends.append(float(computed_by_python(found, arrays)))
            array[index] = operand.value
            slope = float(found.expression.slope(operand.cell))
            expected = (ends[0] - ends[1]) / 2e-6
            assert abs(slope - expected) <= 1e-4 * max(1, abs(slope), size_of(found))


# Wide layers have longer sums of the same terms, and take much longer.
NARROW = [name for name in EXAMPLES if load_example(name).d_model <= 64]


@pytest.mark.parametrize("name", NARROW)
@given(choices=st.lists(NUMBERS, min_size=40, max_size=40))
@draws(20)
def test_one_can_go_on_asking_down_to_what_was_given(name: str, choices: list[int]) -> None:
    trace = example(name)
    cell = cell_at(trace, "output", any_index(trace.output, choices[0]))
    for choice in choices:
        operands = derive(trace, cell.step, index_in(trace, cell)).operands
        if not operands:
            break
        cell = operands[choice % len(operands)].cell
    if cell.step == "weights":  # of a query that sees nothing: its weights are made of nothing
        assert trace.blind_queries[cell.row]
        return
    assert cell.step in (*GIVEN, ADDITIVE, "mask", "positions", "context_positions")


@pytest.mark.parametrize("notation", ["text", "latex", "python"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_step_of_every_example_can_be_written(name: str, notation: str) -> None:
    trace = example(name)
    for step in STEPS:
        array = getattr(trace, step.name)
        found = derive(trace, step.name, any_index(array, array.size // 2))
        text = found.write(notation)
        assert text.removeprefix("np.isclose(").startswith(name_of(trace, found.cell, notation))
        assert text.count("{") == text.count("}")
        assert "nan" not in text


def test_the_words_of_a_sum_a_share_and_an_exponential() -> None:
    trace = example("pizza")
    asked = {"concat": (0, 1), "weights": (0, 3, 1), "exponentials": (1, 2, 0), "x": (1, 1)}
    assert [derive(trace, step, index).write("text") for step, index in asked.items()] == [
        "concat[I, 1.2] = head_1[I, 2] = 0.00",
        "A_1[PIZZA, LOVE] = E_1[PIZZA, LOVE] / Z_1[PIZZA] = 0.50 / 2.50 = 0.20",
        "E_2[PEPPERONI, I] = exp(S_2^M[PEPPERONI, I] − m_2[PEPPERONI]) = exp(0.22 − 0.22) = 1.00",
        "X[LOVE, 2] = 1.00",
    ]


def test_a_long_sum_has_its_largest_terms_and_the_rest_as_one_number() -> None:
    trace = attend(self_attention(2, 8, 1))
    found = derive(trace, "q", (1, 2))
    sizes = sorted((abs(float(term.value)) for term in found.expression.terms), reverse=True)  # type: ignore[attr-defined] # a sum
    shown, rest = found.expression.shortened(3)  # type: ignore[attr-defined] # a sum
    assert sorted((abs(float(term.value)) for term in shown.terms), reverse=True) == sizes[:3]
    of_all = shown.value + sum(float(term.value) for term in rest)
    assert of_all == pytest.approx(float(found.value))
    assert "(5 more)" in found.write("text", most_terms=3)
    assert r"}_{\text{5 more}}" in found.write("latex", most_terms=3)
    assert "more" not in found.write("text", most_terms=8)
    assert found.write("text", most_terms=8).count("X[t2, ") == 8


def test_constants_are_written_so_that_one_can_compute_with_them() -> None:
    two, hand = example("two-tokens"), example("pizza")
    scaled = derive(two, "scaled_scores", (0, 0, 0))
    assert scaled.write("text") == "S_1[t1, t1] = (Q_1 K_1^T)[t1, t1]·1/√d_k = 4.00·0.7071 = 2.83"
    assert r"\cdot \frac{1}{\sqrt{d_k}} = 4.00 \cdot 0.7071 = 2.83" in scaled.write("latex")
    assert scaled.arithmetic(decimals=6) == "4.000000·0.707107 = 2.828427"
    halved = attend(with_scores(hand.scenario, scale=0.125, temperature=8.0, softcap=2.5))
    by_hand = derive(halved, "scaled_scores", (0, 3, 1))
    assert "[PIZZA, LOVE]·0.125 = (−3.22)·0.125 = −0.40" in by_hand.write("text")
    assert derive(halved, "tempered_scores", (0, 3, 1)).arithmetic().endswith(" / 8 = −0.05")
    assert "·2.5 = " in derive(halved, "capped_scores", (0, 3, 1)).arithmetic()


@pytest.mark.parametrize("notation", ["text", "latex"])
def test_negative_terms_of_a_sum_stand_in_brackets(notation: str) -> None:
    x = np.array([[-0.5, 1.0]])
    positive = np.array([[1.0, 0], [0, 1]])
    trace = attend(self_attention(1, 2, 1, x=x, w_q=positive, b_q=np.array([-0.25, 0.5])))
    with_numbers = derive(trace, "q", (0, 0)).sides(notation)[2]
    assert with_numbers.replace("−", "-").endswith(" + (-0.25)")
    assert with_numbers.replace("−", "-").startswith("(-0.50)")
    mask = Mask(additive=np.array([[-0.008]]))
    added = derive(attend(self_attention(1, 2, 1, mask=mask)), "biased_scores", (0, 0, 0))
    assert added.sides(notation, decimals=3)[2].replace("−", "-").endswith(" + (-0.008)")


def test_a_negative_rest_of_a_sum_stands_in_brackets() -> None:
    x = np.array([[3.0, 2.0, -0.5, -0.25]])
    found = derive(attend(self_attention(1, 4, 1, x=x, w_q=np.ones((4, 4)))), "q", (0, 0))
    assert found.arithmetic(most_terms=2) == "3.00·1.00 + 2.00·1.00 + (−0.75) (2 more) = 4.25"
    assert r" + \underbrace{(-0.75)}_" in found.write("latex", most_terms=2)


def test_a_sum_of_one_number_says_it_once() -> None:
    mask = Mask(additive=np.array([[0.057, 0], [0, 0]]))
    found = derive(attend(self_attention(2, 2, 1, mask=mask)), "bias", (0, 0, 0))
    assert found.write("text", decimals=3) == "B_1[t1, t1] = M_add[t1, t1] = 0.057"
    assert found.arithmetic(decimals=3) == "0.057"


def test_the_rest_of_a_sum_has_the_decimals_of_the_page() -> None:
    q = derive(attend(self_attention(2, 8, 1)), "q", (0, 0))
    rest = re.findall(r"(\S+) \(5 more\)", q.write("text", decimals=1, most_terms=3))[-1]
    assert re.fullmatch(r"\(−\d+\.\d\)|\d+\.\d", rest)


def test_the_arithmetic_has_the_numbers_alone() -> None:
    trace = example("pizza")
    hidden = derive(trace, "masked_scores", (0, 0, 3))
    assert hidden.arithmetic() == "−∞ (the mask hides the key from the query)"
    assert derive(trace, "x", (0, 0)).arithmetic() == "1.00"
    assert derive(trace, "q_heads", (0, 0, 0)).arithmetic() == "1.00"
    assert derive(trace, "row_max", (0, 0, 0)).arithmetic(decimals=1, most_terms=4).count(",") == 3
    largest = derive(trace, "row_max", (0, 3, 0)).arithmetic(decimals=1, most_terms=2)
    assert largest == "max(−0.9, −1.2, … (2 more)) = −0.9"
    scores = derive(trace, "raw_scores", (0, 0, 0))
    assert scores.write("text").endswith(f" = {scores.arithmetic()}")


def test_what_is_hidden_off_or_blind_says_why() -> None:
    rules = (Rule("causal"), Rule("padding", {"hidden": [0]}))
    scenario = self_attention(3, 4, 2, mask=Mask(rules), heads_off={1})
    trace = attend(scenario)
    because = {
        ("mask", (0, 2)): "hidden by causal",
        ("mask", (2, 1)): "no part of the mask hides it",
        ("masked_scores", (0, 0, 2)): "the mask hides the key from the query",
        ("weights", (0, 0, 1)): "the mask hides every key from this query",
        ("row_max", (0, 0, 0)): "the mask hides every key from this query",
        ("blind_queries", (0,)): "the mask hides every key from it",
        ("blind_queries", (1,)): "it sees a key",
        ("head_outputs", (1, 2, 0)): "the head is switched off",
        ("bias", (0, 0, 0)): "nothing is added",
        ("positions", (0, 0)): "no sinusoids are chosen",
        ("x", (0, 0)): "it was given",
    }
    assert {key: derive(trace, *key).because for key in because} == because
    assert derive(trace, "masked_scores", (0, 0, 2)).write("text").endswith("= −∞")
    assert derive(trace, "weights", (0, 1, 1)).because == ""


def test_an_additive_mask_that_nobody_gave_adds_nothing() -> None:
    found = derive(example("pizza"), ADDITIVE, (1, 2))
    assert found.because == "nothing is added"
    assert found.write("text") == "M_add[LOVE, PEPPERONI] = 0.00"
    assert not list(feeds(found.trace, ADDITIVE, (1, 2)))


def test_every_part_of_a_mask_that_hides_a_key_is_named() -> None:
    custom = np.array([[True, False], [True, True]])
    additive = np.array([[0.0, -np.inf], [0.0, 1.0]])
    mask = Mask((Rule("causal"),), custom, additive)
    trace = attend(self_attention(2, 4, 1, mask=mask))
    by = "hidden by causal and the drawn mask and -inf in the additive mask"
    assert derive(trace, "mask", (0, 1)).because == by


def test_labels_are_safe_in_latex() -> None:
    scenario = self_attention(3, 2, 1, tokens=("100%", "a_b", "\\~^"))
    trace = attend(scenario)
    names = [name_of(trace, Cell("x", None, row, 0), "latex") for row in range(3)]
    assert names == [
        r"X[\text{100\%}, \text{1}]",
        r"X[\text{a\_b}, \text{1}]",
        r"X[\text{\textbackslash{}\textasciitilde{}\textasciicircum{}}, \text{1}]",
    ]


def test_numbers_are_written_with_their_decimals() -> None:
    numbers = (True, -1.25, -0.001, np.inf, -np.inf)
    assert [written(each, 1, "text") for each in numbers] == ["1", "−1.2", "0.0", "∞", "−∞"]
    assert [written(each, 2, "latex") for each in numbers[1:]] == [
        *("-1.25", "0.00"),
        *(r"\infty", r"-\infty"),
    ]


def test_rotations_and_waves_name_their_angle() -> None:
    turned = attend(self_attention(2, 4, 1, scores=ScoreOptions(positions="rope")))
    assert "cos(p / 10000^(2c/d_k))" in derive(turned, "q_rotated", (0, 1, 2)).write("text")
    waves = attend(self_attention(2, 4, 1, scores=ScoreOptions(positions="sinusoidal")))
    assert derive(waves, "positions", (1, 3)).write("text").endswith("cos(1 / 10000^0.5) = 1.00")


@pytest.mark.parametrize(
    ("positions", "step"), [("rope", "q_rotated"), ("sinusoidal", "positions")]
)
def test_the_first_pair_turns_by_the_position_itself(positions: str, step: str) -> None:
    trace = attend(self_attention(2, 4, 1, scores=ScoreOptions(positions=positions)))
    for column in (0, 1):
        cell = Cell(step, 0 if step == "q_rotated" else None, 1, column)
        text = derive_cell(trace, cell).write("text")
        assert "(p)" in text
        assert "/" not in text


def test_the_letters_of_a_formula_are_explained_with_their_numbers() -> None:
    def letters(step: str, index: tuple[int, ...], **chosen: Any) -> dict[str, tuple[float, str]]:
        scores = ScoreOptions(query_start=3, **chosen)
        trace = attend(self_attention(2, 4, 2, scores=scores))
        found = derive(trace, step, index)
        return {each.text: (float(each.number), each.given_as) for each in found.letters}

    assert letters("q_rotated", (1, 1, 0), positions="rope") == {"p": (4, "")}
    assert letters("positions", (1, 3), positions="sinusoidal") == {
        "p": (4, ""),
        "c": (1, ""),
        "d_model": (4, ""),
    }
    slope = letters("bias", (1, 0, 1), positions="alibi")
    assert (slope["p_q"], slope["p_k"]) == ((3, ""), (4, ""))
    assert letters("scaled_scores", (0, 0, 0)) == {"d_k": (2, "")}
    assert letters("capped_scores", (0, 0, 0), softcap=5.0) == {"c": (5, "softcap")}
    assert letters("tempered_scores", (0, 0, 0), temperature=2.0) == {"T": (2, "temperature")}


def test_a_place_is_told_by_its_number_on_the_axis_of_the_pair() -> None:
    """Six pairs, two for each axis: rows, columns, then time."""
    places = ((0.0, 0.0, 0.0), (1.0, 2.5, -3.0))
    scores = ScoreOptions(positions="rope", rope_places=places, rope_axes=(0, 1, 1, 2, 0, 2))
    trace = attend(self_attention(2, 12, 1, scores=scores))
    told = {}
    for pair in range(6):
        found = derive(trace, "q_rotated", (0, 1, 2 * pair))
        told[pair] = {each.text: float(each.number) for each in found.letters}
        assert found.replayed == pytest.approx(trace.q_rotated[0, 1, 2 * pair])
    assert told == {
        0: {"p_0": 1},
        1: {"p_1": 2.5},
        2: {"p_1": 2.5, "c": 1, "r": 4},
        3: {"p_2": -3},
        4: {"p_0": 1, "c": 1, "r": 4},
        5: {"p_2": -3, "c": 1, "r": 4},
    }
    found = derive(trace, "q_rotated", (0, 1, 4))
    assert "cos(p_1 / 10000^(2c/r))" in found.write("text")
    assert "the token's place on axis 1, counted from 0" in {each.words for each in found.letters}


def test_one_axis_has_no_number() -> None:
    scores = ScoreOptions(positions="rope", rope_places=((0.0,), (7.0,)), rope_frequencies=(-0.5,))
    found = derive(attend(self_attention(2, 2, 1, scores=scores)), "k_rotated", (0, 1, 0))
    assert "cos(p·f_c)" in found.write("text")
    assert "cos(7·(−0.5))" in found.write("text", decimals=1)
    assert {each.text: each.number for each in found.letters} == {"p": 7, "f_c": -0.5, "c": 0}


def test_a_column_of_crossed_pairs_has_the_angle_of_another_pair() -> None:
    scores = ScoreOptions(positions="rope", rope_pairs="crossed")
    trace = attend(self_attention(3, 4, 1, scores=scores))
    for column, pair in enumerate((0, 1, 0, 1)):
        found = derive(trace, "q_rotated", (0, 2, column))
        told = {each.text: each.number for each in found.letters}
        assert told.get("c", 0) == pair
        assert found.replayed == pytest.approx(trace.q_rotated[0, 2, column])
        assert {each.cell.column for each in found.operands} == {column - column % 2, column | 1}
    assert "the pair whose angle the column has, counted from 0" in {
        each.words for each in found.letters
    }


@given(scenario=scenarios(), number=NUMBERS)
def test_each_letter_of_a_formula_is_explained(scenario: Scenario, number: int) -> None:
    """What names no cell is a letter or a number: p, c, d_k, d_model, T, a_i, p_q, p_k."""
    trace = traced(scenario)
    for step in STEPS:
        found = derive(trace, step.name, any_index(getattr(trace, step.name), number))
        sides = found.sides("text")[1:-1]
        if sides and not found.because:
            formula = re.sub(r"[\w'(^+) ]+\[[^]]*\]|sin|cos|tanh|exp|ln|max|more", "", sides[0])
            used = set(re.findall(r"[a-zA-Z]+(?:_[a-z0-9]+)?", formula))
            assert used <= {each.text for each in found.letters}, formula


def test_under_rope_scores_name_the_rotated_queries_and_keys() -> None:
    rope = with_scores(load_example("grouped-query"), positions="rope")
    text = derive(attend(rope), "raw_scores", (3, 1, 2)).write("text")
    assert text.startswith("(Q_4' K_2'^T)[ASK, AND] = Q_4'[ASK, 1]·K_2'[AND, 1] + ")
    assert "Q_4'[" not in derive(example("grouped-query"), "raw_scores", (3, 1, 2)).write("text")


def test_a_sum_names_the_scores_that_it_adds_to() -> None:
    capped = with_scores(load_example("pizza"), softcap=5.0, positions="alibi")
    text = derive(attend(capped), "biased_scores", (0, 3, 1)).write("text")
    assert text.startswith("(cap(S_1) + B_1)[PIZZA, LOVE] = cap(S_1)[PIZZA, LOVE] + B_1[")


def test_a_number_that_has_only_another_name_is_explained_at_once() -> None:
    trace = example("three-tokens")
    found = explain(trace, Cell("q_heads", 1, 0, 0))
    assert found.cell == Cell("q_heads", 1, 0, 0)
    assert found.names == (Cell("q", None, 0, 3),)
    assert {each.cell.step for each in found.operands} == {"x", "w_q"}
    text = found.write("text")
    assert text.startswith("Q_2[t1, 1] = Q[t1, 2.1] = X[t1, 1]·W_Q[1, 2.1] + ")
    assert eval(found.write("python"), {"np": np, **arrays_of(trace)})  # noqa: S307 - of the core
    assert [fed.cell.step for fed in used_in(trace, Cell("q", None, 0, 3))] == ["raw_scores"] * 3


@given(scenario=scenarios(), number=NUMBERS)
def test_from_a_weight_to_the_projection_of_its_query_there_are_few_steps(
    scenario: Scenario, number: int
) -> None:
    """Four, and one more for a norm, two if it subtracts a mean: scores are skipped.

    All names of a number count as one.
    """
    trace = traced(scenario)
    cell = cell_at(trace, "weights", any_index(trace.weights, number))
    if not trace.mask[cell.row, cell.column]:
        return
    found, way = explain(trace, cell), []
    for wanted in ("raw_scores", "q_rotated", "w_q"):
        below = [*found.operands, *further_down(found)]
        names = [explain(trace, each.cell) for each in below]
        steps = [{each.cell.step, *(name.step for name in each.names)} for each in names]
        is_there = [i for i, each in enumerate(steps) if computed_in(trace, wanted) & each]
        way.append(wanted)
        found = names[is_there[0]]
        while found.cell.step in ("q_rotated", "q_normed", "q_centered", "q_rotated_first"):
            way.append("q")
            found = explain(trace, found.operands[0].cell)
    assert found.cell.step == "w_q"
    is_normed = scenario.scores.qk_norm != "none"
    assert len(way) <= 4 + is_normed * (1 + (scenario.scores.qk_norm_kind == "layer"))


def computed_in(trace: Trace, step: str) -> set[str]:
    """The step whose array this one has; a given array is its own."""
    found = getattr(type(trace), step, None)
    return {found.computed_by(trace.scenario).name if isinstance(found, Step) else step}


def test_terms_that_are_left_out_are_left_out_of_the_formula_and_of_the_cells() -> None:
    for count, shown in ((12, 12), (13, 12)):
        trace = attend(self_attention(2, count, 1))
        found = derive(trace, "q", (1, 0))
        formula, numbers = found.sides("text")[1:3]
        assert formula.count("W_Q[") == shown
        assert numbers.count("·") == shown
        rows = [each.cell.row for each in found.written_out() if each.cell.step == "w_q"]
        assert [f"W_Q[{row + 1}, 1]" in formula for row in rows] == [True] * shown
        assert ("… (1 more)" in formula) == ("(1 more)" in numbers) == (count > 12)
    many = attend(self_attention(13, 2, 1))
    largest = derive(many, "row_max", (0, 0, 0))
    assert len(largest.written_out()) == 12
    assert largest.cell.step == "row_max"
    assert float(largest.value) in [float(each.value) for each in largest.written_out()]


@pytest.mark.parametrize(
    ("step", "index", "words"),
    [
        ("nothing", (0, 0), "must stand in a step of the trace or in a given array"),
        ("b_q", (0,), "must stand in a step of the trace or in a given array"),
        ("q", (0,), "must have 2 numbers"),
        ("q", (0, 99), "counted from 0"),
        ("q", (-1, 0), "counted from 0"),
    ],
)
def test_a_number_that_is_not_there_is_refused(
    step: str, index: tuple[int, ...], words: str
) -> None:
    trace = example("pizza")
    with pytest.raises(ShapeError, match=words):
        derive(trace, step, index)


def test_a_bias_has_one_row() -> None:
    trace = attend(self_attention(2, 4, 1, b_q=np.arange(4.0)))
    found = derive(trace, "b_q", (2,))
    assert found.cell == Cell("b_q", None, 0, 2)
    assert found.write("python") == "b_q[2] == 2.0"
    assert dims_of(trace, "b_q") == Dims("n_heads*d_k")
    assert Cell("b_q", None, 0, 2) in [each.cell for each in derive(trace, "q", (1, 2)).operands]


@given(scenario=scenarios(), number=NUMBERS, asked=st.sampled_from(STEPS))
def test_a_cell_is_asked_for_as_its_index_is(
    scenario: Scenario, number: int, asked: Step[Any]
) -> None:
    trace = traced(scenario)
    for step in STEPS:
        index = any_index(getattr(trace, step.name), number)
        assert index_in(trace, cell_at(trace, step.name, index)) == index
    index = any_index(getattr(trace, asked.name), number)
    cell = cell_at(trace, asked.name, index)
    assert derive_cell(trace, cell).cell == derive(trace, asked.name, index).cell
    assert list(feeds_cell(trace, cell)) == list(feeds(trace, asked.name, index))


@pytest.mark.parametrize(
    "cell",
    [
        Cell("nothing", None, 0, 0),
        Cell("scores", 0, 0, 0),
        Cell("weights", None, 0, 0),
        Cell("weights", 2, 0, 0),
        Cell("output", 0, 0, 0),
        Cell("output", None, 4, 0),
        Cell("b_q", None, 0, 0),
        Cell(ADDITIVE, None, 4, 0),
    ],
)
def test_a_cell_of_another_layer_is_refused(cell: Cell) -> None:
    with pytest.raises(ShapeError):
        derive_cell(example("pizza"), cell)
