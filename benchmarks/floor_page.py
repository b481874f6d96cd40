"""One figure of 2 x 2 cells and one slider."""

import numpy as np
import streamlit as st

from mha_core.layer.cells import Cell
from ui import plot
from ui.figures.heatmap import heatmap_grid
from ui.figures.matrix import Matrix

LABELS = ["a", "b"]


def remember(cell: Cell) -> None:
    st.session_state.cell = cell


values = np.random.default_rng(st.slider("Seed", 0, 10_000)).normal(size=(2, 2))
plot.show(
    heatmap_grid([[Matrix("floor", "floor", values, LABELS, LABELS)]]),
    "heads",
    alt="Four cells",
    on_pick=remember,
)
plot.outline(st.session_state.get("cell"))
