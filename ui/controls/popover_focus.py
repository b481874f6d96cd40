"""The focus goes into a popover that opens, and back to its button when it closes."""

from __future__ import annotations

from ui.controls.own_component import own_component
from ui.state import Session


def take_focus(session: Session, popover: str) -> None:
    """Call it inside the popover with this name, while it is open."""
    _popover_focus(key=session.key(f"focus-{popover}"), height=0)


_popover_focus = own_component(__file__)
