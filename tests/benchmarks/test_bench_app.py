"""The table of the app's bench: turns, ratios and verdicts. `make bench-app` runs it."""

from __future__ import annotations

import json
from functools import partial
from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import TimeoutError

from benchmarks.app import HEADING, Aim, Row, comparison, contestants, layer, row, take_turns
from benchmarks.timing import Spread
from benchmarks.visit import Measured, answer_time
from mha_core.comparing.differences import differences
from mha_core.io.scenario.link import decode_link


def test_all_take_turns_and_the_first_round_only_warms_up() -> None:
    order: list[str] = []

    def act(name: str) -> Measured:
        order.append(name)
        return {"answer": len(order)}

    taken = take_turns({name: partial(act, name) for name in contestants(None)}, rounds=2)
    assert order == ["app", "floor", "stock", "floor", "stock", "app", "stock", "app", "floor"]
    measured = row("A press", taken, "answer")
    assert measured.app == [6, 8]
    assert measured.floor == [4, 9]
    assert measured.stock == [5, 7]


def test_a_ratio_is_taken_round_by_round() -> None:
    measured = Row("A press", app=[10, 400, 30], floor=[5, 400, 10], stock=[10, 100, 30])
    assert measured.ratio == Spread(median=2, lower=1.5, upper=2.5)
    assert measured.ratio_to_stock == Spread(median=1, lower=1, upper=2.5)


def test_what_no_rival_does_stands_alone_beside_its_aim() -> None:
    taken: dict[str, list[Measured]] = {"app": [{"repaints": 40}, {"repaints": 60}]}
    scrubbed = row("Scrub", taken, "repaints", Aim(50, "a second", at_least=True))
    assert scrubbed.ratio is None
    assert scrubbed.is_met
    (line,) = scrubbed.lines()
    assert "least 50 a second met" in line


def test_an_older_checkout_takes_its_turns_and_stands_below_the_app(tmp_path: Path) -> None:
    older = contestants(tmp_path)["before"]
    assert (older.script, older.folder) == ("app.py", tmp_path)
    taken: dict[str, list[Measured]] = {
        name: [{"answer": number}] for number, name in enumerate(contestants(tmp_path), 2)
    }
    _, line = row("A press", taken, "answer").lines()
    assert line == "  before: 5.0, app/before: 0.40 (0.40-0.40)"


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
    (line,) = Row("A press", app=[7.0], floor=[3.5], stock=[5.0], aim=aim).lines()
    assert line.endswith(text)
    assert len(line) == len(HEADING)


def test_the_addresses_have_the_sizes_they_are_named_after() -> None:
    query = layer(tokens=7, heads=3, width=15).address.removeprefix("/?")
    sizes = decode_link(query).sizes
    assert (sizes["n_q"], sizes["n_heads"], sizes["d_model"]) == (7, 3, 15)


def test_both_sides_of_the_comparison_have_its_size_and_one_thing_differs() -> None:
    params = comparison(tokens=7, heads=3, width=15).address.removeprefix("/compare?").split("&")
    sides = [
        decode_link("&".join(param[2:] for param in params if param.startswith(side)))
        for side in ("a.", "b.")
    ]
    assert [(s.n_q, s.n_heads, s.d_model) for s in sides] == [(7, 3, 15)] * 2
    assert [each.what for each in differences(*sides)] == ["Temperature"]


# ---- on a slow machine --------------------------------------------------------------------------


def test_a_rival_that_painted_nothing_gives_no_ratio_and_that_is_printed() -> None:
    measured = Row(
        "Key held: repaints a second",
        app=[3.0, 4.0],
        floor=[0.0, 0.0],
        stock=[2.0, 0.0],
        aim=Aim(10, "a second", at_least=True),
        zero_means="painted nothing in its window",
    )
    line, *notes = measured.lines()
    assert line.endswith("least 10 a second missed")
    assert line.split()[-8:-5] == ["1.50", "no", "ratio"]
    assert notes == [
        "  no ratio: the floor painted nothing in its window",
        "  ratio of 1 of 2 rounds: the stock painted nothing in its window",
    ]
    data = measured.data()
    assert (data["ratio"], data["met"]) == (None, False)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_an_aim_beside_the_floor_is_unknown_without_the_floor() -> None:
    measured = Row("A press", app=[7.0], floor=[nan], stock=[3.5], aim=Aim(2.0))
    line, note = measured.lines()
    assert line.endswith("most 2 of the floor unknown")
    assert len(line) == len(HEADING)
    assert note == "  no ratio: the app or the floor did not answer in time"
    assert measured.data()["met"] is None


def test_a_page_that_takes_too_long_costs_its_round_and_not_the_bench(
    capsys: pytest.CaptureFixture[str],
) -> None:
    turns = iter([5.0, 6.0, None, 8.0])

    def act() -> Measured:
        if (answer := next(turns)) is None:
            raise TimeoutError("Timeout 120000ms exceeded.\nCall log: ...")
        return {"answer": answer}

    taken = take_turns({"app": act}, rounds=3)["app"]
    measured = row("A press", {"app": taken, "floor": taken, "stock": taken}, "answer")
    np.testing.assert_array_equal(measured.app, [6, nan, 8])
    assert measured.ratio == Spread(1, 1, 1)
    assert measured.lines()[1:] == [
        "  ratio of 2 of 3 rounds: the app or the floor did not answer in time",
        "  ratio of 2 of 3 rounds: the app or the stock did not answer in time",
    ]
    assert capsys.readouterr().out == "  not measured: Timeout 120000ms exceeded.\n"


def test_what_a_page_did_not_note_in_time_is_no_number() -> None:
    assert isnan(answer_time({"paints": []}))
    assert isnan(answer_time({"paints": [{"at": 8}]}))
    assert answer_time({"paints": [{"at": 8}, {"at": 9}], "entered": 2}) == 7
