"""One editor, what the scenario says of its array, and an undo.

The address says which: ?array=w_q&head=1&example=pizza. With ?from=64 it shows the numbers of a
large array from that column on. With ?texts=["a"] it shows texts instead.
"""

import json

import streamlit as st

from mha_core.changing.changes import with_tokens
from mha_core.examples import load_example
from mha_core.io.matrix.matrix_text import format_matrix
from tests.running_page import undo
from ui.controls.editors import matrix_editor
from ui.controls.markdown import plain
from ui.edits.editable_array import Editable
from ui.state import Session, open_session

st.set_page_config(page_title="Editor", layout="wide")

HOSTILE = ("<img src=x onerror=alert(1)>", "**b** :red[x]", "", "PIZZA")
asked = dict(st.query_params)

if "texts" in asked:
    for number, text in enumerate(json.loads(asked["texts"])):
        with st.container(key=f"message {number}"):
            st.error(plain(text))
        with st.container(key=f"label {number}"):
            st.checkbox(plain(text), key=f"box {number}")
else:
    if "session" not in st.session_state:
        scenario = load_example(asked.get("example", "pizza"))
        if "hostile" in asked:
            scenario = with_tokens(scenario, HOSTILE)
        st.session_state["session"] = Session(scenario)
    name, head = asked.get("array", "x"), asked.get("head")
    session = open_session()
    matrix_editor(session, name, head=int(head) if head else None)
    st.button("Undo", on_click=undo, args=(session,))
    start = int(asked.get("from", 0))
    numbers = Editable(name).numbers(session.scenario)[:8, start : start + 8]
    with st.container(key="numbers"):
        st.text(format_matrix(numbers))
st.text("The page is whole.")
