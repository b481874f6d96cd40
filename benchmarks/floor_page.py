"""One figure of 2 x 2 cells and one slider."""

import numpy as np
import streamlit as st

from ui import plot
from ui.figures.heatmap import Matrix, heatmap_grid

LABELS = ["a", "b"]

values = np.random.default_rng(st.slider("Seed", 0, 10_000)).normal(size=(2, 2))
matrix = Matrix("floor", "floor", values, LABELS, LABELS)
cell = plot.show(
    heatmap_grid([[matrix]]), "heads", alt="Four cells", picked=st.session_state.get("cell")
)
if cell and cell != st.session_state.get("cell"):
    st.session_state.cell = cell
    st.rerun()
