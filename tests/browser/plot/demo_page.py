"""What the demo shows: eight heads in one figure, and all that a test wants to change."""

import time

import numpy as np
import streamlit as st

from mha_core.layer.cells import Cell
from ui import plot, theme
from ui.figures.heatmap import heatmap_grid
from ui.figures.matrix import MOST_CELLS_A_SIDE, Matrix

st.set_page_config(page_title="Plot demo", layout="wide", initial_sidebar_state="expanded")

HOSTILE = "<img src=x onerror=alert(1)>"
WORDS = ["I", "LOVE", "PEPPERONI", "PIZZA", "AND", "A", "GLASS", "OF"]


def labels(n_tokens: int, hostile: bool) -> list[str]:
    words = [
        WORDS[i % len(WORDS)] + (str(i // len(WORDS)) if i >= len(WORDS) else "")
        for i in range(n_tokens)
    ]
    return [HOSTILE, "<b>bold</b>", *words[2:]] if hostile else words


def figure(
    n_heads: int,
    n_tokens: int,
    seed: int,
    *,
    hostile: bool = False,
    zoom: bool = False,
    least_cell: int = 12,
    only_itself: bool = False,
):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 2, (n_heads, n_tokens, n_tokens))
    every = np.ones((n_tokens, n_tokens), dtype=bool)
    masked = every & ~np.eye(n_tokens, dtype=bool) if only_itself else np.triu(every, 1)
    weights = np.exp(np.where(masked, -np.inf, scores))
    weights /= weights.sum(-1, keepdims=True)
    tokens = labels(n_tokens, hostile)
    common = {"row_labels": tokens, "column_labels": tokens, "masked": masked}
    heads = range(n_heads)
    above = [
        Matrix(
            f"scores/{h}",
            f"scores, head {h + 1}",
            scores[h],
            **common,
            heading=f"Head {h + 1}",
            color=theme.head_color(h),
        )
        for h in heads
    ]
    below = [
        Matrix(
            f"weights/{h}",
            f"weights, head {h + 1}",
            weights[h],
            **common,
            scale="sequential",
            caption=f"{n_tokens} × {n_tokens} numbers" if n_tokens > MOST_CELLS_A_SIDE else "",
        )
        for h in heads
    ]
    return heatmap_grid([above, below], zoom=zoom, least_cell=least_cell)


n_heads = st.sidebar.number_input("Heads", 1, 32, 2)
n_tokens = st.sidebar.number_input("Tokens", 1, 512, 4)
least_cell = st.sidebar.number_input("Least cell", 1, 36, 12)
hostile = st.sidebar.checkbox("Hostile labels")
zoom = st.sidebar.checkbox("Zoom")
only_itself = st.sidebar.checkbox("Each sees only itself")
in_fragment = st.sidebar.checkbox("In a fragment")
builtin = st.sidebar.checkbox("Streamlit's own chart")

# As Streamlit leaves it when one event overtakes another.
if st.sidebar.checkbox("An old pick taken for state"):
    st.session_state["heads"]["pick"] = {"matrix": "weights/0", "row": 3, "column": 3}


def remember(cell: Cell) -> None:
    st.session_state.picked = cell
    st.session_state.picks = st.session_state.get("picks", 0) + 1


def body() -> None:
    seed = st.slider("Seed", 0, 100, 3)
    start = time.perf_counter()
    picture = figure(
        n_heads,
        n_tokens,
        seed,
        hostile=hostile,
        zoom=zoom,
        least_cell=least_cell,
        only_itself=only_itself,
    )
    built = time.perf_counter()
    if builtin:
        st.plotly_chart(picture, width="content", theme=None, key="builtin")
    else:
        alt = "Scores above weights of every head"
        plot.show(picture, "heads", alt=alt, on_pick=remember)
        plot.outline(st.session_state.get("picked"), picked_at=st.session_state.get("picks", 0))
    shown = time.perf_counter()
    st.text(f"picked {st.session_state.get('picked')} · {st.session_state.get('picks', 0)} picks")
    st.caption(
        f"build {1e3 * (built - start):.1f} ms, show {1e3 * (shown - built):.1f} ms, seed {seed}"
        f"{', in a fragment' if in_fragment else ''}"
    )


(st.fragment(body) if in_fragment else body)()

values = np.random.default_rng(5).normal(size=(n_tokens, 6))
plot.show(
    heatmap_grid(
        [
            [
                Matrix(
                    "output",
                    "output",
                    values,
                    labels(n_tokens, hostile),
                    [str(i) for i in range(6)],
                    columns="feature",
                    heading="Output",
                )
            ]
        ]
    ),
    "output",
    alt="The output",
)
