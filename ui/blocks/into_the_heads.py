"""The way into the heads: X, the projections, and the queries, keys and values that they make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from mha_core import Scenario, Trace
from mha_core.language import say
from mha_core.layer.unchanged import (
    without_centering,
    without_division,
    without_factor_of_values,
    without_norm_of_values,
    without_norms,
    without_rotation_first,
    without_rotations,
)
from mha_core.options.qk_norm import NORMS
from mha_core.options.qk_norm_kind import KINDS
from mha_core.options.qk_norm_place import PLACES
from mha_core.options.rope_pairs import PAIRS
from mha_core.options.rope_places import place_in_words
from mha_core.options.v_norm import NORMS as VALUE_NORMS
from mha_core.options.v_scale import OPTION as V_SCALE
from mha_core.reading.words import quoted_label
from mha_core.scenario.given_arrays import GIVEN_BEFORE_HEADS, OF_TOKENS
from mha_core.scenario.rotation import rotation_of
from ui.blocks.cell_entries import ask_about_blocks, how_to_edit
from ui.blocks.heads_picture import shows_x
from ui.blocks.heads_shown import heads_on_page
from ui.blocks.picture import outline, picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures import into_heads
from ui.state import Session, bound_fold

MOST_PLACES: Final = 16  # that are told one by one


def place_for_into(session: Session) -> ExpanderContainer:
    """Where the way into the heads stands: folded until somebody opens it, as the address says."""
    return st.expander(say("**Into the heads**"), type="compact", **bound_fold(session, "into"))


def into_the_heads(session: Session, place: ExpanderContainer) -> None:
    """The way into the heads, in its place."""
    if place.open:
        with place:
            _picture(session)


@follows_numbers(PICTURES)
def _picture(session: Session) -> None:
    """A pick of a cell runs only this fragment."""
    leave_to_whole_page(session)
    st.caption(plain(_sentence(session.scenario)) + how_to_edit(session))
    alt = say("X, the projections, and the queries, keys and values")
    show(session, "into", picture(session, "into the heads", alt, into_heads.into_heads_figure))
    asked_above = OF_TOKENS if shows_x(session) else ()
    ask_about_blocks(session, *(name for name in GIVEN_BEFORE_HEADS if name not in asked_above))
    _rotated(session)
    outline(session, "into", is_only_place=False)
    session.conversation.write_address()


def _rotated(session: Session) -> None:
    """Under RoPE or with a norm, the queries and keys as they meet; and values that are normed."""
    s = session.scenario
    said = " ".join(_on_the_way(s))
    if not said:
        return
    st.caption(plain(said))
    alt = say("The queries and keys of each head as they meet")
    shown = picture(
        session, "rotated", alt, into_heads.rotated_figure, heads_on_page(s, session.view.page)
    )
    show(session, "rotated", shown, asked_in="into", board="into")


def _on_the_way(s: Scenario) -> Iterator[str]:
    """What happens to queries and keys before they meet, and to values before they are blended."""
    if not without_norms(s):
        yield _norms(s)
    if not without_rotations(s):
        yield _turns(s)
    if not without_factor_of_values(s):
        yield V_SCALE.note(s.scores.v_scale)
    if not without_norm_of_values(s):
        yield _rooted(VALUE_NORMS[s.scores.v_norm].meaning, s.scores.v_norm_eps)


def _norms(s: Scenario) -> str:
    meaning = NORMS[s.scores.qk_norm].meaning
    says = [meaning if without_division(s) else _rooted(meaning, s.scores.qk_norm_eps)]
    if not without_centering(s):
        says.append(KINDS[s.scores.qk_norm_kind].meaning)
    if not without_rotation_first(s):
        says.append(PLACES[s.scores.qk_norm_place].meaning)
    return " ".join(says)


def _rooted(meaning: str, eps: float) -> str:
    says = say(
        "{meaning} The root is that of the mean of the squares and {eps:g}; then each column is "
        "multiplied by its gain."
    )
    return says.format(meaning=meaning, eps=eps)


def _turns(s: Scenario) -> str:
    """What is turned, and by how much."""
    steps = (Trace.q_rotated, Trace.k_rotated)
    if not without_rotation_first(s):
        steps = (Trace.q_rotated_first, Trace.k_rotated_first)
    made = (f"{step.symbol} = {step.formula(s)}" for step in steps)
    says = say(
        "RoPE turns each row before queries and keys meet: {formulas}. In the row at position p, "
        "R_p turns pair c of the columns by {angle}. Positions and pairs count from 0."
    )
    if s.scores.rope_places is not None:
        says = say(
            "RoPE turns each row before queries and keys meet: {formulas}. In the row at place p, "
            "R_p turns pair c of the columns by {angle}. Pairs count from 0."
        )
    whole = says.format(formulas=", ".join(made), angle=_angle_of_a_pair(s))
    return " ".join(filter(None, [whole, *_which_columns(s)]))


def _angle_of_a_pair(s: Scenario) -> str:
    if s.scores.rope_frequencies is not None:
        return say("p times its frequency")
    width: object = "d_k" if s.scores.rope_columns is None else s.scores.rope_columns
    if rotation_of(s.scores, s.d_k).has_series_of_axes:
        width = "r"
    return f"p / {s.scores.rope_base:g}^(2c/{width})"


def _which_columns(s: Scenario) -> Iterator[str]:
    """What is not as in the paper."""
    rotation = rotation_of(s.scores, s.d_k)
    if rotation.columns < s.d_k:
        yield say("Only the first {count} columns turn.").format(count=rotation.columns)
    if rotation.in_halves:
        second = rotation.columns // 2 + 1  # pairs count from 0, columns from 1
        yield say("Pair c is the columns c + 1 and c + {second}.").format(second=second)
    if rotation.crossed is not None:
        yield PAIRS["crossed"].meaning
        shown = " ".join(map(str, rotation.crossed))
        yield say("From the first column on, c of its angle is {pairs}.").format(pairs=shown)
    if len(set(rotation.axes)) > 1:
        yield say("Here p is the number of the place on the axis that the pair follows.")
        axes = " ".join(map(str, rotation.axes))
        yield say("From the first pair on, the axes are {axes}, counted from 0.").format(axes=axes)
    if rotation.has_series_of_axes and rotation.frequencies is None:
        yield say("The pairs of an axis have their own c and are r columns.")
    if s.scores.rope_places is not None and s.n_k <= MOST_PLACES:
        yield _where_tokens_stand(s)


def _where_tokens_stand(s: Scenario) -> str:
    """The place of each token that is a key."""
    told = say("{token} at {place}")
    places = s.scores.rope_places[s.key_start :]
    stand = (
        told.format(token=quoted_label(s.key_tokens, at), place=place_in_words(places[at]))
        for at in range(s.n_k)
    )
    return say("Places: {places}.").format(places="; ".join(stand))


def _sentence(s: Scenario) -> str:
    """What is multiplied by what, and where the product stands."""
    steps = [getattr(Trace, name) for name in into_heads.projected(s)]
    made = ", ".join(f"{step.symbol} = {step.formula(s)}" for step in steps)
    where = say(
        "Each product stands below its projection and, where there is room, beside its input."
    )
    return f"{made}. {where}"
