"""From the explorer to the comparison: what is on the page becomes A, or B."""

from __future__ import annotations

from typing import Final

import streamlit as st

from ui.blocks.page_links import Shown, link_to
from ui.state import Session, opened

PAGE: Final = "compare.py"


def to_compare(session: Session) -> None:
    """Two links: each makes a side of what is on the page, and goes where both are compared.

    The other side stays. Where there is none yet, both are alike.
    """
    here = Shown(session, session.view.without_glances())
    sides = {
        name: Shown(kept, kept.view) if (kept := opened(name)) else here for name in ("a", "b")
    }
    st.markdown("Put what is on this page beside another.")
    for name in sides:
        label = f"Keep this as {name.upper()}"
        link_to(PAGE, label, session.key(f"keep-{name}"), sides | {name: here})
