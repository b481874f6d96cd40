"""The top of the page: what is shown and what it claims, the tools, and the way of the data."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core.examples import Example
from mha_core.language import say
from ui.blocks.cell_entries import show_gone
from ui.blocks.claims import NOT_TRUE, OF_OTHERS, keep_room_of_claims, show_claims
from ui.blocks.download import download, scenario_buttons
from ui.blocks.heads_picture import sleep_while_pictures_are_painted
from ui.blocks.presenting.parts import parts_of_explorer
from ui.blocks.share import share, why_no_link
from ui.blocks.title_line import CHANGED, opens, show_title, title_line
from ui.blocks.to_compare import to_compare
from ui.blocks.tours.add_stop import add_to_own_tour
from ui.controls.fragment import TITLE, WORDS, follows_numbers
from ui.controls.history import history_buttons, reset_button
from ui.controls.kept_in_tab import keep_in_tab
from ui.controls.present_button import present_button
from ui.controls.refusal import show_refusal
from ui.figures.strip import strip
from ui.state import Session, fits_a_link

STYLE: Final = Path(__file__).parent / "page.css"
# Streamlit leaves the sidebar of the previous page in its place, empty. On a phone it holds the
# links to the pages.
NO_SIDEBAR: Final = "@media (min-width: 48rem) { .stSidebar { display: none } }"
# While a page is presented, people see and reach by Tab only the presentation.
ALONE: Final = (
    ".stSidebar, .stAppHeader, [data-testid=stExpandSidebarButton], [data-testid=stStatusWidget], "
    ".st-key-behind-presentation { display: none }"
)
GONE: Final = say("The notes described the example. Reset restores it.")
# Where the links of the way lead: to containers with these keys. A click opens an expander, and a
# head where none is looked at.
PARTS: Final = {
    "into-the-heads": "fold-into",
    "heads": "fold-heads",
    "mask": "mask-picture",
    "one-head": "one-head-place",
    "together": "fold-together",
}


def style(*sessions: Session, has_sidebar: bool = True) -> None:
    """The style for these sessions, or for none, on a page with or without a sidebar.

    page.css names containers by their keys, as `.st-key-tools`. Its selectors are whole classes:
    with `[class*="tools"]` the browser would look at the whole page again whenever any class
    changes (docs/measured.md).
    """
    prefixes = tuple(session.key("") for session in sessions) or ("",)
    its_own = _style_of(prefixes)
    alone = _for_each(ALONE, prefixes) if any(each.view.present for each in sessions[:1]) else ""
    st.html(f"<style>{its_own}{'' if has_sidebar else NO_SIDEBAR}{alone}</style>")


@cache
def _style_of(prefixes: tuple[str, ...]) -> str:
    """page.css with the containers of each session, whose keys begin with its prefix.

    It is one line without comments: Streamlit reads all lines of a text in each run.
    """
    text = " ".join(re.sub(r"/\*.*?\*/", "", STYLE.read_text("utf-8"), flags=re.DOTALL).split())
    return _for_each(text, prefixes)


def _for_each(text: str, prefixes: tuple[str, ...]) -> str:
    """A style with the containers of each session."""
    if prefixes == ("",):
        return text

    def of_each(key: re.Match[str]) -> str:
        return f":is({', '.join(f'.st-key-{prefix}{key[1]}' for prefix in prefixes)})"

    return re.sub(r"\.st-key-([\w-]+)", of_each, text)


def heading(session: Session) -> None:
    """What is on the page, and the way back: title, tools, claims as they are computed."""
    with title_line(session, partial(_title, session)):
        _tools(session)
        present_button(session, has_steps=True)
    show_refusal(session, "address")
    show_gone(session)
    keep_in_tab(session)
    if not fits_a_link(session):
        st.caption(why_no_link(session))
        scenario_buttons(session, "heading")


@follows_numbers(TITLE)
def _title(session: Session) -> None:
    show_title(title_of(session))


@follows_numbers(WORDS)
def claims(session: Session) -> None:
    """What the example claims, as long as the page is about tokens like its own."""
    sleep_while_pictures_are_painted(session)  # also in a run of numbers, in which it may be first
    if example := session.example_of_its_size:
        _what_it_shows(session, example)
    elif example := session.example_opened:
        keep_room_of_claims([c.sentence for c in example.claims_of(session.layer)], GONE)


def title_of(session: Session) -> str:
    """The page's own title, else that of its example."""
    if session.view.title:
        return session.view.title
    example = session.example_shown
    if not example:
        return say("Your own setting")
    return example.title + (CHANGED if session.is_changed else "")


def sentence_of(session: Session) -> str:
    """What the example shows, as long as all its claims are true of the page."""
    example = session.example_of_its_size
    holds = example and all(is_true for _, is_true in _checked_claims(session, example))
    return example.sentence if example and holds else ""


def sentence_opened(session: Session) -> str:
    """What the example shows that was opened, whatever has become of it."""
    example = session.example_opened
    return example.sentence if example else ""


def _what_it_shows(session: Session, example: Example) -> None:
    """The example's sentence and claims, each with whether it is still true.

    One that is not true here, or is about other tokens, takes no more room than before: the page
    below must not move.
    """
    claims = example.claims_of(session.layer)
    if not session.example_shown:
        of_others: list[tuple[str, bool | None]] = [(c.sentence, None) for c in claims]
        show_claims(of_others, f"{OF_OTHERS}: {example.sentence}")
        return
    checked = _checked_claims(session, example)
    holds = session.make_once_for_all("holds", lambda: example.holds(session.traces.layers[0]))
    show_claims(checked, example.sentence if holds else f"{NOT_TRUE}: {example.sentence}")


def _checked_claims(session: Session, example: Example) -> list[tuple[str, bool]]:
    """The claims of the example about the layer that is shown, each with whether it is true."""
    return session.make_once_for_all(
        "claims",
        lambda: [(c.sentence, c.holds(session.trace)) for c in example.claims_of(session.layer)],
    )


def _tools(session: Session) -> None:
    """Undo, redo, back to the example, share, download, compare."""
    history_buttons(session)
    reset_button(session, say("Back to what was opened: an example, a link or a file"))
    opens(session, "share", say("Share"), share)
    opens(session, "to-tour", say("Add to my tour"), _add_to_own_tour)
    opens(session, "download", say("Download"), download)
    opens(session, "to-compare", say("Compare"), to_compare)


def _add_to_own_tour(session: Session) -> None:
    parts = parts_of_explorer(session).all
    add_to_own_tour(session, {part.name: part.title for part in parts})


def place_for_way(session: Session) -> DeltaGenerator:
    """Where the way of the data stands. page.css keeps it in sight while a person scrolls."""
    return st.container(key=session.key("way"))


@follows_numbers(WORDS)
def way_of_the_data(session: Session) -> None:
    """The strip from the input to the output, to be called in its place."""
    sleep_while_pictures_are_painted(session)  # as above
    palette = session.view.palette
    made = partial(strip, places=PARTS, prefix=session.key(""), group=session.name, palette=palette)
    st.html(session.make_once_for_all(("strip", palette), lambda: made(session.trace)))
