"""The walkthrough: one operation a screen, from the input to the output."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from mha_core.guide.screens import Screen, nearest_screen, passed_over, screens_of
from mha_core.language import say
from ui.blocks.formulas import formulas_of_screen
from ui.blocks.heads_shown import name_of_head
from ui.blocks.layers import which_layer
from ui.blocks.picture import outline, picture, show
from ui.blocks.title_line import opens, title_line
from ui.blocks.top import title_of
from ui.blocks.tours.add_stop import add_to_own_tour
from ui.blocks.tours.bar import TOUR_BACK, TOUR_ON
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.history import history_buttons
from ui.controls.kept_in_tab import keep_in_tab
from ui.controls.markdown import plain
from ui.controls.present_button import present_button
from ui.controls.refusal import show_refusal
from ui.controls.sidebar.open_menu import open_menu
from ui.controls.walk_keys import walk_keys
from ui.figures.walkthrough import Begins, is_of_one_head, screen_figure, shapes_of
from ui.state import Session, bound_to_view

OWN: Final = ("screen", "head")  # fields of the view that the fragment answers
HERE: Final = "walk"
SHORT_TITLES: Final = {  # of SCREENS
    "input": say("Input"),
    "context": say("Context"),
    "positions": say("Positions"),
    "context-positions": say("Context positions"),
    "own-values": say("Own values"),
    "queries": say("Queries"),
    "keys": say("Keys"),
    "values": say("Values"),
    "split": say("Split"),
    "rotation-first": say("Rotation"),
    "center": say("Mean"),
    "norm": say("Norm"),
    "gains-of-queries": say("Gains of Q"),
    "gains-of-keys": say("Gains of K"),
    "norm-of-values": say("Norm of values"),
    "rotation": say("Rotation"),
    "scores": say("Scores"),
    "distances": say("Distances"),
    "both": say("Both scores"),
    "growth": say("Growth"),
    "scale": say("Scale"),
    "cap": say("Cap"),
    "factor-scores": say("Gate scores of b_S"),
    "shares": say("Shares"),
    "factors": say("Factors"),
    "gated-additions": say("Gated additions"),
    "additions": say("Additions"),
    "mask": say("Mask"),
    "temperature": say("Temperature"),
    "maximum": say("Maximum"),
    "exponentials": say("Exponentials"),
    "sums": say("Sums"),
    "weights": say("Weights"),
    "sink": say("Sink"),
    "blend": say("Blend"),
    "gate-scores": say("Gate scores"),
    "gate": say("Gate"),
    "gate-of-another-kind": say("Gate"),
    "gated": say("Gated"),
    "center-of-heads": say("Mean of heads"),
    "norm-of-heads": say("Norm of heads"),
    "function-of-heads": say("Function"),
    "join": say("Join"),
    "output": say("Output"),
}


def walk_heading(session: Session) -> None:
    """What is walked through, and how to take another example."""
    with title_line(session, title_of(session)):
        history_buttons(session)
        open_menu(session, names_it=False)
        opens(session, "to-tour", say("Add to my tour"), add_to_own_tour)
        present_button(session)
    show_refusal(session, "address")
    keep_in_tab(session)
    which_layer(session)


@fragment
def walk(session: Session) -> None:
    """The present screen, and the way to the others: a step there runs only this fragment."""
    leave_to_whole_page(session, *OWN)
    screens = screens_of(session.scenario)
    screen = nearest_screen(session.view.screen, session.scenario)
    _progress(session, screens, screen)
    _screen(session, screen)
    over = passed_over(session.scenario)
    st.caption(plain(say("In this layer: {steps}.").format(steps="; ".join(over))))
    session.conversation.write_address()


def _progress(session: Session, screens: Sequence[Screen], screen: Screen) -> None:
    """All screens, the present one marked, with buttons for the next and the one before."""
    names = [each.name for each in screens]
    place = names.index(screen.name)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=session.key("walk-progress")
    ):
        if not session.view.tour:  # which has its own way on
            _to(session, say("Back"), "walk-back", names[place - 1] if place else None)
            after = names[place + 1] if place + 1 < len(names) else None
            _to(session, say("Next"), "walk-on", after)
        st.pills(
            say("Screen"),
            names,
            required=True,
            format_func=SHORT_TITLES.__getitem__,
            label_visibility="collapsed",
            **bound_to_view(
                session, "screen", show_as=lambda name: nearest_screen(name, session.scenario).name
            ),
        )
    back, on = (TOUR_BACK, TOUR_ON) if session.view.tour else ("walk-back", "walk-on")
    walk_keys(session, back, on)


def _to(session: Session, label: str, key: str, name: str | None) -> None:
    st.button(
        label,
        disabled=name is None,
        on_click=partial(session.look_at, screen=name, cell=None),
        key=session.key(key),
    )


def _screen(session: Session, screen: Screen) -> None:
    """What goes in, what comes out and why; beside it the picture, on which it happens."""
    words, shown = st.columns([2, 5], gap="medium")
    with words:
        _words(session, screen)
    with shown:
        # The sentence of a stop speaks of numbers that have to be there.
        begins: Begins = "when asked" if session.view.tour else "by itself"
        of = (screen, session.view.head or 0, begins)
        name = f"walk {screen.name}"
        show(
            session,
            HERE,
            picture(session, name, screen.title, screen_figure, *of, shows_moved=False),
        )
    outline(session, HERE)


def _words(session: Session, screen: Screen) -> None:
    """The reason, the shapes, the formula, and the head to look at."""
    trace = session.trace
    st.header(plain(screen.title), anchor=False)
    st.markdown(plain(screen.why))
    taken, given = shapes_of(trace, screen, session.view.head or 0)
    shapes = f"{', '.join(taken)} → {', '.join(given)}" if taken else ", ".join(given)
    st.caption(plain(shapes))
    formulas_of_screen(session, screen, session.view.head or 0)
    if session.scenario.n_heads > 1 and is_of_one_head(trace, screen):
        st.pills(
            say("Head"),
            range(session.scenario.n_heads),
            format_func=name_of_head,
            required=True,
            wrap=True,
            label_visibility="collapsed",
            **bound_to_view(
                session,
                "head",
                enter_as=lambda number: head_to_look_at(session.view.head, number),
                show_as=lambda number: number or 0,
            ),
        )


def head_to_look_at(head: int | None, chosen: int) -> int | None:
    """What the view says after a choice: where none is picked, the first is shown, but not picked.

    A browser may report what it was told to show. The first page would then show one head large.

    >>> head_to_look_at(None, 0), head_to_look_at(None, 1), head_to_look_at(1, 0)
    (None, 1, 0)
    """
    return head if chosen == (head or 0) else chosen
