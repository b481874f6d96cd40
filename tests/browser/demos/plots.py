"""Plots alone: the figures of demo_figures.py, and what a run of a page does to them."""

import streamlit as st

from mha_core.layer.cells import Cell
from tests.browser.plot.demo_figures import ALT, heads, output
from ui import plot

st.set_page_config(page_title="Plot demo", layout="wide", initial_sidebar_state="expanded")

in_fragment = st.sidebar.checkbox("In a fragment")

# As Streamlit leaves it when one event overtakes another.
if st.sidebar.checkbox("An old pick taken for state"):
    st.session_state["heads"]["pick"] = {"matrix": "weights/0", "row": 3, "column": 3}


def remember(cell: Cell) -> None:
    st.session_state.picked = cell
    st.session_state.picks = st.session_state.get("picks", 0) + 1


def body() -> None:
    seed = st.slider("Seed", 0, 100, 3)
    plot.show(heads(seed=seed), "heads", alt=ALT, on_pick=remember)
    plot.outline(st.session_state.get("picked"), picked_at=st.session_state.get("picks", 0))
    st.text(f"picked {st.session_state.get('picked')} · {st.session_state.get('picks', 0)} picks")
    st.caption(f"seed {seed}{', in a fragment' if in_fragment else ''}")


(st.fragment(body) if in_fragment else body)()
plot.show(output(), "output", alt="The output")
