"""Plotly is the witness: what it draws of a figure is what the page and paper draw.

tests/ui/prints/test_as_on_the_page.py checks that the page and paper draw the same. Here the cells
of paper are compared with those that Plotly has drawn: their places, colours and numbers.

Takes long: Plotly draws every board of the page, in awkward states too.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly
import pytest
from PIL import Image

from mha_core import Trace, attend
from mha_core.changing.changes import with_heads, with_scores, with_tokens
from mha_core.examples import load_example
from mha_core.guide.screens import SCREENS
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.fitted import FittedBoard, FittedMatrix, on_screen
from ui.figures.grounds import GROUNDS, Ground
from ui.figures.ink import colors_of
from ui.figures.into_heads import into_heads_figure
from ui.figures.marks import MARGIN
from ui.figures.moved import BEFORE, moved_figure
from ui.figures.one_head import one_head_figure
from ui.figures.pictures import (
    additive_figure,
    heads_figure,
    mask_figure,
    step_figure,
    together_figure,
)
from ui.figures.plotly import TOOL_BAR, as_plotly
from ui.figures.walkthrough import screen_figure

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
ROOM = (1200.0, 900.0)
CORNER = 0.2  # of a cell, where its number is not
SMALLEST = 4  # pixels of a cell whose colour is looked at
CAUSAL = load_example("causal")
DRAW = """async (figure) => {
    await Plotly.react("board", figure.data, figure.layout, { staticPlot: true });
    return Plotly.toImage("board", { format: "png" });
}"""
TEXTS = """() => [...document.querySelectorAll(".heatmap-label text")].map((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    const board = document.getElementById("board").getBoundingClientRect();
    return [each.textContent, left + width / 2 - board.left, top + height / 2 - board.top];
})"""


@pytest.fixture(scope="module")
def board_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.set_content('<body style="margin: 0"><div id="board"></div></body>')
    page.add_script_tag(path=PLOTLY)
    yield page
    page.close()


def boards_of(trace: Trace, look: Look) -> dict[str, Figure]:
    """Every board of the page."""
    heads = range(min(8, trace.scenario.n_heads))
    return {
        "heads": heads_figure(trace, heads, look=look),
        "outputs": heads_figure(trace, heads, ["weights", "head_outputs"], look),
        "into": into_heads_figure(trace, look),
        "one": one_head_figure(trace, 0, look),
        "together": together_figure(trace, look),
        "contributions": step_figure(trace, "contributions", heads, look),
        "mask": mask_figure(trace, look),
        "added": additive_figure(trace, look),
        "walk": screen_figure(trace, SCREENS["scores"], 0, "when asked", look),
    }


def states() -> dict[str, tuple[Figure, str]]:
    """Boards in usual and in awkward states, each on a ground."""
    indigo = boards_of(attend(CAUSAL), Look(palette="indigo"))
    found = {f"{name}-indigo": (board, "light") for name, board in indigo.items()}
    on_paper = boards_of(attend(CAUSAL), Look(palette="print"))  # a palette is the same on all
    found |= {f"{name}-print": (on_paper[name], "light") for name in ("heads", "added")}
    dark = boards_of(attend(CAUSAL), Look(palette="teal", decimals=3, shared_scale=False))
    found |= {f"{name}-dark": (board, "dark") for name, board in dark.items()}
    long = with_tokens(CAUSAL, ("a", "incomprehensibilities", "<b>", "naïve & co", "the"))
    found["long-labels"] = (heads_figure(attend(long), range(2)), "light")
    many = attend(with_heads(load_example("eight-tokens-512"), 32))
    found["32-heads"] = (heads_figure(many, range(16)), "light")
    tokens = attend(load_example("long"))
    found["128-tokens"] = (heads_figure(tokens, [0], ["weights"]), "light")
    large = replace(CAUSAL, x=CAUSAL.x * 1e60, scores=replace(CAUSAL.scores, softmax="naive"))
    with np.errstate(all="ignore"):
        found["lost"] = (heads_figure(attend(large), range(2)), "light")
    now = with_scores(CAUSAL, scale=2.0)
    one = one_head_figure(attend(now), 0)
    found["moved"] = (moved_figure(one, now, attend(CAUSAL), BEFORE, 2), "dark")
    return found


STATES = states()


@pytest.mark.parametrize("name", STATES)
def test_plotly_draws_each_cell_as_paper_does(board_page: Page, name: str) -> None:
    figure, ground = STATES[name][0], GROUNDS[STATES[name][1]]
    board = on_screen(figure, ROOM)
    pixels, texts = drawn_by_plotly(board_page, board, ground)
    for matrix in board.matrices:
        assert_same_colors(matrix, board, ground, pixels)
    expected = [each for matrix in board.matrices for each in numbers_of(matrix, board)]
    assert len(texts) == len(expected)
    for (text, x, y), (ours, our_x, our_y) in zip(sorted(texts), sorted(expected), strict=True):
        assert text == ours
        assert abs(x - our_x) < 1.5, text
        assert abs(y - our_y) < 4, (
            text
        )  # letters stand lower in their boxes in one font or the other


def drawn_by_plotly(page: Page, board: FittedBoard, ground: Ground) -> tuple[Any, list[Any]]:
    """Its pixels, and the numbers that it has written with the places of their middles."""
    import plotly.graph_objects as go

    figure = go.Figure(as_plotly(board, ground))
    address = page.evaluate(DRAW, json.loads(figure.to_json()))
    image = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    return np.asarray(image.convert("RGB"), int), page.evaluate(TEXTS)


def assert_same_colors(
    matrix: FittedMatrix, board: FittedBoard, ground: Ground, pixels: Any
) -> None:
    if min(matrix.cell_width, matrix.cell_height) < SMALLEST:
        return
    colors = colors_of(matrix, board, ground).of(matrix.drawn, matrix.is_lost).astype(int)
    for row, column in np.argwhere(~matrix.is_empty & ~matrix.is_hatched):
        x = MARGIN + matrix.left(column + CORNER)
        y = TOOL_BAR + matrix.top(row + CORNER)
        found = pixels[int(y), int(x)]
        assert np.abs(found - colors[row, column]).max() <= 2, (matrix.name, row, column, found)


def numbers_of(matrix: FittedMatrix, board: FittedBoard) -> Iterator[tuple[str, float, float]]:
    if not board.writes_numbers(matrix):
        return
    for row, texts in enumerate(matrix.texts):
        for column, text in enumerate(texts):
            if text:
                x, y = matrix.left(column + 0.5), matrix.top(row + 0.5)
                yield text, MARGIN + x, TOOL_BAR + y
