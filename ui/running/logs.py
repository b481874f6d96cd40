"""Logs as JSON, a line for each event, without a word of a visitor.

EXPLORER_LOG=json switches it on. The log tells an event by the text in the code. It leaves out what
was filled into that (addresses, labels, numbers), and the message of an exception: of an exception
it has the type and the places in the code.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import OptionError
from mha_core.language import ASKED_FOR, LANGUAGE, LANGUAGES
from ui.machine.limits import MACHINE
from ui.machine.replica import Replica, replica

LOG: Final = logging.getLogger("explorer")
VARIABLE: Final = "EXPLORER_LOG"
KINDS: Final = ("text", "json")
ROOT: Final = Path(__file__).resolve().parents[2]


class JsonLines(logging.Formatter):
    """One line of JSON for each record. Where several processes write, it says which one did."""

    def __init__(self, this: Replica | None = None) -> None:
        super().__init__()
        self.replica = {"replica": this.number} if this else {}

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": record.msg,
            "place": f"{_place(record.pathname)}:{record.lineno}",
            **self.replica,
        }
        return json.dumps(told | getattr(record, "failure", {}) | getattr(record, "measured", {}))


def record_without_values(*args: Any, **more: Any) -> logging.LogRecord:
    """A record with only the text in the code, whoever writes it and however it is laid out.

    A text of others without anything to fill in may have been filled before: it is left out.
    """
    record = logging.LogRecord(*args, **more)
    is_template = isinstance(record.msg, str) and bool(record.args)
    if record.name != LOG.name and not is_template:
        record.msg = f"(a message of {record.name})"
    if record.exc_info and record.exc_info[1]:
        vars(record)["failure"] = failure(record.exc_info[1])
    record.args, record.exc_info = (), None
    return record


def failure(error: BaseException) -> dict[str, Any]:
    """The type of an exception and where it came from, the innermost place last; no values."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "places": places}


def _place(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else "/".join(path.parts[-3:])


def log(event: str, **measured: float | str) -> None:
    """Tell an event of our own, with numbers and words of our own."""
    LOG.info(event, extra={"measured": measured})


def kind_or_end(environment: Mapping[str, str] = os.environ) -> str:
    """The kind that is asked for. If it is unknown, the server does not start, and says why."""
    kind = environment.get(VARIABLE) or "text"
    if kind not in KINDS:
        need = f"must be one of: {', '.join(KINDS)}"
        error = OptionError(VARIABLE, need, repr(kind[:40]), "Leave it out for text.")
        sys.exit(f"The server cannot start: {error}")
    return kind


def write_json_if_asked(environment: Mapping[str, str] = os.environ) -> None:
    """If the environment says so, no record has values, and all loggers write JSON."""
    if kind_or_end(environment) == "text":
        return
    logging.setLogRecordFactory(record_without_values)
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines(replica(environment)))
    LOG.setLevel(logging.INFO)
    logging.root.handlers = [handler]
    for name in list(logging.root.manager.loggerDict):
        logger = logging.getLogger(name)
        if logger.handlers:
            logger.handlers = [handler]
            logger.propagate = False
    log("The server has started", **asdict(MACHINE))


def tell_of_no_language(
    asked_for: str = ASKED_FOR, language: str = LANGUAGE, folder: Path = LANGUAGES
) -> None:
    """The page speaks English where the language that is asked for has no file: say so."""
    if asked_for and not language:
        LOG.warning(
            "The page speaks English: there is no language %r in %s",
            asked_for,
            folder,
            extra={"measured": {"language": asked_for, "folder": str(folder)}},
        )
