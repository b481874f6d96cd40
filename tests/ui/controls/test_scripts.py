"""What the scripts of controls do without a page, run by the Node that Playwright brings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.ui.plot.test_modules import NODE

FILES = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_scripts_keep_their_laws(file: Path) -> None:
    run = subprocess.run(
        [NODE, "--test", "--test-reporter=spec", file], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
