"""Worksheets for a class: each student gets different numbers, and the key has its own sheets."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from mha_core.language import say, say_number
from mha_core.worksheets.document import class_set_html
from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.sheet import MOST_SHEETS, Worksheet, make_exercise
from ui.blocks.for_class.making import is_asked_for, made_files, show_sheet
from ui.controls.hand_over import hand_over
from ui.edits.exercise_choices import LABELS, choices_of, in_words, with_choice
from ui.edits.exercise_params import exercise_params
from ui.mathml import mathml
from ui.prints.blocks import PAPERS
from ui.prints.files import KINDS, why_not
from ui.prints.pack import FileToMake
from ui.prints.pdf import pdf_of
from ui.prints.worksheets import Pages, worksheet_sheets
from ui.state import Session

ORDER: Final = ("n_tokens", "d_model", "n_heads", "scale", "mask", "difficulty", "base")
PAGES: Final = {
    "both": say("Sheets, then keys"),
    "sheets": say("Sheets alone"),
    "keys": say("Keys alone"),
}
LARGEST_SEED: Final = 10**6


def worksheets_to_save(session: Session) -> None:
    """The settings on the left, the first sheet on the right."""
    choices, shown = st.columns([2, 3], gap="large")
    with choices:
        st.markdown(
            say(
                "An exercise on paper, with numbers that are easy to compute by hand: not "
                "those of the explorer. Each sheet has its own; its seed brings them back."
            )
        )
        exercise = _exercise(session)
        count, paper, pages = _class_set(session)
        made: list[Worksheet] = []
        says = say("sheet {number}")
        makes = [
            FileToMake(says.format(number=number + 1), partial(_make, made, exercise, number))
            for number in range(count)
        ]
        if kind := _asked_for(session, count):
            name = f"attention-worksheets.{kind}"
            file = FileToMake(name, partial(_written, made, kind, paper, pages))
            files = made_files(session, [*makes, file])
            hand_over(file.name, files[file.name], session.key("handed-over"))
    with shown:
        _look(session, exercise, paper, count)


def _exercise(session: Session) -> Exercise:
    """The settings in order. Each offers what goes with those before it."""
    exercise = Exercise()
    sizes, (of_mask, of_seed) = st.columns(2, gap="small"), st.columns(2, gap="small")
    places = [*sizes * 2, of_mask, st.container(), st.container()]
    for name, place in zip(ORDER, places, strict=True):
        choices = choices_of(exercise)[name]
        value = place.selectbox(
            LABELS[name],
            choices,
            choices.index(getattr(exercise, name)),
            format_func=partial(in_words, name),
            key=session.key(f"sheet-{name}-{len(choices)}-of-{exercise.d_model}"),
        )
        exercise = with_choice(exercise, name, value)
    seed = of_seed.number_input(
        say("First seed"), 0, LARGEST_SEED, 1, key=session.key("sheet-seed")
    )
    return replace(exercise, seed=seed)


def _class_set(session: Session) -> tuple[int, str, Any]:
    """How many sheets, on which paper, with or without keys."""
    one, two, three = st.columns(3, gap="small")
    count = one.number_input(say("Sheets"), 1, MOST_SHEETS, key=session.key("sheet-count"))
    paper = two.selectbox(say("Paper"), list(PAPERS), key=session.key("sheet-paper"))
    pages = three.selectbox(
        say("Pages"), list(PAGES), format_func=PAGES.__getitem__, key=session.key("sheet-pages")
    )
    return int(count), paper, pages


def _asked_for(session: Session, count: int) -> str:
    """The kind of file that a person asks for; "" for none."""
    asked = ""
    says = say_number("Save {count} sheet as {kind}", "Save {count} sheets as {kind}", count)
    for place, kind in zip(st.columns(2, gap="small"), ("pdf", "html"), strict=True):
        with place:
            label = says.format(count=count, kind=kind.upper())
            reason = why_not(KINDS["pdf"].needs) if kind == "pdf" else ""
            if is_asked_for(session, label, f"sheets-{kind}", "PDF", reason):
                asked = kind
    return asked


def _make(made: list[Worksheet], exercise: Exercise, number: int) -> bytes:
    """Make one more sheet. The file itself is written last."""
    made.append(make_exercise(replace(exercise, seed=exercise.seed + number)))
    return b""


def _written(made: list[Worksheet], kind: str, paper: str, pages: Any) -> bytes:
    if kind == "html":
        return class_set_html(made, mathml, pages).encode()
    return pdf_of([*worksheet_sheets(made, paper, pages)])


def _look(session: Session, exercise: Exercise, paper: str, count: int) -> None:
    """The pages of the first sheet, or of its key, and the page where it is filled in."""
    st.page_link(
        "exercise.py", label=say("Fill it in on a page"), query_params=exercise_params(exercise)
    )
    is_key = st.toggle(say("Look at the key"), key=session.key("sheet-key"))
    pages: Pages = "keys" if is_key else "sheets"
    sheets = session.make_once(
        ("worksheet", exercise, paper, is_key, count),
        lambda: [*worksheet_sheets([make_exercise(exercise)], paper, pages, count)],
    )
    for sheet in sheets:
        show_sheet(sheet, is_read=True)
