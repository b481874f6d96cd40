"""Very many and very large files: others notice nothing, and the memory comes back.

Takes long: files of up to 45 MB go to servers, many at once.
"""

from __future__ import annotations

import asyncio
import http.client
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from benchmarks.load.crowd import PICTURE, edit
from benchmarks.load.uploading import Answer, sign_of_page, upload, upload_many
from benchmarks.load.visitor import Visitor, visiting
from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from mha_core.io.scenario.files import write_scenario
from tests.coroutines import run
from tests.metrics import PATIENCE, Metrics, metrics, wait_for
from tests.serving import AppServer, served

MB = 2**20


@contextmanager
def server_with(tmp_path: Path, **limits: float) -> Iterator[AppServer]:
    """A server of its own, with limits as MachineLimits names them. It meets no exception."""
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in limits.items():
            patch.setenv(f"EXPLORER_{name.upper()}", str(limit))
        with served("app.py", tmp_path / "log") as server:
            yield server
            assert "Traceback" not in server.log()


@asynccontextmanager
async def visitors_at(server: AppServer, count: int) -> AsyncIterator[Sequence[Visitor]]:
    async with AsyncExitStack() as there:
        visitors = [await there.enter_async_context(visiting(server.url)) for _ in range(count)]
        for visitor in visitors:
            await visitor.open("example=pizza", PICTURE)
        yield visitors


