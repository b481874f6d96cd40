"""The least that our server can show, served as the app is: the bench's measure of the machine."""

import streamlit as st

from ui import plot

app = st.App("floor_page.py", routes=plot.routes())
