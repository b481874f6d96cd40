"""The pictures of the forward pass, and the words about them."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core import Scenario
from mha_core.changes import with_heads_off, with_mask_cell_toggled
from mha_core.metrics import contributions_gap, output_change
from mha_core.reading import all_readings, change_sentence, setting_notes
from ui import plot
from ui.blocks.anchor import anchor
from ui.controls.parts import refusal
from ui.controls.text import plain
from ui.figures import forward
from ui.figures.forward import HEADS_A_PAGE, Look
from ui.figures.heatmap import Figure
from ui.state import bound, bound_to_view, explorer, write_address
from ui.theme import head_color

NARROW: Final = 620  # pixels of a figure that leaves room for words beside it


@st.fragment
def pictures(of: Scenario) -> None:
    """All that a glance at a cell or a head changes; a step needs the whole page.

    The pictures go first, the words about them follow: that is the order in which they are looked
    at, and the browser paints while the server still writes.
    """
    if explorer().scenario is not of:
        st.rerun()
    place_for_words = heads()
    mask()
    together()
    plot.outline(explorer().view.cell)
    with place_for_words:
        readings()
    write_address()


def heads() -> DeltaGenerator:
    """Every head's scores and weights in one figure; a picked head grows below.

    Returns the place for words beside the figure.
    """
    session = explorer()
    s, view = session.scenario, session.view
    shown = range(s.n_heads)
    anchor("heads")
    if s.n_heads > HEADS_A_PAGE:
        pages = -(-s.n_heads // HEADS_A_PAGE)
        page = st.pagination(pages, key="heads-page")
        shown = shown[(page - 1) * HEADS_A_PAGE : page * HEADS_A_PAGE]
    alt = "Scores and weights of the heads, query rows and key columns"
    figure = _picture("heads", alt, forward.heads_figure, shown, view.scores, view.rows)
    place, words = _beside(figure)
    with place:
        _show("heads", figure)
    st.pills(
        "Look at one head",
        range(s.n_heads),
        format_func=lambda head: f"Head {head + 1}",
        **bound_to_view("head"),
    )
    if view.head is not None:
        alt = f"Head {view.head + 1}: Q, K, V, scores, weights and output"
        make = forward.one_head_figure
        _show("one-head", _picture("one-head", alt, make, view.head, view.scores))
    return words


def readings() -> None:
    """What to look for: a sentence a head, and what the present setting does."""
    session = explorer()
    st.markdown("**What to look for**")
    said = session.once("readings", lambda: all_readings(session.trace))
    items = "".join(
        f'<li style="--head: {head_color(head)}"><strong>Head {head + 1}</strong>'
        f"{html.escape(reading.sentence)}</li>"
        for head, reading in enumerate(said)
    )
    st.html(f'<ul class="readings">{items}</ul>')
    for note in session.once("notes", lambda: setting_notes(session.trace)):
        st.caption(plain(note))


def mask() -> None:
    """The mask as it is; a click opens or closes a cell."""
    anchor("mask")
    place = st.expander("Draw the mask", key="mask-picture", on_change="rerun")
    if not place.open:
        return
    with place:
        st.caption("A click hides a cell from its query, another shows it again.")
        alt = "The mask, query rows and key columns"
        picture = _picture("mask", alt, forward.mask_figure)
        plot.show(picture, "mask", on_pick=_toggle_mask_cell)
        refusal("mask-cell")


def together() -> None:
    """Concatenation, W_O and output; what each head adds; what switching one off does."""
    session = explorer()
    s, trace = session.scenario, session.trace
    st.subheader("Together", anchor="together")
    st.caption("The heads side by side, coloured by head, times W_O, give the output.")
    alt = "Concatenation of the heads, W_O, and the output"
    _show("together", _picture("together", alt, forward.together_figure))
    _show("w-o", _picture("w-o", "W_O", forward.w_o_figure))
    if cell := session.view.cell:
        behind = _picture("behind", "The numbers behind the cell", forward.block_figure, cell)
        if behind:
            st.caption("The numbers that the picked cell stands for")
            plot.show(behind, "behind")
    st.pills(
        "Heads that are on",
        range(s.n_heads),
        selection_mode="multi",
        format_func=lambda head: f"Head {head + 1}",
        **bound(
            "heads-on",
            [head for head in range(s.n_heads) if head not in s.heads_off],
            _with_heads_on,
        ),
    )
    if s.heads_off:
        names = " and ".join(f"head {head + 1}" for head in sorted(s.heads_off))
        change = session.once("change", lambda: output_change(trace))
        st.markdown(f"Without {names}, {plain(change_sentence(trace, change))}.")
    place = st.expander("What each head adds to the output", key="added", on_change="rerun")
    if not place.open:
        return
    with place:
        gap = session.once("gap", lambda: contributions_gap(trace))
        st.caption(
            "head_i W_O_i, one a head. Their sum, with b_O, is the output: "
            f"the largest difference is {gap:.1e} of the largest number."
        )
        alt = "What each head adds to the output"
        shown = range(min(s.n_heads, HEADS_A_PAGE))
        _show("contributions", _picture("contributions", alt, forward.contributions_figure, shown))


def _picture(
    name: str, alt: str, make: Callable[..., Figure | None], *of: Any
) -> plot.Picture | None:
    """What `make` makes of the trace, as the page shows it: made once while the scenario stays."""
    session = explorer()
    view = session.view
    look = Look(view.decimals, view.shared_scale, view.values, view.palette)

    def draw() -> plot.Picture | None:
        figure = make(session.trace, *of, look=look)
        return plot.Picture.of(figure, name, alt) if figure else None

    return session.once((name, *of, look), draw)


def _show(key: str, picture: plot.Picture | None) -> None:
    """A picture, if there is one, whose cells can be picked."""
    if picture:
        plot.show(picture, key, on_pick=_pick(key))


def _beside(picture: plot.Picture | None) -> list[DeltaGenerator]:
    """A place for a picture and one for words about it, side by side where it is narrow."""
    if picture and picture.width < NARROW:
        return st.columns([picture.width, 960 - picture.width])
    return [st.container(), st.container()]


def _pick(key: str) -> Callable[[], None]:
    """Remember the cell that was picked in this plot."""

    def remember() -> None:
        if cell := plot.just_picked(key):
            explorer().look_at(cell=cell)

    return remember


def _toggle_mask_cell() -> None:
    if cell := plot.just_picked("mask"):
        explorer().attempt(
            "mask-cell", cell, lambda s: with_mask_cell_toggled(s, cell.row, cell.column)
        )


def _with_heads_on(s: Scenario, on: Sequence[int]) -> Scenario:
    return with_heads_off(s, set(range(s.n_heads)) - set(on))
