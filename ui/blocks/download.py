"""What can be taken away as a file, and the way back: opening what was saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from mha_core import STEPS, Scenario, Trace
from mha_core.io.matrix.array_files import write_arrays
from mha_core.io.matrix.files import write_matrix
from mha_core.io.scenario.files import (
    SCENARIO_FILE_TYPES,
    read_scenario,
    why_not_held,
    write_scenario,
)
from ui.controls.fields import refusal
from ui.controls.file_names import file_name
from ui.controls.text import plain
from ui.state import Session

KINDS: Final = {".json": "JSON, for people and editors", ".npz": "NPZ, for large scenarios"}


def download(session: Session) -> None:
    """The scenario, the matrices, and a field to open a saved file."""
    st.markdown("**Scenario**: everything on this page, to open again later")
    scenario_buttons(session, "download")
    st.file_uploader(
        "Open a saved file",
        type=[kind.removeprefix(".") for kind in SCENARIO_FILE_TYPES],
        key=session.key("open-file"),
        on_change=partial(_open_file, session),
    )
    refusal(session, "open-file")
    st.markdown("**Matrices**")
    _one_matrix(session)
    _button(session, "All matrices (.npz)", "matrices.npz", partial(_all_matrices, session))
    st.caption("A picture has its own “Copy or save” below it.")


def scenario_buttons(session: Session, place: str) -> None:
    """A button for each kind of file; one that could not hold the scenario says why beside it."""
    s = session.scenario
    why_not = {
        kind: session.once(("why not", kind), partial(why_not_held, s, f"scenario{kind}"))
        for kind in KINDS
    }
    with st.container(horizontal=True):
        for kind, label in KINDS.items():
            _button(
                session,
                label,
                f"scenario{kind}",
                partial(write_scenario, s, f"scenario{kind}"),
                place=place,
                disabled=bool(why_not[kind]),
            )
    for kind, reason in why_not.items():
        if reason:
            st.caption(plain(f"No {kind} file: {reason}"))


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
        matrix, name = matrix[head - 1], f"{name}-{head}"
    with st.container(horizontal=True):
        for label, kind in (("CSV", "csv"), ("NumPy", "npy")):
            content = partial(write_matrix, matrix, f"{name}.{kind}")
            _button(session, label, f"{name}.{kind}", content)


def _button(
    session: Session,
    label: str,
    what: str,
    content: Callable[[], bytes | str],
    *,
    place: str = "download",
    disabled: bool = False,
) -> None:
    """A button that writes a file when it is pressed, and not before."""
    st.download_button(
        label,
        content,
        file_name(session, what),
        key=session.key(f"{place}-{label}"),
        icon=":material/download:",
        on_click="ignore",
        disabled=disabled,
    )


def _all_matrices(session: Session) -> bytes:
    steps = {step.name: getattr(session.trace, step.name) for step in STEPS}
    return write_arrays(session.scenario.given() | steps)


def _open_file(session: Session) -> None:
    file = st.session_state.get(session.key("open-file"))
    if file is None:
        session.refusals.pop("open-file", None)
        return

    def opened() -> Scenario:
        return read_scenario(file.getvalue(), file.name)

    session.attempt_to_open("open-file", file.name, opened)
