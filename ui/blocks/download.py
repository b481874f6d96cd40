"""What can be taken away as a file. What was saved opens again under Open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from mha_core import STEPS, Scenario, Trace
from mha_core.io.matrix.array_files import write_arrays
from mha_core.io.matrix.files import write_matrix
from mha_core.io.program import PROGRAM_FILES, program_file, why_no_program
from mha_core.io.scenario.files import why_not_held, write_stack
from mha_core.language import say
from mha_core.layer.matrices import labelled_matrix
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.head_parts import heads_in
from mha_core.stack.named_arrays import named_arrays
from ui.controls.file_names import file_name
from ui.controls.markdown import plain
from ui.controls.save_button import save_button
from ui.state import Session

# The steps whose arrays have rows and columns. Their `Dims` say so, so that none is computed.
_MATRICES: Final = {step.name: step for step in STEPS if len(step.dims.axes) > 1}
KINDS: Final = {".json": say("JSON, readable as text"), ".npz": say("NPZ, for large scenarios")}


def download(session: Session) -> None:
    """The scenario, the matrices, programs."""
    st.markdown(say("**Scenario**: everything on this page. Open it again with Open."))
    scenario_buttons(session, "download")
    st.markdown(say("**Matrices**"))
    _one_matrix(session)
    _button(session, say("All matrices (.npz)"), "matrices.npz", partial(_all_matrices, session))
    if len(session.stack.layers) > 1:
        says = say(
            "It has all layers: 2.weights are those of layer 2, stream_1 is X after layer 1."
        )
        st.caption(plain(says))
    _programs(session)
    st.caption(say("A picture has its own “Copy or save” below it."))


def scenario_buttons(session: Session, place: str) -> None:
    """A button for each kind of file; one that could not hold the scenario says why beside it."""
    stack = session.stack
    why_not = {
        kind: session.make_once(("why not", kind), partial(why_not_held, stack, f"scenario{kind}"))
        for kind in KINDS
    }
    with st.container(horizontal=True):
        for kind, label in KINDS.items():
            _button(
                session,
                label,
                f"scenario{kind}",
                partial(write_stack, stack, f"scenario{kind}"),
                place=place,
                disabled=bool(why_not[kind]),
            )
    for kind, reason in why_not.items():
        if reason:
            says = say("No {kind} file: {reason}")
            st.caption(plain(says.format(kind=kind, reason=reason)))


def _programs(session: Session) -> None:
    """Scripts and a notebook; if one cannot be made, why not."""
    trace = session.traces
    st.markdown(say("**Program**: computes these numbers again, and compares them"))
    why_not = {
        name: session.make_once(("no program", name), partial(why_no_program, trace, name))
        for name in PROGRAM_FILES
    }
    with st.container(horizontal=True):
        for name, title in PROGRAM_FILES.items():
            content = partial(program_file, trace, name)
            _button(session, title, name, content, disabled=bool(why_not[name]))
    for reason in dict.fromkeys(filter(None, why_not.values())):
        st.caption(plain(reason))


def _one_matrix(session: Session) -> None:
    """Any given array and any matrix of the forward pass, with every digit."""
    trace = session.trace
    titles = _titles(trace.scenario)
    has_several = len(session.stack.layers) > 1
    label = say("One matrix of layer {layer}") if has_several else say("One matrix")
    left, right = st.columns([2, 1], gap="small")
    name = left.selectbox(
        label.format(layer=session.layer + 1),
        list(titles),
        index=list(titles).index("weights"),
        format_func=titles.__getitem__,
        key=session.key("matrix-to-save"),
    )
    head, file = None, name
    if heads := _heads_to_choose(trace.scenario, name):
        number = right.selectbox(say("Head"), heads, key=session.key("head-to-save"))
        head, file = number - 1, f"{name}-{number}"
    if has_several:
        file = f"layer-{session.layer + 1}-{file}"
    with st.container(horizontal=True):
        for label, kind in (("CSV", "csv"), ("NumPy", "npy")):
            content = partial(matrix_file, trace, name, head, f"{file}.{kind}")
            _button(session, label, f"{file}.{kind}", content)


def _titles(s: Scenario) -> dict[str, str]:
    """What can be saved, by its name: the arrays that are given, then the steps in their order."""
    given = {name: GIVEN[name].symbol for name in s.given()}
    steps = {step.name: f"{step.title}, {step.symbol}" for step in _MATRICES.values()}
    return {**given, **steps}


def _heads_to_choose(s: Scenario, name: str) -> range:
    """The numbers of the heads of a step that has a matrix for each; none for others."""
    if name not in _MATRICES or len(_MATRICES[name].dims.axes) < 3:
        return range(0)
    return range(1, s.sizes[heads_in(_MATRICES[name].dims)] + 1)


def matrix_file(trace: Trace, name: str, head: int | None, file: str) -> bytes:
    return write_matrix(labelled_matrix(trace, name, head).values, file)


def _button(
    session: Session,
    label: str,
    what: str,
    content: Callable[[], bytes | str],
    *,
    place: str = "download",
    disabled: bool = False,
) -> None:
    save_button(
        label,
        content,
        file_name(session, what),
        key=session.key(f"{place}-{label}"),
        icon=":material/download:",
        disabled=disabled,
    )


def _all_matrices(session: Session) -> bytes:
    return write_arrays(named_arrays(session.traces))
