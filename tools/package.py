"""The app as one package, as it is installed: `setup.py` asks for it when a wheel is built.

A clone has `ui`, `pages` and `app.py` side by side. In a folder that all packages of a machine
share, such names are rude, and may be taken. So they lie within `attention_explorer` there, and
what imports `ui` imports `attention_explorer.ui`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGE: Final = "attention_explorer"
MOVED: Final = ("ui", "pages")  # and what lies beside them
BESIDE: Final = ("app.py", "requirements.txt", ".streamlit/config.toml")
# Sources of what is built: nobody is sent them.
LEFT_OUT: Final = ("ui/plot/js/", "__pycache__/")
IMPORT: Final = re.compile(rf"^(\s*(?:>>> )?(?:from|import) )({'|'.join(MOVED)})\b", re.MULTILINE)


def write_app(folder: Path) -> None:
    """Write the package `attention_explorer` into a folder from which Python imports."""
    for file in _files():
        name = file.relative_to(ROOT).as_posix()
        place = folder / PACKAGE / name.removeprefix(f"{PACKAGE}/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".py":
            place.write_text(moved(file.read_text("utf-8")), "utf-8")
        else:
            copyfile(file, place)


def moved(program: str) -> str:
    r"""The program with imports from the package.

    >>> print(moved("from ui.plot import show\n    from ui import theme\nimport uic"))
    from attention_explorer.ui.plot import show
        from attention_explorer.ui import theme
    import uic
    """
    return IMPORT.sub(rf"\1{PACKAGE}.\2", program)


def _files() -> Iterator[Path]:
    folders = (path for name in (PACKAGE, *MOVED) for path in sorted((ROOT / name).rglob("*")))
    for path in (*folders, *(ROOT / name for name in BESIDE)):
        is_left_out = any(part in path.relative_to(ROOT).as_posix() for part in LEFT_OUT)
        if path.is_file() and not is_left_out:
            yield path
