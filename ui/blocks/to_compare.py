"""From the explorer to the comparison: what is on the page becomes A, or B."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from mha_core import Stack
from mha_core.comparing.questions import with_one_change
from mha_core.language import say
from ui.blocks.page_links import Shown, link_to
from ui.state import Session, View, opened

PAGE: Final = "compare.py"


def to_compare(session: Session) -> None:
    """Two links: each makes a side of what is on the page, and goes where both are compared.

    The other side stays where it has the same sizes. Else B is A with one thing changed, and A is
    what this page was opened with. Both show the layer that this page shows.
    """
    here = Shown(session, replace(session.view.without_glances(), layer=session.layer))
    st.markdown(say("Put what is on this page beside another."))
    for name, other in (("a", "b"), ("b", "a")):
        label = say("Keep this as {side}").format(side=name.upper())
        sides = {name: here, other: _other_side(session, other) or here}
        link_to(PAGE, label, session.key(f"keep-{name}"), dict(sorted(sides.items())))


def _other_side(session: Session, name: str) -> Shown | None:
    """What is to stand beside what is on the page; None where nothing else has its sizes."""
    if (kept := opened(name)) and kept.stack.sizes == session.stack.sizes:
        return Shown(kept, _in_layer(kept, session.layer))
    make = (lambda: session.opened) if name == "a" else (lambda: _with_one_change(session))
    other = session.make_once(f"side {name}", make)
    if other.sizes != session.stack.sizes:
        return None
    unseen = session.make_once(f"shown {name}", lambda: _unseen(other))
    return Shown(unseen, View(layer=session.layer))


def _in_layer(kept: Session, layer: int) -> View:
    """Its view; in another layer than the one that it shows, without what was picked there."""
    if kept.layer == layer:
        return kept.view
    return replace(kept.view, layer=layer, head=None, cell=None, influence=None, page=0)


def _with_one_change(session: Session) -> Stack:
    """The layers with one thing changed in the one that is shown."""
    return with_one_change(session.stack, session.layer, session.scenario)


def _unseen(stack: Stack) -> Session:
    """A session that nobody looks at."""
    session = Session(stack)
    session.leave()
    return session
