"""Which files are let through to Streamlit, and that none of the others is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, repeat
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import runtime

from tests.coroutines import run
from ui.guards import uploads as guard
from ui.guards.uploads import RoomForUploads
from ui.machine.limits import MachineLimits
from ui.state.uploads import MEGABYTE, Uploads

PATH = "/_stcore/upload_file/ann/file"
TAKEN = [{"type": "http.response.start", "status": 204}]
LAST = {"type": "http.request", "body": b"end", "more_body": False}
MORE = {"type": "http.request", "body": bytes(MEGABYTE), "more_body": True}


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Uploads:
    """2 MB for each visitor. Ann is here, nobody else."""
    room = Uploads(MachineLimits(session_uploads_mb=2))
    monkeypatch.setattr(guard, "UPLOADS", room)
    monkeypatch.setattr(guard, "is_here", "ann".__eq__)
    return room


class FilesOnDisk:
    """A store of files that nobody here can count."""


@pytest.fixture
def kept_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    streamlit = SimpleNamespace(uploaded_file_mgr=FilesOnDisk())
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: streamlit)


@contextmanager
def full(room: Uploads) -> Iterator[None]:
    coming = room.expect("ann", 2 * MEGABYTE)
    yield
    room.has_come(coming)


class Server:
    """A server behind the guard: what it is sent, and what comes back."""

    def __init__(self, answers: Any = TAKEN) -> None:
        self.answers = answers
        self.is_reached = False
        self.heard = 0
        self.sent: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.is_reached = True
        for message in self.answers:
            await send(message)

    def ask(
        self, path: str = PATH, body: Any = (LAST,), kind: str = "http", **asked: Any
    ) -> Server:
        async def receive() -> Any:
            self.heard += 1
            return next(messages)

        async def send(message: Any) -> None:
            self.sent.append(message)

        messages = iter(body)
        headers = asked.pop("headers", {"content-length": str(MEGABYTE)})
        said = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": kind, "method": "PUT", "path": path, "headers": said} | asked
        run(RoomForUploads(self)(scope, receive, send))
        return self

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])


@pytest.mark.parametrize("path", [PATH, f"/course/week-3{PATH}"])
def test_a_file_for_which_there_is_room_is_let_through_and_makes_room_again(
    room: Uploads, path: str
) -> None:
    for _ in range(3):
        assert Server().ask(path).sent == TAKEN


@pytest.mark.parametrize("path", [PATH, f"/course/week-3{PATH}"])
def test_one_for_which_there_is_none_is_refused_in_words(room: Uploads, path: str) -> None:
    with full(room):
        server = Server().ask(path)
    assert not server.is_reached
    assert server.status == 413
    assert b"Your files must take at most 2 MB together" in server.sent[1]["body"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"transfer-encoding": "chunked"},
        {"transfer-encoding": "chunked", "content-length": "1"},
        {"content-length": "-1"},
        {"content-length": "9" * 5000},
        {"content-length": "1e3"},
    ],
)
def test_one_that_does_not_say_its_size_may_be_as_large_as_any(
    room: Uploads, headers: dict[str, str]
) -> None:
    assert Server().ask(headers=headers).status == 413
    assert Server().ask(headers={"content-length": str(2 * MEGABYTE)}).status == 204


def test_a_browser_may_send_all_of_it_before_it_is_answered(room: Uploads) -> None:
    with full(room):
        assert Server().ask(body=(MORE, MORE, LAST)).heard == 3


def test_one_without_an_end_is_heard_no_longer_than_the_largest(room: Uploads) -> None:
    with full(room):
        server = Server().ask(body=repeat(MORE))
    assert server.status == 413
    assert server.heard == 50


def test_who_hangs_up_is_heard_no_more(room: Uploads) -> None:
    with full(room):
        assert Server().ask(body=cycle([MORE, {"type": "http.disconnect"}])).heard == 2


def test_one_that_fails_on_its_way_makes_room_again(room: Uploads) -> None:
    class FailingServer(Server):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            raise OSError("The disk is full.")

    for _ in range(3):
        with pytest.raises(OSError, match="The disk is full"):
            FailingServer().ask()


def test_a_session_of_another_replica_is_not_counted_here(room: Uploads) -> None:
    with full(room):
        assert Server().ask("/_stcore/upload_file/ben/file").status == 204


@pytest.mark.parametrize("asked", [{"method": "DELETE"}, {"method": "OPTIONS"}, {"path": "/"}])
def test_other_requests_pass(room: Uploads, asked: dict[str, str]) -> None:
    with full(room):
        assert Server().ask(**asked).status == 204


@pytest.mark.parametrize("whose", ["ann", "ben"])
@pytest.mark.parametrize("how", ["PUT", "POST", "PATCH"])
def test_no_file_is_taken_where_streamlit_keeps_them_in_another_way(
    room: Uploads, kept_on_disk: None, whose: str, how: str
) -> None:
    server = Server().ask(f"/_stcore/upload_file/{whose}/file", body=(MORE, LAST), method=how)
    assert not server.is_reached
    assert server.heard == 2
    assert server.status == 503
    assert b"got FilesOnDisk at no address. Install the Streamlit" in server.sent[1]["body"]


def test_pages_are_served_all_the_same(room: Uploads, kept_on_disk: None) -> None:
    assert Server().ask("/", method="GET").sent == TAKEN


def test_what_is_left_of_a_visitor_is_looked_for_when_a_connection_ends(
    room: Uploads, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    monkeypatch.setattr(guard.CLEANER, "clean_after", lambda: ended.append("a connection"))
    closed = [{"type": "websocket.close"}]
    assert Server(closed).ask(kind="websocket").sent == closed
    assert ended == ["a connection"]
