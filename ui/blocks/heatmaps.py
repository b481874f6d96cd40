"""The pictures of the forward pass, and the words about them."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core import Scenario
from mha_core.changing.changes import with_heads_off, with_mask_cell_toggled
from mha_core.reading.metrics import contributions_gap, output_change
from mha_core.reading.sentences import all_readings, change_sentence, setting_notes
from ui import plot
from ui.blocks.anchor import anchor
from ui.controls.fields import refusal
from ui.controls.picture import picture_controls
from ui.controls.text import plain
from ui.figures import pictures
from ui.figures.heatmap import Figure
from ui.figures.pictures import HEADS_A_PAGE, Look
from ui.state import Session, View, bound, bound_to_view
from ui.theme import head_color

PALE: Final = 0.25  # a largest weight that leaves most of the colours from 0 to 1 unused
BOARD: Final = 960  # pixels that the page has on a projector
KEYS_BESIDE: Final = 6  # the most keys, and heads, that leave room for words beside them
HEADS_BESIDE: Final = 8
SLEEP: Final = 0.06  # seconds; longer than from one stroke of a held key to the next


def board(session: Session) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Places for the editors, the heads and the words about them.

    Where tokens are few, all is beside each other: who edits a number sees what it does. One head
    more sends nothing below, unless there are so many that their picture would be very long.
    """
    picture, s = _heads_picture(session), session.scenario
    if picture and s.n_k <= KEYS_BESIDE and s.n_heads <= HEADS_BESIDE:
        wide = min(1.5 * picture.width, 0.6 * BOARD)  # room for its cells to grow
        heads_place, beside = st.columns([wide, BOARD - wide])
        return beside.container(), heads_place, beside.container()
    return st.container(), st.container(), st.container()


def heads(session: Session) -> None:
    """Every head's scores and weights in one figure, below what is chosen for it."""
    picture_controls(session)
    _heads(session, session.scenario)


@st.fragment
def _heads(session: Session, of: Scenario) -> None:
    """A pick runs this alone. Another scenario than it was opened with needs the whole page."""
    if session.scenario is not of:
        st.rerun()
    anchor(session, "heads")
    if of.n_heads > HEADS_A_PAGE:
        st.segmented_control(
            "Heads shown",
            range(1, _pages(session) + 1),
            required=True,
            format_func=partial(_heads_of_page, n_heads=of.n_heads),
            **bound_to_view(session, "page", show_as=lambda page: min(page, _pages(session))),
        )
    _show(session, "heads", _heads_picture(session))
    plot.outline(session.view.cell, key=session.key("outlined-heads"))
    session.write_address()


def one_head_and_together(session: Session) -> None:
    """All that follows the weights."""
    _one_head_and_together(session, session.scenario)


@st.fragment
def _one_head_and_together(session: Session, of: Scenario) -> None:
    """A pick of a cell or of a head runs this alone."""
    if session.scenario is not of:
        st.rerun()
    one_head(session)
    mask(session)
    together(session)
    plot.outline(session.view.cell, key=session.key("outlined-together"))
    session.write_address()


def sleep_while_pictures_are_painted(session: Session) -> None:
    """Sleep for a moment after new pictures were sent, so that the browser paints them first.

    Without the sleep it works through the rest of the page before it paints. While a key is held,
    the next stroke ends the sleep and the run: picture follows picture, and the rest of the page
    comes once, with the last.
    """
    session.once(("painted", _look(session)), lambda: time.sleep(SLEEP))


def one_head(session: Session) -> None:
    """A picked head grows."""
    view = session.view
    st.pills(
        "Look at one head",
        range(session.scenario.n_heads),
        format_func=lambda head: f"Head {head + 1}",
        **bound_to_view(session, "head"),
    )
    if view.head is not None:
        name = f"Head {view.head + 1}"
        of = (
            "scores and weights"
            if pictures.is_wide(session.trace)
            else "from Q, K, V to its output"
        )
        make = pictures.one_head_figure
        _show(
            session,
            "one-head",
            _picture(session, name, f"{name}: {of}", make, view.head, f"{view.scores}_scores"),
        )
        alt = f"{name}: Q, K, V and output"
        _show(
            session,
            "wide-head",
            _picture(session, f"{name} wide", alt, pictures.wide_head_figure, view.head),
        )


def readings(session: Session) -> None:
    """What to look for: a sentence a head, and what the present setting does."""
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
    largest = session.once("largest", lambda: session.trace.weights.max())
    if session.view.shared_scale and largest < PALE:
        st.caption(
            f"No weight is above {largest:.2f}, so their colours are pale. "
            "Take One colour scale for all heads off to see them better."
        )


def mask(session: Session) -> None:
    """The mask as it is; a click opens or closes a cell."""
    anchor(session, "mask")
    if "editors" in session.view.hide:
        return
    place = st.expander("Draw the mask", key=session.key("mask-picture"), on_change="rerun")
    if not place.open:
        return
    with place:
        st.caption("A click hides a cell from its query, another shows it again.")
        alt = "The mask, query rows and key columns"
        picture = _picture(session, "mask", alt, pictures.mask_figure)
        plot.show(picture, session.key("mask"), on_pick=partial(_toggle_mask_cell, session))
        refusal(session, "mask-cell")


