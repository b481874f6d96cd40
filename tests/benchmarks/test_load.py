"""The clients that load a server do what browsers do, and notice what is lost."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

from benchmarks.load import heavy, uploading
from benchmarks.load.__main__ import LINE, Contestant, measured
from benchmarks.load.crowd import ACTS, PICTURE, LostError, crowd, edit, seed, share_of, slide
from benchmarks.load.visitor import Visitor, visiting
from tests.coroutines import in_a_thread, run

if TYPE_CHECKING:
    from tests.serving import AppServer


def visit(url: str, does: Callable[[Visitor], Awaitable[None]]) -> None:
    async def visiting_once() -> None:
        async with visiting(url) as visitor:
            await visitor.open("example=pizza", PICTURE)
            await does(visitor)

    run(visiting_once())


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_every_act_comes_about(app_server: AppServer, act: Callable[..., Awaitable[float]]) -> None:
    async def twice(visitor: Visitor) -> None:
        dice = random.Random(1)
        for number in (1, 2):
            before = visitor.query
            assert await act(visitor, dice, number) > 0
            assert visitor.query != before

    visit(app_server.url, twice)


def test_an_act_keeps_what_another_has_done(app_server: AppServer) -> None:
    async def slide_and_edit(visitor: Visitor) -> None:
        await slide(visitor, random.Random(1), 1)
        slid = visitor.query
        await edit(visitor, random.Random(1), 2)
        assert visitor.query.startswith(slid)

    visit(app_server.url, slide_and_edit)


def test_what_is_not_taken_is_lost(app_server: AppServer) -> None:
    async def tell_an_old_entry(visitor: Visitor) -> None:
        await slide(visitor, random.Random(1), 2)
        with pytest.raises(LostError, match="is not in example=pizza"):
            await slide(visitor, random.Random(2), 1)

    visit(app_server.url, tell_an_old_entry)


def test_a_crowd_counts_what_becomes_of_its_visitors(app_server: AppServer) -> None:
    outcome = run(crowd(app_server.url, 3, 3.0, ACTS))
    assert len(outcome.first) == 3
    assert not outcome.lost
    assert not outcome.errors


def test_a_server_that_is_not_there_is_an_error_of_each_visitor() -> None:
    outcome = run(crowd("http://localhost:9", 2, 0.1, ACTS))
    assert len(outcome.errors) == 2
    assert not outcome.first


def test_the_floor_is_measured_and_told_in_a_line() -> None:
    floor = Contestant("floor", "benchmarks/floor_app.py", {seed: 1})
    result = in_a_thread(partial(measured, floor, 2, 3.0))
    assert result.first_p95_ms > 0
    assert result.cpu_ms > 0
    assert len(result.line.split()) == LINE.count("{")


def test_processes_behind_nginx_are_measured_together() -> None:
    front = Contestant("front 2", "app.py", {slide: 1}, replicas=2)
    result = in_a_thread(partial(measured, front, 2, 2.0))
    assert result.cpu_ms > 0
    assert not result.lost
    assert not result.errors


def test_a_share_of_the_times_is_within_the_longest() -> None:
    assert share_of([3.0, 1.0, 2.0], 0.5) == 2.0
    assert share_of([3.0, 1.0, 2.0], 0.95) == 3.0


def test_files_are_taken_from_all_who_send_at_once(
    app_server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "UPLOADS", 3)
    monkeypatch.setattr(heavy, "UPLOADED", 2**21)
    assert run(heavy.uploads(app_server, 1, 1.0)).errors == []


def test_files_of_one_visitor_for_which_there_is_no_room_are_errors(
    app_server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "OF_ONE", 3)
    (refused,) = run(heavy.one_sender(app_server, 1, 1.0)).errors
    assert refused.startswith("413 Your files must take at most 96 MB")


def test_a_file_without_the_sign_of_the_page_is_refused(app_server: AppServer) -> None:
    assert uploading.upload(app_server.url, "nobody", b"0", sign={}).status == 403


def test_each_connection_that_is_opened_and_closed_is_counted(
    app_server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "CONNECTIONS", 3)
    outcome = run(heavy.connections(app_server, 2, 1.0))
    assert (len(outcome.first), outcome.errors) == (3, [])


def test_small_visitors_make_changes_for_as_long_as_the_others_are_there(
    app_server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy, "SMALL", 1)
    with heavy.peak_of(app_server.pid) as peak:
        small, others = run(heavy.both(app_server, heavy.nobody, 1, 1.0))
    assert small.changes
    assert not others.changes
    assert peak[0] > 50
