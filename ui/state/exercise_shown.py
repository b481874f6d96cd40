"""The exercise that a visitor is at, and when the address says another.

The page has no session of the explorer. Streamlit reads the address when the page is opened, and
not when Back or Forward change it: then the browser reports it, as a visit.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.stages import FIRST
from ui.edits.exercise_params import exercise_from, exercise_params
from ui.machine.budget import Use
from ui.state.page_sessions import LAST_PAGE, keep_no_address

PAGE: Final = "exercise"
KEY: Final = "exercise shown"
LONGEST_ADDRESS: Final = 2_000  # characters of a visit; an exercise takes a tenth
_PUTS: Final = itertools.count(1)


class AddressToPut(NamedTuple):
    """What the browser puts into the address, once for each number; 0 stands for nothing.

    A step of the browser's history is what Back takes back.
    """

    number: int = 0
    is_step: bool = False


NOTHING_TO_PUT: Final = AddressToPut()


@dataclass
class ExerciseShown:
    """The exercise, what was wrong with its address, and whether its solution was asked for."""

    exercise: Exercise = FIRST
    wrong: list[MhaError] = field(default_factory=list)
    is_solved: bool = False
    to_put: AddressToPut = NOTHING_TO_PUT
    last_visit: int = 0
    renewed: dict[str, int] = field(default_factory=dict)  # how often each field became a new one
    use: Use = field(default_factory=Use)  # of the processor

    @property
    def query(self) -> str:
        """What the address says of the exercise; also the name of the sheet."""
        return urlencode(exercise_params(self.exercise))

    def arrive(self, params: Mapping[str, str]) -> None:
        """The browser comes to the page. An address without a word means what was shown last."""
        if params:
            self._open(params)
        else:
            self.to_put = AddressToPut(next(_PUTS))

    def visit(self, reported: Any) -> None:
        """Back or Forward has led the browser to another exercise, once for each number."""
        match reported:
            case {"number": int(number), "query": str(query)} if number > self.last_visit:
                self.last_visit = number
                self._open(dict(parse_qsl(query[1:LONGEST_ADDRESS], keep_blank_values=True)))

    def note_visit_of_before(self, reported: Any) -> None:
        """A browser repeats its last report. What it said to another page or server is no visit."""
        if isinstance(reported, Mapping) and isinstance(reported.get("number"), int):
            self.last_visit = max(self.last_visit, reported["number"])

    def choose(self, exercise: Exercise) -> None:
        """Show an exercise that a person has chosen here."""
        if exercise != self.exercise or self.wrong:
            self.exercise, self.wrong, self.is_solved = exercise, [], False
            self.to_put = AddressToPut(next(_PUTS), is_step=True)

    def _open(self, params: Mapping[str, str]) -> None:
        before, self.to_put = self.exercise, NOTHING_TO_PUT
        self.exercise, self.wrong = exercise_from(_without_embedding(params))
        self.is_solved &= self.exercise == before


def open_exercise(component: str) -> ExerciseShown:
    """The exercise of this visitor; on arriving, that of the address.

    `component` is the key of what reports visits.
    """
    shown: ExerciseShown = st.session_state.setdefault(KEY, ExerciseShown())
    if st.session_state.get(LAST_PAGE) != PAGE:
        shown.note_visit_of_before((st.session_state.get(component) or {}).get("visited"))
        shown.arrive(st.query_params.to_dict())
    keep_no_address(PAGE)
    return shown


def _without_embedding(params: Mapping[str, str]) -> dict[str, str]:
    """Streamlit itself reads these, and a report of the browser has them too."""
    return {name: text for name, text in params.items() if not name.startswith("embed")}
