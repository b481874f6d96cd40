"""A handout as PDF and in LaTeX: every step, its matrices, and how one of its numbers is made."""

from functools import partial
from typing import Any

import streamlit as st

from mha_core import Trace
from mha_core.checks.errors import MhaError
from mha_core.io.latex import LATEX_FILES, derivation_as_align, matrix_as_bmatrix, why_no_latex
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import has_cell
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.steps import Step
from ui.blocks.for_class.making import Paper, is_asked_for, made_files, save, wish_of
from ui.controls.markdown import plain
from ui.figures.grounds import GROUNDS
from ui.prints.album import steps_in_use
from ui.prints.blocks import PAPERS
from ui.prints.files import KINDS, why_not
from ui.prints.pack import FileToMake, handout_file, latex_of
from ui.prints.sizes import SIZES
from ui.state import Session


def handout_to_save(session: Session) -> None:
    """Whole files on the left, pieces to paste on the right."""
    files, pieces = st.columns([2, 3], gap="large")
    with files:
        _files(session)
    with pieces:
        _pieces(session)


def _files(session: Session) -> None:
    wish = wish_of(session, Paper(SIZES["paper"], GROUNDS["light"]))
    st.markdown(
        say(
            "Two to four pages to print: each operation with its formula, its matrices, "
            "and where one of its numbers comes from."
        )
    )
    paper = st.selectbox(say("Paper"), list(PAPERS), key=session.key("handout-paper"))
    says = say("Save the handout as PDF")
    if is_asked_for(session, says, "handout-pdf", "PDF", why_not(KINDS["pdf"].needs)):
        file = FileToMake("handout.pdf", partial(handout_file, wish, paper))
        save(session, made_files(session, [file]), "handout")
    st.markdown(
        say(
            "In LaTeX: every step with its matrices and pictures in TikZ, and slides, one frame a "
            "step. `pdflatex` compiles both."
        )
    )
    for name, title in LATEX_FILES.items():
        says, reason = say("Save the {file}").format(file=title), why_no_latex(session.traces, name)
        if is_asked_for(session, says, f"latex-{name}", title, reason):
            file = FileToMake(name, partial(latex_of, wish, name))
            save(session, made_files(session, [file]), "latex")


def _pieces(session: Session) -> None:
    """One matrix, and where one number of it comes from, to be copied."""
    steps = {step.name: step for step in steps_in_use(session.scenario)}
    names = list(steps)
    name = st.selectbox(
        say("A piece to paste"),
        names,
        index=names.index("weights"),
        format_func=lambda name: steps[name].title,
        key=session.key("latex-step"),
    )
    head = _head(session, steps[name])
    trace, decimals = session.trace, session.view.decimals
    try:
        st.code(matrix_as_bmatrix(trace, name, head, decimals=decimals), language=None)
        cell = _cell(session, trace, name, head)
        st.code(derivation_as_align(trace, cell, decimals=decimals), language=None)
    except MhaError as error:
        st.caption(plain(str(error)))
    st.caption(
        say(
            "The number is the one that you picked in the explorer, or else the "
            "last one of the matrix."
        )
    )


def _head(session: Session, step: Step[Any]) -> int | None:
    if len(step.dims.axes) < 3:
        return None
    count = session.scenario.sizes[step.dims.axes[0]]
    number = st.pills(
        say("Head"),
        range(1, count + 1),
        default=1,
        required=True,
        key=session.key(f"latex-head-{count}"),
    )
    return int(number) - 1


def _cell(session: Session, trace: Trace, name: str, head: int | None) -> Cell:
    """The picked number, where it is one of this matrix."""
    picked = session.view.cell
    if picked and (picked.step, picked.head) == (name, head) and has_cell(trace, picked):
        return picked
    rows, columns = labelled_matrix(trace, name, head).values.shape
    return Cell(name, head, rows - 1, columns - 1)
