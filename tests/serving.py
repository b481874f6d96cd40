"""Start a Streamlit app as a user would, on a free port, and end it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

ROOT = Path(__file__).resolve().parent.parent
# A server gets this before all else, so that its pages can wait for the next visitor.
NEXT_VISITOR = ROOT / "tests" / "next_visitor"
PATIENCE = 180  # seconds for a server to start on a busy machine


@dataclass
class AppServer:
    """A running app: where it answers, what it says, and its process."""

    url: str
    log_file: Path
    pid: int = 0
    pages_wait: bool = False  # for the next visitor: see `Visitors` in tests/visitors.py

    def log(self) -> str:
        return re.sub(r"\x1b\[[\d;]*m", "", self.log_file.read_text("utf-8"))  # without colours


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def served(
    script: str,
    log_file: Path,
    base_path: str = "",
    *flags: str,
    folder: Path = ROOT,
    port: int = 0,
    before_all: Path | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[AppServer]:
    """The app of a script, ready to answer, below a base path if one is given.

    Flags are Streamlit's, as in --runner.postScriptGC=true, and win over the app's own settings.
    `folder` is a checkout of the project. Without a port, it takes a free one. `before_all` is a
    folder with a `sitecustomize.py`, which Python runs before anything else. `variables` stand
    in its environment beside all others.
    """
    port = port or free_port()
    server = AppServer(f"http://localhost:{port}/{base_path}".rstrip("/"), log_file)
    server.pages_wait = before_all == NEXT_VISITOR
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true"]
    command += [f"--server.port={port}", "--server.fileWatcherType=none"]
    command += [f"--server.baseUrlPath={base_path}", *flags]
    paths = [str(path) for path in (before_all, folder) if path]
    environment = {**os.environ, **variables, "PYTHONPATH": os.pathsep.join(paths)}
    with (
        log_file.open("w") as log,
        subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            server.pid = process.pid
            wait_until_healthy(server, process)
            yield server
        finally:
            process.terminate()


def wait_until_healthy(server: AppServer, process: subprocess.Popen[bytes]) -> None:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"The app did not start. It said:\n{server.log()}")
