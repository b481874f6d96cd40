"""Nginx in front of replicas: who is asked, what all share, and what happens when one dies.

Takes long: nginx and three replicas are started, killed and started again.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from itertools import count
from pathlib import Path

import pytest

from benchmarks.load.crowd import PICTURE, edit, slide
from benchmarks.load.uploading import sign_of_page, upload
from benchmarks.load.visitor import visiting
from tests.asking import get
from tests.coroutines import run
from tests.fronting import HOMES, Front, free_ports, wait_for
from tests.serving import PATIENCE
from tools.health import Health, ask
from tools.replicas import end, start
from tools.serve import fill
from ui.guards.headers import security_headers
from ui.plot import SCRIPT, VERSION

pytestmark = pytest.mark.usefixtures("nginx")

SHARED = f"plot/{VERSION}/plot.js"
VISITORS = 4
PAUSE = 0.4  # seconds between two moves of a visitor; a person makes longer ones


def kill_the_busiest(front: Front) -> None:
    front.kill(front.busiest)


@contextmanager
def all_stopped(front: Front) -> Iterator[None]:
    """No replica answers anything."""
    pids = [process.pid for process in front.replicas.values()]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@pytest.fixture
def lonely(nginx: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a front whose replicas are all dead."""
    port = free_ports(2)
    fill(tmp_path, f"127.0.0.1:{port}", [port + 1])
    process = start([str(nginx), "-p", str(tmp_path), "-c", "nginx.conf"], tmp_path, {})
    wait_for(lambda: ask(port, PATIENCE) is Health.OTHER)
    yield f"http://127.0.0.1:{port}"
    end([process])


def test_nginx_alone_serves_what_all_share_compressed_and_to_be_kept_for_ever(front: Front) -> None:
    address = f"{front.url}/{SHARED}"
    get(address)
    with all_stopped(front):
        packed, plain = (get(address, encoding=kind) for kind in ("gzip", "identity"))
    assert gzip.decompress(packed.content) == plain.content == SCRIPT
    for answer in (packed, plain):
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert answer.headers["Set-Cookie"] is None


def test_streamlits_own_files_are_compressed_too(front: Front) -> None:
    page = get(front.url, encoding="identity").content.decode()
    script = re.findall(r"static/js/index[^\"]+", page)[0]
    packed, plain = (get(f"{front.url}/{script}", encoding=kind) for kind in ("gzip", "identity"))
    assert gzip.decompress(packed.content) == plain.content
    assert "immutable" in packed.headers["Cache-Control"]


def test_a_file_that_is_gone_is_not_kept(front: Front) -> None:
    gone = get(f"{front.url}/static/js/gone.js")
    assert gone.headers["Cache-Control"] == "no-cache"


def test_a_browser_gets_a_number_once_and_no_other_number_is_taken(front: Front) -> None:
    given = get(front.url).headers["Set-Cookie"]
    number, _, rest = given.partition(";")
    assert number in HOMES
    assert rest == " Path=/; HttpOnly; SameSite=Lax"
    assert get(front.url, Cookie=number).headers["Set-Cookie"] is None
    for other in ("replica=4", "replica=1.2.3.4", "replica=newcomers", f"visitor={'0' * 32}"):
        assert get(front.url, Cookie=other).headers["Set-Cookie"].partition(";")[0] in HOMES


def test_a_browser_keeps_its_number_and_the_front_is_healthy_as_long_as_one_replica_is(
    front: Front,
) -> None:
    front.kill(1)
    for _ in range(3):
        answer = get(front.url, Cookie=HOMES[0])
        assert answer.status == 200
        assert answer.headers["Set-Cookie"] is None
    front.kill(2)
    assert get(f"{front.url}/healthz").content == b'{"status":"ok"}'
    front.wait_until_whole()


def test_every_answer_of_the_app_has_its_headers_once(front: Front) -> None:
    for path in ("", "healthz", "compare", "_stcore/health", *SHARED, *SHARED, "media/none.bin"):
        got = get(f"{front.url}/{path}").headers
        expected = {name: [said] for name, said in security_headers().items()}
        assert {name: got.get_all(name) for name in expected} == expected, path


def test_the_fronts_own_answers_are_safe_too(lonely: str) -> None:
    answers = {
        503: get(lonely),
        502: get(f"{lonely}/healthz"),
        404: get(f"{lonely}/metrics"),
        413: get(lonely, **{"Content-Length": str(60 * 2**20)}),
        400: get(lonely, Host="two words"),
    }
    for status, answer in answers.items():
        assert answer.status == status
        assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"], status
        assert answer.headers.get_all("Referrer-Policy") == ["same-origin"], status
        (policy,) = answer.headers.get_all("Content-Security-Policy") or []
        assert policy == "default-src 'none'; frame-ancestors 'none'", status


