"""The explorer, a second late."""

import time
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[3]

st.set_page_config(layout="wide", initial_sidebar_state=300)
time.sleep(1)
st.navigation([st.Page(ROOT / "pages" / "explore.py", title="Explore", default=True)]).run()
