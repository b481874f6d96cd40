"""What every page has in common: the window's title, the layout, and the way between pages."""

import streamlit as st

st.set_page_config(page_title="Attention Explorer", layout="wide", initial_sidebar_state=300)

st.navigation([st.Page("explore.py", title="Explore", default=True)], position="top").run()
