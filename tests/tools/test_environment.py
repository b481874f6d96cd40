"""The environment of the checks: which versions, and what is said where it cannot be made."""

from __future__ import annotations

import sys
from pathlib import Path

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


def test_pytorch_comes_beside_the_rest_and_then_all_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside: list[str] = []
    installed: list[str] = []
    monkeypatch.setattr(environment, "working_python", lambda venv: venv / "python")
    monkeypatch.setattr(environment, "install_torch", lambda _, torch: beside.append(torch))
    monkeypatch.setattr(environment, "install", lambda _, file, *__: installed.append(read(file)))
    monkeypatch.setattr(sys, "platform", "linux")

    for need in (environment.CHECKS, environment.APP, environment.CHECKS):
        environment.keep_in_step(tmp_path, need, needed_for="a test")

    rest, whole, app = installed  # the second time the checks are there
    (torch,) = beside
    assert torch.startswith("torch==")
    assert torch in whole.splitlines()
    named = [
        line for line in with_what_it_names(environment.CHECKS).splitlines() if line[:2] != "-r"
    ]
    assert {*named} - {*rest.splitlines()} == {torch}
    assert app == read(environment.APP)


def read(file: Path) -> str:
    return file.read_text("utf-8")


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
