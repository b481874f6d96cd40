"""A new version is brought in while the page is served: one that starts, and one that does not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of the project with that app in it."""
    folder = tmp_path / "project"
    for name in ("tools", "hosting"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "page.py").write_text("import streamlit as st\n")
    (folder / "app.py").write_text(APP)
    return folder


@pytest.fixture
def small_front(project: Path, tmp_path: Path) -> Iterator[Front]:
    with fronted(tmp_path / "front.log", replicas=2, folder=project) as front:
        yield front


def versions(front: Front) -> list[str | None]:
    """Which version each replica serves, None where none does."""
    ports = [process.port for process in front.replicas.values() if process.is_healthy]
    return [get(f"http://127.0.0.1:{port}/healthz").headers["Version"] for port in ports]


def test_a_version_that_starts_takes_the_place_of_the_one_before(
    small_front: Front, project: Path
) -> None:
    (project / "app.py").write_text(NEXT)
    small_front.restart()
    assert versions(small_front) == ["2", "2"]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [(SYNTAX_ERROR, "SyntaxError"), (NO_APP, "as the app does")],
    ids=["unreadable", "plain server"],
)
def test_a_version_that_does_not_start_leaves_the_one_before(
    small_front: Front, project: Path, broken: str, reason: str
) -> None:
    (project / "app.py").write_text(broken)
    small_front.restart(until="The restart has stopped at replica 1")
    assert versions(small_front) == ["1"]
    assert get(f"{small_front.url}/healthz").headers["Version"] == "1"
    assert get(small_front.url).status == 200
    assert "Replica 1 does not start: it " in small_front.log()
    assert reason in small_front.log().partition("Replica 1 does not start: it ")[2]
    (project / "app.py").write_text(NEXT)  # it is mended, and tried again without a word
    wait_for(lambda: "Replica 1 has started" in small_front.log())
    assert versions(small_front) == ["2", "1"]
