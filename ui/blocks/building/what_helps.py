"""What helps to build a head: a whole block at once, hints, a solution."""

from __future__ import annotations

from functools import partial
from typing import Final
from zlib import crc32

import streamlit as st

from mha_core.language import say
from mha_core.puzzles.puzzle import Puzzle
from mha_core.scenario.given_arrays import GIVEN
from mha_core.stack.stack import W_U
from ui.blocks.building.puzzle_shown import open_puzzle, puzzle_of
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.edits.own_puzzle_form import MAKE, is_own_puzzle, to_be_changed
from ui.edits.puzzle_entries import solved, with_block
from ui.reports import reported
from ui.state import Session, let_come_back

BLOCK: Final = "block"  # the key of a refused block
ALL: Final = say("all of it")
OFTEN: Final = ("4*I", "4*shift(-1)", "0")
FIELDS: Final = ("block-of", "block-part", "block-text")


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
            _way_to_ones_own(session)
    _say_refused(session)
    if has_hints:
        for number, hint in enumerate(puzzle.hints[: session.view.hints], 1):
            st.caption(plain(f"{number}. {hint}"))


def _fill(session: Session, puzzle: Puzzle) -> None:
    """A block of a matrix, filled by a short expression."""
    which, part, text = (_key(session, name) for name in FIELDS)
    for widget in (which, part, text):
        let_come_back(session, widget)
    fill = partial(_fill_with, session, puzzle)
    st.selectbox(
        say("Matrix to fill"),
        puzzle.free,
        format_func=partial(_in_the_list, puzzle),
        key=which,
        width=210 if puzzle.above else 110,
        label_visibility="collapsed",
    )
    st.selectbox(
        say("Columns of X"),
        [ALL, *puzzle.parts_of_x],
        format_func=lambda title: say("for {part}").format(part=title),
        key=part,
        width=150,
        label_visibility="collapsed",
    )
    with (
        st.form(_key(session, "fill-form"), border=False, width="content"),
        st.container(horizontal=True),
    ):
        st.text_input(
            say("Block"), key=text, placeholder=OFTEN[1], width=140, label_visibility="collapsed"
        )
        st.form_submit_button(say("Fill"), key=session.key("fill-it"), on_click=fill)
    for expression in OFTEN:
        key = session.key(f"fill {expression}")
        st.button(f"`{expression}`", key=key, on_click=partial(fill, expression), type="tertiary")


def _key(session: Session, name: str) -> str:
    """Of one puzzle: another one has other matrices and other columns."""
    return session.key(f"{name} {crc32(session.view.puzzle.encode())}")


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
    if count:  # the last one stays: else the solution would come to stand below the pointer
        label = say("Hint {number} of {count}").format(number=min(shown + 1, count), count=count)
        more = partial(session.look_at, hints=shown + 1)
        st.button(label, key=session.key("hint"), on_click=more, disabled=shown >= count)
    if not puzzle.solution():
        return
    solve = partial(session.attempt_on_stack, "solution", None, lambda _: solved(puzzle))
    st.button(say("Show a solution"), key=session.key("solve"), on_click=solve)


def _way_to_ones_own(session: Session) -> None:
    """The form that makes a puzzle. It shows all sentences that are checked."""
    name = session.view.puzzle
    is_own = is_own_puzzle(name)
    st.button(
        say("Change this puzzle") if is_own else say("Make your own"),
        key=session.key("make-own"),
        type="tertiary",
        on_click=partial(open_puzzle, session, to_be_changed(name) if is_own else MAKE),
    )


def _say_refused(session: Session) -> None:
    """Why a block was refused, until something else has changed the numbers."""
    refused = session.refusals.get(BLOCK)
    if refused and refused.instead_of != session.version:
        del session.refusals[BLOCK]
    show_refusal(session, BLOCK)


def _fill_with(session: Session, puzzle: Puzzle, expression: str = "") -> None:
    array, part, typed = (reported(_key(session, name)) for name in FIELDS)
    text = expression or typed or ""
    if array in puzzle.free:  # anyone can send anything
        columns = puzzle.parts_of_x.get(part)
        change = partial(with_block, puzzle=puzzle, name=array, columns=columns, text=text)
        session.attempt_on_stack(BLOCK, text, change, instead_of=session.version)
        layer = min(puzzle.layer_of(array), len(puzzle.above))
        if layer != session.layer and BLOCK not in session.refusals:
            session.look_at(layer=layer)  # what was filled is to be seen
