"""Worksheets for a class: each student has other numbers, and the key is on sheets of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from mha_core.io.worksheets import class_set_html
from mha_core.worksheets.exercise import (
    BASES,
    DIFFICULTIES,
    MASKINGS,
    MOST_TOKENS,
    MOST_WIDTH,
    SCALES,
    Exercise,
    head_counts,
    scales_at,
)
from mha_core.worksheets.sheet import MOST_SHEETS, Worksheet, make_exercise
from ui.blocks.for_class.making import made_files, show_sheet
from ui.blocks.mathml import mathml
from ui.controls.hand_over import hand_over
from ui.controls.markdown import plain
from ui.edits.exercise_params import exercise_params
from ui.prints.files import KINDS, why_not
from ui.prints.pack import Entry
from ui.prints.pdf import pdf_of
from ui.prints.worksheets import PAPERS, worksheet_sheets
from ui.state import Session

FIRST: Final = Exercise()
PAGES: Final = {"both": "Sheets, then keys", "sheets": "Sheets alone", "keys": "Keys alone"}
LARGEST_SEED: Final = 10**6
A_CLASS: Final = 30


def worksheets_to_save(session: Session) -> None:
    """Left the settings, right the first sheet."""
    choices, shown = st.columns([2, 3], gap="large")
    with choices:
        st.markdown(
            "An exercise for a pen: small numbers that are kind to it. "
            "Each sheet has numbers of its own; its seed brings them back."
        )
        exercise = _exercise(session)
        count, paper, pages = _class_set(session)
        made: list[Worksheet] = []
        makes = [
            Entry(f"sheet {number + 1}", partial(_make, made, exercise, number))
            for number in range(count)
        ]
        for kind in ("pdf", "html"):
            if kind == "pdf" and (reason := why_not(KINDS["pdf"].needs)):
                st.caption(plain(f"PDF: {reason}"))
            elif st.button(_label(kind, count), type="primary", key=session.key(f"sheets-{kind}")):
                file = Entry(
                    f"attention-worksheets.{kind}", partial(_written, made, kind, paper, pages)
                )
                files = made_files(session, [*makes, file])
                hand_over(file.name, files[file.name], session.key("handed-over"))
    with shown:
        _look(session, exercise, paper)


def _exercise(session: Session) -> Exercise:
    """The settings; only those are offered that go together."""
    left, right = st.columns(2, gap="small")
    tokens = left.number_input(
        "Tokens", 2, MOST_TOKENS, FIRST.n_tokens, key=session.key("sheet-tokens")
    )
    widths = [width for width in range(2, MOST_WIDTH + 1) if head_counts(width)]
    d_model = right.selectbox(
        "Width d_model", widths, widths.index(FIRST.d_model), key=session.key("sheet-width")
    )
    counts = head_counts(d_model)
    heads = left.selectbox(
        "Heads",
        counts,
        counts.index(FIRST.n_heads) if FIRST.n_heads in counts else 0,
        key=session.key(f"sheet-heads-{d_model}"),
    )
    scales = scales_at(d_model // heads)
    scale = right.selectbox(
        "Scale",
        scales,
        scales.index(FIRST.scale),
        format_func=SCALES.__getitem__,
        key=session.key(f"sheet-scale-{len(scales)}"),
    )
    masks = [name for name in MASKINGS if tokens > 2 or name != "padding"]
    chosen: dict[str, Any] = {
        "mask": st.selectbox(
            "Mask",
            masks,
            masks.index(FIRST.mask),
            format_func=MASKINGS.__getitem__,
            key=session.key(f"sheet-mask-{len(masks)}"),
        ),
        "difficulty": st.selectbox(
            "How much is asked",
            list(DIFFICULTIES),
            list(DIFFICULTIES).index(FIRST.difficulty),
            format_func=DIFFICULTIES.__getitem__,
            key=session.key("sheet-difficulty"),
        ),
        "base": st.selectbox(
            "Softmax", list(BASES), format_func=BASES.__getitem__, key=session.key("sheet-base")
        ),
        "scale": scale,
        "seed": st.number_input("First seed", 0, LARGEST_SEED, 1, key=session.key("sheet-seed")),
    }
    return Exercise(n_tokens=tokens, d_model=d_model, n_heads=heads, **chosen)


def _class_set(session: Session) -> tuple[int, str, Any]:
    """How many sheets, on which paper, with or without keys."""
    one, two, three = st.columns(3, gap="small")
    count = one.number_input("Sheets", 1, MOST_SHEETS, A_CLASS, key=session.key("sheet-count"))
    paper = two.selectbox("Paper", list(PAPERS), key=session.key("sheet-paper"))
    pages = three.selectbox(
        "Pages", list(PAGES), format_func=PAGES.__getitem__, key=session.key("sheet-pages")
    )
    return int(count), paper, pages


def _label(kind: str, count: int) -> str:
    return f"Save {'1 sheet' if count == 1 else f'{count} sheets'} as {kind.upper()}"


def _make(made: list[Worksheet], exercise: Exercise, number: int) -> bytes:
    """One sheet more, for the file that comes last."""
    made.append(make_exercise(replace(exercise, seed=exercise.seed + number)))
    return b""


def _written(made: list[Worksheet], kind: str, paper: str, pages: Any) -> bytes:
    if kind == "html":
        return class_set_html(made, mathml, pages).encode()
    return pdf_of([*worksheet_sheets(made, paper, pages)])


def _look(session: Session, exercise: Exercise, paper: str) -> None:
    """The pages of the first sheet, or of its key, and the page where it is filled in."""
    st.page_link(
        "exercise.py", label="Fill it in on a page", query_params=exercise_params(exercise)
    )
    is_key = st.toggle("Look at the key", key=session.key("sheet-key"))
    sheets = session.make_once(
        ("worksheet", exercise, paper, is_key),
        lambda: [
            *worksheet_sheets([make_exercise(exercise)], paper, "keys" if is_key else "sheets")
        ],
    )
    for sheet in sheets:
        show_sheet(sheet)
