"""The sidebar: what is rare is folded, and what is folded is never silent."""

from __future__ import annotations

import pytest

from mha_core.examples import EXAMPLES_BY_QUESTION
from tests.form_fields import Item, fields_on, forms_on
from tests.pages.visitor import Visitor
from ui.controls.sidebar.mask import RARE

PIZZA = "example=pizza"
RARE_FIELDS = {
    "input": ("context", "own-values"),
    "heads": ("any-heads", "kv-heads", "d-k", "d-v"),
    "weights": ("share",),
    "mask": tuple(f"rule {name}" for name in RARE),
    "scores": ("softmax", "softcap"),
}
IN_USE = {
    "second sequence": (
        "example=translation",
        "Keys and values come from a second sequence: I DRINK BLACK COFFEE.",
    ),
    "keys alone of a second sequence": (
        "example=translation&context_v.cells=0_0_1",
        "Keys come from a second sequence: I DRINK BLACK COFFEE. "
        "Values come from rows of their own, C_V.",
    ),
    "seed of X": (f"{PIZZA}&x=random&x_seed=7", "Seed 7."),
    "seed of the weights": (f"{PIZZA}&weights=random&weights_seed=7", "Seed 7."),
    "key/value heads": ("example=grouped-query", "2 key/value heads"),
    "another width": (f"{PIZZA}&d_v=3", "widths d_k = 4 and d_v = 3"),
    "W_Q = W_K": ("example=two-tokens", "W_Q = W_K"),
    "soft cap": (f"{PIZZA}&softcap=30", "Soft cap 30."),
    "softmax": (f"{PIZZA}&softmax=naive", "The softmax is naive."),
    "first position": (
        f"{PIZZA}&positions=sinusoidal&query_start=3",
        "The first token is at position 3.",
    ),
}


def test_the_empty_field_of_the_first_position_says_what_follows() -> None:
    """Three queries after a cache, of four keys in all."""
    visitor = Visitor("example=translation&positions=rope&query_start=follow&mask=causal")
    first = fields_on(visitor.at)["query_start"]
    assert (first["shown"], first["placeholder"]) == ("", "1")


def sections_of(address: str) -> list[Item]:
    """The sections of all forms: that of the sidebar, and the sentence above the pictures."""
    return [section for form in forms_on(Visitor(address).at) for section in form["sections"]]


def often_said(address: str) -> str:
    """All sentences of the sidebar that are in sight while "More" is closed."""
    sections = sections_of(address)
    often = [item for section in sections for item in section["often"]]
    notes = [section["notes"] for section in sections]
    return " ".join([*notes, *(item["text"] for item in often if item["kind"] == "said")])


def test_examples_are_grouped_by_the_question_that_they_answer() -> None:
    visitor = Visitor(opened=["examples"])
    headings = [node.value for node in visitor.at.get("html") if 'class="question"' in node.value]
    assert headings == [f'<h3 class="question">{each}</h3>' for each in EXAMPLES_BY_QUESTION]
    in_order = [each.name for group in EXAMPLES_BY_QUESTION.values() for each in group]
    assert list(visitor.examples_offered) == in_order


@pytest.mark.parametrize("section", RARE_FIELDS)
def test_what_is_rare_stands_behind_more(section: str) -> None:
    (sent,) = (each for each in sections_of(PIZZA) if each["name"] == section)
    keys = [item["key"] for item in sent["rare"] if "key" in item]
    assert [key for key in keys if key in RARE_FIELDS[section]] == [*RARE_FIELDS[section]]
    assert not {item.get("key") for item in sent["often"]} & {*RARE_FIELDS[section]}


@pytest.mark.parametrize(("address", "is_open"), [(PIZZA, False), (f"{PIZZA}&v_scale=2", True)])
def test_what_a_few_trained_models_have_is_folded_until_it_is_in_use(
    address: str, is_open: bool
) -> None:
    (scores,) = (each for each in sections_of(address) if each["name"] == "scores")
    folded = [item["key"] for item in scores["few"]]
    assert {"growth", "v_scale", "concat_norm"} <= {*folded}
    assert not {*folded} & {item.get("key") for item in (*scores["often"], *scores["rare"])}
    assert scores["isFewOpen"] == is_open


@pytest.mark.parametrize("option", IN_USE)
def test_a_rare_option_that_is_in_use_is_named_while_more_is_closed(option: str) -> None:
    address, words = IN_USE[option]
    assert words in often_said(address)
    assert words not in often_said(PIZZA)


@pytest.mark.parametrize("name", RARE)
def test_a_rare_rule_that_is_on_is_among_the_pills(name: str) -> None:
    visitor = Visitor(PIZZA).mask_by("causal", name)
    assert visitor.shows("rules") == ["causal", name]
    visitor.enter("rules", ["causal"])
    assert [rule.name for rule in visitor.scenario.mask.rules] == ["causal"]


def test_a_width_that_follows_the_tokens_is_said_and_only_then() -> None:
    visitor = Visitor(PIZZA).enter("tokens", "a b c d e f g h i")
    said = "d_model went from 8 to 10, as these tokens need 9 columns or more."
    assert said in visitor.words
    assert "d_k and d_v went from 4 to 5." in visitor.words
    visitor.enter("scale", "none")
    assert "went from" not in visitor.words
    visitor.enter("d-model", 12)
    assert "d_model went from" not in visitor.words  # it was entered there
    assert "d_k and d_v went from 5 to 6." in visitor.words


def test_opening_another_example_says_of_no_size_that_it_followed() -> None:
    assert "went from" not in Visitor(PIZZA, opened=["examples"]).open_example("translation").words


def test_opening_the_same_example_anew_says_of_no_size_that_it_followed() -> None:
    visitor = Visitor(PIZZA).enter("heads", 4)
    assert "d_k and d_v went from 4 to 2." in visitor.words
    assert "went from" not in visitor.press("Reset").words


def test_shared_keys_are_not_called_changed_by_hand() -> None:
    visitor = Visitor(f"{PIZZA}&weights=random").enter("share", True)
    assert "changed by hand" not in visitor.words
    edited = Visitor(f"{PIZZA}&weights=random&w_q.cells=0_0_7")
    assert "changed by hand" in edited.words
