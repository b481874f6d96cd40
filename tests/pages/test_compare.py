"""The page that compares two layers: what fills its sides, and what it says of them.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, quote

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import with_heads_off, with_matrix
from mha_core.comparing.distances import all_distances
from mha_core.comparing.questions import (
    READY_QUESTIONS,
    ReadyQuestion,
    with_one_change,
    with_one_change_in,
)
from mha_core.examples import EXAMPLES, load_example, load_stack
from mha_core.guide.field_guide import FIELD_GUIDE, GuideEntry
from mha_core.layer.cells import Cell
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import unmarked
from tests.ui.state.working import Browser, scale
from ui import plot
from ui.blocks import heads_picture
from ui.blocks.cell_entries import take_entries
from ui.blocks.comparing import titles, words
from ui.blocks.comparing.words import OTHERS_DIFFER, THE_SAME
from ui.blocks.where_from import answer, where_from
from ui.number_format import format_number
from ui.plot import Entry
from ui.state import Session, View, wishes

PIZZA = load_example("pizza")
BOTH = "a.example=pizza&b.example=pizza&b.mask=none"
OPENED = {name: True for name in ("a-every-step", "a-editors", "b-editors", "b-examples")}


class Comparison(PageVisitor):
    """A visitor of the page, with what folds open."""

    def __init__(self, address: str = "", page: str = "compare.py") -> None:
        super().__init__(page, address, **OPENED)

    def ask(self, name: str) -> Comparison:
        return self.click(f"a-ask-{name}")

    @property
    def a(self) -> Session:
        return self.at.session_state["session a"]  # type: ignore[no-any-return]

    @property
    def b(self) -> Session:
        return self.at.session_state["session b"]  # type: ignore[no-any-return]

    @property
    def question_shown(self) -> list[str]:
        """The question whose button is marked."""
        buttons = [button for button in self.at.button if (button.key or "").startswith("a-ask-")]
        return [button.label for button in buttons if button.proto.icon]

    @property
    def titles(self) -> tuple[str, ...]:
        """What A and B are called."""
        marked = [heading.value for heading in self.at.markdown]
        starts = ("**A**", "**B**")
        return tuple(
            unmarked(text.removeprefix(start)).strip()
            for start in starts
            for text in marked
            if text.startswith(start)
        )

    @property
    def errors(self) -> list[str]:
        return [unmarked(error.value) for error in self.at.error]

    @property
    def outlined(self) -> dict[str, list[Any]]:
        """By session, the cell that is outlined."""
        sent = [node.proto for node in self.at.get("bidi_component")]
        outlines = [json.loads(p.json) for p in sent if p.component_name == "attention_outline"]
        return {outline["group"]: outline["cell"] for outline in outlines}


def matrices(picture: Any) -> dict[str, Any]:
    return {matrix["name"]: matrix for matrix in picture["figure"]["matrices"]}


# ---- what it opens with -------------------------------------------------------------------------


def test_it_opens_on_a_question_with_its_answer() -> None:
    page = Comparison()
    causal = READY_QUESTIONS["causal"]
    assert page.question_shown == [causal.question]
    assert (page.a.stack, page.b.stack) == causal.sides
    assert all(claim.sentence in page.words for claim in causal.claims)
    assert len(page.plots) == 3


def test_an_address_opens_both_sides_and_what_is_compared() -> None:
    page = Comparison(f"{BOTH}&a.step=output&a.decimals=4")
    assert page.a.scenario == PIZZA
    assert page.b.scenario.mask.rules == ()
    assert [list(matrices(picture)) for picture in page.plots] == [["output"]] * 3
    assert page.b.view.decimals == 4
    again = Comparison("&".join(f"{name}={text}" for name, text in page.address.items()))
    assert (again.a.scenario, again.b.scenario) == (page.a.scenario, page.b.scenario)
    assert (again.a.view, again.b.view) == (page.a.view, page.b.view)


def test_the_pictures_are_sent_before_what_is_said_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many heads, distances and titles take as long to make as the pictures."""
    order: list[str] = []

    def noted(module: Any, name: str) -> None:
        of_module = getattr(module, name)

        def note(*given: Any, **named: Any) -> Any:
            order.append(name)
            return of_module(*given, **named)

        monkeypatch.setattr(module, name, note)

    noted(plot, "show")
    noted(words, "all_distances")
    noted(titles, "differences")
    monkeypatch.setattr(
        heads_picture, "time", SimpleNamespace(sleep=lambda _: order.append("sleep"))
    )
    Comparison(BOTH)
    assert order[:4] == [*["show"] * 3, "sleep"]
    assert {"all_distances", "differences"} < set(order)


