"""Taking a session away: as a link, as a file; and opening what was saved."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from mha_core import STEPS, Trace
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.io.matrix.array_files import write_arrays
from mha_core.io.matrix.files import write_matrix
from mha_core.io.scenario.json_text import scenario_from_json, scenario_to_json
from ui.controls.fields import refusal
from ui.state import Session, fits_a_link, link_of

TOO_LARGE: Final = (
    "This page holds too much for its address, which has room for "
    f"{PAGE_LIMITS.address_chars} characters: a reload would lose it. Save it as a file."
)


def share(session: Session) -> None:
    """The link is the address itself; a file holds what is too large for one."""
    if fits_a_link(session):
        st.markdown("The address bar holds everything on this page. To share it, copy this link:")
        st.code(
            f"{(st.context.url or '').partition('?')[0]}?{link_of(session)}",
            language=None,
            wrap_lines=True,
        )
    else:
        st.markdown(TOO_LARGE)
    save_button(session, "share-save")
    st.file_uploader(
        "Open a saved file",
        type="json",
        key=session.key("open-file"),
        on_change=partial(_open_file, session),
    )
    refusal(session, "open-file")
    st.download_button(
        "Save every array (.npz)",
        lambda: write_arrays(
            session.scenario.given()
            | {step.name: getattr(session.trace, step.name) for step in STEPS}
        ),
        file_name=f"{_name(session)}-trace.npz",
        key=session.key("save-every-array"),
        on_click="ignore",
    )
    _one_matrix(session)


def save_button(session: Session, key: str) -> None:
    """All that the page is made of, as a file."""
    st.download_button(
        "Save as a file",
        lambda: scenario_to_json(session.scenario),
        file_name=f"{_name(session)}.json",
        mime="application/json",
        key=session.key(key),
        on_click="ignore",
    )


def _one_matrix(session: Session) -> None:
    """Any matrix of the forward pass, every digit of it."""
    trace = session.trace
    steps = [step for step in STEPS if getattr(trace, step.name).ndim > 1]
    left, right = st.columns([2, 1], gap="small")
    step = left.selectbox(
        "One matrix",
        steps,
        index=steps.index(Trace.weights),
        format_func=lambda step: f"{step.title}, {step.symbol}",
        key=session.key("matrix-to-save"),
    )
    matrix, name = getattr(trace, step.name), step.name
    if matrix.ndim == 3:
        head = right.selectbox("Head", range(1, len(matrix) + 1), key=session.key("head-to-save"))
        matrix, name = matrix[head - 1], f"{name}_{head}"
    with st.container(horizontal=True):
        for label, kind in (("CSV", "csv"), ("NumPy", "npy")):
            st.download_button(
                label,
                partial(write_matrix, matrix, f"{name}.{kind}"),
                f"{name}.{kind}",
                key=session.key(f"matrix-as-{kind}"),
                icon=":material/download:",
                on_click="ignore",
            )


def _name(session: Session) -> str:
    shown = session.example_shown
    return shown.name if shown else "scenario"


def _open_file(session: Session) -> None:
    if (file := st.session_state[session.key("open-file")]) is None:
        return

    session.attempt_to_open("open-file", file.name, lambda: scenario_from_json(file.getvalue()))
