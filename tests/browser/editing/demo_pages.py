"""The page of the demo, and where a browser waits for its next visitor (tests/next_visitor)."""

import streamlit as st

st.navigation([st.Page("demo_page.py")], position="hidden").run()