def test_the_browser_has_time_to_paint_when_either_side_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(heads_picture, "time", SimpleNamespace(sleep=pauses.append))
    page = Comparison(BOTH)
    assert len(pauses) == 1
    page.enter("b-enter-scale", "abc")
    assert len(pauses) == 1
    page.enter("b-enter-scale", "0.5")
    assert len(pauses) == 2
    page.enter("a-side", "A").enter("a-enter-scale", "0.5")
    assert len(pauses) == 3


def test_many_numbers_have_longer_to_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads_picture, "CELLS_A_SLEEP", 10)
    pauses: list[float] = []
    monkeypatch.setattr(heads_picture, "time", SimpleNamespace(sleep=pauses.append))
    page = Comparison(BOTH)
    cells = sum(
        np.size(matrix["values"]) for each in page.plots for matrix in matrices(each).values()
    )
    assert cells > 10
    assert len(pauses) == 1 + cells // 10


def test_a_wrong_address_is_said_in_words() -> None:
    page = Comparison(f"{BOTH}&a.step=nonsense")
    (error,) = page.errors
    assert error.startswith("step in the address must be one of ")
    assert page.a.view.step == "weights"


def test_a_cell_that_is_not_there_is_outlined_nowhere() -> None:
    page = Comparison(f"{BOTH}&a.cell=weights/7:99.99&b.cell=output:1.1&a.step=output")
    assert len(page.plots) == 3
    assert page.outlined["b"] == ["output", 0, 0]


# ---- ready questions ----------------------------------------------------------------------------


@pytest.mark.parametrize("ready", READY_QUESTIONS.values(), ids=lambda each: each.name)
def test_a_question_fills_both_sides_and_is_answered(ready: Any) -> None:
    page = Comparison(BOTH).ask(ready.name)
    assert (page.a.stack, page.b.stack) == ready.sides
    assert (page.a.layer, page.b.layer) == ready.layers
    assert page.a.view.step == ready.step
    assert page.question_shown == [ready.question]
    assert all(claim.sentence in page.words for claim in ready.claims)
    assert page.errors == []


def test_a_question_can_be_asked_of_a_as_it_stands() -> None:
    page = Comparison(BOTH).enter("a-ask-of-a", True).ask("head")
    assert page.a.scenario == PIZZA
    assert page.b.scenario == with_heads_off(PIZZA, {1})
    assert page.question_shown == []  # it has no answer ready for this A
    assert "Heads off none head 2" in page.words


def test_a_question_that_cannot_be_asked_of_a_says_why() -> None:
    page = Comparison("a.example=one-head&b.example=pizza").enter("a-ask-of-a", True).ask("grouped")
    assert page.b.scenario == PIZZA
    (error,) = page.errors
    assert "must be even, so that two and two become one" in error
    assert page.ask("head").errors == []


def test_a_question_that_changes_nothing_in_a_says_what_to_do() -> None:
    page = Comparison(f"{BOTH}&a.step=output").enter("a-ask-of-a", True).ask("causal")
    assert page.a.view.step == "output"  # all stays as it was
    (error,) = page.errors
    assert "The mask of A must not be causal" in error
    assert "Take the causal mask away from A." in error
    page.enter("a-side", "A")
    page.a.open(page.b.scenario)
    page.run().ask("causal")
    assert page.errors == []
    assert page.b.scenario == PIZZA


# ---- what the sides are called ------------------------------------------------------------------


def reloaded(page: Comparison) -> Comparison:
    return Comparison("&".join(f"{name}={quote(text)}" for name, text in page.address.items()))


@pytest.mark.parametrize("ready", READY_QUESTIONS.values(), ids=lambda each: each.name)
def test_the_sides_of_a_question_are_called_what_they_are(ready: ReadyQuestion) -> None:
    page = Comparison().ask(ready.name)
    example = EXAMPLES[page.a.example].title
    assert page.titles == (ready.title_of_a or example, ready.title_of_b)
    assert page.titles[0].startswith(example)
    assert reloaded(page).titles == page.titles
    page.enter("b-enter-scale", "0.77")
    assert page.titles[1] not in ("", ready.title_of_b)


