"""A page that begins at its top whenever it is about something else."""

from __future__ import annotations

from ui.controls.own_component import own_component
from ui.state import Session


def to_the_top(session: Session, about: str) -> None:
    """Scroll up if `about` has changed. Otherwise a page stays where the last one was."""
    _to_the_top(key=session.key("to-the-top"), data={"about": about}, height=0)


def to_the_top_after_arriving(session: Session) -> None:
    """The same where another page has opened something here: that page may have been scrolled."""
    if session.arrivals:
        to_the_top(session, f"{session.id} {session.arrivals}")


_to_the_top = own_component(__file__)
