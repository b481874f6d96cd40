"""Say in words which packages are missing, before anything needs them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

NOT_NEEDED: Final = "# The explorer starts without what follows."
REQUIREMENTS: Final = Path(__file__).resolve().parents[2] / "requirements.txt"


def end_if_packages_are_missing() -> None:
    """End the server before its first import fails."""
    missing = [name for name in required(REQUIREMENTS.read_text("utf-8")) if is_missing(name)]
    if missing:
        sys.exit(words(missing))


def required(requirements: str) -> list[str]:
    r"""The names of the packages that it needs everywhere, without those that some systems lack.

    From NOT_NEEDED on, the file names packages without which the server starts too.

    >>> required('# What the app needs.\nnumpy>=2.3,<2.5\nuvloop>=0.23; sys_platform != "win32"\n')
    ['numpy']
    """
    needed = requirements.partition(NOT_NEEDED)[0]
    return re.findall(r"^[\w-]+(?=[^;\n]*$)", needed, re.MULTILINE)


def is_missing(name: str, find: Callable[[str], str] = version) -> bool:
    try:
        find(name)
    except PackageNotFoundError:
        return True
    return False


def words(missing: Iterable[str]) -> str:
    """What to do about it.

    >>> print(words(["plotly", "numpy"]))
    The server cannot start: these packages are missing in ...: plotly, numpy.
    Install all that it needs: pip install -r requirements.txt (or: make run)
    """
    return (
        f"The server cannot start: these packages are missing in {sys.prefix}: "
        f"{', '.join(missing)}.\n"
        "Install all that it needs: pip install -r requirements.txt (or: make run)"
    )
