"""A sheet with blanks to fill in, all of them in one component."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from mha_core.language import say
from ui.controls.own_component import own_component
from ui.reports import reported, run_the_page
from ui.state.exercise_shown import AddressToPut

KEY: Final = "answer-sheet"
WORDS: Final = json.dumps(  # one text: in a dict, Streamlit would look for tables
    {
        "right": say("right"),
        "yours": say("right from your own numbers"),
        "wrong": say("wrong"),
        "unreadable": say("no number"),
        "points": say("{points} of {all} points"),
        "again": say("Start again"),
        "bring": say("Bring my answers back"),
    }
)


def answers_reported() -> Any:
    """What the browser has reported of the blanks; it may be anything."""
    return (st.session_state.get(KEY) or {}).get("answers")


def answer_sheet(
    html: str,
    sheet: str,
    said: str,
    solution: Sequence[str],
    put: AddressToPut,
    on_visit: Callable[[Any], None],
) -> None:
    """Show a sheet, by its name, with what is `said` of the last report, as JSON.

    A `solution` has the right number of each blank. It stands beside the answers, which stay.

    The browser owns the texts: it keeps them in its tab, by the name of the sheet, and reports all
    of them each time. The name is also what the address says of the sheet (`put`). Without `html`
    the browser shows the sheet that it has; if it has lost that, it reports None.
    """
    _answer_sheet(
        key=KEY,
        data={
            "html": html,
            "sheet": sheet,
            "said": said,
            "solution": json.dumps(solution),
            "put": put.number,
            "is_step": put.is_step,
            "words": WORDS,
        },
        on_answers_change=run_the_page,  # which marks them
        on_visited_change=lambda: on_visit(reported(KEY, "visited")),
    )


_answer_sheet = own_component(__file__)
