"""A skipped test proves nothing: planted skips fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PLANTED = {
    "test_good.py": "def test_x(): pass",
    "test_marked.py": "import pytest\n@pytest.mark.skip\ndef test_x(): pass",
    "test_called.py": "import pytest\ndef test_x(): pytest.skip('no browser')",
    "test_expected.py": "import pytest\n@pytest.mark.xfail\ndef test_x(): assert False",
    "test_whole_file.py": "import pytest\npytest.importorskip('no_such_package')",
}


def test_planted_skips_fail(tmp_path: Path) -> None:
    for name, text in PLANTED.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    every_file = ["--continue-on-collection-errors", str(tmp_path)]
    run = subprocess.run(
        [*command, *every_file], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "2 failed, 1 passed, 2 errors" in run.stdout
    for name in set(PLANTED) - {"test_good.py"}:
        assert f"{name}::test_x was skipped" in run.stdout or f"{name} was skipped" in run.stdout
