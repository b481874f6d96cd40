"""A question of the page that may stand below the window is scrolled to."""

from __future__ import annotations

from ui.controls.own_component import own_component
from ui.state import Session


def bring_into_sight(session: Session, name: str) -> None:
    """The container in which it is called, once it comes; as little as is needed."""
    _in_sight(key=session.key(f"in-sight-{name}"), height=0)


_in_sight = own_component(__file__)
