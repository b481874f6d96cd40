"""The pages of the demos, and where a browser waits for its next visitor (tests/next_visitor)."""

import streamlit as st

PAGES = [st.Page("plots.py"), st.Page("editor.py"), st.Page("fragment.py")]

st.navigation(PAGES, position="hidden").run()
