"""Ask whether the app answers at a port: its own /healthz, and nothing that stands in for it.

    .venv/bin/python -m tools.health 8501

It ends with status 0 if the app does. Where Streamlit finds no app in `app.py`, it starts a plain
server, which answers to every address, but not with this answer.
"""

from __future__ import annotations

import json
import sys
from enum import Enum, auto
from http.client import HTTPConnection, HTTPException
from typing import Final

LOOPBACK: Final = "127.0.0.1"
WELL: Final = {"status": "ok"}
LONGEST: Final = 1000  # bytes to read; the app's answer has a few
PATIENCE: Final = 4.0  # seconds, where a container asks: hosting/Dockerfile waits for five


class Health(Enum):
    """What came back."""

    WELL = auto()  # the app's own answer
    SILENT = auto()  # no answer in time
    OTHER = auto()  # an answer that is not the app's


def ask(port: int, within: float, address: str = LOOPBACK) -> Health:
    """Ask once, and not through a proxy that the environment names."""
    line = HTTPConnection(address, port, timeout=within)
    try:
        line.request("GET", "/healthz")
        said = line.getresponse().read(LONGEST)
    except (OSError, HTTPException):
        return Health.SILENT
    finally:
        line.close()
    try:
        return Health.WELL if json.loads(said) == WELL else Health.OTHER
    except ValueError:
        return Health.OTHER


if __name__ == "__main__":
    sys.exit(ask(int(sys.argv[1]), PATIENCE) is not Health.WELL)
