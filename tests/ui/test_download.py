"""What the page offers to save: every matrix, to the last digit, and none is computed for that."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mha_core import Scenario
from mha_core.examples import load_example, load_stack
from mha_core.io.matrix.files import read_matrix
from mha_core.io.program import PROGRAM_FILES
from tests.pages.visitor import unmarked
from tests.running_page import RunningPart
from ui.blocks.download import _all_matrices, matrix_file
from ui.edits.page_limits import trace_to_show
from ui.state import Session


def script() -> None:
    from ui.blocks.download import download
    from ui.state import open_session

    download(open_session())


def shown(scenario: Scenario) -> AppTest:
    return RunningPart(script, scenario=scenario).at


def offered(scenario: Scenario) -> list[str]:
    return shown(scenario).selectbox(key="matrix-to-save").options


def with_a_bias(s: Scenario) -> Scenario:
    return replace(s, b_o=np.arange(s.d_out) / 3)


def test_offering_the_matrices_computes_none() -> None:
    at = shown(load_example("pizza"))
    trace = at.session_state["session"].trace
    assert vars(trace).keys() == vars(trace_to_show(trace.scenario).layers[0]).keys()
    assert "contributions" not in vars(trace)


def test_the_arrays_that_are_given_are_offered_and_no_others() -> None:
    s = load_example("pizza")
    assert {"W_Q", "W_K", "W_V", "W_O"} <= set(offered(s))
    assert "b_O" not in offered(s)
    assert "b_O" in offered(with_a_bias(s))


def test_a_head_is_asked_for_only_where_each_head_has_a_matrix() -> None:
    at = shown(load_example("grouped-query"))
    heads = {"w_q": None, "k_heads": 2, "q_heads": 4, "output": None}
    for name, count in heads.items():
        at.selectbox(key="matrix-to-save").set_value(name).run()
        boxes = [box for box in at.selectbox if box.key == "head-to-save"]
        assert [len(box.options) for box in boxes] == ([count] if count else [])


@pytest.mark.parametrize(("name", "head"), [("w_k", None), ("b_o", None), ("k_heads", 1)])
def test_a_file_holds_the_matrix_to_the_last_digit(name: str, head: int | None) -> None:
    trace = Session(with_a_bias(load_example("grouped-query"))).trace
    array = getattr(trace.scenario if head is None else trace, name)
    wanted = np.atleast_2d(array if head is None else array[head])
    for file in ("matrix.csv", "matrix.npy"):
        saved = matrix_file(trace, name, head, file)
        assert np.array_equal(read_matrix(saved, file), wanted)


def test_of_several_layers_the_offers_and_the_file_say_which() -> None:
    session = Session(load_stack("induction"))
    with np.load(io.BytesIO(_all_matrices(session))) as file:
        assert {"1.w_q", "2.w_q", "2.weights", "stream_2"} <= {*file}
        np.testing.assert_array_equal(file["2.weights"], session.traces.layers[1].weights)
    page = RunningPart(script, scenario=session.stack)
    page.session.look_at(layer=1)
    at = page.at.run()
    assert at.selectbox(key="matrix-to-save").label == "One matrix of layer 2"
    assert any("2.weights are those of layer 2" in unmarked(each.value) for each in at.caption)


def programs(at: AppTest) -> dict[str, bool]:
    """The programs that are offered, and whether each can be had."""
    buttons = {button.proto.label: button.proto for button in at.get("download_button")}
    return {title: not buttons[title].disabled for title in PROGRAM_FILES.values()}


def test_programs_are_offered_and_one_that_cannot_be_says_why() -> None:
    at = shown(load_example("pizza"))
    assert programs(at) == {"NumPy script": True, "PyTorch script": True, "Notebook": True}
    at = shown(load_example("pizza-1024"))
    assert not any(programs(at).values())
    reasons = [each.value for each in at.caption if "count of numbers" in each.value]
    assert len(reasons) == 1
