"""A picture on paper is the picture of the page: the page's own modules draw beside it, in Node."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_scores
from mha_core.changing.rules import with_rules
from mha_core.examples import EXAMPLES, load_example
from tests.ui.plot.node import answering
from ui.figures import ink
from ui.figures.colors import Colors
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.fitted import FittedMatrix, Room, on_screen
from ui.figures.grounds import GROUNDS, Ground
from ui.figures.into_heads import into_heads_figure
from ui.figures.marks import Sheet, Text
from ui.figures.moved import BEFORE, moved_figure
from ui.figures.one_head import one_head_figure
from ui.figures.pictures import heads_figure, mask_figure, step_figure, together_figure
from ui.plot.sent import as_sent
from ui.plot.wire import pack

RUNNER = Path(__file__).parent / "ink_runner.mjs"
CLOSE = 1e-6  # pixels
WIDE, PROJECTOR, PHONE = (1880.0, 1080.0), (900.0, 720.0), (358.0, 844.0)
ROOMS = (WIDE, PROJECTOR, PHONE)

Draw = Callable[[Figure, Room, Ground], dict[str, Any]]


@pytest.fixture(scope="module")
def draw() -> Iterator[Draw]:
    """What the page draws of a figure."""
    with answering(RUNNER) as node:

        def drawn(figure: Figure, room: Room, ground: Ground) -> dict[str, Any]:
            packed = b64encode(pack(as_sent(figure))).decode()
            is_dark = ground.theme == "dark"
            answer: dict[str, Any] = node({"packed": packed, "room": room, "isDark": is_dark})
            return answer

        yield drawn


def figures_of(trace: Trace, look: Look) -> dict[str, Figure]:
    heads = range(min(8, trace.scenario.n_heads))
    return {
        "heads": heads_figure(trace, heads, look=look),
        "into": into_heads_figure(trace, look),
        "one": one_head_figure(trace, 0, look),
        "together": together_figure(trace, look),
        "mask": mask_figure(trace, look),
        "values": step_figure(trace, "v", heads, look),
    }


def test_every_example_is_drawn_as_the_page_draws_it(draw: Draw) -> None:
    for number, name in enumerate(EXAMPLES):
        room, ground = ROOMS[number % 3], GROUNDS["dark" if number % 2 else "light"]
        look = Look(decimals=number % 4, shared_scale=number % 5 != 0, palette="teal")
        figures = [*figures_of(attend(load_example(name)), look).values()]
        assert_as_on_the_page(draw, figures[number % len(figures)], room, ground)


@pytest.mark.parametrize("room", ROOMS, ids=str)
def test_labels_masks_and_numbers_of_any_length_are_drawn_as_there(draw: Draw, room: Room) -> None:
    for s in awkward():
        for figure in figures_of(attend(s), Look()).values():
            assert_as_on_the_page(draw, figure, room, GROUNDS["light"])


def test_what_moved_is_drawn_as_there(draw: Draw) -> None:
    then = load_example("causal")
    for now in (
        with_scores(then, scale=2.0),
        with_rules(then, []),
        with_rules(then, ["sliding_window"]),
    ):
        for figure in figures_of(attend(now), Look()).values():
            moved = moved_figure(figure, now, attend(then), BEFORE, 2)
            assert_as_on_the_page(draw, moved, PROJECTOR, GROUNDS["dark"])


def test_what_is_lost_is_drawn_as_there(draw: Draw) -> None:
    s = load_example("causal")
    large = replace(s, x=s.x * 1e60, scores=replace(s.scores, softmax="naive"))
    with np.errstate(all="ignore"):
        trace = attend(large)
        figure = heads_figure(trace, range(2))
    assert any(matrix.is_lost.any() for matrix in figure.heatmaps)
    assert_as_on_the_page(draw, figure, WIDE, GROUNDS["light"])


def awkward() -> Iterator[Scenario]:
    s = load_example("causal")
    yield replace(s, tokens=("a", "incomprehensibilities", "<b>", "naïve", "the"))
    yield replace(s, x=s.x * -1e7)
    yield with_rules(replace(s, x=s.x * 1e3), ["sliding_window", "causal"])
    yield replace(load_example("one-head"), heads_off=frozenset({0}))


def assert_as_on_the_page(draw: Draw, figure: Figure, room: Room, ground: Ground) -> None:
    there, board = draw(figure, room, ground), on_screen(figure, room)
    assert board.cell == pytest.approx(there["cell"], abs=CLOSE)
    texts = [
        m for m in Sheet(1, 1, ink.marks_of(board, ground), None, "").parts if isinstance(m, Text)
    ]
    numbers = [number for matrix in there["matrices"] for number in matrix["numbers"]]
    assert sorted(map(place_of, texts)) == [
        (text, pytest.approx(x, abs=CLOSE), pytest.approx(y, abs=CLOSE))
        for text, x, y in sorted((t["text"], t["x"], t["y"]) for t in [*there["texts"], *numbers])
    ]
    looks = {(t.text, round(t.x, 3), round(t.y, 3)): t for t in texts}
    for text in there["texts"]:
        assert_looks_alike(looks[text["text"], round(text["x"], 3), round(text["y"], 3)], text)
    for ours, theirs in zip(board.matrices, there["matrices"], strict=True):
        box = (ours.x, ours.y, ours.width, ours.height)
        assert box == pytest.approx([theirs[side] for side in "xywh"], abs=CLOSE)
        size = board.text_size if board.writes_numbers(ours) else 0
        assert size == pytest.approx(theirs["size"], abs=CLOSE)
        assert_same_colors(ours, theirs, ink.colors_of(ours, board, ground))


def place_of(text: Text) -> tuple[str, float, float]:
    return text.text, text.x, text.y


def assert_looks_alike(ours: Text, theirs: dict[str, Any]) -> None:
    assert ours.anchor == theirs.get("text-anchor", "start")
    assert ours.size == theirs.get("font-size", 12)
    assert ours.bold == (theirs.get("font-weight") == 600)
    assert bool(ours.angle) == ("transform" in theirs)


def assert_same_colors(ours: FittedMatrix, theirs: dict[str, Any], colors: Colors) -> None:
    values, is_lost = ours.drawn_in_dots
    is_seen = ~np.isnan(values)
    assert [[bool(color) for color in row] for row in theirs["dots"]] == is_seen.tolist()
    found = colors.of(values, is_lost)[is_seen].astype(int)
    shown = [color for row in theirs["dots"] for color in row if color]
    assert np.abs(found - shown).max(initial=0) <= 1  # of 255; the last bits of a mean may differ
