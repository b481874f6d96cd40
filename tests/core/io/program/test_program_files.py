"""A program of a scenario, run without this package, finds the numbers of the trace."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import ScoreOptions, Stack, attend
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.checks.errors import LimitError, OptionError
from mha_core.examples import EXAMPLES, load_example
from mha_core.io.program import PROGRAM_FILES, program_file, why_no_program
from mha_core.layer.trace import Trace
from mha_core.scenario.scenario import Scenario
from tests.core.stack.stacks import stacks
from tests.core.strategies import scenarios

SAME = "Same as in the explorer: "
SCRIPTS = [name for name in PROGRAM_FILES if name.endswith(".py")]


def run(code: str) -> dict[str, Any]:
    """The names that a program has in the end. It prints one line: all numbers are the same."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(code, "program", "exec"), names)  # noqa: S102 # what is tested
    assert said.getvalue().startswith(SAME)
    return names


def assert_found(names: dict[str, Any], trace: Trace) -> None:
    atol = 1e-4 if trace.scenario.dtype == np.float32 else 1e-9
    largest = np.abs(trace.output[np.isfinite(trace.output)]).max(initial=0)
    np.testing.assert_allclose(names["output"], trace.output, rtol=0, atol=atol * largest)
    assert names["output"].dtype == trace.output.dtype


def usable(s: Scenario, name: str) -> Trace:
    trace = attend(s)
    if why_no_program(trace, name):
        trace = attend(replace(s, scores=replace(s.scores, softmax="stable")))
    return trace


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_found_again_unless_it_is_too_large(example: str, name: str) -> None:
    trace = attend(load_example(example))
    if why_not := why_no_program(trace, name):
        assert trace.scenario.d_model >= 64 or "naive" in why_not
        with pytest.raises((LimitError, OptionError)):
            program_file(trace, name)
        return
    assert_found(run(program_file(trace, name)), trace)


def test_a_script_runs_where_this_package_is_not(tmp_path: Path) -> None:
    script = tmp_path / "with-numpy.py"
    script.write_text(program_file(attend(load_example("pizza")), "with-numpy.py"), "utf-8")
    command = [sys.executable, "-I", script]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == (f"{SAME}weights and output.\n", "")


@pytest.mark.parametrize("name", SCRIPTS)
@given(s=scenarios())
def test_any_scenario_is_found_again(name: str, s: Scenario) -> None:
    trace = usable(s, name)
    assert_found(run(program_file(trace, name)), trace)


@given(s=scenarios(), name=st.sampled_from(SCRIPTS))
def test_a_program_needs_nothing_of_ours(s: Scenario, name: str) -> None:
    assert "mha_core" not in program_file(usable(s, name), name)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_number_that_was_changed_is_noticed(name: str) -> None:
    trace = attend(load_example("pizza"))
    code = program_file(trace, name)
    given, between, expected = code.partition("expected_output = ")
    wrong = f"{given}{between}1 + {expected}"
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        run(wrong)


def test_a_notebook_is_one_and_runs_cell_by_cell() -> None:
    trace = attend(load_example("pizza"))
    notebook = nbformat.reads(program_file(trace, "with-numpy.ipynb"), as_version=4)
    nbformat.validate(notebook)
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert_found(run("\n".join(code)), trace)
    titles = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert titles[0] == "## Multi-head attention in plain NumPy"


@pytest.mark.parametrize("positions", ["sinusoidal", "rope", "alibi"])
def test_a_cell_of_a_notebook_may_be_run_twice(positions: Any) -> None:
    trace = attend(replace(load_example("pizza"), scores=ScoreOptions(positions=positions)))
    cells = json.loads(program_file(trace, "with-numpy.ipynb"))["cells"]
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    assert_found(run("\n".join(f"{each}\n{each}" for each in code)), trace)


