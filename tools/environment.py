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
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

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
    note = venv / f"{requirements.stem}-installed.txt"
    wanted = with_what_it_names(requirements)
    digest = hashlib.sha256((wanted + constraints).encode()).hexdigest()
    if works(python_of(venv)) and note.exists() and note.read_text() == digest:
        return
    torch = pinned("torch", wanted) if sys.platform == "linux" else None
    with ThreadPoolExecutor() as beside:
        is_for_cpu = beside.submit(has_cpu_build, torch)
        python = working_python(venv)
        need = "need" if requirements == CHECKS else "needs"
        say(f"Installing what {needed_for} {need}; minutes the first time")
        has_uv = succeeds([*pip_install(python), pinned("uv", AUDIT.read_text()) or ""])
    of_torch = torch if is_for_cpu.result() else None
    constraints_file = venv / "constraints.txt"
    constraints_file.write_text(constraints)
    what: list[str | Path] = ["-r", requirements, "-c", constraints_file]
    if not (has_uv and install_with_uv(python, what, of_torch)):
        install_with_pip(python, what, of_torch)
    note.write_text(digest)


def working_python(venv: Path) -> Path:
    """The Python of the virtual environment, which is made anew if it is missing or broken."""
    python = python_of(venv)
    if works(python):
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


def python_of(venv: Path) -> Path:
    return venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def works(python: Path) -> bool:
    return succeeds([python, "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"])


def install_with_uv(python: Path, what: Sequence[str | Path], torch: str | None) -> bool:
    """Whether uv can do it. It takes a fifth of pip's time."""
    command = [python, "-m", "uv", "pip", "install", "--python", python, *what]
    backend = ["--torch-backend", "cpu"] if torch else []
    return succeeds([*command, *backend], env=said_to_pip(python) | os.environ)


def install_with_pip(python: Path, what: Sequence[str | Path], torch: str | None) -> None:
    """Install it where uv cannot, or let pip say why it cannot be installed."""
    if torch:
        succeeds([*pip_install(python), "--no-deps", "--index-url", CPU_WHEELS, torch])
    if subprocess.run([*pip_install(python), *what], check=False).returncode:
        sys.exit("pip could not install the packages; its reason stands above.")


def pip_install(python: Path) -> list[str | Path]:
    """Python compiles what it imports. All that is installed would take as long as the download."""
    how = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    return [python, "-m", "pip", "install", *how]


def said_to_pip(python: Path) -> dict[str, str]:
    """Where pip was told to look for packages, in files or by variables, as variables for uv."""
    listed = subprocess.run(
        [python, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    said = re.findall(r"^\S*\.(\S+)='(.*)'$", listed.stdout, re.MULTILINE)
    # Variables come first, and win. A list is shown as one text, with \n for its lines.
    lists = {name: text.replace("\\n", " ").split() for name, text in reversed(said)}
    variables = {
        "UV_INDEX_STRATEGY": "unsafe-best-match",  # the newest of all places, as pip does
        "UV_DEFAULT_INDEX": " ".join(lists.get("index-url", [])),
        "UV_INDEX": " ".join(lists.get("extra-index-url", [])),
        "UV_FIND_LINKS": ",".join(lists.get("find-links", [])),
        "UV_CONSTRAINT": " ".join(lists.get("constraint", [])),
        "SSL_CERT_FILE": " ".join(lists.get("cert", [])),
    }
    return {name: text for name, text in variables.items() if text}


def has_cpu_build(torch: str | None) -> bool:
    """Whether PyTorch's own site, which has a build without graphics cards, is in reach.

    On Linux the package index may hold a build for them, with gigabytes of libraries that nothing
    here uses. It gives the same numbers, so it is taken elsewhere.
    """
    if not torch:
        return False
    try:
        urlopen(f"{CPU_WHEELS}/torch/", timeout=10).close()
    except OSError:
        say(f"PyTorch's site is out of reach: taking {torch} from the package index")
        return False
    return True


def with_what_it_names(requirements: Path) -> str:
    """A requirements file, and those that its lines `-r` name."""
    text = requirements.read_text()
    named = re.findall(r"^-r (\S+)", text, re.MULTILINE)
    return text + "".join(with_what_it_names(requirements.parent / name) for name in named)


def pinned(package: str, requirements: str) -> str | None:
    r"""The line of a requirement that names one version.

    >>> pinned("uv", "pip-audit==2.10.1\nuv==0.13.9")
    'uv==0.13.9'
    """
    line = re.search(rf"^{package}==\S+", requirements, re.MULTILINE)
    return line[0] if line else None


def lower_ends(requirements: str) -> str:
    """Every range cut down to the oldest version in it.

    >>> lower_ends("numpy>=2.3,<2.5")
    'numpy==2.3'
    """
    return re.sub(r">=([\d.]+),<[\d.]+", r"==\1", requirements)


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
