"""What goes wrong on the way to a server: other visitors notice nothing."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.load.crowd import PICTURE, edit, slide
from benchmarks.load.visitor import Event, Visitor, visiting
from tests.coroutines import run

if TYPE_CHECKING:
    from tests.serving import AppServer

HALF_A_FRAME = b"\x82\xfe\x10\x00\x01\x02"  # says that 4096 bytes follow, and a part of the mask
NO_MESSAGES = [b"", b"\x00", b"\xff" * 100, b"{'rerun': true}", b"\x0a\xff\xff\xff\x7f"]


class Returning(Visitor):
    """A visitor who is cut off, and comes back."""

    is_cut_off = False  # as soon as the server begins to answer

    def keep(self, message: ForwardMsg) -> None:
        super().keep(message)
        if self.is_cut_off and message.WhichOneof("type") == "new_session":
            self.line.transport.abort()


class LineWasCutError(Exception):
    """Here the test itself connects again."""


async def never(_: str) -> ClientConnection:
    raise LineWasCutError


@asynccontextmanager
async def line_to(server: AppServer, session: str = "") -> AsyncIterator[ClientConnection]:
    """A websocket; with the name of a session, one that goes on with it."""
    words = ["streamlit", *(["none", session] if session else [])]
    address = f"{server.url.replace('http', 'ws', 1)}/_stcore/stream"
    protocols = [Subprotocol(word) for word in words]
    async with connect(address, subprotocols=protocols, max_size=None, compression=None) as line:
        yield line


WORDS = "+".join(f"w{number}" for number in range(128))
HEAVY = f"tokens={WORDS}&d_model=512&heads=16&x=random&weights=random"


async def still_works(visitor: Visitor, number: int = 1) -> None:
    await edit(visitor, random.Random(number), number)


def entry(number: int, text: str) -> Event:
    where = {"number": number, "matrix": "x", "row": 0, "column": 0, "text": text}
    return Event("cell-entries", "entered", [where])


def test_a_line_that_is_cut_in_the_middle_of_an_edit_keeps_the_edit(app_server: AppServer) -> None:
    async def cut_and_come_back() -> None:
        async with line_to(app_server) as line:
            visitor = Returning(line, connect_again=never)
            await visitor.open("example=pizza", PICTURE)
            await slide(visitor, random.Random(1), 1)
            visitor.is_cut_off = True
            with pytest.raises(LineWasCutError):
                await visitor.tell(entry(2, "0.625"))
        async with line_to(app_server, visitor.session) as line:
            visitor.line, visitor.is_cut_off = line, False
            session = visitor.session
            await visitor.open(visitor.query, PICTURE)
            assert visitor.session == session
            assert "x.cells=0_0_0.625" in visitor.query
            await still_works(visitor, 3)

    run(cut_and_come_back())


def test_half_a_message_ends_its_own_line_and_no_other(app_server: AppServer) -> None:
    async def half() -> None:
        async with visiting(app_server.url) as other:
            await other.open("example=pizza", PICTURE)
            async with visiting(app_server.url) as visitor:
                await visitor.open("example=causal", PICTURE)
                visitor.line.transport.write(HALF_A_FRAME)
                visitor.line.transport.abort()
            await still_works(other)

    run(half())


@pytest.mark.parametrize("data", NO_MESSAGES, ids=range(len(NO_MESSAGES)))
def test_what_is_no_message_harms_nobody(app_server: AppServer, data: bytes) -> None:
    async def send_it() -> None:
        async with visiting(app_server.url) as other, visiting(app_server.url) as visitor:
            for each in (other, visitor):
                await each.open("example=pizza", PICTURE)
            await visitor.line.send(data)
            await still_works(other)

    run(send_it())


def test_who_reads_nothing_keeps_nobody_waiting(app_server: AppServer) -> None:
    async def send_and_never_read() -> None:
        async with visiting(app_server.url) as other, line_to(app_server) as line:
            await other.open("example=pizza", PICTURE)
            slow = Returning(line, connect_again=never)
            await slow.open(HEAVY, PICTURE)
            line.transport.pause_reading()
            for number in range(1, 31):
                event = entry(number, f"{number}")
                await line.send(slow.message_of(event).SerializeToString())
            for number in range(1, 4):
                await still_works(other, number)

    run(send_and_never_read())
