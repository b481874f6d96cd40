"""Find pdfLaTeX, with which the tests compile the LaTeX that the app writes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from tools.shell import succeeds

PLACES: Final = ("pdflatex", "/Library/TeX/texbin/pdflatex")
NEEDED: Final = ("article.cls", "amsmath.sty", "beamer.cls", "tikz.sty")
STANDALONE: Final = "standalone.cls"  # of a picture that is saved; in few small installations


def find_latex() -> Path | None:
    """The first pdfLaTeX that starts and has all that the app's files load."""
    found = (shutil.which(place) for place in PLACES)
    return next((Path(name) for name in found if name and has_all(Path(name))), None)


def has_all(pdflatex: Path) -> bool:
    """Whether it starts, and finds every class and package that is needed."""
    kpsewhich = pdflatex.with_name("kpsewhich")
    return succeeds([pdflatex, "--version"]) and succeeds([kpsewhich, *NEEDED])


def finds(name: str) -> bool:
    """Whether this pdfLaTeX also finds a class or a package that is not required."""
    pdflatex = find_latex()
    return pdflatex is not None and succeeds([pdflatex.with_name("kpsewhich"), name])
