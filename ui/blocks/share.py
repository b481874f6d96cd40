"""Taking a session away: as a link, as a file; and opening what was saved."""

from __future__ import annotations

import streamlit as st

from mha_core import STEPS, Scenario
from mha_core.io.matrix_files import write_arrays
from mha_core.io.scenario_json import scenario_from_json, scenario_to_json
from ui.controls.parts import refusal
from ui.state import LONGEST_LINK, explorer


def share() -> None:
    """The link is the address itself; a file holds what is too large for one."""
    now = explorer()
    if now.fits_a_link:
        st.markdown("The address bar holds everything on this page. To share it, copy this:")
        st.code(f"?{now.link}", language=None, wrap_lines=True)
    else:
        st.markdown(
            f"This page holds too much for a link, which has room for {LONGEST_LINK} characters. "
            "Save it as a file."
        )
    name = now.scenario.origin.example or "scenario"
    st.download_button(
        "Save as a file",
        lambda: scenario_to_json(now.scenario),
        file_name=f"{name}.json",
        mime="application/json",
        on_click="ignore",
    )
    st.download_button(
        "Save every array (.npz)",
        lambda: write_arrays({step.name: getattr(now.trace, step.name) for step in STEPS}),
        file_name=f"{name}-trace.npz",
        on_click="ignore",
    )
    st.file_uploader("Open a saved file", type="json", key="open-file", on_change=_open_file)
    refusal("open-file")


def _open_file() -> None:
    if (file := st.session_state["open-file"]) is None:
        return

    def opened(_: Scenario) -> Scenario:
        return scenario_from_json(file.getvalue())

    explorer().attempt("open-file", file.name, opened)
