"""The address of a page: what it says of the sessions, what it opens, and where Back leads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from streamlit.runtime.scriptrunner import StopException

from mha_core import Scenario
from mha_core.changing.changes import (
    with_heads,
    with_heads_off,
    with_matrix,
    with_scores,
    with_tokens,
    with_weights,
    with_width,
)
from mha_core.changing.rules import with_rules
from mha_core.changing.shared_keys import with_queries_as_keys
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, UNNAMED_EXAMPLE, load_example, load_stack
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import has_cell
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.mask_rules.registry import MASKS
from mha_core.options.registry import OPTIONS
from mha_core.scenario.origin import Origin
from tests.core.any_scenario import assert_same_to_the_last_bit
from tests.running_page import undo
from tests.ui.state.working import PIZZA, at_pizza, can_undo, scale
from ui.edits import entries
from ui.state import (
    ROWS,
    SCORES,
    SECTIONS,
    Moment,
    Session,
    View,
    fits_a_link,
    in_words,
    is_edited,
    link_of,
    opened_at,
    params_of,
)
from ui.state import address as address_module
from ui.state.address import Address
from ui.state.starts import start_of
from ui.theme import PALETTES


def test_an_address_leads_back_to_what_was_shown_there() -> None:
    session = at_pizza()
    page = Address(session)
    addresses = []
    for number in (2.0, 3.0):
        page.remember(page.params)
        addresses.append(page.params)
        scale(session, number)
    session.look_at(head=1)
    page.remember(page.params)
    picked = page.params
    session.look_at(head=None)
    page.remember(page.params)

    page.visit(addresses[1])
    assert (session.history.at, session.scenario.scores.scale) == (1, 2.0)
    page.visit(picked)
    assert (session.history.at, session.view.head) == (2, 1)
    page.visit(addresses[0])
    assert (session.history.at, session.scenario, session.history.last) == (0, PIZZA, 2)
    page.visit(addresses[0])
    assert session.history.at == 0


def test_an_address_from_before_the_session_is_opened_as_a_step() -> None:
    session = at_pizza()
    page = Address(session)
    page.visit({"example": "two-tokens", "head": "2"})
    assert (session.scenario, session.view.head) == (load_example("two-tokens"), 1)
    undo(session)
    assert session.scenario == PIZZA
    page.visit({"example": "nonsense"})
    assert "must be one of" in session.refusals["address"].reason


class BrowsersAddress:
    """The query of the browser's address, which a cut connection does not reach."""

    def __init__(self) -> None:
        self.params: dict[str, str] = {}
        self.is_cut = False
        self.on_its_way: dict[str, str] | None = None  # written, and the run was ended there

    def to_dict(self) -> dict[str, str]:
        return self.params if self.on_its_way is None else self.on_its_way

    def from_dict(self, params: dict[str, str]) -> None:
        if not self.is_cut:
            self.params = params

    def end_the_run(self, params: dict[str, str]) -> None:
        """In place of `from_dict`, where a newer change ends the run that writes."""
        self.on_its_way = params
        raise StopException


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> BrowsersAddress:
    browser = BrowsersAddress()
    monkeypatch.setattr(address_module, "st", SimpleNamespace(query_params=browser))
    return browser


def test_an_address_that_was_lost_with_its_connection_is_written_again(
    browser: BrowsersAddress,
) -> None:
    session = at_pizza()
    page = Address(session)
    page.note_connection("first")
    page.write()
    browser.is_cut = True
    scale(session, 2.0)
    page.write()
    browser.is_cut = False
    page.note_connection("first")
    page.write()
    assert browser.params != page.params
    page.note_connection("second")
    page.write()
    assert browser.params == page.params == {"example": "pizza", "scale": "2"}


