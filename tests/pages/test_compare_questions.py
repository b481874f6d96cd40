"""Ready questions fill both sides; what the sides are called, and how their layers differ."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

import pytest

from mha_core.changing.changes import with_heads_off, with_scores
from mha_core.comparing.questions import READY_QUESTIONS, ReadyQuestion
from mha_core.examples import EXAMPLES
from mha_core.guide.field_guide import FIELD_GUIDE
from tests.pages.comparison import BOTH, PIZZA, Comparison
from ui.blocks.comparing.words import OTHERS_DIFFER, THE_SAME


def reloaded(page: Comparison) -> Comparison:
    return Comparison("&".join(f"{name}={quote(text)}" for name, text in page.address.items()))


@pytest.mark.parametrize("ready", READY_QUESTIONS.values(), ids=lambda each: each.name)
def test_a_question_fills_both_sides_is_answered_and_calls_them_what_they_are(
    ready: ReadyQuestion,
) -> None:
    page = Comparison(BOTH).ask(ready.name)
    assert (page.a.stack, page.b.stack) == ready.sides
    assert (page.a.layer, page.b.layer) == ready.layers
    assert page.a.view.step == ready.step
    assert page.question_shown == [ready.question]
    assert all(claim.sentence in page.words for claim in ready.claims)
    assert page.errors == []
    example = EXAMPLES[page.a.example].title
    assert page.titles == (ready.title_of_a or example, ready.title_of_b)
    assert page.titles[0].startswith(example)
    assert reloaded(page).titles == page.titles
    page.enter("b-enter-scale", "0.77")
    assert page.titles[1] not in ("", ready.title_of_b)


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


def test_what_a_question_made_of_ones_own_a_is_called_so() -> None:
    page = Comparison(BOTH).enter("a-ask-of-a", True).ask("head")
    assert page.titles == ("Pizza, a language model", "One head off")
    assert reloaded(page).titles == page.titles


def test_what_breaks_a_pattern_is_called_so() -> None:
    page = Comparison()
    for entry in FIELD_GUIDE.values():
        a = entry.on(["TO", "BE", "OR", "NOT", "TO", "BE"])
        for breaker in entry.breakers:
            page.a.open(a)
            page.b.open(breaker.of(a))
            assert page.run().titles == (entry.title, breaker.title)
        assert reloaded(page).titles == page.titles
    page.a.open(with_scores(a.first, scale=0.77))
    assert page.run().titles[0] == "Your own setting"


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
