"""The button that leads from a page to its presentation."""

from __future__ import annotations

from ui.plot import presenting
from ui.state import PARTS, Session


def present_button(session: Session) -> None:
    """At the top right of the page. The key P does the same."""

    def begin(last_part: str) -> None:
        session.look_at(present=True, part=last_part if last_part in PARTS else "")

    presenting.present_button(session.key("present-button"), on_press=begin)
