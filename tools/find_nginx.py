"""Find nginx, which stands in front of the app where many visit it.

    .venv/bin/python -m tools.find_nginx

Nothing is installed: where there is none, the command that installs it is printed.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tools.shell import say, succeeds

# Debian keeps it where only root looks for programs.
PLACES = ("nginx", "/usr/sbin/nginx", "/usr/local/sbin/nginx")
WAY_OUT = """\
There is no nginx here. Install it, then try again:

    sudo apt-get install nginx-light    on Debian and Ubuntu
    brew install nginx                  on a Mac

On Debian this also starts an nginx of the system, on port 80. It is not needed:

    sudo systemctl disable --now nginx

One process alone needs no nginx: make run.
"""


def find_nginx() -> Path | None:
    """The first nginx that starts."""
    found = (shutil.which(place) for place in PLACES)
    return next((Path(name) for name in found if name and succeeds([name, "-v"])), None)


def get_nginx() -> Path:
    """Find nginx, or say the way out."""
    return find_nginx() or sys.exit(WAY_OUT)


if __name__ == "__main__":
    say(f"nginx: {get_nginx()}")
