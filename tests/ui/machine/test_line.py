"""Runs stand in line: who came first is answered first, and nobody is held up for long."""

from __future__ import annotations

import threading
import time

import pytest

from tests.ui.machine.threads import PATIENCE, running, wait_until
from ui.machine import budget
from ui.machine.budget import Turns, Use
from ui.machine.line import Line

NEVER = float(PATIENCE)  # seconds after which a run would be passed


class Runs:
    """Runs in a line, each of which lasts until it is told to end."""

    def __init__(self, longest: float = NEVER) -> None:
        self.line = Line(longest)
        self.began: list[str] = []
        self.ends = {name: threading.Event() for name in "abcdef"}

    def run(self, name: str) -> None:
        with self.line.turn():
            self.began.append(name)
            self.ends[name].wait(PATIENCE)

    def has_begun(self, *names: str) -> bool:
        return self.began == list(names)


def test_runs_are_made_one_by_one_in_the_order_in_which_they_came() -> None:
    runs = Runs()
    with running(lambda: runs.run("a")):
        wait_until(lambda: runs.has_begun("a"))
        with running(lambda: runs.run("b")):
            wait_until(lambda: runs.line.waiting == 1)
            with running(lambda: runs.run("c")):
                wait_until(lambda: runs.line.waiting == 2)
                assert runs.has_begun("a")
                runs.ends["a"].set()
                wait_until(lambda: runs.has_begun("a", "b"))
                assert runs.line.waiting == 1
                runs.ends["b"].set()
                wait_until(lambda: runs.has_begun("a", "b", "c"))
                runs.ends["c"].set()
    assert runs.line.waiting == 0


def test_a_run_that_takes_long_is_passed() -> None:
    runs = Runs(longest=0.01)
    with running(lambda: runs.run("a")):
        wait_until(lambda: runs.has_begun("a"))
        with running(lambda: runs.run("b")), running(lambda: runs.run("c")):
            wait_until(lambda: len(runs.began) == 3)
            for end in runs.ends.values():
                end.set()


def test_a_run_within_a_run_is_the_same_run() -> None:
    line = Line(NEVER)
    with line.turn(), line.turn():
        pass
    with line.turn():
        assert line.waiting == 0


class Parts:
    """A run of two parts in a line, with another one waiting, and what is to happen in between."""

    def __init__(self) -> None:
        self.line = Line(NEVER)
        self.made: list[str] = []
        self.waits = threading.Event()

    def run(self, *, goes_on: bool) -> None:
        with self.line.turn(goes_on=goes_on):
            self.made.append("first part")
            self.waits.wait(PATIENCE)

    def run_another(self) -> None:
        with self.line.turn():
            self.made.append("another run")

    def let_another_wait(self) -> None:
        wait_until(lambda: bool(self.made))


def test_the_parts_of_a_run_are_one_turn() -> None:
    parts = Parts()

    def run() -> None:
        parts.run(goes_on=True)
        assert parts.line.waiting == 1
        with parts.line.turn():
            parts.made.append("second part")

    with running(run):
        parts.let_another_wait()
        with running(parts.run_another):
            wait_until(lambda: parts.line.waiting == 1)
            parts.waits.set()
    assert parts.made == ["first part", "second part", "another run"]


def test_a_run_that_is_stopped_between_its_parts_holds_up_nobody() -> None:
    parts = Parts()
    with running(lambda: parts.run(goes_on=True)):
        parts.let_another_wait()
        with running(parts.run_another):
            wait_until(lambda: parts.line.waiting == 1)
            parts.waits.set()
    assert parts.made == ["first part", "another run"]


def test_a_part_that_fails_ends_the_turn() -> None:
    parts = Parts()
    with pytest.raises(ZeroDivisionError), parts.line.turn(goes_on=True):
        _ = 1 / 0
    with running(parts.run_another):
        pass
    assert parts.made == ["another run"]


