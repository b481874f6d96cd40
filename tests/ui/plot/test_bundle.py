"""What is built of the modules and styles: fresh, and one file that a browser understands."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tools.javascript import BUILT, NODE
from ui.plot import SCRIPT

NAMES = ("first_sight.js", "map_page.js", "packed.js", "plot.js", "puzzle_page.js", "saved_page.js")


@pytest.mark.usefixtures("node_modules")
def test_what_is_served_is_what_is_built_of_the_modules(tmp_path: Path) -> None:
    """Another build gives the same bytes. After a change, `make bundle` makes this true again."""
    subprocess.run([NODE, "tools/bundle.mjs", tmp_path], cwd=BUILT.parents[2], check=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == [*NAMES]
    assert sorted(file.name for file in BUILT.iterdir()) == [*NAMES]
    for name in NAMES:
        is_fresh = (tmp_path / name).read_bytes() == (BUILT / name).read_bytes()
        assert is_fresh, f"ui/plot/built/{name} is not what its modules make: run make bundle."


@pytest.mark.parametrize("name", NAMES)
def test_it_is_one_script_that_needs_no_other(name: str, tmp_path: Path) -> None:
    script = (BUILT / name).read_text("utf-8")
    file = tmp_path / "script.mjs"
    file.write_text(script, "utf-8")
    subprocess.run([NODE, "--check", file], check=True)
    assert not re.search(r"\bimport\b *[\w{*\"'(]", script)
    assert "</script" not in script.lower()  # a saved page holds it between two of these


def test_the_plot_exports_what_streamlit_calls() -> None:
    (exported,) = re.findall(r"export *\{([^}]*)\};?\s*$", SCRIPT.decode("utf-8"))
    assert sorted(exported.split(",")) == [
        "entries",
        "form",
        "help",
        "outline",
        "plot",
        "present",
        "presentButton",
        "told",
    ]
