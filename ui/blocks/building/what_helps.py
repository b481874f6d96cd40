"""What helps to build a head: a whole block at once, hints, a solution."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.puzzles.puzzle import Puzzle
from mha_core.scenario.given_arrays import GIVEN
from mha_core.stack.stack import W_U
from ui.blocks.building.puzzle_shown import puzzle_of
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.edits.puzzle_entries import solved, with_block
from ui.reports import reported
from ui.state import Session, let_come_back

BLOCK: Final = "block"  # the key of a refused block
ALL: Final = say("all of it")
OFTEN: Final = ("4*I", "4*shift(-1)", "0")


def what_helps(session: Session) -> None:
    """A block that is filled at once, hints and a solution: on one line where there is room."""
    puzzle = puzzle_of(session)
    has_hints = "hints" not in session.view.hide
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key=session.key("what-helps")
    ):
        _fill(session, puzzle)
        if has_hints:
            _ways_to_hints(session, puzzle)
    show_refusal(session, BLOCK)
    if has_hints:
        for number, hint in enumerate(puzzle.hints[: session.view.hints], 1):
            st.caption(plain(f"{number}. {hint}"))


def _fill(session: Session, puzzle: Puzzle) -> None:
    """A block of a matrix, filled by a short expression."""
    which, part, text = (session.key(name) for name in ("block-of", "block-part", "block-text"))
    for widget in (which, part, text):
        let_come_back(session, widget)
    st.selectbox(
        say("Matrix to fill"),
        puzzle.free,
        format_func=partial(_in_the_list, puzzle),
        key=which,
        width=200 if puzzle.above else 110,
        label_visibility="collapsed",
    )
    st.selectbox(
        say("Columns of X"),
        [ALL, *puzzle.parts_of_x],
        format_func=lambda title: say("for {part}").format(part=title),
        key=part,
        width=130,
        label_visibility="collapsed",
    )
    st.text_input(
        say("Block"),
        key=text,
        placeholder="4*shift(-1)",
        width=140,
        label_visibility="collapsed",
    )
    fill = partial(_fill_with, session, puzzle)
    st.button(say("Fill"), key=session.key("fill-it"), on_click=fill)
    for expression in OFTEN:
        key = session.key(f"fill {expression}")
        st.button(f"`{expression}`", key=key, on_click=partial(fill, expression), type="tertiary")


def _in_the_list(puzzle: Puzzle, name: str) -> str:
    """A free array, with its layer where there are several."""
    array = puzzle.array_of(name)
    symbol = GIVEN[array].symbol if array in GIVEN else W_U
    if not puzzle.above or array not in GIVEN:
        return say("Fill {matrix}").format(matrix=symbol)
    says = say("Fill {matrix} of layer {layer}")
    return says.format(matrix=symbol, layer=puzzle.layer_of(name) + 1)


def _ways_to_hints(session: Session, puzzle: Puzzle) -> None:
    """One hint after the other, then a solution."""
    shown, count = session.view.hints, len(puzzle.hints)
    if shown < count:
        label = say("Hint {number} of {count}").format(number=shown + 1, count=count)
        more = partial(session.look_at, hints=shown + 1)
        st.button(label, key=session.key("hint"), on_click=more)
    if not puzzle.solution():
        return
    solve = partial(session.attempt_on_stack, "solution", None, lambda _: solved(puzzle))
    st.button(say("Show a solution"), key=session.key("solve"), on_click=solve)


def _fill_with(session: Session, puzzle: Puzzle, expression: str = "") -> None:
    array, part = (reported(session.key(name)) for name in ("block-of", "block-part"))
    text = expression or reported(session.key("block-text")) or ""
    if array in puzzle.free:  # anyone can send anything
        columns = puzzle.parts_of_x.get(part)
        change = partial(with_block, puzzle=puzzle, name=array, columns=columns, text=text)
        session.attempt_on_stack(BLOCK, text, change)
