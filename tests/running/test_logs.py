"""Logs are lines of JSON, and hold no word and no number of a visitor."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving import ROOT
from ui.machine.limits import MACHINE
from ui.running import logs

SECRET = "tokens=SECRET"


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    """What is logged meanwhile, as JSON."""
    before = logging.getLogRecordFactory()
    logging.setLogRecordFactory(logs.record_without_values)
    yield lambda: [json.loads(logs.JsonLines().format(record)) for record in caplog.records]
    logging.setLogRecordFactory(before)


def fail(value: str) -> None:
    raise ValueError(f"wrong: {value}")


def test_what_is_filled_into_a_text_is_left_out(lines: Any) -> None:
    logging.getLogger("uvicorn").warning('%s - "GET %s"', "1.2.3.4", SECRET)
    (told,) = lines()
    assert told["event"] == '%s - "GET %s"'
    assert (told["level"], told["logger"]) == ("WARNING", "uvicorn")
    assert told["place"].startswith("tests/running/test_logs.py:")


def test_a_text_of_others_that_may_have_been_filled_is_left_out(lines: Any) -> None:
    logging.getLogger("asyncio").error(f"failed at {SECRET}")
    assert lines()[0]["event"] == "(a message of asyncio)"


def test_an_exception_has_its_type_and_places_and_no_message(
    lines: Any, caplog: pytest.LogCaptureFixture
) -> None:
    try:
        fail(SECRET)
    except ValueError:
        logging.getLogger("streamlit").exception("Uncaught app execution")
    (told,) = lines()
    assert told["error"] == "ValueError"
    assert [place.split()[-1] for place in told["places"]][-1] == "fail"
    assert told["places"][-1].startswith("tests/running/test_logs.py:")
    assert SECRET not in json.dumps(told) + caplog.text


def test_our_own_events_have_their_numbers(lines: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "explorer")
    logs.log("memory given back", bytes=5)
    assert lines()[0] | {"event": "memory given back", "bytes": 5} == lines()[0]
    assert "replica" not in lines()[0]  # of a process that is the only one


def test_a_language_without_a_file_is_named_with_its_folder(
    lines: Any, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    logs.tell_of_no_language("de", "", tmp_path)
    (told,) = lines()
    assert told["event"].startswith("The page speaks English")
    assert (told["language"], told["folder"]) == ("de", str(tmp_path))
    caplog.clear()
    logs.tell_of_no_language("de", "de", tmp_path)
    logs.tell_of_no_language("", "", tmp_path)
    assert not caplog.records


def test_without_being_asked_logs_stay_as_they_are() -> None:
    before = logging.getLogRecordFactory()
    logs.write_json_if_asked({})
    assert logging.getLogRecordFactory() is before


def test_all_loggers_that_are_there_write_json() -> None:
    script = """
import logging
from ui.running import logs
from ui.machine.limits import MACHINE
logging.getLogger("streamlit.web").addHandler(logging.StreamHandler())
logs.write_json_if_asked({"EXPLORER_LOG": "json", "EXPLORER_REPLICA": "2/3"})
logging.getLogger("streamlit.web").error("Port %s", "SECRET")
logging.getLogger("new").error("Later %s", "SECRET")
logs.log("begun", visitors=0)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    told = [json.loads(line) for line in ran.stderr.splitlines()]
    assert [each["event"] for each in told] == [
        *("The server has started", "Port %s", "Later %s", "begun")
    ]
    assert told[0]["history_mb"] == MACHINE.history_mb
    assert {each["replica"] for each in told} == {2}
    assert "SECRET" not in ran.stderr
