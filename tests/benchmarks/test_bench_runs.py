"""The benchmark runs, compares like with like and says what it measured; no time is asserted."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pytest
import torch

from benchmarks.__main__ import RESULTS, parse_options
from benchmarks.aims import aim_against_floor, aim_against_torch
from benchmarks.layers import SIZES, Size, check_same_numbers, contestants
from benchmarks.run import FULL, QUICK, Plan, run
from benchmarks.table import HEADING, Row
from benchmarks.timing import Pace, Spread, Times, clock_for, pace_within, race

SMALLEST = SIZES[:1]


def test_the_smallest_size_gives_a_table_and_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "not made yet" / "core.json"
    plan = Plan(SMALLEST, seconds=0.0, rounds=2, long_tokens=64)
    run(plan, threads=torch.get_num_threads(), results=file)

    printed = capsys.readouterr().out.splitlines()
    heading = printed.index(HEADING)
    assert printed[heading + 1].split()[:4] == ["4", "4", "2", "float32"]
    assert re.search(r"attend_rows, 64 tokens, 8 heads of 64, float32: .* MiB", printed[-3])

    written = json.loads(file.read_text(encoding="utf-8"))
    setting = {"date", "cpu", "threads", "clock", "python", "numpy", "torch"}
    assert set(written) == {*setting, "layers", "long_rows"}
    (layer,) = written["layers"]
    assert set(layer["milliseconds"]) == {"ours", "torch", "fused", "floor"}
    assert layer["rounds"] == 2
    assert set(layer["ours_to_torch"]) == {"median", "lower", "upper", "aim", "met"}
    assert [row["dtype"] for row in written["long_rows"]] == ["float32", "float64"]
    assert all(row["peak_mib"] > 1 for row in written["long_rows"])


@pytest.mark.parametrize("size", SIZES[:4], ids=str)
def test_both_compute_the_same_before_they_are_timed(size: Size) -> None:
    check_same_numbers(contestants(size))


@pytest.mark.parametrize("rival", ["torch", "fused"])
@pytest.mark.parametrize(("faulty", "what"), [(0, "weights"), (1, "output")])
def test_two_that_differ_are_not_timed(rival: str, faulty: int, what: str) -> None:
    racers = contestants(SIZES[1])
    result = list(racers[rival]())
    result[faulty] = result[faulty] * (1 + 1e-9)
    with pytest.raises(ArithmeticError, match=f"The {what} differ by 1e-09"):
        check_same_numbers({**racers, rival: lambda: (result[0], result[1])})


def test_the_floor_does_the_same_products_and_exp_alone() -> None:
    scores, output = contestants(Size(5, 6, 2, "float64"))["floor"]()
    weights, true_output = contestants(Size(5, 6, 2, "float64"))["ours"]()
    assert scores.shape == weights.shape
    assert output.shape == true_output.shape
    assert (scores > 0).all()


def test_every_contestant_runs_once_a_round_and_takes_its_turn_to_start() -> None:
    order: list[str] = []
    racers = {name: partial(order.append, name) for name in "abc"}
    times = race(racers, Pace(rounds=3, calls=2), perf_counter)
    assert "".join(order) == "aabbccbbccaaccaabb"
    assert [len(times.seconds[name]) for name in "abc"] == [3, 3, 3]


def test_a_ratio_is_taken_round_by_round() -> None:
    times = Times({"ours": [1.0, 20.0, 3.0], "torch": [2.0, 20.0, 2.0]})
    assert times.ratio("ours", "torch") == Spread(median=1.0, lower=0.75, upper=1.25)
    assert times.milliseconds("ours") == 3000


def test_the_rounds_stay_between_least_and_most() -> None:
    racers = {"one": lambda: None}
    assert pace_within(0.0, racers, perf_counter, least=3, most=7).rounds == 3
    assert pace_within(60.0, racers, perf_counter, least=3, most=7).rounds == 7


def test_a_clock_too_coarse_to_see_a_call_gives_no_ratio_and_that_is_printed() -> None:
    seconds = {"ours": [3.0], "torch": [0.0], "fused": [0.0], "floor": [0.0]}
    row = Row(Size(256, 8, 2, "float32"), Times(seconds))
    assert re.sub(" +", " ", row.line()).endswith(
        " 0.000 no ratio 1.0 unknown no ratio no ratio 1.5 unknown"
    )
    assert len(row.line()) == len(HEADING)
    assert row.data()["ours_to_torch"] == {"aim": 1.0, "met": None}
    assert row.data()["ours_to_fused"] is None


def test_a_clock_that_stands_still_does_not_stop_the_race() -> None:
    pace = pace_within(1.0, {"one": lambda: None}, lambda: 7.0, least=3, most=7)
    assert (pace.rounds, pace.calls) == (7, 3000)


@pytest.mark.parametrize(("one_call", "calls"), [(0.0001, 30), (0.003, 1), (0.5, 1)])
def test_what_takes_no_time_runs_often_in_its_turn(one_call: float, calls: int) -> None:
    now = [0.0]

    def take_time() -> None:
        now[0] += one_call

    pace = pace_within(3.0, {"one": take_time}, lambda: now[0], least=1, most=10_000)
    assert pace == Pace(rounds=round(3.0 / one_call / calls), calls=calls)


def test_one_thread_is_timed_by_the_processor_and_more_by_the_wall() -> None:
    assert clock_for(1) is process_time
    assert clock_for(2) is perf_counter


@pytest.mark.parametrize(
    ("n", "against_torch", "against_floor"),
    [(4, 0.8, None), (64, 0.8, None), (65, 1.0, None), (256, 1.0, 1.5)],
)
def test_the_aims(n: int, against_torch: float, against_floor: float | None) -> None:
    size = Size(n, 8, 2, "float32")
    assert aim_against_torch(size) == against_torch
    assert aim_against_floor(size) == against_floor


@pytest.mark.parametrize(("ours", "said"), [(1.0, "1.0 met"), (1.01, "1.0 missed")])
def test_the_table_says_whether_an_aim_is_met(ours: float, said: str) -> None:
    seconds = {"ours": [ours], "torch": [1.0], "fused": [2.0], "floor": [0.5]}
    row = Row(Size(128, 8, 2, "float32"), Times(seconds))
    assert said in row.line()
    assert row.data()["ours_to_torch"]["met"] is ("met" in said)
    assert row.data()["ours_to_floor"]["met"] is None
    assert row.line().endswith(" -")


def test_the_aim_is_for_the_layer_as_constructed_and_its_fastest_stands_beside_it() -> None:
    seconds = {"ours": [3.0], "torch": [4.0], "fused": [2.0], "floor": [1.0]}
    row = Row(Size(5, 8, 2, "float32"), Times(seconds))
    shown = "0.75 (0.75-0.75)   0.8 met  1.50  3.00 (3.00-3.00)  -"
    assert row.line().split()[8:] == shown.split()
    assert len(row.line()) == len(HEADING)
    assert row.data()["ours_to_torch"]["median"] == 0.75
    assert row.data()["ours_to_fused"]["median"] == 1.5


def test_the_full_plan_holds_every_size_in_both_types_and_the_quick_one_the_small() -> None:
    assert len(FULL.sizes) == 14
    assert {size.dtype for size in FULL.sizes} == {"float32", "float64"}
    assert FULL.long_tokens == 16_384
    assert max(size.n for size in QUICK.sizes) == 64


def test_options(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(*words: str) -> dict[str, Any]:
        monkeypatch.setattr("sys.argv", ["benchmarks", *words])
        return vars(parse_options())

    assert parsed() == {"threads": 1, "quick": False, "results": RESULTS}
    assert parsed("--threads", "2", "--quick")["threads"] == 2


@pytest.mark.parametrize("name", ["ours", "torch", "fused", "floor"])
def test_each_gives_the_weights_of_every_head_and_the_output(name: str) -> None:
    weights, output = contestants(Size(7, 6, 3, "float32"))[name]()
    assert tuple(weights.shape)[-3:] == (3, 7, 7)
    assert tuple(output.shape)[-2:] == (7, 6)
    assert np.asarray(weights).dtype == np.asarray(output).dtype == np.float32