def test_a_part_of_a_heavy_run_that_has_left_the_line_ends_with_it() -> None:
    line = Line(NEVER)
    with line.turn(goes_on=True):
        line.leave()
    took = time.monotonic()
    with line.turn():
        assert line.came >= took


def test_while_a_run_sleeps_others_go_on_and_it_is_next() -> None:
    runs = Runs()
    wakes = threading.Event()

    def sleep() -> None:
        with runs.line.turn():
            runs.began.append("sleeps")
            with runs.line.aside():
                wakes.wait(PATIENCE)
            runs.began.append("woke")

    with running(sleep):
        wait_until(lambda: runs.has_begun("sleeps"))
        with running(lambda: runs.run("a")):
            wait_until(lambda: runs.has_begun("sleeps", "a"))
            with running(lambda: runs.run("b")):
                wait_until(lambda: runs.line.waiting == 1)
                wakes.set()
                wait_until(lambda: runs.line.waiting == 2)
                runs.ends["a"].set()
                runs.ends["b"].set()
    assert runs.began == ["sleeps", "a", "woke", "b"]


def test_a_run_that_fails_leaves_the_line() -> None:
    line = Line(NEVER)
    with pytest.raises(ZeroDivisionError), line.turn():
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError), line.turn(), line.aside():
        raise ZeroDivisionError
    with running(lambda: line.turn().__enter__()):
        pass


def test_the_page_that_a_fragment_asks_for_has_waited_already() -> None:
    runs = Runs()

    def lead_to_page() -> None:
        with runs.line.turn():
            runs.began.append("fragment")
            wait_until(lambda: runs.line.waiting == 2)
            runs.line.stay_next()
        runs.run("page")

    runs.ends["page"] = threading.Event()
    with running(lead_to_page):
        wait_until(lambda: runs.has_begun("fragment"))
        with running(lambda: runs.run("a")):
            wait_until(lambda: runs.line.waiting == 1)
            with running(lambda: runs.run("b")):
                wait_until(lambda: runs.has_begun("fragment", "a") and runs.line.waiting == 2)
                for end in runs.ends.values():
                    end.set()
    assert runs.began == ["fragment", "a", "page", "b"]


def test_while_a_heavy_layer_is_computed_and_drawn_nobody_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs, computed, drawn = Runs(), threading.Event(), threading.Event()
    monkeypatch.setattr(budget, "LINE", runs.line)

    def compute_and_draw() -> None:
        with runs.line.turn():
            with Turns(1).turn(Use()):
                runs.began.append("computes")
                computed.wait(PATIENCE)
            with runs.line.turn():  # a part of the page
                runs.began.append("draws")
                drawn.wait(PATIENCE)

    with running(compute_and_draw):
        wait_until(lambda: runs.has_begun("computes"))
        with running(lambda: runs.run("a")):
            wait_until(lambda: runs.has_begun("computes", "a"))
            computed.set()
            wait_until(lambda: runs.has_begun("computes", "a", "draws"))
            with running(lambda: runs.run("b")):
                wait_until(lambda: runs.has_begun("computes", "a", "draws", "b"))
                for end in (drawn, runs.ends["a"], runs.ends["b"]):
                    end.set()
    with running(lambda: runs.run("c")):  # in line again
        wait_until(lambda: runs.began[-1] == "c")
        with running(lambda: runs.run("d")):
            wait_until(lambda: runs.line.waiting == 1)
            for name in "cd":
                runs.ends[name].set()


def test_a_run_counts_from_when_it_took_its_place() -> None:
    runs = Runs()
    came: list[float] = []

    def wait() -> None:
        with runs.line.turn():
            came.append(runs.line.came)
            runs.line.stay_next()
        with runs.line.turn():
            came.append(runs.line.came)
        came.append(runs.line.came)

    with running(lambda: runs.run("a")):
        wait_until(lambda: runs.has_begun("a"))
        with running(wait):
            wait_until(lambda: runs.line.waiting == 1)
            called = time.monotonic()
            runs.ends["a"].set()
    first, again, after = came
    assert 0 < first < called
    assert again == first
    assert after == 0
