"""The files of LaTeX hold the numbers of the trace, and are whole whatever the labels are.

Takes long: whole documents are written for fifty random layers in each test.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mha_core import STEPS, Mask, Rule, ScoreOptions, Stack, attend
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.checks.errors import LimitError, MhaError, NumberError, OptionError, ShapeError
from mha_core.examples import load_example
from mha_core.io.latex import (
    LATEX_FILES,
    derivation_as_align,
    latex_file,
    matrix_as_bmatrix,
    why_no_latex,
)
from mha_core.io.latex.derivations import align
from mha_core.io.latex.lesson import Lesson
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive_cell
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.steps import latex_of_symbol
from mha_core.layer.trace import Trace
from mha_core.layer.where import ADDITIVE
from mha_core.scenario.scenario import Scenario
from tests.core.io.latex.reader import assert_whole, matrices_in, number
from tests.core.strategies import scenario_of_distinct_sizes, scenarios, self_attention

LABELS = st.text(max_size=20)
PIZZA = attend(load_example("pizza"))
TWO = with_layer_count(as_stack(load_example("pizza")), 2)
STACKS = (
    with_prediction(TWO, True),
    replace(TWO, residual=False),
    as_stack(load_example("pizza")),
    with_prediction(as_stack(load_example("two-tokens")), True),
)


def traced(s: Scenario) -> Trace:
    """A trace that a file can tell: its output is within the range of its type."""
    trace = attend(s)
    try:
        assert trace.output is not None
    except MhaError:
        assume(False)
    return trace


def lesson(trace: Trace, cell: Cell | None = None) -> Lesson:
    return Lesson(trace, "T", 2, cell, {})


def assert_same(found: npt.NDArray[Any], expected: npt.NDArray[Any], decimals: int) -> None:
    """Equal to the last decimal that is written, or to as many digits of a very large number."""
    within = 0.5000001 * 10.0**-decimals
    np.testing.assert_allclose(found, expected, rtol=within, atol=within)


@given(s=scenarios(max_heads=2), decimals=st.integers(0, 3))
def test_the_document_has_every_matrix_of_the_trace(s: Scenario, decimals: int) -> None:
    trace = traced(s)
    told = lesson(trace)
    expected = [matrix.values for matrix in told.given()]
    for step in told.steps:
        if step.name not in ("x", "context", "context_v", "mask"):
            expected += [matrix.values for matrix in told.matrices(step)]
    found = matrices_in(latex_file(trace, "steps.tex", decimals=decimals))
    assert len(found) == len(expected)
    for (_, values), known in zip(found, expected, strict=True):
        assert_same(values, known, decimals)


@pytest.mark.parametrize("stack", STACKS)
def test_the_document_has_every_layer_and_what_follows_the_last(stack: Stack) -> None:
    traces = attend(stack)
    found = [values for _, values in matrices_in(latex_file(traces, "steps.tex"))]
    expected: list[npt.NDArray[Any]] = []
    for trace in traces.layers:
        alone = matrices_in(latex_file(trace, "steps.tex"))
        expected += [values for _, values in alone]
    stream = None if stack.is_one_layer else traces.stream[-1]
    end = [stream, stack.w_u, traces.logits, traces.probabilities]
    expected += [array for array in end if array is not None]
    assert len(found) == len(expected)
    for values, known in zip(found, expected, strict=True):
        assert_same(values, known, 2)


def test_layers_are_told_as_they_are_joined() -> None:
    streamed, alone, single, words = (
        [latex_file(attend(stack), name) for name in LATEX_FILES] for stack in STACKS
    )
    for text in streamed:
        assert "2 layers on one stream: each adds its output to its $X$." in text
        assert "$X$ is that of layer 1, plus the output of layer 1." in text
    for text in alone:
        assert "2 layers: the output of each is $X$ of the next one." in text
        assert "$X$ is the output of layer 1." in text
    assert "Layer 1" not in single[0]
    assert "After the layer" not in single[0]
    assert "After the layer" in words[0]


def test_a_cell_and_a_picture_may_be_of_a_layer() -> None:
    traces = attend(STACKS[0])
    weights = traces.layers[1].weights
    text = latex_file(traces, "steps.tex", cell=Cell("2.weights", 0, 1, 0), decimals=9)
    assert f"{weights[0, 1, 0]:.9f}" in text
    pictured = latex_file(traces, "steps.tex", pictures={"2.weights": "PICTURED"})
    assert pictured.index("PICTURED") > pictured.index("Layer 2")
    for wrong in ({"pictures": {"3.weights": ""}}, {"cell": Cell("3.weights", 0, 0, 0)}):
        with pytest.raises(MhaError):
            latex_file(traces, "steps.tex", **wrong)


@given(s=scenarios(), decimals=st.integers(0, 12), which=st.integers(0, 10**6))
def test_a_matrix_to_paste_has_all_its_numbers(s: Scenario, decimals: int, which: int) -> None:
    trace = traced(s)
    told = lesson(trace)
    matrices = [matrix for step in told.steps for matrix in told.matrices(step)]
    matrix = matrices[which % len(matrices)]
    text = matrix_as_bmatrix(trace, matrix.step, matrix.head, decimals=decimals)
    assert_whole(text)
    ((symbol, values),) = matrices_in(text)
    assert symbol == latex_of_symbol(matrix.symbol)
    assert_same(values, matrix.values, decimals)


@given(s=scenarios(max_heads=2))
def test_a_slide_has_matrices_of_its_step_alone(s: Scenario) -> None:
    trace = traced(s)
    frames = latex_file(trace, "slides.tex").split(r"\begin{frame}{")[1:]
    told = lesson(trace)
    steps = {step.title: step for step in told.steps}
    titles = [frame.partition("}")[0] for frame in frames]
    assert [title for title, _ in groupby(titles)] == list(steps)
    for frame, title in zip(frames, titles, strict=True):
        step = steps[title]
        known = {latex_of_symbol(matrix.symbol): matrix.values for matrix in told.matrices(step)}
        found = matrices_in(frame)
        assert found
        for symbol, values in found:
            of_all = known[symbol]
            last = of_all[[*range(len(values) - 1), -1]][:, -1]  # a slide has the last column
            assert_same(values[:, -1], last, 2)


@given(s=scenarios(max_heads=2), name=st.sampled_from([*LATEX_FILES]), data=st.data())
def test_files_are_whole_ascii_whatever_the_labels_are(
    s: Scenario, name: str, data: st.DataObject
) -> None:
    tokens = tuple(data.draw(st.lists(LABELS, min_size=s.n_q, max_size=s.n_q)))
    trace = traced(replace(s, tokens=tokens))
    text = latex_file(trace, name, title=data.draw(LABELS))
    assert text.isascii()
    assert_whole(text)


@given(s=scenarios(), place=st.integers(0, 10**6), which=st.integers(0, 10**6))
def test_a_derivation_is_that_of_the_page_in_lines(s: Scenario, place: int, which: int) -> None:
    trace = traced(s)
    steps = lesson(trace).steps
    step = steps[which % len(steps)]
    array = getattr(trace, step.name)
    index = np.unravel_index(place % array.size, array.shape)
    told = lesson(trace, cell_of(step.name, index))
    found = told.derivation(step)
    text = derivation_as_align(trace, found.cell)
    assert_whole(text)
    sides = found.sides("latex")
    if not sum(map(len, sides)) or len(found.expression.parts) > 6:
        return
    assert joined(text) == "".join("=".join(sides).split())


def cell_of(step: str, index: Any) -> Cell:
    """The cell of a step at this index."""
    *head, row, column = (0, *map(int, index)) if len(index) == 1 else map(int, index)
    if step == "blind_queries":
        row, column = column, 0
    return Cell(step, head[0] if head else None, row, column)


def joined(align: str) -> str:
    """The lines of `align*` as one, without blanks, with the hyphens and the dots of the page."""
    inside = align.removeprefix("\\begin{align*}").removesuffix("\\end{align*}")
    for sign in (r"\quad", "\\\\\n", "&"):
        inside = inside.replace(sign, "")
    together = "".join(inside.split())
    return together.replace("-{}", "-").replace(r"\dots{}", "…")  # as in labels of distances


def test_the_number_that_is_derived_is_the_one_that_the_last_query_looks_at_most() -> None:
    trace = attend(load_example("causal"))
    told = lesson(trace)
    cell = told.cell_of("weights")
    assert (cell.head, cell.row) == (0, trace.scenario.n_q - 1)
    assert trace.weights[0, -1, cell.column] == trace.weights[0, -1].max()


def test_the_numbers_of_all_steps_belong_to_the_chosen_cell() -> None:
    trace = attend(scenario_of_distinct_sizes())
    told = lesson(trace, Cell("weights", head=3, row=2, column=6))
    assert told.cell_of("raw_scores") == Cell("raw_scores", 3, 2, 6)
    assert told.cell_of("k_heads").matrix == "k_heads/1"  # two query heads share it
    assert told.cell_of("k_heads").row == 6
    assert told.cell_of("q").row == 2
    assert told.cell_of("q").column // 2 == 3  # d_k is 2
    assert told.cell_of("output").row == 2


def test_a_cell_of_given_numbers_and_of_shared_heads_may_be_chosen() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert lesson(trace, Cell("w_q", None, 4, 7)).cell_of("weights").head == 3
    assert lesson(trace, Cell("k_heads", 2, 5, 1)).cell_of("weights") == Cell("weights", 4, 4, 5)


def test_a_head_that_is_off_and_a_blind_query_are_passed_over() -> None:
    s = replace(load_example("causal"), heads_off={0}, mask=Mask((Rule("causal"),)))
    hides_last = np.ones((5, 5), bool)
    hides_last[4] = False
    trace = attend(replace(s, mask=Mask(custom=hides_last)))
    cell = lesson(trace).cell_of("weights")
    assert (cell.head, cell.row) == (1, 3)
    all_off = attend(replace(s, heads_off={0, 1}, mask=Mask(custom=np.zeros((5, 5), bool))))
    assert lesson(all_off).cell_of("weights") == Cell("weights", 0, 0, 0)


def test_raw_scores_name_the_keys_that_the_head_uses() -> None:
    trace = attend(load_example("grouped-query"))  # four heads, two of keys
    assert r"Q_3 K_2^\top = \begin" in matrix_as_bmatrix(trace, "raw_scores", 2)
    scaled = derivation_as_align(trace, Cell("scaled_scores", 2, 0, 0))
    assert r"(Q_3 K_2^\top)[" in scaled
    rotated = attend(replace(trace.scenario, scores=ScoreOptions(positions="rope")))
    assert r"Q_3' K_2'^\top = \begin" in matrix_as_bmatrix(rotated, "raw_scores", 2)
    one = attend(replace(load_example("one-head")))
    assert r"Q_1 K_1^\top = \begin" in matrix_as_bmatrix(one, "raw_scores", 0)


def test_a_matrix_to_paste_tells_amsmath_of_many_columns() -> None:
    trace = attend(self_attention(3, 13, 1))
    text = matrix_as_bmatrix(trace, "w_q", decimals=5)
    assert text.startswith("\\setcounter{MaxMatrixCols}{13}\nW_Q = \\begin{bmatrix}")
    ((_, values),) = matrices_in(text)
    assert_same(values, trace.scenario.w_q, 5)
    assert matrix_as_bmatrix(trace, "x").startswith("\\setcounter")
    assert matrix_as_bmatrix(attend(self_attention(1, 1, 1)), "weights", 0).count("\n") == 2


def test_a_matrix_of_very_many_numbers_is_refused() -> None:
    with pytest.raises(LimitError, match="Save it as CSV"):
        matrix_as_bmatrix(attend(load_example("pizza-1024")), "w_q")


def test_very_large_numbers_infinity_and_lost_ones_are_written() -> None:
    s = load_example("pizza")
    large = attend(replace(s, x=1e60 * s.x))
    ((_, values),) = matrices_in(matrix_as_bmatrix(large, "q"))
    assert_same(values, large.q, 2)
    lost = attend(replace(s, x=1000 * s.x, w_q=1000 * s.w_q, scores=ScoreOptions(softmax="naive")))
    text = latex_file(lost, "steps.tex")
    assert r"\infty" in text
    assert r"\mathrm{NaN}" in text
    assert "is not a number." in text


def test_a_large_matrix_is_shown_in_part_with_the_number_that_is_derived() -> None:
    trace = attend(load_example("long"))
    text = latex_file(trace, "steps.tex", cell=Cell("weights", head=5, row=70, column=33))
    assert "There is room for 16 of 128 rows and 16 of 128 columns; dots stand for" in text
    (last,) = [values for symbol, values in matrices_in(text) if symbol == "A_6"]
    keys = [*range(14), 33, 127]
    assert_same(last, trace.weights[5][np.ix_([*range(14), 70, 127], keys)], 2)
    assert r"\ddots" in text
    assert "It is the largest of 128 numbers." in text
    assert "Dots stand for the rest." in latex_file(trace, "slides.tex")


def test_of_many_heads_eight_are_shown() -> None:
    trace = attend(self_attention(2, 18, 9))
    text = latex_file(trace, "steps.tex", cell=Cell("weights", 8, 0, 0))
    assert "1 head is left out, computed alike." in text
    found = [symbol for symbol, _ in matrices_in(text) if symbol.startswith("A_")]
    assert found == [f"A_{head}" for head in (1, 2, 3, 4, 5, 6, 7, 9)]
    text = latex_file(attend(self_attention(2, 20, 10)), "steps.tex")
    assert "2 heads are left out, computed alike." in text


def test_slides_show_all_heads_on_as_many_frames_as_they_take() -> None:
    trace = attend(self_attention(2, 18, 9))
    text = latex_file(trace, "slides.tex")
    for symbol in ("S", "A", "\\mathrm{head}"):
        all_symbols = [each for each, _ in matrices_in(text) if " " not in each]
        found = [each for each in all_symbols if each.startswith(f"{symbol}_")]
        assert found == [f"{symbol}_{head}" for head in range(1, 10)]
    assert "Heads 7 to 9 of 9." in text
    assert "Head 9 of 9." in text


def test_the_first_slide_says_what_to_look_for() -> None:
    trace = attend(load_example("four-heads"))
    title = latex_file(trace, "slides.tex").split(r"\end{frame}")[0]
    assert "6 tokens attend to one another in 4 heads" in title
    assert "What to look for:" in title
    assert r"\par Head 3: Each token looks at the first token" in title


def test_all_that_is_given_is_there() -> None:
    additive = np.full((5, 7), 0.25)
    trace = attend(scenario_of_distinct_sizes(mask=Mask((Rule("causal"),), additive=additive)))
    found = dict(matrices_in(latex_file(trace, "steps.tex")))
    assert found.keys() >= {"X", "C", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "M"}
    assert_same(found[r"M_{\mathrm{add}}"], additive, 2)
    assert found["M"].sum() == trace.mask.sum()


def test_a_cell_of_the_additive_mask_may_be_chosen() -> None:
    trace = attend(scenario_of_distinct_sizes(mask=Mask(additive=np.full((5, 7), 0.25))))
    told = lesson(trace, Cell(ADDITIVE, None, 3, 6))
    assert (told.cell_of("weights").row, told.cell_of("weights").column) == (3, 6)


def test_what_a_setting_does_not_use_is_passed_over() -> None:
    plain = [step.name for step in lesson(attend(load_example("one-head"))).steps]
    unused = {"positions", "bias", "mask", "blind_queries", "capped_scores", "q_rotated"}
    assert not unused & {*plain}
    naive = attend(replace(load_example("causal"), scores=ScoreOptions(softmax="naive")))
    assert "row_max" not in {step.name for step in lesson(naive).steps}


@pytest.mark.parametrize(
    ("example", "sentence"),
    [
        ("pizza", "4 tokens attend to one another in 2 heads: I, LOVE, PEPPERONI and PIZZA."),
        ("translation", r"3 queries (BEBO, CAF\'{E} and NEGRO) attend in 2 heads to 4 keys ("),
    ],
)
def test_it_says_what_the_scenario_is(example: str, sentence: str) -> None:
    trace = attend(load_example(example))
    assert all(sentence in latex_file(trace, name) for name in LATEX_FILES)


def test_one_token_attends_to_itself() -> None:
    trace = attend(self_attention(1, 2, 1, tokens=("ONLY",)))
    assert "1 token, ONLY, attends to itself in 1 head." in latex_file(trace, "steps.tex")


def test_signs_in_boxes_are_told_and_very_many_counted() -> None:
    s = replace(
        load_example("pizza"), tokens=("🍕", "".join(map(chr, range(0x4E00, 0x4E20))), "", " ")
    )
    for name in LATEX_FILES:
        text = latex_file(attend(s), name)
        assert "a sign that the font here lacks: 1F355 is slice of pizza," in text
        assert "and 21 more are not told here." in text
    assert "the font here lacks" not in latex_file(PIZZA, "steps.tex")


@pytest.mark.parametrize("name", LATEX_FILES)
def test_a_picture_is_put_in_as_it_is(name: str) -> None:
    drawn = {"weights": r"\begin{tikzpicture}\fill (0,0) circle (1);\end{tikzpicture}% by hand"}
    given_too = {**drawn, "x": r"\textbf{X}", "mask": r"\textbf{M}"}
    text = latex_file(PIZZA, name, pictures=given_too)
    assert r"\usepackage{tikz}" in text
    assert all(f"{{%\n{latex}\n}}" in text for latex in given_too.values())
    assert r"\usepackage{tikz}" not in latex_file(PIZZA, name)


def test_what_cannot_be_is_refused_with_a_way_out() -> None:
    for name in ("weights/0", "a picture"):
        with pytest.raises(OptionError, match="A picture must be one of x, context"):
            latex_file(PIZZA, "steps.tex", pictures={name: ""})
    with pytest.raises(OptionError, match="The name of a LaTeX file must be one of steps"):
        latex_file(PIZZA, "steps.pdf")
    with pytest.raises(OptionError, match="The name of a LaTeX file"):
        why_no_latex(PIZZA, "steps.pdf")
    with pytest.raises(NumberError, match="The number of decimals"):
        latex_file(PIZZA, "steps.tex", decimals=13)
    with pytest.raises(NumberError, match="The number of decimals"):
        derivation_as_align(PIZZA, Cell("weights", 0, 0, 0), decimals=-1)
    with pytest.raises(ShapeError, match="An index of weights"):
        latex_file(PIZZA, "steps.tex", cell=Cell("weights", 0, 0, 9))
    with pytest.raises(OptionError, match="What is written must be a trace"):
        latex_file(PIZZA.scenario, "steps.tex")  # type: ignore[arg-type]
    with pytest.raises(LimitError, match="The title must be text of at most"):
        latex_file(PIZZA, "steps.tex", title="T" * 201)


@pytest.mark.parametrize("name", LATEX_FILES)
def test_a_layer_larger_than_a_page_shows_is_refused(name: str) -> None:
    trace = attend(self_attention(1024, 1, 1))
    assert "X must have at most 724 rows with one head in LaTeX, got 1,024. Take" in why_no_latex(
        trace, name
    )
    with pytest.raises(LimitError):
        latex_file(trace, name)
    assert why_no_latex(PIZZA, name) == ""


def test_wide_names_stand_in_a_line_of_their_own_and_long_sums_in_several() -> None:
    tokens = ("W" * 200, "L" * 200, "M" * 200, "比" * 200)
    trace = attend(replace(PIZZA.scenario, tokens=tokens))
    cell = Cell("raw_scores", 0, 3, 0)
    lines = derivation_as_align(trace, cell).splitlines()
    assert lines[1].startswith(r"&(Q_1 K_1^\top)[\text{")
    assert lines[3].startswith(r"  &\quad \quad + Q_1[")
    assert number(lines[-2].split()[-1]) == pytest.approx(trace.raw_scores[0, 3, 0], abs=0.005)
    assert align(derive_cell(trace, cell), 2) == derivation_as_align(trace, cell)


def test_every_step_has_a_title_and_a_meaning_that_latex_takes() -> None:
    assert all(step.title.replace(" / ", "").replace(" ", "").isalnum() for step in STEPS)
    assert labelled_matrix(PIZZA, "weights", 0).symbol == "A_1"
