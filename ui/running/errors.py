"""What a visitor sees where a page meets an error, and what is counted."""

from __future__ import annotations

import streamlit as st

from ui.machine.measures import MEASURES
from ui.machine.memory import OUT_OF_MEMORY
from ui.running.logs import log
from ui.running.routes import resident_bytes


def explain(error: Exception) -> bool:
    """Say in words that memory ran out; False leaves any other error to Streamlit.

    What the person did is kept: Undo leads back, and the next change tries again.
    """
    MEASURES.count("failed")
    if not isinstance(error, MemoryError):
        return False
    MEASURES.count("out_of_memory")
    log("Memory ran out", bytes=resident_bytes())
    st.error(f"{OUT_OF_MEMORY}", icon=":material/memory:")
    return True
