"""The app on a server that takes half a second more for every run."""

import streamlit as st

from ui import plot
from ui.blocks.where_from import answer

app = st.App("page.py", routes=plot.routes(answer))
