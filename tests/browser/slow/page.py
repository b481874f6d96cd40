"""The explorer, a second late."""

import time
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[3]

st.set_page_config(layout="wide", initial_sidebar_state=300)
time.sleep(1)
FILES = [file for file in sorted((ROOT / "pages").glob("*.py")) if file.stem != "navigation"]
st.navigation([st.Page(file, default=file.stem == "explore") for file in FILES]).run()
