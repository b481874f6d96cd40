"""Find pdfLaTeX, with which the tests compile the LaTeX that the app writes.

    .venv/bin/python -m tools.find_latex

Nothing is installed: where there is none, the command that installs it is printed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from tools.shell import say, succeeds

PLACES: Final = ("pdflatex", "/Library/TeX/texbin/pdflatex")
NEEDED: Final = ("article.cls", "amsmath.sty", "beamer.cls", "tikz.sty")
STANDALONE: Final = "standalone.cls"  # of a picture that is saved; in few small installations
WAY_OUT: Final = """\
There is no LaTeX here that has Beamer and TikZ. On Debian and Ubuntu install it so, then try again:

    sudo apt-get install --no-install-recommends texlive-latex-recommended texlive-pictures

That is 64 MB, and 229 MB on disk. On a Mac:

    brew install --cask mactex-no-gui

The app itself needs no LaTeX: make run.
"""


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


def get_latex() -> Path:
    """Find pdfLaTeX, or say the way out."""
    return find_latex() or sys.exit(WAY_OUT)


if __name__ == "__main__":
    say(f"LaTeX: {get_latex()}")
