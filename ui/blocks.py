"""What the pages are made of, from top to bottom: each block shows one part of a session."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core import STEPS, Scenario
from mha_core.changes import with_heads_off, with_mask_cell_toggled
from mha_core.examples import EXAMPLES
from mha_core.io.matrix_files import write_arrays
from mha_core.io.scenario_json import scenario_from_json, scenario_to_json
from mha_core.metrics import contributions_gap, output_change
from mha_core.reading import all_readings, change_sentence, setting_notes
from ui import plot
from ui.controls.editable import EDITABLE
from ui.controls.editors import matrix_editor
from ui.controls.parts import refusal
from ui.controls.text import plain
from ui.figures import forward
from ui.figures.forward import HEADS_A_PAGE, Look
from ui.figures.heatmap import Figure
from ui.figures.strip import strip
from ui.state import LONGEST_LINK, bound, bound_to_view, explorer
from ui.theme import head_color

NARROW: Final = 620  # pixels of a figure that leaves room for words beside it
STYLE: Final = Path(__file__).parent / "page.css"
HOLDS: Final = '<span class="yes" role="img" aria-label="holds">✓</span>'
FAILS: Final = '<span class="no" role="img" aria-label="does not hold">✗</span>'


def _anchor(name: str) -> None:
    """Where a click on the way of the data leads."""
    st.html(f'<span id="{name}"></span>')


def style() -> None:
    st.html(STYLE)


def heading() -> None:
    """What is on the page, and the way back: title, tools, claims as they are computed."""
    session = explorer()
    example = EXAMPLES.get(session.scenario.origin.example)
    title = example.title if example else "Your own setting"
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title(title + (", changed" if example and session.is_changed else ""), anchor=False)
        _tools()
    refusal("address", "example")
    if not example:
        return
    st.text(example.sentence)
    checked = session.once(
        "claims", lambda: [(c.sentence, c.holds(session.trace)) for c in example.claims]
    )
    items = "".join(
        f"<li>{HOLDS if holds else FAILS}<span>{html.escape(sentence)}</span></li>"
        for sentence, holds in checked
    )
    st.html(f'<ul class="claims">{items}</ul>')


def about() -> None:
    """Notes on the example and the errata of its document."""
    example = EXAMPLES.get(explorer().scenario.origin.example)
    if not example or not (example.notes or example.errata):
        return
    st.subheader("About this example", anchor=False)
    for note in example.notes:
        st.markdown(plain(note))
    for erratum in example.errata:
        st.markdown(
            f"**{plain(erratum.where)}.** The document says: {plain(erratum.says)} "
            f"In truth: {plain(erratum.truth)}"
        )


def _tools() -> None:
    """Undo, redo, back to the example, share."""
    session = explorer()
    with st.container(horizontal=True, width="content", wrap=False, gap="xsmall", key="tools"):
        st.button("Undo", on_click=session.undo, disabled=not session.can_undo, shortcut="Mod+Z")
        st.button("Redo", on_click=session.redo, disabled=not session.can_redo, shortcut="Mod+Y")
        st.button("Reset", on_click=session.reset, help="Back to the example")
        with st.popover("Share"):
            _share()


def way_of_the_data() -> None:
    st.html(explorer().once("strip", lambda: strip(explorer().trace)))


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


def editors() -> None:
    """Every number that is given, to be edited: one array at a time."""
    session = explorer()
    if "editors" in session.view.hide:
        return
    _anchor("input")
    place = st.expander("Edit the numbers", key="editors", on_change="rerun")
    if not place.open:
        return
    with place:
        arrays = [
            name for name in EDITABLE if name != "context" or session.scenario.context is not None
        ]
        left, right = st.columns([3, 2])
        name = left.segmented_control(
            "Which",
            arrays,
            default="x",
            required=True,
            format_func=lambda name: EDITABLE[name].symbol,
            key="edit-which",
        )
        whole = "All heads"
        heads = [whole, *(f"Head {head + 1}" for head in range(session.scenario.n_heads))]
        part = right.selectbox("Part", heads, key="edit-part")
        matrix_editor(name or "x", head=None if part == whole else heads.index(part) - 1)


def heads() -> None:
    """Every head's scores and weights in one figure, read in words; a picked head grows below."""
    session = explorer()
    s, view = session.scenario, session.view
    shown = range(s.n_heads)
    if s.n_heads > HEADS_A_PAGE:
        pages = -(-s.n_heads // HEADS_A_PAGE)
        page = st.pagination(pages, key="heads-page")
        shown = shown[(page - 1) * HEADS_A_PAGE : page * HEADS_A_PAGE]
    figure = forward.heads_figure(
        session.trace, shown, scores=view.scores, rows=view.rows, look=_look()
    )
    _anchor("heads")
    picture, words = _beside(figure)
    with picture:
        _show_heads(figure)
    with words:
        readings()
    st.pills(
        "Look at one head",
        range(s.n_heads),
        format_func=lambda head: f"Head {head + 1}",
        **bound_to_view("head"),
    )
    if view.head is not None:
        plot.show(
            forward.one_head_figure(session.trace, view.head, scores=view.scores, look=_look()),
            "one-head",
            alt=f"Head {view.head + 1}: Q, K, V, scores, weights and output",
            picked=view.cell,
            on_pick=_pick("one-head"),
        )


def _numbers_behind_the_cell() -> None:
    """Where a picked cell stands for many numbers, all of them."""
    session = explorer()
    cell = session.view.cell
    if cell and (block := forward.block_figure(session.trace, cell, _look())):
        st.caption("The numbers that the picked cell stands for")
        plot.show(block, "block", alt="The numbers behind the picked cell")


def mask() -> None:
    """The mask as it is; a click opens or closes a cell."""
    session = explorer()
    _anchor("mask")
    place = st.expander("Draw the mask", key="mask-picture", on_change="rerun")
    if not place.open:
        return
    with place:
        st.caption("A click hides a cell from its query, another shows it again.")
        plot.show(
            forward.mask_figure(session.trace, _look()),
            "mask",
            alt="The mask, query rows and key columns",
            on_pick=_toggle_mask_cell,
        )
        refusal("mask-cell")


def together() -> None:
    """Concatenation, W_O and output; what each head adds; what switching one off does."""
    session = explorer()
    s, trace = session.scenario, session.trace
    st.subheader("Together", anchor="together")
    st.caption("The heads side by side, coloured by head, times W_O, give the output.")
    for number, figure in enumerate(forward.together_figures(trace, _look())):
        key = f"together-{number}"
        plot.show(
            figure,
            key,
            alt="W_O" if number else "Concatenation of the heads, W_O, and the output",
            picked=session.view.cell,
            on_pick=_pick(key),
        )
    _numbers_behind_the_cell()
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
        plot.show(
            forward.contributions_figure(trace, range(min(s.n_heads, HEADS_A_PAGE)), _look()),
            "contributions",
            alt="What each head adds to the output",
            picked=session.view.cell,
            on_pick=_pick("contributions"),
        )


def _show_heads(figure: Figure) -> None:
    plot.show(
        figure,
        "heads",
        alt="Scores and weights of the heads, query rows and key columns",
        picked=explorer().view.cell,
        on_pick=_pick("heads"),
    )


def _beside(figure: Figure) -> list[DeltaGenerator]:
    """A place for a figure and one for words about it: side by side where the figure is narrow."""
    width = figure["layout"]["width"]
    if width < NARROW:
        return st.columns([width, 960 - width])
    return [st.container(), st.container()]


def _share() -> None:
    """The link is the address itself; a file holds what is too large for one."""
    now = explorer()
    if now.fits_a_link:
        st.markdown("The address bar holds everything on this page. To share it, copy this:")
        st.code(f"?{now.link}", language=None, wrap_lines=True)
    else:
        st.markdown(
            f"This page holds too much for a link, which has room for {LONGEST_LINK} characters. "
            "Save it as a file."
        )
    name = now.scenario.origin.example or "scenario"
    st.download_button(
        "Save as a file",
        lambda: scenario_to_json(now.scenario),
        file_name=f"{name}.json",
        mime="application/json",
        on_click="ignore",
    )
    st.download_button(
        "Save every array (.npz)",
        lambda: write_arrays({step.name: getattr(now.trace, step.name) for step in STEPS}),
        file_name=f"{name}-trace.npz",
        on_click="ignore",
    )
    st.file_uploader("Open a saved file", type="json", key="open-file", on_change=_open_file)
    refusal("open-file")


def _open_file() -> None:
    if (file := st.session_state["open-file"]) is None:
        return

    def opened(_: Scenario) -> Scenario:
        return scenario_from_json(file.getvalue())

    explorer().attempt("open-file", file.name, opened)


def _look() -> Look:
    view = explorer().view
    return Look(view.decimals, view.shared_scale, view.values, view.palette)


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
