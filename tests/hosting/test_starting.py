"""How the front starts and ends, and what it says where it cannot."""

from __future__ import annotations

import socket
import tomllib
from pathlib import Path

import pytest

from tests.fronting import fronted, wait_for
from tests.serving import ROOT
from tools.serve import HOSTING, main


def test_a_port_that_is_taken_is_named_with_a_way_out() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for first in (port, port - 1):  # that of the front, that of its replica
            with pytest.raises(SystemExit) as stopped:
                main(["--address=127.0.0.1", f"--port={first}", "--replicas=1"])
            assert str(stopped.value).startswith(f"Port {port} of 127.0.0.1 must be free")
            assert "make serve PORT=" in str(stopped.value)


def test_a_port_that_cannot_be_is_refused_too() -> None:
    with pytest.raises(SystemExit, match=r"Port 70000 of 127\.0\.0\.1 must be free"):
        main(["--address=127.0.0.1", "--port=70000", "--replicas=1"])


def test_without_replicas_there_is_nothing_to_serve() -> None:
    with pytest.raises(SystemExit, match="At least one replica"):
        main(["--replicas=0"])


def test_all_end_with_the_front(tmp_path: Path) -> None:
    with fronted(tmp_path / "front.log", replicas=1) as front:
        (replica,) = front.replicas.values()
    assert "All have ended" in front.log()
    wait_for(lambda: not Path(f"/proc/{replica.pid}").exists())
    assert not replica.is_healthy


def test_the_front_lets_files_through_that_the_app_takes() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    most = settings["server"]["maxUploadSize"]
    assert f"client_max_body_size {most + 2}m;" in (HOSTING / "nginx.conf").read_text("utf-8")
