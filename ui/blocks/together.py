"""The heads together: concatenation, W_O and output, and what each head adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from mha_core import Scenario
from mha_core.changing.changes import with_heads_off
from mha_core.language import say
from mha_core.layer.unchanged import (
    gates_are_shares,
    without_concat_function,
    without_factor_of_output,
    without_gate,
    without_norm_of_concat,
)
from mha_core.options.concat_function import FUNCTIONS
from mha_core.options.concat_norm import NORMS
from mha_core.options.gate_function import FUNCTIONS as GATES
from mha_core.options.output_scale import OPTION as OUTPUT_SCALE
from mha_core.reading.metrics import contributions_gap, output_change
from mha_core.reading.sentences import change_sentence
from ui.blocks.cell_entries import ask_about_blocks, how_to_edit
from ui.blocks.heads_shown import count_pages, heads_of_page, heads_on_page, name_of_head
from ui.blocks.picture import outline, picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.figures import into_heads, pictures
from ui.state import Session, bound, bound_fold

AND: Final = say("and")
OUTPUT: Final = say("The output is the concatenation (coloured by head) times W_O.")
GATED: Final = say(
    "Each number that a head gives is multiplied by that of its gate: 0 is shut, 1 is open. The "
    "gate is the sigmoid of G, which stands in “Into the heads”."
)
GATED_OTHERWISE: Final = say(
    "Each number that a head gives is multiplied by that of its gate. The gate is made of G, which "
    "stands in “Into the heads”."
)
WITH_B_O: Final = say("The output is the concatenation (coloured by head) times W_O, plus b_O.")


def together(session: Session) -> None:
    """The way out of the heads, which a person may fold."""
    place = st.expander(say("**Together**"), type="compact", **bound_fold(session, "together"))
    if place.open:
        with place:
            _gated(session)
            _picture(session)
            _heads_to_include(session)
            _contributions(session)


def _sentence(s: Scenario) -> str:
    output = OUTPUT if s.b_o is None else WITH_B_O
    norm = "" if without_norm_of_concat(s) else NORMS[s.scores.concat_norm].meaning
    bent = "" if without_concat_function(s) else FUNCTIONS[s.scores.concat_function].meaning
    by = "" if without_factor_of_output(s) else OUTPUT_SCALE.note(s.scores.output_scale)
    return " ".join(filter(None, [output, norm, bent, by]))


def _of_gate(s: Scenario) -> str:
    """How the gate is made, and what it does."""
    if gates_are_shares(s):
        return GATED
    return f"{GATED_OTHERWISE} {GATES[s.scores.gate_function].meaning}"


@follows_numbers(PICTURES)
def _picture(session: Session) -> None:
    """The heads together. A pick of a cell runs only this fragment."""
    leave_to_whole_page(session)
    st.caption(_sentence(session.scenario) + how_to_edit(session))
    alt = say("Concatenation of the heads, W_O, and the output")
    show(session, "together", picture(session, "together", alt, pictures.together_figure))
    outline(session, "together", is_only_place=False)
    ask_about_blocks(session, "w_o", "b_o")
    session.conversation.write_address()


@follows_numbers(PICTURES)
def _gated(session: Session) -> None:
    """What the gate lets through of each head, where the layer has one."""
    s = session.scenario
    if without_gate(s):
        return
    leave_to_whole_page(session)
    st.caption(_of_gate(s))
    alt = say("What each head gives, its gate, and what that lets through")
    chosen = heads_on_page(s, session.view.page)
    show(session, "gated", picture(session, "gated", alt, into_heads.gated_figure, chosen))
    outline(session, "gated", is_only_place=False)
    session.conversation.write_address()


def _heads_to_include(session: Session) -> None:
    """Which heads take part, and what the output is without the others."""
    s = session.scenario
    include_heads(session)
    if s.heads_off:
        names = (say("head {head}").format(head=head + 1) for head in sorted(s.heads_off))
        change = session.make_once_for_all("change", lambda: output_change(session.trace))
        what = plain(change_sentence(session.trace, change))
        says = say("Without {heads}, {change}.")
        st.markdown(says.format(heads=f" {AND} ".join(names), change=what))


def include_heads(session: Session) -> None:
    """Which heads take part, where there are several."""
    s = session.scenario
    if s.n_heads > 1 or s.heads_off:
        on = [head for head in range(s.n_heads) if head not in s.heads_off]
        st.pills(
            say("Include heads"),
            range(s.n_heads),
            selection_mode="multi",
            format_func=name_of_head,
            help=say("A head that is left out adds nothing to the output."),
            **bound(session, "heads-on", on, _with_heads_on),
        )
        show_refusal(session, "heads-on")


def _with_heads_on(s: Scenario, on: Sequence[int]) -> Scenario:
    return with_heads_off(s, set(range(s.n_heads)) - set(on))


def _contributions(session: Session) -> None:
    """What each head adds to the output, sixteen heads at a time."""
    s = session.scenario
    place = st.expander(
        say("What each head adds to the output"), key=session.key("added"), on_change="rerun"
    )
    if not place.open:
        return
    with place:
        gap = session.make_once_for_all("gap", lambda: contributions_gap(session.trace))
        if s.b_o is None:
            says = say(
                "Each head is multiplied by its rows of W_O. The sum of all heads is the output, "
                "up to rounding: the largest difference is {share:.1e} of the largest number."
            )
        else:
            says = say(
                "Each head is multiplied by its rows of W_O. The sum of all heads and b_O is the "
                "output, up to rounding: the largest difference is {share:.1e} of the largest "
                "number."
            )
        said = [says.format(share=gap)]
        if not without_factor_of_output(s):
            said.append(say("All of them are multiplied by the factor of the output."))
        if not without_norm_of_concat(s):
            said.append(
                say(
                    "What is multiplied are the head's columns of the normed concatenation. The "
                    "norm divides by what all heads found: without another head, this one would "
                    "add something else."
                )
            )
        st.caption(" ".join(said))
        chosen = heads_on_page(s, _page_of_contributions(session))
        alt = say("What each head adds to the output")
        make = pictures.step_figure
        shown = picture(session, "contributions", alt, make, "contributions", chosen)
        show(session, "contributions", shown)
        outline(session, "contributions", is_only_place=False)


def _page_of_contributions(session: Session) -> int:
    """Which heads are shown, where they are too many for one picture."""
    pages = count_pages(session.scenario)
    if pages == 1:
        return 1
    chosen = st.segmented_control(
        say("Heads shown here"),
        range(1, pages + 1),
        default=1,
        required=True,
        format_func=partial(heads_of_page, n_heads=session.scenario.n_heads),
        key=session.key(f"added-page-of-{pages}"),
    )
    return chosen or 1
