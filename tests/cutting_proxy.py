"""A proxy between a browser and the server, which can cut the connections that go through it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

CHUNK: Final = 65_536
UPGRADE: Final = b"upgrade: websocket"
PATIENCE: Final = 60  # seconds


class CuttingProxy:
    """Passes bytes on, both ways; `cut` ends every websocket at once, as a lost network does."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self._websockets: set[asyncio.StreamWriter] = set()
        self._is_ready = threading.Event()
        self.opened = 0  # websockets so far
        self.url = ""

    async def serve(self) -> None:
        """Pass on what comes, until `stop` is called."""
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with await asyncio.start_server(self._pass_on, "127.0.0.1", 0) as server:
            self.url = f"http://localhost:{server.sockets[0].getsockname()[1]}"
            self._is_ready.set()
            await self._end.wait()

    def wait_until_ready(self) -> None:
        assert self._is_ready.wait(PATIENCE)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)

    def cut(self) -> None:
        """Cut every websocket that is open. The browser may connect again at once."""
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result(PATIENCE)

    def wait_for_websocket(self, number: int) -> None:
        """Wait until so many websockets were opened in all."""
        give_up = time.monotonic() + PATIENCE
        while self.opened < number:
            assert time.monotonic() < give_up, "The browser does not connect again."
            time.sleep(0.02)

    async def _cut(self) -> None:
        for writer in list(self._websockets):
            writer.transport.abort()

    async def _pass_on(
        self, from_browser: asyncio.StreamReader, to_browser: asyncio.StreamWriter
    ) -> None:
        from_server, to_server = await asyncio.open_connection(
            self._target.hostname, self._target.port
        )
        ends = {to_browser, to_server}

        async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(ConnectionError):
                while data := await reader.read(CHUNK):
                    if reader is from_browser and UPGRADE in data.lower():
                        self._websockets |= ends
                        self.opened += 1
                    writer.write(data)
                    await writer.drain()
            for end in ends:
                end.close()

        try:
            await asyncio.gather(copy(from_browser, to_server), copy(from_server, to_browser))
        finally:
            self._websockets -= ends
            for end in ends:
                end.transport.abort()


@contextmanager
def cutting_proxy(target: str) -> Iterator[CuttingProxy]:
    """A proxy in front of the server at this address, for as long as it is needed."""
    proxy = CuttingProxy(target)
    thread = threading.Thread(target=asyncio.run, args=(proxy.serve(),), daemon=True)
    thread.start()
    proxy.wait_until_ready()
    try:
        yield proxy
    finally:
        proxy.stop()
        thread.join(PATIENCE)
