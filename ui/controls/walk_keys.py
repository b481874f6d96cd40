"""Keys that lead through the walkthrough, as a remote control for slides sends them."""

from __future__ import annotations

from ui.controls.own_component import own_component
from ui.state import Session


def walk_keys(session: Session, back: str, on: str, *, of_remote_alone: bool = False) -> None:
    """`back` and `on` are the keys of the buttons, or of boxes with a link, that get pressed.

    With `of_remote_alone` only the keys of a remote control press them.
    """
    _walk_keys(
        key=session.key("walk-keys"),
        data={
            "back": session.key(back),
            "on": session.key(on),
            "isForRemoteAlone": of_remote_alone,
        },
        height=0,
    )


_walk_keys = own_component(__file__)
