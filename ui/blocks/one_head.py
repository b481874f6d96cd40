"""One head, from its queries, keys and values to its output."""

from __future__ import annotations

import streamlit as st

from mha_core.language import say
from ui.blocks.head_matrices import what_a_head_looks_for
from ui.blocks.heads_shown import name_of_head
from ui.blocks.picture import outline, picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.figures import one_head as figures
from ui.state import Session, bound_to_view


def one_head(session: Session) -> None:
    """The head that a person picked; where there is only one, that one."""
    with st.container(key=session.key("one-head-place")):
        if session.scenario.n_heads > 1:
            _choice(session)
            head = session.view.head
        else:
            head = 0
        if head is not None:
            _from_queries_to_output(session, head)
            what_a_head_looks_for(session, head)


def _choice(session: Session) -> None:
    """A row of heads, of which one can be looked at."""
    st.header(say("Look at one head"), anchor=False)
    st.pills(
        say("Head to look at"),
        range(session.scenario.n_heads),
        format_func=name_of_head,
        label_visibility="collapsed",
        **bound_to_view(session, "head"),
    )


@follows_numbers(PICTURES)
def _from_queries_to_output(session: Session, head: int) -> None:
    """The pictures of one head. A wide head has its vectors in a second picture."""
    leave_to_whole_page(session)
    name, number = f"Head {head + 1}", head + 1
    if figures.is_wide(session.trace):
        alt = say("Head {head}: scores and weights")
    else:
        alt = say("Head {head}: from Q, K, V to its output")
    shown = picture(session, name, alt.format(head=number), figures.one_head_figure, head)
    show(session, "one-head", shown)
    alt = say("Head {head}: Q, K, V and output").format(head=number)
    wide = picture(session, f"{name} wide", alt, figures.wide_head_figure, head)
    show(session, "wide-head", wide, asked_in="one-head", board="one-head")
    outline(session, "one-head", is_only_place=False)
    session.conversation.write_address()
