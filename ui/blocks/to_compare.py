"""From the explorer to the comparison: what is on the page becomes A, or B."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core import Stack
from mha_core.changing.layers import with_layer
from mha_core.comparing.questions import with_one_change
from mha_core.language import say
from ui.blocks.page_links import Shown, link_to
from ui.state import Session, View, opened

PAGE: Final = "compare.py"


def to_compare(session: Session) -> None:
    """Two links: each makes a side of what is on the page, and goes where both are compared.

    The other side stays where it has the same sizes. Else B is A with one thing changed, and A is
    what this page was opened with.
    """
    here = Shown(session, session.view.without_glances())
    st.markdown(say("Put what is on this page beside another."))
    for name, other in (("a", "b"), ("b", "a")):
        label = say("Keep this as {side}").format(side=name.upper())
        sides = {name: here, other: _other_side(session, other) or here}
        link_to(PAGE, label, session.key(f"keep-{name}"), dict(sorted(sides.items())))


def _other_side(session: Session, name: str) -> Shown | None:
    """What is to stand beside what is on the page; None where nothing else has its sizes."""
    if (kept := opened(name)) and kept.stack.sizes == session.stack.sizes:
        return Shown(kept, kept.view)
    make = (lambda: session.opened) if name == "a" else (lambda: _with_one_change(session))
    other = session.make_once(f"side {name}", make)
    if other.sizes != session.stack.sizes:
        return None
    return Shown(session.make_once(f"shown {name}", lambda: _unseen(other)), View())


def _with_one_change(session: Session) -> Stack:
    """The layers with one thing changed in the one that is shown."""
    before = session.scenario
    return with_layer(session.stack, session.layer, before, with_one_change(before))


def _unseen(stack: Stack) -> Session:
    """A session that nobody looks at."""
    session = Session(stack)
    session.leave()
    return session
