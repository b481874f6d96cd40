"""Make .venv and keep it in step with the requirements files.

    tools/environment.py app       what the app needs
    tools/environment.py checks    that, and what the checks need
    tools/environment.py lowest    the same, but the oldest of each range, in .venv-lowest
    tools/environment.py audit     what looks after the packages of the hosted image, in .venv-audit

Beside the packages lies a note of what was installed. While the requirements say the same as the
note there is nothing to do, so a second run takes no time.
"""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # this file is run by its path, before there is any environment

from tools.shell import say, succeeds  # noqa: E402

APP = ROOT / "requirements.txt"
MODELS = ROOT / "requirements-models.txt"
CHECKS = ROOT / "requirements-dev.txt"
AUDIT = ROOT / "requirements-audit.txt"
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"


def main(need: str) -> None:
    if need == "app":
        keep_in_step(ROOT / ".venv", APP, needed_for="the app")
    elif need == "checks":
        keep_in_step(ROOT / ".venv", CHECKS, needed_for="the checks")
    elif need == "lowest":
        oldest = lower_ends(APP.read_text() + MODELS.read_text())
        keep_in_step(ROOT / ".venv-lowest", CHECKS, needed_for="the checks", constraints=oldest)
    elif need == "audit":
        keep_in_step(ROOT / ".venv-audit", AUDIT, needed_for="the audit")
    else:
        sys.exit(f"Say app, checks, lowest or audit, not {need!r}.")


def keep_in_step(venv: Path, requirements: Path, *, needed_for: str, constraints: str = "") -> None:
    """Install the requirements, unless the note says that they are there already."""
    python = working_python(venv)
    note = venv / f"{requirements.stem}-installed.txt"
    wanted = with_what_it_names(requirements)
    digest = hashlib.sha256((wanted + constraints).encode()).hexdigest()
    if note.exists() and note.read_text() == digest:
        return
    say(
        f"Installing what {needed_for} need{'s' * (requirements != CHECKS)}; minutes the first time"
    )
    constraints_file, all_but_torch = venv / "constraints.txt", venv / "all-but-torch.txt"
    constraints_file.write_text(constraints)
    all_but_torch.write_text(re.sub(r"^(-r|torch==).*", "", wanted, flags=re.MULTILINE))
    torch = re.search(r"^torch==\S+", wanted, re.MULTILINE)
    with ThreadPoolExecutor() as beside:
        if torch and sys.platform == "linux":
            beside.submit(install_torch, python, torch[0])
            # Until the next step, PyTorch may be there without what it needs.
            install(python, all_but_torch, constraints_file, "--no-warn-conflicts")
    install(python, requirements, constraints_file)
    note.write_text(digest)


def working_python(venv: Path) -> Path:
    """The Python of the virtual environment, which is made anew if it is missing or broken."""
    python = venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if succeeds([python, "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"]):
        return python
    version = platform.python_version()
    say(f"Making {venv.name} with Python {version}")
    if not succeeds([sys.executable, "-m", "venv", "--clear", venv]):
        # Debian and Ubuntu keep a part of venv in a package of its own.
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        sys.exit(
            f"Python {version} could not make {venv}. See that this folder can be written to. "
            f"On Debian and Ubuntu run this, then try again:\n\n"
            f"    sudo apt-get install {package}\n"
        )
    return python


def install(python: Path, requirements: Path, constraints: Path, *how: str) -> None:
    command = [*pip_install(python), *how, "-r", requirements, "-c", constraints]
    if subprocess.run(command, check=False).returncode:
        sys.exit("pip could not install the packages; its reason stands above.")


def install_torch(python: Path, torch: str) -> None:
    """Install PyTorch alone: a third of all that is installed, so it goes on beside the rest.

    On Linux the package index may hold a build for graphics cards, with gigabytes of libraries that
    nothing here uses. It gives the same numbers, so it is taken if PyTorch's own site, which has a
    build without, is out of reach. What it needs, the next step brings.
    """
    own_site = ["--retries", "0", "--timeout", "10", "--index-url", CPU_WHEELS]
    alone = [*pip_install(python), "--no-deps", torch]
    if not succeeds([*alone, *own_site]):
        say(f"PyTorch's site is out of reach: taking {torch} from the package index")
        succeeds(alone)


def pip_install(python: Path) -> list[str | Path]:
    """Python compiles what it imports. All that is installed would take as long as the download."""
    how = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    return [python, "-m", "pip", "install", *how]


def with_what_it_names(requirements: Path) -> str:
    """A requirements file, and those that its lines `-r` name."""
    text = requirements.read_text()
    named = re.findall(r"^-r (\S+)", text, re.MULTILINE)
    return text + "".join(with_what_it_names(requirements.parent / name) for name in named)


def lower_ends(requirements: str) -> str:
    """Every range cut down to the oldest version in it.

    >>> lower_ends("numpy>=2.3,<2.5")
    'numpy==2.3'
    """
    return re.sub(r">=([\d.]+),<[\d.]+", r"==\1", requirements)


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
