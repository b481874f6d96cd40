"""The table of the app's bench: turns, ratios and verdicts. `make bench-app` runs it."""

from __future__ import annotations

from functools import partial

import pytest

from benchmarks.app import HEADING, SERVERS, Aim, Row, layer, row, take_turns
from benchmarks.timing import Spread
from benchmarks.visit import Measured
from mha_core.io.scenario.link import decode_link


def test_all_take_turns_and_the_first_round_only_warms_up() -> None:
    order: list[str] = []

    def act(name: str) -> Measured:
        order.append(name)
        return {"answer": len(order)}

    taken = take_turns({name: partial(act, name) for name in SERVERS}, rounds=2)
    assert order == ["app", "floor", "stock", "floor", "stock", "app", "stock", "app", "floor"]
    measured = row("A press", taken, "answer")
    assert measured.app == [6, 8]
    assert measured.floor == [4, 9]
    assert measured.stock == [5, 7]


def test_a_ratio_is_taken_round_by_round() -> None:
    measured = Row("A press", app=[10, 400, 30], floor=[5, 400, 10], stock=[10, 100, 30])
    assert measured.ratio == Spread(median=2, lower=1.5, upper=2.5)
    assert measured.ratio_to_stock == Spread(median=1, lower=1, upper=2.5)


@pytest.mark.parametrize(
    ("aim", "text"),
    [
        (Aim(2.0), "most 2 of the floor met"),
        (Aim(1.9), "most 1.9 of the floor missed"),
        (Aim(7.0, "seconds"), "most 7 seconds met"),
        (Aim(6.9, "seconds"), "most 6.9 seconds missed"),
        (Aim(7.0, "a second", at_least=True), "least 7 a second met"),
        (Aim(7.1, "a second", at_least=True), "least 7.1 a second missed"),
        (None, "-"),
    ],
)
def test_each_aim_is_judged_by_its_own_number(aim: Aim | None, text: str) -> None:
    line = Row("A press", app=[7.0], floor=[3.5], stock=[5.0], aim=aim).line()
    assert line.endswith(text)
    assert len(line) == len(HEADING)


def test_the_addresses_have_the_sizes_they_are_named_after() -> None:
    query = layer(tokens=7, heads=3, width=15).address.removeprefix("/?")
    sizes = decode_link(query).sizes
    assert (sizes["n_q"], sizes["n_heads"], sizes["d_model"]) == (7, 3, 15)