@pytest.mark.parametrize(
    "chosen",
    [
        {"rope_places": ((0.0,), (1.0,), (1.5,), (-3.0,))},
        {"rope_places": ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))},
        {"rope_places": ((0.0, 2.0),) * 4, "rope_axes": (1, 0), "rope_series": "all"},
        {"rope_places": ((0.0, 2.0),) * 4, "rope_frequencies": (0.5, -2.0)},
        {"rope_places": ((0.0, 2.0),) * 4, "rope_columns": 2, "rope_axes": (1,)},
        {"rope_places": ((1.0, 2.0),) * 4, "rope_pairs": "crossed", "rope_axes": (1, 1)},
    ],
)
def test_places_are_in_the_program(chosen: dict[str, Any]) -> None:
    scores = ScoreOptions(positions="rope", **chosen)
    trace = attend(replace(load_example("pizza"), scores=scores))
    for name in SCRIPTS:
        assert_found(run(program_file(trace, name)), trace)
    assert "by the places of their positions" in program_file(trace, "with-numpy.py")


HOSTILE = ['"""', "\\", "'\n import os", "\u202e", "🍕"]


@pytest.mark.parametrize("name", PROGRAM_FILES)
def test_labels_are_text_and_no_code(name: str) -> None:
    s = load_example("pizza")
    labels = tuple(HOSTILE[: s.n_q])
    text = program_file(attend(replace(s, tokens=labels)), name)
    assert text.isascii()
    if name in SCRIPTS:
        assert run(text)["tokens"] == list(labels)
    else:
        cells = json.loads(text)["cells"]
        assert any(repr(labels[1])[1:-1] in cell["source"] for cell in cells)


def test_a_layer_of_very_many_numbers_is_refused_with_a_way_out() -> None:
    trace = attend(load_example("pizza-1024"))
    why_not = why_no_program(trace, "with-numpy.py")
    assert "must be at most 65,536" in why_not
    assert "Save the scenario as .npz" in why_not


def test_weights_that_a_naive_softmax_has_lost_are_found_lost() -> None:
    s = load_example("pizza")
    large = replace(s, x=1000 * s.x, w_q=1000 * s.w_q, scores=ScoreOptions(softmax="naive"))
    trace = attend(large)
    assert not np.isfinite(trace.weights).all()
    assert np.isnan(run(program_file(trace, "with-numpy.py"))["weights"]).any()
    assert "PyTorch has no such softmax" in why_no_program(trace, "with-pytorch.py")


def test_another_name_is_refused() -> None:
    with pytest.raises(OptionError, match="The name of a program must be one of"):
        program_file(attend(load_example("pizza")), "with-numpy.exe")


# Several layers

TWO = with_prediction(with_layer_count(as_stack(load_example("the-cat")), 2), True)


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("residual", [True, False])
def test_layers_are_found_again(name: str, residual: bool) -> None:
    traces = attend(replace(TWO, residual=residual))
    found = run(program_file(traces, name))
    np.testing.assert_allclose(found["x"], traces.stream[-1], atol=1e-9)
    np.testing.assert_allclose(found["probabilities"], traces.probabilities, atol=1e-9)


@given(stack=stacks())
def test_any_layers_are_found_again(stack: Stack) -> None:
    traces = attend(stack)
    found = run(program_file(traces, "with-numpy.py"))
    np.testing.assert_allclose(found["output"], traces.layers[-1].output, rtol=1e-9, atol=1e-9)


def test_a_layer_that_was_changed_is_not_found_again() -> None:
    program = program_file(attend(TWO), "with-numpy.py")
    with pytest.raises(AssertionError):
        run(program.replace("x = x + output", "x = x - output", 1))


def test_the_passages_say_which_layer_they_are_of() -> None:
    notebook = json.loads(program_file(attend(TWO), "with-numpy.ipynb"))
    titles = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    assert "## Layer 2. What the layer is given" in titles
    assert "## The stream after layer 1" in titles
    assert titles[-2:] == ["## What is predicted", "## The same numbers"]


def test_one_layer_as_a_stack_has_the_program_that_it_has_alone() -> None:
    pizza = attend(load_example("pizza"))
    stack = attend(as_stack(pizza.scenario))
    for name in PROGRAM_FILES:
        assert program_file(stack, name) == program_file(pizza, name)
