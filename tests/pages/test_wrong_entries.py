"""What people enter wrongly on the explorer: it is refused in words, and kept.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mha_core.changing.changes import with_heads
from mha_core.examples import load_example
from tests.form_fields import fields_on
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import MENUS, Visitor
from ui.figures.board import short_label

PIZZA = "example=pizza"
HOSTILE = (
    "<script>alert(1)</script>",
    "**x**",
    "$x$",
    ":red[x]",
    ":material/home:",
    "[a](https://example.org)",
    "`x`",
    "</ul>",
    "&amp;",
    "🍕",
    "x" * 200,
)


WRONG: dict[str, dict[Any, str]] = {
    "tokens": {
        "  ": "The text must hold at least one word",
        "a " * 513: "The number of tokens on this page must be at most",
        "x" * 201: "A token must be text of at most 200 characters",
    },
    "n-tokens": {
        513: "The number of tokens must be a whole number",
        0: "The number of tokens must be a whole number from 1",
        -1: "The number of tokens must be a whole number",
        2.5: "The number of tokens must be a whole number, got 2.5",
    },
    "d-model": {
        0: "d_model must be a whole number from 1 to 1024, got 0",
        1e20: "d_model must be a whole number from 1 to 1024",
    },
    "any-heads": {33: "The number of heads must be a whole number from 1 to 32"},
    "kv-heads": {3: "n_kv_heads must divide n_heads = 4"},
    "d-k": {0: "d_k must be a whole number from 1 to 1024"},
    "scale": {
        "abc": "The scale must be made of numbers, signs, sqrt",
        "inf": "The scale must be made of numbers, signs, sqrt",
        "1 2": "The scale must have a sign such as * before 2",
        "1e200": "The scale must hold finite numbers of at most 1e+100",
    },
    "softcap": {
        "-1": "The soft cap must",
        "<b>": "The soft cap must be a number or an expression, got",
    },
    "temperature": {"0": "The temperature must be a number from 0.001"},
    "context": {"a " * 513: "The number of tokens on this page"},
}


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_entry_is_refused_in_words_and_kept(key: str) -> None:
    visitor, good = Visitor(PIZZA).enter("heads", 4), with_heads(load_example("pizza"), 4)
    for entered, message in WRONG[key].items():
        visitor.enter(key, entered)
        assert visitor.complains(message), visitor.errors
        assert visitor.shows(key) == entered
        assert visitor.scenario == good
    assert shows_the_scenario(visitor)
    visitor.enter("scale" if key != "scale" else "softcap", "2")  # something else goes on
    assert visitor.shows(key) == entered
    assert len(visitor.errors) == 1


NUMBER_FIELDS = (
    *("n-tokens", "d-model", "x-seed", "any-heads", "kv-heads", "d-k", "d-v", "weights-seed"),
    *("sliding_window left", "sliding_window right", "strided stride"),
)


def test_every_refusal_of_a_number_field_calls_it_by_one_name() -> None:
    visitor = Visitor("tokens=A+B+C+D&d_model=8&x=random&weights=random&positions=rope")
    visitor.enter("rules", ["sliding_window"]).enter("rule strided", True)
    names = []
    for wrong in (0.5, -1):
        for key in NUMBER_FIELDS:
            visitor.enter(key, wrong)
        names.append([error.partition(" must ")[0] for error in visitor.errors])
    assert names[0] == names[1]
    assert len(names[0]) == len(NUMBER_FIELDS)


@pytest.mark.parametrize("key", ["x", "weights"])
def test_a_wrong_seed_is_refused(key: str) -> None:
    visitor = Visitor(PIZZA).enter(key, "random")
    for seed in (-1, 2**32, 0.5):
        visitor.enter(f"{key}-seed", seed)
        assert len(visitor.errors) == 1
        assert "must be a whole number" in visitor.errors[0].replace("\\", "")
        assert visitor.shows(f"{key}-seed") == seed


WRONG_OPTIONS: dict[str, dict[Any, str]] = {
    "sliding_window left": {
        -1: "sliding_window's left must be a whole number",
        0.5: "sliding_window's left must be a whole number",
    },
    "strided stride": {0: "strided's stride must be a whole number from 1"},
    "documents segments": {
        "1 2": "documents' segments must have one number",
        "a b c d": "The list must hold whole numbers",
    },
}


@pytest.mark.parametrize("key", WRONG_OPTIONS)
def test_a_wrong_option_of_a_mask_is_refused_and_kept(key: str) -> None:
    visitor = Visitor(PIZZA).mask_by(key.split()[0])
    good = visitor.scenario
    for entered, message in WRONG_OPTIONS[key].items():
        visitor.enter(key, entered)
        assert visitor.complains(message), visitor.errors
        assert visitor.shows(key) == entered
        assert visitor.scenario == good


def test_rope_on_an_odd_width_is_refused_where_it_was_chosen() -> None:
    visitor = Visitor(PIZZA).enter("d-k", 3).enter("positions", "rope")
    assert visitor.complains("d_k must be even for RoPE, which turns columns in pairs, got 3")
    assert visitor.shows("positions") == "none"  # choosing RoPE again is then an event
    assert visitor.enter("scale", "2").errors != []
    assert visitor.enter("d-k", 4).errors == []


WRONG_NUMBERS = {
    "rope_columns": {
        "3": "The number of columns that turn must be even for RoPE",
        "6": "The number of columns that turn must be at most d_k = 4, got 6",
        "1/2": "The number of columns that turn must be a whole number from 2",
        "some": "The number of columns that turn must be made of numbers",
    },
    "q_gain": {
        "1 2": "The gains of the queries must be 4, one for each column of a head, or 8, for",
        "1 2 3 much": "The gains of the queries must be made of numbers",
    },
    "rope_frequencies": {
        "1": "The frequencies of the pairs must be 2: one for each pair",
        "1 -1e7": "The frequencies of the pairs must be a number of at most 1e+06 in size",
        "1 fast": "The frequencies of the pairs must be made of numbers",
    },
    "rope_places": {
        "0 0; 0 1; 1 0": "The places must be 4: one for each position, from 0 on, got 3",
        "2 x 3": "The places must be 4: one for each position, from 0 on, got 6",
        "200 x 200": "The cells of a grid must be at most 16,384, got 40,000",
        "0 0; 0 1; 1 0; 1": "Line 1, column 16: The places must have 2 numbers in every row",
        "0 0 0; 0 0 1; 0 1 0; 0 1 1": "The pairs of columns that turn must be a multiple of 3",
        "here; there; 1; 2": "Line 1, column 1: The places must hold numbers only, got 'here'",
        ";": "Line 1, column 1: The places must have a number in every cell",
    },
    "rope_axes": {
        "0": "The axes of the pairs must be 2: one for each pair of columns that turn, got 1",
        "0 2": "The axes of the pairs must be from 0 to 1, as places have 2 numbers, got 2",
        "0 1/2": "The axes of the pairs must be a whole number from 0 to 7, got 0.5",
    },
}


@pytest.mark.parametrize("name", WRONG_NUMBERS)
def test_numbers_that_do_not_fit_are_refused_and_kept(name: str) -> None:
    places = "&rope_places=2x2" if name == "rope_axes" else ""
    visitor = Visitor(f"example=pizza&positions=rope&qk_norm=head{places}")
    for entered, message in WRONG_NUMBERS[name].items():
        visitor.enter(name, entered)
        assert visitor.complains(message), visitor.errors
        assert visitor.shows(name) == entered
        assert getattr(visitor.scenario.scores, name) is None


def test_what_keeps_rope_from_being_chosen_can_be_mended() -> None:
    visitor = Visitor("example=pizza&heads=4&d_k=2&d_v=2&rope_columns=4").enter("positions", "rope")
    assert visitor.complains("The number of columns that turn must be at most d_k = 2, got 4")
    assert visitor.shows("rope_columns") == "4"
    visitor.enter("rope_columns", "")
    assert visitor.enter("positions", "rope").errors == []


@pytest.mark.parametrize("label", ["\ud800", "a\udfff"])
def test_half_a_character_from_a_file_is_refused(label: str) -> None:
    visitor = Visitor(PIZZA)
    odd = replace(visitor.scenario, tokens=(label, "b", "c", "d"))
    visitor.session.attempt("address", "a file", lambda _: odd)
    assert visitor.run().complains("A label must consist of whole characters")


def test_a_refusal_goes_when_another_control_mends_it() -> None:
    visitor = Visitor(PIZZA).enter("n-tokens", -1).enter("tokens", "A B")
    assert visitor.errors == []
    assert visitor.shows("n-tokens") == 2


def test_an_emptied_number_is_no_entry() -> None:
    visitor = Visitor(PIZZA).enter("n-tokens", -1).enter("n-tokens", "")
    assert visitor.scenario == load_example("pizza")
    assert visitor.shows("n-tokens") == 4


def test_undo_forgets_what_was_refused() -> None:
    visitor = Visitor(PIZZA).enter("heads", 4).enter("scale", "abc").press("Undo")
    assert visitor.errors == []
    assert visitor.shows("scale") == "1/sqrt(d_k)"


def test_a_hostile_label_is_shown_as_text() -> None:
    visitor = Visitor(PIZZA, opened=MENUS).enter("tokens", "a b c").mask_by("padding")
    visitor.enter("padding hidden", [0, 1, 2])
    for label in HOSTILE:
        visitor.enter("tokens", f"{label} b c")
        assert visitor.scenario.tokens[0] == label
        assert visitor.shows("tokens").split()[0] == label
        assert visitor.errors == []
        pictures = [node.value for node in visitor.at.get("html")]
        assert not any("<script" in html or "</ul></ul>" in html for html in pictures)
        meta = visitor.plots["heads"]["figure"]["matrices"][0]
        assert meta["row_labels"][0] == label  # plain text, which the component writes as text
        assert f"Queries “{label}”, “b” and “c” may attend to nothing" in visitor.words
        assert fields_on(visitor.at)["padding hidden"]["choices"][0] == [0, short_label(label)]
