"""What JavaScript does without a page: the files *.test.js beside this one, run by Node."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tools.javascript import NODE

FILES = sorted(Path(__file__).parent.rglob("*.test.js"))


def run(*files: Path) -> subprocess.CompletedProcess[str]:
    """All of them in one process: to start one takes longer than what they do."""
    command = [NODE, "--test", "--test-isolation=none", "--test-reporter=spec", *files]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_javascript_keeps_its_laws() -> None:
    done = run(*FILES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_broken_law_is_reported(tmp_path: Path) -> None:
    broken = tmp_path / "broken.test.mjs"
    broken.write_text(
        'import { test } from "node:test"; test("no", () => { throw Error("why"); });'
    )
    done = run(broken, FILES[0])
    assert done.returncode != 0
    assert "why" in done.stdout
