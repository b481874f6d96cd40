"""The app as one package: no name beside its own, nothing missing, and it starts.

Takes long: the app is started from there.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.serving import AppServer, free_port, wait_until_healthy
from tools.check_imports import imports_of
from tools.package import MOVED, PACKAGE, ROOT, write_app


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as packages of a machine share it, with the core and the app."""
    folder = tmp_path_factory.mktemp("site")
    write_app(folder)
    (folder / "mha_core").symlink_to(ROOT / "mha_core")
    return folder


def in_python(site: Path, program: str) -> str:
    command = [sys.executable, "-P", "-c", program]
    environment = os.environ | {"PYTHONPATH": str(site)}
    return subprocess.run(
        command, cwd=site.parent, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_it_takes_one_name_and_imports_itself_by_that(site: Path) -> None:
    assert sorted(path.name for path in site.iterdir()) == [PACKAGE, "mha_core"]
    for file in sorted((site / PACKAGE).rglob("*.py")):
        for line, module in imports_of(ast.parse(file.read_text("utf-8"))):
            assert module.partition(".")[0] not in (*MOVED, "app", "tests", "tools"), (file, line)


def test_it_has_every_file_of_the_app_but_the_sources_of_scripts(site: Path) -> None:
    for name in MOVED:
        files = {file.relative_to(ROOT) for file in (ROOT / name).rglob("*") if file.is_file()}
        there = {file.relative_to(site / PACKAGE) for file in (site / PACKAGE / name).rglob("*")}
        missing = {file.as_posix() for file in files - there if "__pycache__" not in file.parts}
        assert all(name.startswith("ui/plot/js/") for name in missing)
    for file in ("app.py", "requirements.txt", ".streamlit/config.toml"):
        assert (site / PACKAGE / file).exists()


def test_a_notebook_has_it_without_the_names_of_a_clone(site: Path) -> None:
    program = (
        "import sys; from attention_explorer import show; from mha_core import load_example\n"
        "print(show(load_example('pizza')).title)\n"
        "print(sorted({'ui', 'pages', 'app'} & set(sys.modules)))"
    )
    assert in_python(site, program) == "Pizza, a language model\n[]\n"


@pytest.fixture
def app(site: Path, tmp_path: Path) -> Iterator[AppServer]:
    port = free_port()
    server = AppServer(f"http://127.0.0.1:{port}", tmp_path / "app.log")
    command = [sys.executable, "-P", "-m", PACKAGE, "--headless", "--port", str(port)]
    environment = os.environ | {"PYTHONPATH": str(site)}
    with (
        server.log_file.open("w") as log,
        subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            wait_until_healthy(server, process)
            yield server
        finally:
            process.terminate()


def test_the_command_starts_the_app_with_its_own_settings_from_any_folder(app: AppServer) -> None:
    with urlopen(app.url, timeout=30) as answer:
        page = answer.read().decode()
    assert "first-sight" in page  # of our server, not of a plain one
    assert answer.headers["content-security-policy"]
    assert "Traceback" not in app.log()
