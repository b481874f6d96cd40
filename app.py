"""Starts the explorer: `streamlit run app.py`.

This file is the server: it is run once, and says what is served beside the pages. The pages and
their order are in `pages/navigation.py`, which is run for every visitor.
"""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from ui import plot
from ui.blocks.where_from import answer


@asynccontextmanager
async def after_imports(_: st.App) -> AsyncIterator[None]:
    """Keep the collector from walking through all of NumPy, pandas and Plotly again and again."""
    gc.collect()
    gc.freeze()
    yield


app = st.App("pages/navigation.py", lifespan=after_imports, routes=plot.routes(answer))
