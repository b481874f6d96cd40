"""What `show` sends to the browser, and what it takes back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mha_core.layer.cells import Cell
from tests.serving import ROOT
from tests.unpacking import unpacked
from ui.figures.heatmap import heatmap_grid
from ui.figures.matrix import Matrix
from ui.plot import VERSION, Picture, as_cell

DEMO = ROOT / "tests" / "browser" / "demos" / "plots.py"
VALUES = np.array([[1.5, np.nan, -2], [0, 1e-300, 3]])
MASKED = np.isnan(VALUES)


def figure() -> dict[str, Any]:
    values = np.nan_to_num(VALUES)
    return heatmap_grid([[Matrix("m", "m", values, ["a", "b"], list("xyz"), masked=MASKED)]])


@pytest.fixture
def demo() -> AppTest:
    return AppTest.from_file(str(DEMO), default_timeout=30).run()


def sent(demo: AppTest, number: int = 0) -> Any:
    return unpacked(demo.get("bidi_component")[number].proto.bytes)


def test_a_page_with_plots_runs_without_a_browser(demo: AppTest) -> None:
    assert not demo.exception
    assert sent(demo)["alt"] == "Scores above weights of every head"
    assert json.loads(demo.get("bidi_component")[1].proto.json)["cell"] == []  # nothing is outlined


def test_a_figure_is_sent_with_its_numbers_and_its_masked_cells() -> None:
    z = unpacked(Picture.of(figure(), "m", "").data)["figure"]["matrices"][0]["values"]
    np.testing.assert_array_equal(z, VALUES)


def test_a_message_is_small_and_carries_neither_script_nor_style(demo: AppTest) -> None:
    message = demo.get("bidi_component")[0].proto
    assert len(message.js_content) < 1500
    assert not message.css_content
    assert f"plot/{VERSION}/" in message.js_content


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "m",
        {},
        {"matrix": "m"},
        {"matrix": 1, "row": 0, "column": 0},
        {"matrix": "m", "row": "0", "column": 0},
        {"matrix": "m", "row": 0.5, "column": 0},
        {"matrix": "m/no head", "row": 0, "column": 0},
    ],
)
def test_what_is_not_a_cell_is_not_taken_for_one(value: object) -> None:
    assert as_cell(value) is None


def test_a_cell_comes_back_as_one() -> None:
    assert as_cell({"matrix": "m", "row": 1, "column": 2}) == Cell("m", None, 1, 2)


@pytest.mark.parametrize(
    ("cell", "exists"),
    [
        (Cell("m", None, 1, 2), True),
        (Cell("m", None, 2, 0), False),
        (Cell("m", None, 0, 3), False),
        (Cell("m", None, -1, 0), False),
        (Cell("gone", None, 0, 0), False),
    ],
)
def test_only_a_cell_that_the_figure_has_is_returned(cell: Cell, exists: bool) -> None:
    assert Picture.of(figure(), "m", "").has(cell) is exists