def test_what_a_question_made_of_ones_own_a_is_called_so() -> None:
    page = Comparison(BOTH).enter("a-ask-of-a", True).ask("head")
    assert page.titles == ("Pizza, a language model", "One head off")
    assert reloaded(page).titles == page.titles


@pytest.mark.parametrize("entry", FIELD_GUIDE.values(), ids=lambda each: each.name)
def test_what_breaks_a_pattern_is_called_so(entry: GuideEntry) -> None:
    page = Comparison()
    a = entry.on(["TO", "BE", "OR", "NOT", "TO", "BE"])
    for breaker in entry.breakers:
        page.a.open(a)
        page.b.open(breaker.of(a))
        assert page.run().titles == (entry.title, breaker.title)
        assert reloaded(page).titles == page.titles
    page.enter("a-side", "A").enter("a-enter-scale", "0.77")
    assert page.titles[0] == "Your own setting"


def test_a_title_of_a_link_goes_before_all_others() -> None:
    assert Comparison("a.example=pizza&a.title=Before&b.title=After").titles == ("Before", "After")


# ---- several layers -----------------------------------------------------------------------------


def test_an_own_a_of_two_layers_keeps_both_and_the_one_that_is_shown_is_changed() -> None:
    page = Comparison("a.example=induction&a.layer=2&b.example=induction")
    page.enter("a-ask-of-a", True).ask("head")
    assert [layer.heads_off for layer in page.b.stack.layers] == [set(), {0}]
    assert (page.a.layer, page.b.layer) == (1, 1)
    assert page.titles[1] == "One head off"


def test_a_question_about_layers_can_be_asked_of_an_own_a() -> None:
    page = Comparison("a.example=induction&a.layer=2&b.example=induction")
    page.enter("a-ask-of-a", True).ask("copies")
    assert page.question_shown == [READY_QUESTIONS["copies"].question]
    assert page.b.stack.first.heads_off == {0}
    page = Comparison(BOTH).enter("a-ask-of-a", True).ask("copies")
    (error,) = page.errors
    assert "The layers of A must be two or more" in error


def test_where_the_layer_that_is_shown_is_the_same_others_may_differ() -> None:
    page = Comparison("a.example=induction&b.example=induction&b.layers=1")
    assert OTHERS_DIFFER in page.words
    assert THE_SAME not in page.words
    assert "Number of layers 2 1" in page.words


def test_what_differs_in_other_layers_is_listed_by_their_names() -> None:
    page = Comparison().ask("copies")
    assert "Layer 1: Heads off none head 1" in page.words
    page = Comparison("a.example=induction&a.layer=2&b.example=induction&b.layer=2")
    assert THE_SAME in page.words
    page.enter("b-enter-scale", "0.5")
    assert "Layer 2: Scale none 0.5" in page.words


def test_what_differs_in_the_whole_is_listed_also_where_much_differs_in_the_layer() -> None:
    page = Comparison("a.example=induction&b.example=induction&b.residual=off")
    assert "Residual stream on off" in page.words
    first = page.b.stack.first
    changed = replace(first, w_q=first.w_q + 1, w_k=first.w_k + 1, w_v=first.w_v + 1)
    much = replace(changed, w_o=first.w_o + 1, heads_off=frozenset({0}))
    page.b.open(replace(page.b.stack, layers=(much, *page.b.stack.above)))
    page.run()
    assert "Residual stream on off" in page.words
    assert "and 2 more" in page.words


def test_of_one_layer_no_line_names_it() -> None:
    assert "Layer 1" not in Comparison(BOTH).words


# ---- both sides ---------------------------------------------------------------------------------


def test_the_controls_change_the_side_that_is_chosen() -> None:
    page = Comparison(BOTH)
    page.enter("b-enter-scale", "0.5")
    assert (page.a.scenario.scores.scale, page.b.scenario.scores.scale) == ("1/sqrt(d_k)", 0.5)
    page.enter("a-side", "A").enter("a-enter-scale", "2")
    assert (page.a.scenario.scores.scale, page.b.scenario.scores.scale) == (2.0, 0.5)
    page.enter("a-side", "B").enter("b-enter-scale", "3")
    assert (page.a.scenario.scores.scale, page.b.scenario.scores.scale) == (2.0, 3.0)
    assert page.errors == []


