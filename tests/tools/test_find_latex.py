"""What is said where there is no LaTeX, or one without Beamer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import find_latex
from tools.programs import program_of


def programs(folder: Path, *, latex: int, packages: int) -> str:
    """A pdfLaTeX and its finder of packages that end with these statuses."""
    folder.mkdir()
    for name, status in (("pdflatex", latex), ("kpsewhich", packages)):
        path = folder / name
        path.write_text(f"#!/bin/sh\nexit {status}\n")
        path.chmod(0o755)
    return str(folder / "pdflatex")


def test_without_latex_the_command_that_installs_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_latex, "PLACES", (str(tmp_path / "pdflatex"),))
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(SystemExit) as stopped:
        program_of("pdflatex")
    assert "texlive-latex-recommended texlive-pictures" in str(stopped.value)


def test_a_latex_that_does_not_start_or_has_no_beamer_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = programs(tmp_path / "broken", latex=1, packages=0)
    small = programs(tmp_path / "small", latex=0, packages=1)
    whole = programs(tmp_path / "whole", latex=0, packages=0)
    monkeypatch.setattr(find_latex, "PLACES", (broken, small, whole))
    assert find_latex.find_latex() == Path(whole)
