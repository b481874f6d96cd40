"""Whether the app answers at a port: its own answer alone counts."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.serving import ROOT, AppServer, free_port
from tools.health import Health, ask


@contextmanager
def server_that_says(said: bytes) -> Iterator[int]:
    """The port of a server that says the same to everything, as Streamlit's plain server does."""

    class Saying(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Saying) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_the_app_is_well(app_server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(app_server.url.rpartition(":")[2])
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")  # nobody is there
    assert ask(port, 60) is Health.WELL


@pytest.mark.parametrize("said", [b"ok", b"<!doctype html>", b'{"status": "no"}', b"\xff", b""])
def test_another_answer_is_not_the_apps(said: bytes) -> None:
    with server_that_says(said) as port:
        assert ask(port, 60) is Health.OTHER


def test_who_is_not_there_is_silent() -> None:
    assert ask(free_port(), 60) is Health.SILENT


def test_who_hangs_is_silent() -> None:
    with socket.socket() as hangs:
        hangs.bind(("127.0.0.1", 0))
        hangs.listen()
        assert ask(hangs.getsockname()[1], 0.05) is Health.SILENT


def test_a_container_hears_it_from_the_status() -> None:
    def status(port: int) -> int:
        command = [sys.executable, "-m", "tools.health", str(port)]
        return subprocess.run(command, cwd=ROOT, check=False).returncode

    with server_that_says(b'{"status":"ok"}') as well, server_that_says(b"ok") as other:
        assert [status(well), status(other), status(free_port())] == [0, 1, 1]
