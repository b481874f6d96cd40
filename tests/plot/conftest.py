"""The demo of the plot component, served as the app is: `streamlit run`, on a free port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.watching import watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
DEMO = Path("tests/plot/demo_app.py")
BASE_PATH = "some/where"  # the demo lives below one, so that nothing works only without

collect_ignore = ["demo_app.py", "demo_page.py"]  # scripts: importing them would run them


@pytest.fixture(scope="session")
def demo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://localhost:{port}/{BASE_PATH}"
    command = [sys.executable, "-m", "streamlit", "run", str(DEMO), "--server.headless=true"]
    command += [f"--server.port={port}", f"--server.baseUrlPath={BASE_PATH}"]
    command += ["--server.fileWatcherType=none"]
    log_file = tmp_path_factory.mktemp("demo") / "server.log"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with (
        log_file.open("w") as log,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            give_up = time.monotonic() + 60
            while not answers(f"{url}/_stcore/health"):
                if process.poll() is not None or time.monotonic() > give_up:
                    pytest.fail(f"The demo did not start. It said:\n{log_file.read_text()}")
                time.sleep(0.1)
            yield url
        finally:
            process.terminate()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def demo(browser: Browser, demo_url: str, complaints: list[str]) -> Iterator[Page]:
    """The demo in a fresh browser, with its plots painted; errors on the page fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, accept_downloads=True)
    page = context.new_page()
    watch(page, demo_url, complaints)
    page.goto(demo_url)
    page.locator(".plot[data-painted]").nth(1).wait_for()
    yield page
    context.close()
    assert not complaints, "\n".join(complaints)
