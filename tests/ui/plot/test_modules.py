"""What the modules of the plot do without a page, run by the Node that Playwright brings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import playwright
import pytest

NODE = Path(playwright.__file__).parent / "driver" / "node"
FILES = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_modules_keep_their_laws(file: Path) -> None:
    run = subprocess.run(
        [NODE, "--test", "--test-reporter=spec", file], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_broken_law_is_reported(tmp_path: Path) -> None:
    broken = tmp_path / "broken.test.mjs"
    broken.write_text(
        'import { test } from "node:test"; test("no", () => { throw Error("why"); });'
    )
    run = subprocess.run([NODE, "--test", broken], capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "why" in run.stdout
