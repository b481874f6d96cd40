"""How the front starts and ends, and what it says where it cannot.

Takes long: each test starts processes of its own, a second or two each.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.fronting import command, free_ports, fronted, wait_for
from tests.running.test_starting import WITHOUT_PLOTLY
from tests.serving import PATIENCE, ROOT
from tools.serve import HOSTING, main

pytestmark = pytest.mark.usefixtures("nginx")


def taken_after_a_free_one(socket_: socket.socket) -> int:
    """A port that is taken; the one before it is free, though other tests run too."""
    while True:
        with socket.socket() as before:
            before.bind(("127.0.0.1", 0))
            port = before.getsockname()[1] + 1
            try:
                socket_.bind(("127.0.0.1", port))
            except OSError:
                continue
        socket_.listen()
        return int(port)


def test_a_port_that_is_taken_is_named_with_a_way_out() -> None:
    with socket.socket() as taken:
        port = taken_after_a_free_one(taken)
        for first in (port, port - 1):  # that of the front, that of its replica
            with pytest.raises(SystemExit) as stopped:
                main(["--address=127.0.0.1", f"--port={first}", "--replicas=1"])
            assert str(stopped.value).startswith(f"Port {port} of 127.0.0.1 must be free")
            assert "make serve PORT=" in str(stopped.value)


@pytest.mark.parametrize("port", ["0", "-1", "abc", "80000", "65535", "8501.5", ""])
def test_a_port_that_cannot_be_is_refused_in_words(port: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([f"--port={port}", "--replicas=1"])
    assert str(stopped.value).startswith(
        f"PORT must be a whole number from 1 to 65534, got {port!r}."
    )
    assert "make serve PORT=8600" in str(stopped.value)


@pytest.mark.parametrize("replicas", ["0", "-1", "many", "70000"])
def test_a_number_of_replicas_that_cannot_be_too(replicas: str) -> None:
    with pytest.raises(SystemExit, match="REPLICAS must be a whole number from 1 to 65534"):
        main([f"--replicas={replicas}"])


def ended(**environment: str) -> subprocess.CompletedProcess[str]:
    """A front that ends by itself."""
    return subprocess.run(
        command(free_ports(3), replicas=2),
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def assert_it_says_why(ran: subprocess.CompletedProcess[str], reason: str) -> None:
    last = ran.stderr.partition("The app cannot be served: replica ")[2]
    assert ran.returncode == 1
    assert " has ended with status 1. It said last:\n    The server cannot start: " in last
    assert reason in last
    assert "Open http" not in ran.stdout
    assert "Traceback" not in ran.stderr


def test_a_wrong_variable_ends_all_at_once() -> None:
    reason = "EXPLORER_FRAME_ANCESTORS must be addresses"
    assert_it_says_why(ended(EXPLORER_FRAME_ANCESTORS="foo;bar"), reason)


def test_a_missing_package_does_too(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_PLOTLY)
    assert_it_says_why(ended(PYTHONPATH=str(tmp_path)), "these packages are missing")


def test_replicas_say_who_they_are_and_no_address_but_that_of_the_front_and_end_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPLORER_LOG", "json")
    with fronted(tmp_path / "front.log", replicas=2) as front:
        said, replicas = front.log(), front.replicas.values()
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    started = [line for line in lines if line["event"] == "The server has started"]
    assert {line["replica"] for line in started} == {1, 2}
    assert re.findall(r"https?://\S+", said) == [front.url.replace("127.0.0.1", "localhost")]
    assert "All have ended" in front.log()
    for replica in replicas:
        wait_for(lambda pid=replica.pid: not Path(f"/proc/{pid}").exists())
        assert not replica.is_healthy


def test_the_front_lets_files_through_that_the_app_takes() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    most = settings["server"]["maxUploadSize"]
    assert f"client_max_body_size {most + 2}m;" in (HOSTING / "nginx.conf").read_text("utf-8")
