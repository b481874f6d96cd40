"""Parts of the page alone, for tests: `streamlit run tests/browser/demos/app.py`."""

import streamlit as st

from ui import plot

app = st.App("pages.py", routes=plot.routes())
