"""A page whose run can be held until it is stopped, with a fragment, and what stands after it."""

import time

import streamlit as st

from mha_core.examples import load_example
from ui.controls.fragment import Answered, answered, leave_to_whole_page
from ui.state import Session, ask_for_receipt, open_session


@st.fragment
def part(session: Session, known: Answered) -> None:
    leave_to_whole_page(session, known)
    st.button("Run the fragment")


def hold() -> None:
    """Until an event stops this run: only one that waits ends it."""
    st.text("The run is held.")
    while True:
        time.sleep(0.01)
        st.session_state.get("none")  # here Streamlit gives way


if "session" not in st.session_state:
    st.session_state["session"] = Session(load_example("pizza"))
session = open_session()
part(session, answered(session))
if st.button("Hold a run"):
    hold()
st.text("What stands below.")
ask_for_receipt(session)