def test_an_address_whose_writing_was_ended_is_written_by_the_next_run(
    browser: BrowsersAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = at_pizza()
    scale(session, 2.0)
    page = Address(session)
    with monkeypatch.context() as patch:
        patch.setattr(browser, "from_dict", browser.end_the_run)
        with pytest.raises(StopException):
            page.write()
    assert browser.to_dict() == page.params != browser.params
    page.write()
    assert browser.params == page.params


def test_an_address_is_told_again_until_the_browser_has_seen_the_run_that_told_it(
    browser: BrowsersAddress,
) -> None:
    """Streamlit drops what it has not sent when the next run begins."""
    session = at_pizza()
    page = Address(session)

    def run(seen: int) -> str:
        session.conversation.begin_run("a connection", 0.0)
        page.write()
        return page.again(seen)

    assert [run(0), run(0), run(2)] == ["", "example=pizza", ""]
    scale(session, 2.0)
    assert [run(3), run(3), run(4)] == ["", "example=pizza&scale=2", ""]
    scale(session, 3.0)
    run(6)
    page.visit({"example": "pizza"})  # the browser goes back before it has seen that
    assert run(6) == ""


def test_back_to_an_address_of_other_sizes_keeps_its_cell_and_page_and_spelling() -> None:
    session = at_pizza()
    page = Address(session)
    page.remember(page.params)
    other = {"cell": "output:1.2", "page": "2", "example": "grouped-query"}
    page.visit(other)
    assert session.scenario == load_example("grouped-query")
    assert session.view == View(cell=Cell("output", None, 0, 1), page=2)
    page.visit({"example": "pizza", "utm_source": "x"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(address_module, "st", None)  # it would write to it
        page.write()


def test_what_is_forgotten_is_opened_by_its_address() -> None:
    session = at_pizza()
    page = Address(session)
    page.remember(page.params)
    scale(session, 2.0)
    page.remember(page.params)
    forgotten = page.params
    undo(session)
    scale(session, 3.0)
    page.remember(page.params)
    page.visit(forgotten)
    assert (session.scenario.scores.scale, session.history.at) == (2.0, 2)


def test_an_address_too_short_for_its_scenario_leads_to_it_all_the_same() -> None:
    rng = np.random.default_rng(3)
    large = with_matrix(load_example("eight-tokens-512"), "w_q", rng.standard_normal((512, 512)))
    session = Session(large)
    page = Address(session)
    page.remember(page.params)
    short = page.params
    session.open(PIZZA)
    page.remember(page.params)
    page.visit(short)
    assert session.scenario is large


def opened_elsewhere(session: Session) -> Session:
    """The session of whoever opens the link in another browser."""
    return opened_at(dict(parse_qsl(link_of(session), keep_blank_values=True)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_address_of_an_example_is_its_name(name: str) -> None:
    assert link_of(Session(load_stack(name))) == f"example={name}"


def test_without_an_address_it_opens_the_first_example() -> None:
    assert opened_at({}).now == Moment.of(load_example(DEFAULT_EXAMPLE), View())


def test_an_address_typed_by_hand_may_say_only_what_is_to_change() -> None:
    session = opened_at({"heads": "4"})
    assert session.scenario == with_heads(load_example(UNNAMED_EXAMPLE), 4)
    assert not session.refusals
    refused = opened_at({"heads": "99"}).refusals["address"].reason
    assert refused.startswith(f"n_heads must divide d_model = {session.scenario.d_model}, got 99")


def test_what_others_add_to_a_link_does_no_harm() -> None:
    session = opened_at({"example": "pizza", "utm_source": "course", "fbclid": "x"})
    assert (session.scenario, session.refusals) == (PIZZA, {})


def test_what_is_unknown_is_said_and_the_rest_taken() -> None:
    said = {"example": "pizza", "decimals": "3", "cell": "output:1.2", "page": "1"}
    session = opened_at({**said, "head_count": "4"})
    assert session.now == Moment.of(
        PIZZA, View(decimals=3, cell=Cell("output", None, 0, 1), page=1)
    )
    assert session.refusals["address"].reason == (
        "The address must hold only parameters of this page, got 'head_count'. "
        "Check the spelling. All other parameters were used."
    )
    reason = opened_at({**said, "haeds": "4", "pallete": "grey"}).refusals["address"].reason
    assert reason.endswith(
        "got 'haeds', 'pallete'. Write heads, palette. All other parameters were used."
    )


def test_a_wrong_parameter_of_the_view_leaves_the_others() -> None:
    wrong = {"head": "7", "decimals": "99", "hide": "input", "palette": "mauve"}
    session = opened_at({"example": "pizza", **wrong})
    assert session.now == Moment.of(PIZZA, View(hide=("input",)))
    reason = session.refusals["address"].reason
    assert all(f"{name} in the address must" in reason for name in ("decimals", "palette", "head"))


def test_a_wrong_scenario_leaves_a_right_view_as_it_is_but_for_what_was_picked() -> None:
    session = opened_at({"example": "nope", "decimals": "4", "hide": "input", "head": "9"})
    assert session.now == Moment.of(load_example("two-tokens"), View(decimals=4, hide=("input",)))
    assert session.refusals["address"].reason.startswith("The example must be one of")


def test_two_wrongs_are_both_said() -> None:
    reason = opened_at({"example": "nope", "decimals": "x"}).refusals["address"].reason
    assert "The example must be one of" in reason
    assert "decimals in the address must be a whole number from 0 to 6" in reason


def test_an_address_may_pick_only_heads_that_there_are() -> None:
    assert opened_at({"example": "pizza", "head": "2"}).view.head == 1
    reason = opened_at({"example": "pizza", "head": "3"}).refusals["address"].reason
    assert reason.startswith("head in the address must be one of the heads, 1 to 2, got '3'")


@pytest.mark.parametrize("cell", ["weights/9:99.99", "nonsense:1.1", "b_q:1.1", "weights/1:1.5"])
def test_an_address_may_pick_only_cells_that_there_are(cell: str) -> None:
    assert opened_at({"example": "pizza", "cell": "weights/1:4.4"}).view.cell
    session = opened_at({"example": "pizza", "head": "2", "cell": cell})
    assert session.view == View(head=1)
    need = "must be a number that this layer has, such as weights/0:1.1"
    reason = session.refusals["address"].reason
    assert reason.startswith(f"cell in the address {need}, got '{cell}'")


def test_the_refused_address_is_forgotten_with_the_next_step() -> None:
    session = opened_at({"example": "nope"})
    scale(session, 2.0)
    assert session.refusals == {}


WORDS = st.lists(
    st.sampled_from(["SO", "good", "é", "<b>", "a=b&c", "~", "+", "%41", "日本", "🍕"]),
    min_size=1,
    max_size=6,
)
SMALL = st.integers(1, 9)
NUMBERS = st.sampled_from(["1/3", "-2,5", "none", "1e-300", "0.1", "7"])
MATRICES = ("x", "w_q", "w_k", "w_v", "w_o")


def edit(s: Scenario, name: str, number: float) -> Scenario:
    array = getattr(s, name).copy()
    array[-1, 0] = number
    return with_matrix(s, name, array)


def set_option(name: str, s: Scenario, value: Any) -> Scenario:
    return with_scores(s, **{name: value})


# Every control with what may be entered there.
WALK: dict[str, tuple[st.SearchStrategy[Any], Callable[[Scenario, Any], Scenario]]] = {
    "tokens": (WORDS, lambda s, words: entries.with_typed_tokens(s, " ".join(words))),
    "count": (SMALL, entries.with_token_count),
    "context": (
        st.one_of(st.just([]), WORDS),
        lambda s, words: entries.with_typed_context(s, " ".join(words)),
    ),
    "d_model": (SMALL, entries.with_d_model),
    "x": (st.sampled_from(sorted(INPUTS)), lambda s, name: entries.with_input(s, name, 5)),
    "heads": (SMALL, entries.with_head_count),
    "kv": (SMALL, entries.with_size("n_kv_heads")),
    "d_k": (SMALL, entries.with_size("d_k")),
    "d_v": (SMALL, entries.with_size("d_v")),
    "weights": (st.sampled_from(sorted(PRESETS)), lambda s, name: entries.with_preset(s, name, 3)),
    "share": (st.booleans(), with_queries_as_keys),
    "rules": (st.lists(st.sampled_from(sorted(MASKS)), unique=True), with_rules),
    **{
        name: (st.sampled_from(option.drawn), partial(set_option, name))
        for name, option in OPTIONS.items()
    },
    **{f"{name} as typed": (NUMBERS, typed) for name, typed in entries.TYPED.items()},
    "off": (st.sets(st.integers(0, 3)), lambda s, heads: with_heads_off(s, heads)),
    "edit": (
        st.tuples(st.sampled_from(MATRICES), st.floats(-1e9, 1e9)),
        lambda s, edited: edit(s, *edited),
    ),
}

VIEWS = st.builds(
    View,
    decimals=st.integers(0, 6),
    shared_scale=st.booleans(),
    values=st.booleans(),
    palette=st.sampled_from(sorted(PALETTES)),
    scores=st.sampled_from(SCORES),
    rows=st.sets(st.sampled_from(ROWS), min_size=1).map(
        lambda rows: tuple(row for row in ROWS if row in rows)
    ),
    cell=st.one_of(
        st.none(), st.builds(Cell.of_matrix, st.sampled_from(["w_o", "weights/1"]), SMALL, SMALL)
    ),
    hide=st.sets(st.sampled_from(SECTIONS)).map(
        lambda hidden: tuple(section for section in SECTIONS if section in hidden)
    ),
)


@given(st.sampled_from(["pizza", "two-tokens", "translation", "grouped-query"]), st.data())
def test_wherever_a_walk_over_the_controls_leads_its_link_leads_too(
    example: str, data: st.DataObject
) -> None:
    session = Session(load_example(example))
    for control in data.draw(st.lists(st.sampled_from(sorted(WALK)), min_size=1, max_size=8)):
        values, change = WALK[control]
        entered = data.draw(values, label=control)
        session.attempt(control, entered, lambda s, c=change, e=entered: c(s, e))
    head = data.draw(st.one_of(st.none(), st.integers(0, session.scenario.n_heads - 1)))
    view = replace(data.draw(VIEWS), head=head)
    is_there = view.cell is not None and has_cell(session.trace, view.cell)
    session.go_to(view=replace(view, cell=view.cell if is_there else None))
    elsewhere = opened_elsewhere(session)
    assert elsewhere.refusals == {}
    assert_same_to_the_last_bit(elsewhere.scenario, session.scenario)
    assert elsewhere.view == session.view
    assert link_of(elsewhere) == link_of(session)


@pytest.mark.parametrize("control", WALK)
def test_every_control_of_the_walk_can_take_a_step(control: str) -> None:
    """A walk that is refused everywhere would prove nothing."""
    values, change = WALK[control]

    def is_a_step(entered: Any) -> bool:
        session = at_pizza()
        session.attempt(control, entered, lambda s: change(s, entered))
        return can_undo(session)

    find(values, is_a_step, settings=settings(phases=[Phase.generate]))  # it may be any


def test_a_state_too_large_for_a_link_leaves_the_address_its_view() -> None:
    wide = with_weights(with_width(PIZZA, 64), "random")
    session = Session(wide, View(decimals=4, head=1))
    assert fits_a_link(session)
    drawn = np.random.default_rng(2).standard_normal((64, 64))
    session.attempt("w_q", None, lambda s: with_matrix(s, "w_q", drawn))
    assert not fits_a_link(session)
    assert params_of(session) == {"decimals": "4", "head": "2"}  # of the numbers that the tab keeps
    assert len(opened_elsewhere(session).scenario.tokens) == 2  # the first example


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_array_of_an_example_was_edited(example: str) -> None:
    s = load_example(example)
    assert not is_edited(Session(s), *s.given())


def test_numbers_that_are_too_many_for_a_link_were_edited_all_the_same() -> None:
    wide = load_example("pizza-1024")
    session = Session(with_matrix(wide, "w_q", wide.w_q + 1))
    assert not fits_a_link(session)
    assert [name for name in session.scenario.given() if is_edited(session, name)] == ["w_q"]


def test_what_a_recipe_made_is_edited_if_the_recipe_cannot_make_it() -> None:
    given = replace(PIZZA, origin=Origin())
    narrow = replace(with_width(given, 2), origin=Origin(x="one_hot"))  # 4 words need 4 columns
    assert is_edited(Session(narrow), "x")


def test_edited_arrays_are_found_once_and_with_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []
    monkeypatch.setattr(
        in_words, "start_of", lambda s, layer: starts.append(s) or start_of(s, layer)
    )
    session = Session(with_matrix(PIZZA, "w_q", 2 * PIZZA.w_q))
    assert is_edited(session, "w_q")
    assert not is_edited(session, "x", "w_k")
    assert fits_a_link(session)
    assert len(starts) == 1


def test_the_limit_of_a_link_is_on_the_text_as_it_is_quoted() -> None:
    session = at_pizza()
    session.attempt("tokens", None, lambda s: with_tokens(s, ["é" * 200] * 4))  # 6 signs a letter
    assert fits_a_link(session)
    session.attempt("tokens", None, lambda s: with_tokens(s, ["é" * 200] * 6))
    assert not fits_a_link(session)


def test_even_the_smallest_scenario_has_an_address_of_its_own() -> None:
    session = opened_at({"tokens": "t1"})
    assert params_of(session) == {"tokens": "t1"}
    assert_same_to_the_last_bit(opened_elsewhere(session).scenario, session.scenario)


def test_a_layer_far_too_large_for_a_link_is_still_shown() -> None:
    session = Session(load_example("pizza-1024"))
    session.attempt("share", True, lambda s: with_queries_as_keys(s, share=True))
    assert can_undo(session)
    assert not fits_a_link(session)


@pytest.mark.parametrize(
    ("old", "today"),
    [
        ("q/3:2.1", "q_rotated/3"),
        ("k/3:2.1", "k_rotated/1"),
        ("v/0:2.1", "v_heads/0"),
        ("out/3:1.1", "head_outputs/3"),
        ("weights/1:1.1", "weights/1"),
    ],
)
def test_a_cell_that_was_saved_under_an_old_name_is_outlined(old: str, today: str) -> None:
    session = opened_at({"example": "grouped-query", "cell": old})
    assert (session.scenario.n_heads, session.scenario.n_kv_heads) == (4, 2)
    assert session.refusals == {}
    assert session.view.cell is not None
    assert session.view.cell.matrix == today
