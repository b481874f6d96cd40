"""A page with a fragment. A run of the whole page waits for a file, if it is asked to."""

import time
from pathlib import Path

import streamlit as st

from mha_core.examples import load_example
from ui.controls.fragment import leave_to_whole_page
from ui.state import Session, ask_for_receipt, open_session

state = st.session_state


@st.fragment
def part(session: Session) -> None:
    leave_to_whole_page(session)
    state["parts"] = state.get("parts", 0) + 1
    st.button("Run the part")
    st.text(f"Parts: {state['parts']}")


def wait_for(file: Path) -> None:
    st.text("The run waits.")
    while not file.exists():
        time.sleep(0.01)


if "session" not in state:
    state["session"] = Session(load_example("pizza"))
session = open_session()
state["pages"] = state.get("pages", 0) + 1
part(session)
if st.button("Wait"):
    wait_for(Path(st.query_params["file"]))
st.text(f"Pages: {state['pages']}")
ask_for_receipt(session)
