"""The head that is built: its matrices, what they make, and where it looks."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.puzzles.ladder import PUZZLES
from ui.blocks.cell_entries import HOW_TO_EDIT, ask_about_blocks
from ui.blocks.picture import outline, picture, show
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures.building import building_figure
from ui.state import Session

HERE: Final = "build"
WHAT_IS_SEEN: Final = say(
    "{count} sentences, one below the other: a mask keeps each to itself. Many more are checked. "
)


@fragment
def head(session: Session) -> None:
    """A pick of a cell runs only this fragment."""
    leave_to_whole_page(session)
    puzzle = PUZZLES[session.view.puzzle]
    alt = say("The matrices of the head, what they make, and its weights")
    shown = picture(session, "puzzle", alt, building_figure, puzzle, shows_moved=False)
    show(session, HERE, shown)
    says = WHAT_IS_SEEN.format(count=len(puzzle.seen))
    st.caption(plain(says) + f" :small[{HOW_TO_EDIT}]")
    ask_about_blocks(session, *puzzle.free)
    outline(session, HERE)
    session.conversation.write_address()
