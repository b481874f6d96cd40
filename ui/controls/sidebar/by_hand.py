"""What sections say of numbers that somebody has changed."""

from __future__ import annotations

from mha_core.language import say
from ui.state import Session, is_edited


def changed_by_hand(session: Session, *names: str) -> str:
    """Says so if some numbers of these arrays differ from what their source makes."""
    return say("changed by hand") if is_edited(session, *names) else ""