def together(session: Session) -> None:
    """Concatenation, W_O and output; what each head adds; what switching one off does."""
    s, trace = session.scenario, session.trace
    st.subheader("Together", anchor=session.key("together"))
    bias = "" if s.b_o is None else ", plus b_O"
    st.caption(f"The heads side by side, coloured by head, times W_O{bias}, give the output.")
    alt = "Concatenation of the heads, W_O, and the output"
    _show(session, "together", _picture(session, "together", alt, pictures.together_figure))
    _show(session, "w-o", _picture(session, "w-o", "W_O", pictures.w_o_figure))
    st.pills(
        "Heads that are on",
        range(s.n_heads),
        selection_mode="multi",
        format_func=lambda head: f"Head {head + 1}",
        **bound(
            session,
            "heads-on",
            [head for head in range(s.n_heads) if head not in s.heads_off],
            _with_heads_on,
        ),
    )
    if s.heads_off:
        names = " and ".join(f"head {head + 1}" for head in sorted(s.heads_off))
        change = session.once("change", lambda: output_change(trace))
        st.markdown(f"Without {names}, {plain(change_sentence(trace, change))}.")
    place = st.expander(
        "What each head adds to the output", key=session.key("added"), on_change="rerun"
    )
    if not place.open:
        return
    with place:
        gap = session.once("gap", lambda: contributions_gap(trace))
        st.caption(
            f"head_i W_O_i, one a head. The sum over all heads{bias} is the output: "
            f"the largest difference is {gap:.1e} of the largest number."
        )
        alt = "What each head adds to the output"
        shown = _heads_on_page(session, _page_of_contributions(session))
        _show(
            session,
            "contributions",
            _picture(session, "contributions", alt, pictures.contributions_figure, shown),
        )


def _heads_picture(session: Session) -> plot.Picture | None:
    """The heads of the page that is turned to."""
    view = session.view
    shown = _heads_on_page(session, min(view.page, _pages(session)))
    alt = "Scores and weights of the heads, query rows and key columns"
    return _picture(session, "heads", alt, pictures.heads_figure, shown, _steps(view))


def _steps(view: View) -> tuple[str, ...]:
    """The steps that the rows of the heads show."""
    steps = {"scores": f"{view.scores}_scores", "weights": "weights", "outputs": "head_outputs"}
    return tuple(steps[row] for row in view.rows)


def _pages(session: Session) -> int:
    return -(-session.scenario.n_heads // HEADS_A_PAGE)


def _heads_on_page(session: Session, page: int) -> range:
    heads = range(session.scenario.n_heads)
    return heads[HEADS_A_PAGE * (page - 1) : HEADS_A_PAGE * page]


def _page_of_contributions(session: Session) -> int:
    """Which heads are shown, where they are too many for one picture."""
    pages = _pages(session)
    if pages == 1:
        return 1
    chosen = st.segmented_control(
        "Heads shown here",
        range(1, pages + 1),
        default=1,
        required=True,
        format_func=partial(_heads_of_page, n_heads=session.scenario.n_heads),
        key=session.key(f"added-page-of-{pages}"),
    )
    return chosen or 1


def _heads_of_page(page: int, n_heads: int) -> str:
    return f"{HEADS_A_PAGE * (page - 1) + 1} to {min(HEADS_A_PAGE * page, n_heads)}"


def _picture(
    session: Session, name: str, alt: str, make: Callable[..., Figure | None], *of: Any
) -> plot.Picture | None:
    """What `make` makes of the trace, as the page shows it: made once while the scenario stays.

    Saved files are named after the example and `name`.
    """
    look = _look(session)

    def draw() -> plot.Picture | None:
        figure = make(session.trace, *of, look=look)
        file_name = f"{session.scenario.origin.example} {name}".strip()
        return plot.Picture.of(figure, file_name, alt) if figure else None

    return session.once((name, *of, look), draw)


def _look(session: Session) -> Look:
    view = session.view
    return Look(view.decimals, view.shared_scale, view.values, view.palette)


def _show(session: Session, key: str, picture: plot.Picture | None) -> None:
    """A picture, if there is one, whose cells can be picked."""
    if picture:
        plot.show(picture, session.key(key), on_pick=_pick(session, session.key(key)))


def _pick(session: Session, key: str) -> Callable[[], None]:
    """Remember the cell that was picked in this plot."""

    def remember() -> None:
        if cell := plot.just_picked(key):
            session.look_at(cell=cell)

    return remember


def _toggle_mask_cell(session: Session) -> None:
    if cell := plot.just_picked(session.key("mask")):
        session.attempt(
            "mask-cell", cell, lambda s: with_mask_cell_toggled(s, cell.row, cell.column)
        )


def _with_heads_on(s: Scenario, on: Sequence[int]) -> Scenario:
    return with_heads_off(s, set(range(s.n_heads)) - set(on))
