"""The app, half a second late."""

import time
from pathlib import Path
from typing import cast

import streamlit as st

from ui.state.tour_stops import FILES

PAGES = Path(__file__).resolve().parents[3] / "pages"

st.set_page_config(layout="wide", initial_sidebar_state=300)
time.sleep(0.5)
# Links name the files of pages relative to the app's own script.
cast("dict[str, str]", FILES).update({page: str(PAGES / file) for page, file in FILES.items()})
scripts = [PAGES / Path(file).name for file in FILES.values()]
pages = [st.Page(script, default=script.stem == "explore") for script in scripts]
st.navigation(pages, position="hidden").run()