def test_b_becomes_a_and_they_change_places() -> None:
    page = Comparison(BOTH)
    b = page.b.scenario
    page.click("a-swap")
    assert (page.a.scenario, page.b.scenario) == (b, PIZZA)
    page.click("a-copy")
    assert page.a.scenario is page.b.scenario
    assert THE_SAME in page.words


def test_a_number_entered_on_one_side_changes_that_side_and_the_difference() -> None:
    page = Comparison("a.example=pizza&b.example=pizza&a.step=x")
    take_entries(page.b, [Entry(1, "x", 0, 0, "7")])
    page.run()
    in_a, in_b, difference = (matrices(picture)["x"] for picture in page.plots)
    assert (in_a["values"][0, 0], in_b["values"][0, 0], difference["values"][0, 0]) == (1, 7, 7)
    assert difference["before"][0, 0] == 1
    assert in_a["high"] == in_b["high"] == 7
    assert "X 1 of 32 numbers differ" in page.words


def test_how_numbers_are_shown_is_chosen_for_both_sides() -> None:
    page = Comparison(BOTH)
    page.a.change_view(decimals=5, palette="teal")
    page.run()
    assert (page.b.view.decimals, page.b.view.palette) == (5, "teal")
    assert page.b.history.last == 0  # no step of B


def test_what_moved_in_the_explorer_is_not_what_the_sides_show() -> None:
    page = Comparison("a.example=pizza&a.scale=0.9&a.moved=example&b.example=pizza&b.moved=example")
    befores = [["before" in m for m in matrices(p).values()] for p in page.plots]
    assert befores == [[False] * 2, [False] * 2, [True] * 2]


# ---- undo of what was done to both sides --------------------------------------------------------