def statuses(answers: Sequence[Answer]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


def no_files(now: Metrics) -> bool:
    return now["uploads_bytes"] == 0


async def still_works(visitor: Visitor, number: int) -> None:
    await edit(visitor, random.Random(number), number)


# Refused before they take memory, and given back


def test_one_visitor_sends_very_many_large_files(tmp_path: Path) -> None:
    async def send(server: AppServer) -> None:
        async with visitors_at(server, 1) as (other,):
            at_first = metrics(server)
            async with visitors_at(server, 1) as (sender,):
                answers = await upload_many(server.url, [sender.session] * 6, 40 * MB)
                there = metrics(server)
                await still_works(other, 1)
            most = at_first["memory_bytes"] + 40 * MB
            await wait_for(server, lambda now: no_files(now) and now["memory_bytes"] < most)
        assert statuses(answers) == {204: 2, 413: 4}
        assert there["uploads_bytes"] == 80 * MB
        assert there["memory_bytes"] < at_first["memory_bytes"] + 200 * MB

    with server_with(tmp_path) as server:
        run(send(server))


def test_very_many_visitors_send_one_each(tmp_path: Path) -> None:
    async def send(server: AppServer) -> None:
        async with visitors_at(server, 8) as visitors:
            sessions = [visitor.session for visitor in visitors]
            answers = await upload_many(server.url, sessions, 9 * MB)
            (words,) = {answer.words for answer in answers if answer.words}
            assert statuses(answers) == {204: 4, 413: 4}
            assert words.startswith("The files of all visitors must take at most 40 MB together")
        await wait_for(server, no_files)
        async with visitors_at(server, 1) as (next_one,):
            assert upload(server.url, next_one.session, bytes(30 * MB)).status == 204

    with server_with(tmp_path, uploads_mb=40) as server:
        run(send(server))


def test_one_visitor_sends_very_many_files_with_nothing_in_them(tmp_path: Path) -> None:
    async def send(server: AppServer) -> None:
        async with visitors_at(server, 1) as (sender,):
            answers = await upload_many(server.url, [sender.session] * 100, 0)
            assert statuses(answers) == {204: 64, 413: 36}

    with server_with(tmp_path, session_uploads_mb=4) as server:
        run(send(server))


def test_a_file_that_is_sent_again_under_its_name_takes_the_place_of_the_first(
    app_server: AppServer,
) -> None:
    async def send() -> None:
        async with visitors_at(app_server, 1) as (sender,):
            for _ in range(4):
                assert upload(app_server.url, sender.session, bytes(30 * MB)).status == 204

    run(send())


# In the middle of others' work


def test_others_are_answered_while_several_send_20_mb_at_once(app_server: AppServer) -> None:
    async def send_and_work() -> None:
        async with visitors_at(app_server, 6) as (other, *senders):
            sessions = [sender.session for sender in senders]
            sending = asyncio.create_task(upload_many(app_server.url, sessions, 20 * MB))
            number = 0
            while not sending.done() or not number:
                number += 1
                await still_works(other, number)
            assert statuses(await sending) == {204: 5}
            await still_works(other, number + 1)

    run(send_and_work())


@contextmanager
def begun(server: AppServer, session: str, size: int) -> Iterator[http.client.HTTPConnection]:
    """A file of which half has been sent."""
    line = http.client.HTTPConnection(urlsplit(server.url).netloc)
    line.putrequest("PUT", f"/_stcore/upload_file/{session}/half")
    headers = {"Content-Type": "multipart/form-data; boundary=part", "Content-Length": str(size)}
    for name, value in (headers | sign_of_page(server.url)).items():
        line.putheader(name, value)
    line.endheaders()
    line.send(BEGIN + bytes(size // 2 - len(BEGIN)))
    yield line
    line.close()


BEGIN = b'--part\r\nContent-Disposition: form-data; name="file"; filename="half.npz"\r\n\r\n'
END = b"\r\n--part--\r\n"


def test_a_file_whose_line_is_cut_leaves_its_room(app_server: AppServer) -> None:
    async def cut() -> None:
        async with visitors_at(app_server, 2) as (sender, other):
            for number in range(1, 5):
                with begun(app_server, sender.session, 20 * MB):
                    await still_works(other, number)
            give_up = time.monotonic() + PATIENCE
            while upload(app_server.url, sender.session, bytes(45 * MB)).status == 413:
                assert time.monotonic() < give_up  # the server hears late that a line was cut

    run(cut())


def test_a_file_that_is_still_coming_when_its_visitor_has_gone_is_not_kept(
    app_server: AppServer,
) -> None:
    size = 8 * MB

    async def leave() -> None:
        async with visitors_at(app_server, 1) as (other,):
            async with visitors_at(app_server, 1) as (sender,):
                with begun(app_server, sender.session, size) as line:
                    here = metrics(app_server)["visitors"]
                    await sender.line.close()
                    await wait_for(app_server, lambda now: now["visitors"] < here)
                    line.send(bytes(size - size // 2 - len(END)) + END)
                    line.getresponse().read()
            await wait_for(app_server, no_files)
            await still_works(other, 1)

    run(leave())


# Read once


def large_file() -> bytes:
    """A scenario of random numbers, which no archive makes smaller: about 20 MB."""
    s = load_example("pizza-1024")
    dice = np.random.default_rng(1)
    for name in ("w_q", "w_k", "w_v"):
        s = with_matrix(s, name, dice.standard_normal(getattr(s, name).shape))
    return write_scenario(s, "large.npz")


def test_the_bytes_of_a_file_go_as_soon_as_the_page_has_read_it(app_server: AppServer) -> None:
    data = large_file()
    assert len(data) > 16 * MB

    async def open_it() -> None:
        async with visitors_at(app_server, 1) as (visitor,):
            await wait_for(app_server, no_files)
            for number in range(4):  # more than a visitor's may take together
                await visitor.fold("examples", is_open=True)
                file = f"large-{number}"
                sent = upload(app_server.url, visitor.session, data, file)
                assert sent.status == 204
                assert metrics(app_server)["uploads_bytes"] == len(data)
                await visitor.choose("open-file", file, len(data))
                assert no_files(metrics(app_server))
            assert "example=pizza" not in visitor.query

    run(open_it())


def test_a_file_that_another_process_has_read_is_no_entry(app_server: AppServer) -> None:
    async def come_back() -> None:
        async with visitors_at(app_server, 1) as (visitor,):
            await visitor.fold("examples", is_open=True)
            said = len(app_server.log())
            await visitor.choose("open-file", "of-another-process", 1)
            await still_works(visitor, 1)
            assert "Traceback" not in app_server.log()[said:]

    run(come_back())
