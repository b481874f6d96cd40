"""A new version is brought in while the page is served: one that starts, and one that does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.asking import get
from tests.fronting import Front, fronted, wait_for
from tests.serving import ROOT

pytestmark = pytest.mark.usefixtures("nginx")

# An app that starts sooner than ours. It says which version it is.
APP = """
import streamlit as st
from starlette.responses import JSONResponse
from starlette.routing import Route

async def well(request):
    return JSONResponse({"status": "ok"}, headers={"Version": "1"})

app = st.App("page.py", routes=[Route("/healthz", well)])
"""
NEXT = APP.replace('"1"', '"2"')
SYNTAX_ERROR = NEXT.replace("async def", "async deaf")
NO_APP = NEXT.replace("app = st.App(", "app = (lambda *_, **__: None)(")  # Streamlit finds no app
BROKEN = {SYNTAX_ERROR: "SyntaxError", NO_APP: "as the app does"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of the project with that app in it."""
    folder = tmp_path / "project"
    for name in ("tools", "hosting"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "page.py").write_text("import streamlit as st\n")
    (folder / "app.py").write_text(APP)
    return folder


def versions(front: Front) -> list[str | None]:
    """Which version each replica serves, None where none does."""
    ports = [process.port for process in front.replicas.values() if process.is_healthy]
    return [get(f"http://127.0.0.1:{port}/healthz").headers["Version"] for port in ports]


def test_a_version_that_starts_takes_the_place_of_the_one_before_and_another_leaves_it(
    project: Path, tmp_path: Path
) -> None:
    with fronted(tmp_path / "front.log", replicas=2, folder=project) as front:
        (project / "app.py").write_text(NEXT)
        front.restart()
        assert versions(front) == ["2", "2"]
        for broken, reason in BROKEN.items():
            said, (_, before) = len(front.log()), versions(front)
            (project / "app.py").write_text(broken)
            front.restart(until="The restart has stopped at replica 1")
            assert versions(front) == [before]
            assert get(f"{front.url}/healthz").headers["Version"] == before
            assert get(front.url).status == 200
            assert reason in front.log()[said:].partition("Replica 1 does not start: it ")[2]
            (project / "app.py").write_text(APP)  # it is mended, and tried again without a word
            wait_for(lambda since=said: "Replica 1 has started" in front.log()[since:])
            assert versions(front) == ["1", "2"]