class Steps:
    """Undo and redo as a browser asks for them, and what both sides are after each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.page = Comparison(BOTH)
        self.browser = Browser(self.page.a, self.page.b)
        monkeypatch.setattr(wishes, "reports", self.browser.reports)

    @property
    def sides(self) -> tuple[Scenario, Scenario]:
        return self.page.a.scenario, self.page.b.scenario

    def swap(self) -> None:
        self.page.click("a-swap")

    def go(self, session: Session, by: int) -> tuple[Scenario, Scenario]:
        """So many steps on, or back where `by` is below 0; the browser asks only for their end."""
        self.browser.ask_for(session.history.at + by, session)
        self.page.run()
        return self.sides


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    return Steps(monkeypatch)


def test_undo_of_a_swap_is_undo_on_both_sides_whichever_is_chosen(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    page = steps.page
    for session in (page.b, page.a):
        assert steps.go(session, -1) == before
        assert steps.go(session, +1) == before[::-1]
    assert (page.a.history.at, page.b.history.at) == (1, 1)


def test_a_change_after_a_swap_is_undone_alone_and_the_swap_as_a_whole(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    page = steps.page.enter("b-enter-scale", "0.5")
    after = steps.sides
    assert steps.go(page.b, -1) == before[::-1]
    assert steps.go(page.b, -1) == before
    assert steps.go(page.b, +2) == after
    assert steps.go(page.b, -2) == before


def test_two_swaps_are_undone_one_by_one_or_at_once(steps: Steps) -> None:
    before = steps.sides
    for _ in range(2):
        steps.swap()
    assert steps.go(steps.page.b, -1) == before[::-1]
    assert steps.go(steps.page.a, -1) == before
    assert steps.go(steps.page.a, +2) == before
    assert [session.history.at for session in (steps.page.a, steps.page.b)] == [2, 2]
    assert steps.go(steps.page.b, -2) == before
    assert [session.history.at for session in (steps.page.a, steps.page.b)] == [0, 0]


def test_a_side_that_was_changed_since_the_swap_keeps_its_change(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    page = steps.page.enter("a-side", "A").enter("a-enter-scale", "0.5")
    changed = page.a.scenario
    assert steps.go(page.b, -1) == (changed, before[1])
    assert steps.go(page.a, -2) == before  # B has undone it before
    assert steps.go(page.a, +1) == before[::-1]


def test_how_numbers_are_shown_stays_when_a_swap_is_undone_on_the_other_side(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.a.change_view(decimals=5)
    assert steps.go(steps.page.b, -1) == before
    assert (steps.page.a.view.decimals, steps.page.b.view.decimals) == (5, 5)


def test_undo_of_b_becomes_a_leaves_a_alone(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.click("a-copy")
    assert steps.go(steps.page.b, -1) == before[::-1]


def test_undo_on_a_takes_back_what_became_of_b_and_then_the_swap(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.click("a-copy")
    copied = steps.sides
    assert steps.go(steps.page.a, -1) == before[::-1]
    assert steps.go(steps.page.a, -1) == before
    assert steps.go(steps.page.a, +2) == copied


def test_undo_on_a_takes_back_a_question_that_was_asked_of_it(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.enter("a-ask-of-a", True)
    steps.page.ask("grouped")
    assert steps.page.b.scenario not in before
    assert steps.go(steps.page.a, -1) == before[::-1]


def test_a_step_of_a_in_which_b_has_nothing_to_take_back_is_passed_over(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.click("a-copy")
    page = steps.page.enter("b-enter-scale", "0.5")
    changed = page.b.scenario
    assert steps.go(page.a, -1) == (before[0], changed)
    assert steps.go(page.a, +1) == (before[1], changed)
    assert page.a.history.at == 1


def test_b_that_is_a_already_gives_nothing_to_take_back(steps: Steps) -> None:
    for _ in range(2):
        steps.page.click("a-copy")
    assert [session.history.last for session in (steps.page.a, steps.page.b)] == [1, 1]


def test_what_reset_leads_back_to_stays_where_b_becomes_a(steps: Steps) -> None:
    page = steps.page.enter("a-side", "A").enter("a-enter-scale", "0.5")
    began = page.a.now.opened
    assert page.click("a-copy").a.now.opened is began


def test_undo_of_a_question_brings_both_sides_back(steps: Steps) -> None:
    before = steps.sides
    steps.page.ask("grouped")
    asked = steps.sides
    assert steps.go(steps.page.b, -1) == before
    assert steps.go(steps.page.b, +1) == asked


# ---- what is compared ---------------------------------------------------------------------------


def test_every_step_can_be_picked_and_says_how_far_apart_the_sides_are() -> None:
    page = Comparison(BOTH)
    assert page.at.selectbox(key="a-view-step").options[:2] == ["Input", "W_Q"]
    apart = all_distances(page.a.trace, page.b.trace)
    for step, found in apart.items():
        page.enter("a-view-step", step)
        assert page.plots
        assert page.errors == []
        assert found
        largest = format_number(found.largest, keep_tiny=True)
        words = "the same in A and B" if found.is_same else f"up to {largest} apart"
        if step == "masked_scores":
            words = "the same, but for 12 numbers hidden in one of them"
        assert words in [unmarked(caption.value) for caption in page.at.caption]
    assert "Masked scores 12 hidden in one of them" in page.words


def test_rounding_is_called_so() -> None:
    page = Comparison().ask("float32")
    assert "the same in A and B, but for rounding" in page.words


def test_the_choice_of_a_step_has_the_same_words_whatever_the_numbers_are() -> None:
    page = Comparison(BOTH)
    before = page.at.selectbox(key="a-view-step").options
    page.enter("b-enter-scale", "0.1")
    assert page.at.selectbox(key="a-view-step").options == before


def test_one_head_or_all() -> None:
    page = Comparison(BOTH)
    assert list(matrices(page.plots[0])) == ["weights/0", "weights/1"]
    page.enter("a-view-head", 1)
    assert [list(matrices(picture)) for picture in page.plots] == [["weights/1"]] * 3


@pytest.mark.parametrize(("a", "b"), [("one-head", "four-heads"), ("four-heads", "one-head")])
def test_only_heads_that_both_sides_have_are_offered(a: str, b: str) -> None:
    page = Comparison(f"a.example={a}&b.example={b}")
    assert page.at.pills(key="a-view-head").options == ["Head 1"]
    page.enter("a-view-head", 0)
    assert [list(matrices(picture)) for picture in page.plots] == [["weights/0"]] * 2


def test_a_head_that_b_has_no_more_is_not_looked_at() -> None:
    page = Comparison("a.example=four-heads&a.head=4&b.example=one-head")
    assert [len(matrices(picture)) for picture in page.plots] == [4, 1]
    assert page.at.pills(key="a-view-head").value is None
    page.b.open(page.a.scenario)
    page.run()
    assert [list(matrices(picture)) for picture in page.plots] == [["weights/3"]] * 3


def test_many_heads_come_in_pages() -> None:
    page = Comparison("a.example=two-tokens&a.heads=32&a.d_model=32&a.x=random&a.weights=random")
    page.click("a-copy")
    assert len(matrices(page.plots[0])) == 16
    page.enter("a-view-page", 2)
    assert next(iter(matrices(page.plots[0]))) == "weights/16"


def test_the_numbers_are_those_of_the_core() -> None:
    page = Comparison(BOTH)
    apart = all_distances(attend(page.a.scenario), attend(page.b.scenario))["weights"]
    assert apart
    assert apart.query is not None
    moved_most = page.b.scenario.tokens[apart.query]
    assert f"Weights {apart.largest:.2f} {apart.mean:.2f} “{moved_most}”" in page.words
    shares = np.abs(page.b.trace.weights - page.a.trace.weights).sum(axis=-1).mean(axis=-1) / 2
    for head in (0, 1):
        assert f"{shares[head]:.1%}" in page.words


def test_sides_of_other_sizes_show_their_pictures_and_say_so() -> None:
    page = Comparison("a.example=one-head&b.example=four-heads")
    assert [len(matrices(picture)) for picture in page.plots] == [1, 4]
    assert "A and B differ in size here" in page.words
    assert "The weights cannot be compared: A has 1 head, B has 4 heads." in page.words


@pytest.mark.parametrize(
    ("address", "words", "there"),
    [
        ("a.step=b_q", "Neither A nor B has b_Q", 0),
        ("a.step=b_q&b.b_q.rows=1_2_3_4_5_6_7_8", "A has no b_Q", 1),
        ("a.step=context&a.context=A+B", "B has no C", 1),
    ],
)
def test_what_a_side_does_not_have_is_said(address: str, words: str, there: int) -> None:
    page = Comparison(f"{BOTH}&{address}")
    assert len(page.plots) == there
    captions = [unmarked(caption.value) for caption in page.at.caption]
    assert {words, f"{words}, so there is no difference to show."} <= {*captions}
    assert page.errors == []


def test_the_table_of_steps_says_what_a_side_does_not_have() -> None:
    page = Comparison(f"{BOTH}&a.context=A+B")
    assert "Source of keys and values B has no C " in page.words


def test_a_pick_is_explained_below_the_pictures_of_its_side() -> None:
    page = Comparison(BOTH)
    page.a.pick(Cell("weights", 0, 1, 0))
    page.run()
    assert page.outlined == {"a": ["weights/0", 1, 0], "b": []}
    assert page.address["a.cell"] == "weights/0:2.1"


def test_what_is_said_of_a_number_begins_with_its_side() -> None:
    page = Comparison(BOTH)
    cell = Cell("weights", 0, 1, 0)
    for session in (page.a, page.b):
        session.pick(cell)
    page.run()
    for session in (page.a, page.b):
        heading = f'<h2 tabindex="-1">{session.name.upper()}: A<sub>1</sub>[LOVE, I] = '
        assert heading in where_from(session).panel
        before_the_run = answer(session.id, cell)
        assert before_the_run
        assert heading in before_the_run["panel"]


def test_on_a_page_of_one_session_a_number_has_no_side() -> None:
    page = Comparison("example=pizza&cell=weights/0:2.1", page="explore.py")
    assert '<h2 tabindex="-1">A<sub>1</sub>[LOVE, I] = ' in where_from(page.session).panel


# ---- from page to page --------------------------------------------------------------------------


def links(page: Comparison, label: str) -> list[str]:
    """What the links with this label carry to another page."""
    sent = [node.proto for node in page.at.get("page_link")]
    return [p.query_string for p in sent if p.label == label]


def exploring(address: str) -> Comparison:
    """A visitor who is about to leave the explorer for the comparison."""
    page = Comparison(address, page="explore.py")
    page.at.session_state["to-compare"] = True
    return page.run()


def test_what_the_explorer_shows_becomes_a_side() -> None:
    page = exploring("example=pizza&cell=output:1.1")
    scale(page.session, 0.5)
    page.run()
    # Nobody has chosen the other one yet: B is A with one thing changed, A is what was opened.
    for side, both in {
        "A": "a.example=pizza&a.scale=0.5&b.example=pizza&b.scale=none",
        "B": "a.example=pizza&b.example=pizza&b.scale=0.5",
    }.items():
        kept = [dict(parse_qsl(query)) for query in links(page, f"Keep this as {side}")]
        assert kept == [dict(parse_qsl(both))]


@pytest.mark.parametrize("kept", ["A", "B"])
def test_a_side_of_other_sizes_does_not_stay(kept: str) -> None:
    page = exploring("example=pizza")
    for name in ("a", "b"):
        page.at.session_state[f"session {name}"] = Session(load_example("causal"), name=name)
    page.run()
    (query,) = links(page, f"Keep this as {kept}")
    shown = dict(parse_qsl(query))
    assert {shown["a.example"], shown["b.example"]} == {"pizza"}


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_opens_on_what_the_explorer_shows_with_one_thing_changed(example: str) -> None:
    a = load_example(example)
    b = with_one_change(a)
    assert b != a
    assert b.sizes == a.sizes


def test_from_the_explorer_it_opens_on_what_is_there() -> None:
    page = exploring("example=pizza")
    page.at.query_params.clear()
    page.at.switch_page("compare.py")
    page.run()
    assert page.a.scenario == PIZZA
    assert page.b.scenario == with_one_change(PIZZA)
    assert page.question_shown == []
    assert "Without the division" in page.words


def test_from_the_explorer_it_opens_on_all_layers_and_shows_the_same_one() -> None:
    page = exploring("example=induction&layer=2")
    explored = page.session.stack
    page.at.query_params.clear()
    page.at.switch_page("compare.py")
    page.run()
    assert (page.a.layer, page.b.layer) == (1, 1)
    assert page.a.stack == explored
    assert page.b.stack == with_one_change_in(explored, 1, page.a.scenario)
    assert page.b.stack.first == explored.first
    assert page.errors == []


@pytest.mark.parametrize("kept", ["A", "B"])
def test_all_layers_of_the_explorer_become_a_side_which_shows_the_same_one(kept: str) -> None:
    page = exploring("example=induction&layer=2")
    scale(page.session, 0.5)
    page.run()
    (query,) = links(page, f"Keep this as {kept}")
    compared = Comparison(query)
    side, other = (compared.a, compared.b) if kept == "A" else (compared.b, compared.a)
    assert side.stack == page.session.stack
    assert (side.layer, other.layer) == (1, 1)
    assert other.stack.first == side.stack.first
    assert other.stack != side.stack


def test_a_side_that_stays_shows_the_layer_of_the_explorer() -> None:
    page = exploring("example=induction&layer=2")
    stays = Session(load_stack("induction"), View(head=0, decimals=5), "b")
    page.at.session_state["session b"] = stays
    page.run()
    (query,) = links(page, "Keep this as A")
    shown = dict(parse_qsl(query))
    assert (shown["a.layer"], shown["b.layer"]) == ("2", "2")
    assert "b.head" not in shown
    assert shown["b.decimals"] == "5"


def test_a_side_is_opened_in_the_explorer() -> None:
    page = Comparison(f"{BOTH}&a.step=output&a.decimals=4")
    found = [dict(parse_qsl(query)) for query in links(page, "Explore")]
    assert found == [
        {"example": "pizza", "decimals": "4"},
        {"example": "pizza", "mask": "none", "decimals": "4"},
    ]


def test_numbers_that_are_too_many_for_a_link_are_handed_over() -> None:
    page = exploring("example=pizza-1024")
    wide = page.session.scenario
    page.session.open(with_matrix(wide, "w_q", wide.w_q + 1))
    page.run()
    assert links(page, "Keep this as A") == []
    page.click("keep-a")
    assert page.at.title[0].value == "Compare"
    assert page.a.scenario is page.session.scenario
    assert page.b.scenario == with_one_change(page.a.scenario)
    page.at.switch_page("compare.py")  # where the browser is by now
    page.b.open(PIZZA)
    page.run().click("a-explore")
    assert page.session.scenario is page.a.scenario
