"""What no address can hold: the tab keeps it, and offers it after a reload.

The tab's own storage lasts as long as the tab, and only pages of this server can read it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from mha_core.io.scenario.stack_link import decode_stack
from mha_core.language import say
from ui.controls.own_component import own_component
from ui.controls.refusal import show_refusal
from ui.reports import reported, run_the_page
from ui.state import HISTORY_KEY, Session, link_for_the_tab, session_with

KEPT: Final = "kept"  # the key of the component, and of what it brings back
WORDS: Final = {
    "lost": say("This browser keeps nothing here: a reload would lose these numbers."),
    "kept": say("This tab has kept numbers that were too many for its address."),
    "bring": say("Bring them back"),
    "forget": say("Forget them"),
}


def keep_in_tab(session: Session) -> None:
    """Let the tab keep a scenario that is too large for a link, or offer what it has kept.

    It is on the page only if it has something to do: there is such a scenario, the browser says
    that it keeps or offers one, or the browser may have one from before.
    """
    text = link_for_the_tab(session)
    key = session.key(KEPT)
    may_offer = not (session.conversation.was_described or session.conversation.last_whole_run)
    if text or may_offer or (st.session_state.get(key) or {}).get("is_needed"):
        _kept_in_tab(
            key=key,
            data={"session": session.id, "name": session.name, "text": text, **WORDS},
            on_back_change=partial(_bring_back, session),
            on_is_needed_change=run_the_page,  # which puts this on the page, or takes it off
        )
    show_refusal(session, KEPT)


def _bring_back(session: Session) -> None:
    text = reported(session.key(KEPT), "back")
    if isinstance(text, str):
        session.attempt_to_open(KEPT, say("what this tab has kept"), partial(decode_stack, text))
        named = reported(session.key(HISTORY_KEY), "before")
        if isinstance(named, str) and (before := session_with(named)):
            session.go_on_from(before, steps=1)


_kept_in_tab = own_component(__file__)
