"""The environment of the checks: which versions, and what is said where it cannot be made."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from urllib.error import URLError

import pytest

from tools import environment
from tools.environment import lower_ends, with_what_it_names, working_python

ROOT = Path(__file__).resolve().parents[2]


def test_a_range_becomes_its_lower_end() -> None:
    assert lower_ends("numpy>=2.3,<2.5\nplotly>=7.1.2,<8") == "numpy==2.3\nplotly==7.1.2"


def oldest_of(requirements: str) -> list[str]:
    lines = (ROOT / requirements).read_text("utf-8").splitlines()
    return [lower_ends(line) for line in lines if not line.startswith("#")]


def test_every_requirement_of_models_has_a_range() -> None:
    oldest = oldest_of("requirements-models.txt")
    assert {line.partition("==")[0] for line in oldest} == {
        "gguf",
        "safetensors",
        "tokenizers",
        "mathformer",
        "glassllm",
    }
    assert all("==" in line and "<" not in line for line in oldest)


def test_a_requirements_file_is_read_with_those_that_it_names() -> None:
    wanted = with_what_it_names(ROOT / "requirements-dev.txt")
    assert "\npytest==" in wanted
    assert "\nstreamlit>=" in wanted
    assert "\ntokenizers>=" in wanted


def test_what_models_need_is_installed_for_the_checks_old_and_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed: list[tuple[Path, str]] = []
    monkeypatch.setattr(
        environment,
        "keep_in_step",
        lambda venv, requirements, *, needed_for, constraints="": installed.append(
            (requirements, constraints)
        ),
    )
    environment.main("checks")
    environment.main("lowest")
    assert [requirements.name for requirements, _ in installed] == ["requirements-dev.txt"] * 2
    oldest = [*oldest_of("requirements-models.txt"), *oldest_of("requirements.txt")]
    assert {"gguf", "numpy"} <= {line.partition("==")[0] for line in oldest}
    assert set(oldest) <= set(installed[1][1].splitlines())


Commands = list[list[str]]


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """The commands that were to be run; nothing is installed, and uv succeeds."""
    commands: Commands = []

    def succeeds(command: list[str | Path], **_: object) -> bool:
        commands.append([str(word) for word in command])
        return True

    monkeypatch.setattr(environment, "working_python", lambda venv: venv / "python")
    monkeypatch.setattr(environment, "works", lambda _: True)
    monkeypatch.setattr(environment, "succeeds", succeeds)
    monkeypatch.setattr(environment, "said_to_pip", lambda _: {})
    monkeypatch.setattr(environment, "has_cpu_build", bool)
    monkeypatch.setattr(sys, "platform", "linux")
    return commands


def test_uv_installs_what_is_not_there_yet(tmp_path: Path, commands: Commands) -> None:
    for need in (environment.CHECKS, environment.APP, environment.CHECKS):
        environment.keep_in_step(tmp_path, need, needed_for="a test")
    _, checks, _, app = commands  # the second time the checks are there
    assert checks[1:5] == app[1:5] == ["-m", "uv", "pip", "install"]
    assert str(environment.CHECKS) in checks
    assert checks[-2:] == ["--torch-backend", "cpu"]
    assert str(environment.APP) in app
    assert "--torch-backend" not in app  # it needs no PyTorch


def test_pip_installs_what_uv_cannot(
    tmp_path: Path, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_pip: Commands = []

    def run(command: list[str | Path], **_: object) -> subprocess.CompletedProcess[str]:
        by_pip.append([str(word) for word in command])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(environment, "install_with_uv", lambda *_: False)
    monkeypatch.setattr(environment.subprocess, "run", run)
    environment.keep_in_step(tmp_path, environment.CHECKS, needed_for="a test")
    torch = commands[-1]
    assert environment.CPU_WHEELS in torch
    assert torch[-1].startswith("torch==")
    assert str(environment.CHECKS) in by_pip[-1]


def test_where_pip_looks_for_packages_uv_looks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = """\
:env:.find-links='/wheels'
:env:.timeout='60'
global.cert='/certificates.crt'
global.extra-index-url='\\nhttps://one.example/simple\\nhttps://two.example/simple'
global.find-links='/older /oldest'
user.index-url='https://own.example/simple'
"""
    done = subprocess.CompletedProcess([], 0, listed)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_, **__: done)
    assert environment.said_to_pip(Path("python")) == {
        "SSL_CERT_FILE": "/certificates.crt",
        "UV_DEFAULT_INDEX": "https://own.example/simple",
        "UV_FIND_LINKS": "/wheels",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }


def test_the_build_for_processors_is_taken_where_its_site_is_in_reach(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def is_out_of_reach(*_: object, **__: object) -> None:
        raise URLError("no such host")

    monkeypatch.setattr(environment, "urlopen", lambda *_, **__: BytesIO())
    assert environment.has_cpu_build("torch==2.13.0")
    assert not environment.has_cpu_build(None)
    monkeypatch.setattr(environment, "urlopen", is_out_of_reach)
    assert not environment.has_cpu_build("torch==2.13.0")
    assert "taking torch==2.13.0 from the package index" in capsys.readouterr().out


def test_every_requirement_of_the_app_has_a_range() -> None:
    oldest = oldest_of("requirements.txt")
    assert {line.partition("==")[0] for line in oldest} == {
        "streamlit",
        "numpy",
        "plotly",
        "pandas",
        "pillow",
        "latex2mathml",
        "uvloop",
        "fpdf2",
        "fonttools",
        "uharfbuzz",
        "pypdfium2",
        "python-pptx",
        "segno",
    }
    assert all("==" in line and "<" not in line for line in oldest)


def test_without_the_package_for_venv_its_command_is_printed_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str | Path]] = []

    def fails(command: list[str | Path], **_: object) -> bool:
        commands.append(command)
        return False

    monkeypatch.setattr(environment, "succeeds", fails)
    with pytest.raises(SystemExit) as stopped:
        working_python(tmp_path / ".venv")
    assert "sudo apt-get install python3." in str(stopped.value)
    assert {str(command[0]) for command in commands} == {
        str(tmp_path / ".venv" / "bin" / "python"),
        sys.executable,
    }
