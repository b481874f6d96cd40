"""The modules of the plot as one file, which a browser understands."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.ui.plot.test_modules import NODE
from ui.plot import ADAPTER, SCRIPT
from ui.plot.bundle import bundle
from ui.saved.page import MODULES


def understood(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What Node says of a script that it only reads."""
    file = folder / "script.mjs"
    file.write_text(script, "utf-8")
    return subprocess.run([NODE, "--check", file], capture_output=True, text=True, check=False)


def test_the_plot_is_one_script_that_exports_what_streamlit_calls(tmp_path: Path) -> None:
    script = SCRIPT.decode("utf-8")
    assert understood(script, tmp_path).returncode == 0
    assert re.findall(r"^export function (\w+)", script, re.MULTILINE) == [
        "plot",
        "outline",
        "entries",
        "told",
        "form",
        "present",
        "presentButton",
    ]
    assert not re.search(r"^import ", script, re.MULTILINE)


def test_every_module_is_in_one_once_and_after_what_it_imports(tmp_path: Path) -> None:
    """In that of the app, in that of a saved page, or in both."""
    scripts = (SCRIPT.decode("utf-8"), bundle(MODULES))
    assert understood(scripts[1], tmp_path).returncode == 0
    for file in ADAPTER.parent.glob("*.js"):
        counts = [script.count(f"// {file.name}\n") for script in scripts]
        assert max(counts) == 1
        for script, count in zip(scripts, counts, strict=True):
            for imported in re.findall(r'from "\./([\w.]+)";', file.read_text("utf-8")) * count:
                assert script.index(f"// {imported}\n") < script.index(f"// {file.name}\n")


def test_styles_come_with_the_script_and_without_their_comments(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("export const a = 1;\n")
    (tmp_path / "a.css").write_text('/* Why\n   so. */\n.a::after { content: "\\201c"; }\n')
    made = bundle(tmp_path / "a.js", tmp_path / "a.css")
    assert understood(made, tmp_path).returncode == 0
    assert r'sheet.replaceSync(".a::after { content: \"\\201c\"; }\n");' in made


def test_modules_that_import_each_other_are_taken_once(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text(
        'import { b } from "./b.js";\nexport function a() { return b; }\n'
    )
    (tmp_path / "b.js").write_text('import {\n  a,\n} from "./a.js";\nexport const b = () => a;\n')
    made = bundle(tmp_path / "a.js")
    assert made == ("// b.js\nconst b = () => a;\n\n// a.js\nexport function a() { return b; }\n")


def test_comments_on_lines_of_their_own_are_not_sent(tmp_path: Path) -> None:
    entry = tmp_path / "a.js"
    entry.write_text('// Why.\nconst b = 1; // one\n\n  // How.\nconst c = "// no comment";\n')
    assert bundle(entry) == '// a.js\nconst b = 1; // one\n\nconst c = "// no comment";\n'


@pytest.mark.parametrize("names", ["{ a as b }", "{\n  a as b,\n}"])
def test_a_renamed_import_is_refused(tmp_path: Path, names: str) -> None:
    entry = tmp_path / "entry.js"
    entry.write_text(f'import {names} from "./a.js";\n')
    with pytest.raises(ValueError, match=r"entry\.js must import .*under one name"):
        bundle(entry)


@pytest.mark.parametrize("second", ["const size = 2;", "function size() {}"])
def test_two_modules_with_one_name_are_noticed(tmp_path: Path, second: str) -> None:
    (tmp_path / "entry.js").write_text('import { a } from "./a.js";\n' + second)
    (tmp_path / "a.js").write_text("function size() {}\nexport const a = size;\n")
    said = understood(bundle(tmp_path / "entry.js"), tmp_path)
    assert said.returncode != 0
    assert "'size' has already been declared" in said.stderr
