"""A small app around the plot component: `streamlit run tests/browser/plot/demo_app.py`."""

import streamlit as st

from ui import plot

app = st.App("demo_pages.py", routes=plot.routes())