def test_all_pages_of_a_browser_go_to_its_own_replica(front: Front) -> None:
    front.wait_until_whole()

    async def three_pages() -> list[int]:
        async with visiting(front.url) as first:
            name = first.cookies
            async with visiting(front.url, *name), visiting(front.url, *name):
                return [process.n_sessions for process in front.replicas.values()]

    assert sorted(run(three_pages())) == [0, 0, 3]


@pytest.mark.parametrize(("cookies", "found"), [(HOMES, [1, 1, 1]), ([""] * 6, [2, 2, 2])])
def test_browsers_are_spread_evenly_over_the_replicas(
    front: Front, cookies: list[str], found: list[int]
) -> None:
    front.wait_until_whole()

    async def browsers() -> list[int]:
        async with AsyncExitStack() as visits:
            for cookie in cookies:
                await visits.enter_async_context(visiting(front.url, *filter(None, [cookie])))
            return [process.n_sessions for process in front.replicas.values()]

    assert run(browsers()) == found


def test_files_count_where_their_visitor_is_whichever_replica_is_asked_first(front: Front) -> None:
    front.wait_until_whole()

    async def send_by_way_of_each() -> list[int]:
        async with visiting(front.url, HOMES[0]) as visitor:
            await visitor.open("example=pizza", PICTURE)
            signs = [sign_of_page(front.url, [home]) for home in HOMES]
            return [
                upload(front.url, visitor.session, bytes(40 * 2**20), f"{number}", sign).status
                for number, sign in enumerate(signs)
            ]

    assert run(send_by_way_of_each()) == [204, 204, 413]


def test_while_no_replica_is_there_the_page_says_so_and_asks_again(lonely: str) -> None:
    answer = get(lonely, encoding="identity")
    assert answer.status == 503
    assert b"http-equiv=refresh" in answer.content


def test_what_a_replica_counts_is_not_for_everybody(front: Front) -> None:
    for path in ("metrics", "_stcore/metrics"):
        assert get(f"{front.url}/{path}").status == 404


@pytest.mark.parametrize("harm", [kill_the_busiest, Front.restart])
def test_all_visitors_go_on_with_all_that_they_have_entered(
    front: Front, harm: Callable[[Front], None]
) -> None:
    front.wait_until_whole()
    cuts = run(visits_during(harm, front))
    front.wait_until_whole()
    assert len(cuts) == VISITORS
    assert any(cuts)


async def visits_during(harm: Callable[[Front], None], front: Front) -> list[int]:
    """How often each visitor was cut off. All enter numbers until the harm is done, and once more.

    A replica writes the whole address anew. So one that a visitor meets after a cut shows in its
    first answer whether it knows what was entered at another one.
    """
    all_there, is_done = asyncio.Barrier(VISITORS + 1), asyncio.Event()

    async def visit(index: int) -> int:
        dice = random.Random(index)
        async with visiting(front.url) as visitor:
            await visitor.open("example=pizza", PICTURE)
            await edit(visitor, dice, 1)
            _, entered = visitor.query.split("&")
            await all_there.wait()
            for number in count(2):
                is_last = is_done.is_set()
                await slide(visitor, dice, number)  # raises an error if it is lost
                assert entered in visitor.query.split("&")
                if is_last:
                    return visitor.cuts
                await asyncio.sleep(PAUSE)
        raise AssertionError

    async def do_harm() -> None:
        await all_there.wait()
        await asyncio.to_thread(harm, front)
        is_done.set()

    async with asyncio.TaskGroup() as tasks:
        visits = [tasks.create_task(visit(index)) for index in range(VISITORS)]
        tasks.create_task(do_harm())
    return [visit.result() for visit in visits]


def test_fields_that_are_behind_the_address_are_no_entries(front: Front) -> None:
    """The address had come before the cut, and the fields that belong to it had not."""
    front.wait_until_whole()

    async def cut_in_the_middle_of_a_run() -> str:
        async with visiting(front.url) as visitor:
            await visitor.open("example=pizza", PICTURE)
            visitor.query = "example=three-tokens"
            await asyncio.to_thread(kill_the_busiest, front)
            await slide(visitor, random.Random(1), 1)
            return visitor.query

    query = run(cut_in_the_middle_of_a_run())
    front.wait_until_whole()
    assert re.fullmatch(r"example=three-tokens&temperature=[\d.]+", query)
