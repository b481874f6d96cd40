"""Processes that are watched: one that dies, hangs or does not start makes room for another.

The processes here are small servers, so that they start at once.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fronting import wait_for
from tests.serving import free_port
from tools import replicas
from tools.replicas import BETWEEN, MISSES, Replica, end, roll, start_all

SERVER = """
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Well(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status": "ok"}')
    def log_message(self, *_):
        pass
print("I am", os.environ["EXPLORER_REPLICA"], flush=True)
print('{"event": "started"}', flush=True)
HTTPServer(("127.0.0.1", int(sys.argv[1])), Well).serve_forever()
"""
BROKEN = "raise OSError('There is no room')"
PLAIN = SERVER.replace('{"status": "ok"}', "<!doctype html>")


class Small(Replica):
    """A replica whose next process runs this script."""

    script = SERVER

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-c", self.script, str(self.port)]

    @property
    def pid(self) -> int:
        return self.process.child.pid if self.process else 0


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions follow each other faster than those to a server that many visit."""
    for name in ("GLANCE", "BETWEEN", "PAUSE"):
        monkeypatch.setattr(replicas, name, 0.01)


@pytest.fixture
def pair() -> Iterator[list[Small]]:
    made = [Small(number, 2, free_port()) for number in (1, 2)]
    yield made
    end([each.process.child for each in made if each.process])


def look_until(replica: Replica, is_so: Callable[[], bool]) -> None:
    def looked() -> bool:
        replica.look()
        return is_so()

    wait_for(looked)


def look_until_another_is_up(replica: Small, pid: int) -> None:
    look_until(replica, lambda: replica.pid not in (0, pid) and replica.is_up)


def follow(rolling: Iterator[None], *looked_after: Replica) -> None:
    """Go on until the restart has ended."""

    def has_ended() -> bool:
        for replica in looked_after:
            replica.look()
        return next(rolling, "ended") == "ended"

    wait_for(has_ended)


def test_all_start_and_know_which_of_them_they_are(
    pair: list[Small], capsys: pytest.CaptureFixture[str]
) -> None:
    start_all(pair)
    assert all(replica.is_up for replica in pair)
    said = capsys.readouterr()
    assert {"replica 1: I am 1/2", "replica 2: I am 2/2"} <= set(said.err.splitlines())
    assert said.err.splitlines().count('{"event": "started"}') == 2  # JSON stays JSON


def test_a_first_start_that_fails_ends_at_once_with_the_reason(pair: list[Small]) -> None:
    pair[1].script = BROKEN
    with pytest.raises(SystemExit) as stopped:
        start_all(pair)
    assert str(stopped.value).startswith(
        "The app cannot be served: replica 2 has ended with status 1. It said last:\n"
    )
    assert str(stopped.value).endswith("    OSError: There is no room")


def test_a_server_that_is_not_the_app_is_refused(pair: list[Small]) -> None:
    pair[0].script = PLAIN
    with pytest.raises(SystemExit, match=r"replica 1 does not answer at port \d+ as the app does"):
        start_all(pair)


def test_another_takes_the_place_of_one_that_died(
    pair: list[Small], capsys: pytest.CaptureFixture[str]
) -> None:
    start_all(pair)
    first = pair[0].pid
    os.kill(first, signal.SIGKILL)
    look_until_another_is_up(pair[0], first)
    assert "Replica 1 has ended with status -9; another takes its place" in capsys.readouterr().out


def test_another_takes_the_place_of_one_that_hangs(
    pair: list[Small], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start_all(pair)
    hangs = pair[0].pid
    monkeypatch.setattr(replicas, "ANSWERS_WITHIN", 0.05)
    os.kill(hangs, signal.SIGSTOP)
    look_until_another_is_up(pair[0], hangs)
    said = capsys.readouterr().out
    words = r"Replica 1 has not answered (\d+) times in a row; another takes its place"
    (misses,) = map(int, re.findall(words, said))
    assert misses >= replicas.MISSES  # it may be looked at late
    assert not Path(f"/proc/{hangs}").exists()


def test_a_server_that_is_busy_for_a_while_stays(
    pair: list[Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    start_all(pair)
    process = pair[0].process
    assert process is not None
    monkeypatch.setattr(replicas, "ANSWERS_WITHIN", 0.05)
    monkeypatch.setattr(replicas, "MISSES", 10**6)
    os.kill(pair[0].pid, signal.SIGSTOP)
    wait_for(lambda: process.misses > 0)
    os.kill(pair[0].pid, signal.SIGCONT)
    wait_for(lambda: process.misses == 0)
    assert process.trouble == ""


def test_a_busy_server_has_half_a_minute_at_least() -> None:
    assert (MISSES - 1) * BETWEEN >= 30


def test_a_restart_that_goes_well_makes_all_anew(
    pair: list[Small], capsys: pytest.CaptureFixture[str]
) -> None:
    start_all(pair)
    before = [replica.pid for replica in pair]
    follow(roll(pair))
    assert not set(before) & {replica.pid for replica in pair}
    assert "All replicas were restarted" in capsys.readouterr().out


def test_a_restart_stops_at_the_first_that_does_not_start(
    pair: list[Small], capsys: pytest.CaptureFixture[str]
) -> None:
    start_all(pair)
    second = pair[1].pid
    for replica in pair:
        replica.script = BROKEN
    follow(roll(pair), *pair)
    said = capsys.readouterr().out
    assert "Replica 1 does not start: it has ended with status 1. It is tried again in" in said
    assert "    OSError: There is no room\n" in said
    assert "The restart has stopped at replica 1: all others are left as they are." in said
    assert (pair[1].pid, pair[1].is_up) == (second, True)


def test_one_that_is_down_is_restarted_first(pair: list[Small]) -> None:
    start_all(pair)
    first = pair[0].pid
    pair[1].script = BROKEN
    pair[1].restart()
    look_until(pair[1], lambda: pair[1].failures == 1)
    pair[1].script = SERVER
    rolling = roll(pair)
    next(rolling)
    assert pair[0].pid == first
    follow(rolling)
    assert all(replica.is_up for replica in pair)


def test_one_that_does_not_start_is_tried_again_after_longer_and_longer(
    pair: list[Small], capsys: pytest.CaptureFixture[str]
) -> None:
    failing = pair[0]
    failing.script = BROKEN
    failing.start()
    look_until(failing, lambda: failing.failures == 3)
    said = capsys.readouterr().out
    assert [f"again in {pause} s" in said for pause in (0.01, 0.02, 0.04)] == [True] * 3
    failing.script = SERVER
    look_until(failing, lambda: failing.is_up and failing.failures == 0)
    assert "Replica 1 has started" in capsys.readouterr().out
