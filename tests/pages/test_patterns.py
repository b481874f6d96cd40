"""The field guide on its page: a pattern, a sentence of a person's own, and what breaks it."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from mha_core import attend
from mha_core.guide.field_guide import FIELD_GUIDE, SENTENCE, GuideEntry, entry_of
from mha_core.io.scenario.stack_link import decode_stack
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import unmarked
from ui.blocks.cell_entries import take_entries
from ui.blocks.claims import NOT_TRUE
from ui.plot import Entry

ENTRIES = pytest.mark.parametrize("entry", FIELD_GUIDE.values(), ids=lambda each: each.name)


class Guide(PageVisitor):
    """A visitor of the page."""

    def __init__(self, address: str = "") -> None:
        super().__init__("patterns.py", address, "p")

    def choose(self, key: str, value: str) -> Guide:
        return self.enter(f"p-enter-{key}", value)


def test_no_picture_shows_what_moved() -> None:
    page = Guide("p.example=pizza&p.scale=0.9&p.moved=example")
    assert len(page.plots) == 3
    assert not any("before" in m for plot in page.plots for m in plot["figure"]["matrices"])


@ENTRIES
def test_a_pattern_is_shown_with_all_that_is_known_of_it(entry: GuideEntry) -> None:
    page = Guide().choose("pattern", entry.name)
    assert page.session.stack == entry.on(SENTENCE)
    does = entry.claim_on(SENTENCE).sentence
    for sentence in (does, entry.why, *(each.sentence for each in entry.seen)):
        assert sentence in page.words
    again = Guide("&".join(f"{k}={quote(v)}" for k, v in page.address.items()))
    assert again.session.stack == page.session.stack
    assert NOT_TRUE not in page.words


@ENTRIES
def test_what_breaks_it_opens_as_a_comparison(entry: GuideEntry) -> None:
    page = Guide().choose("pattern", entry.name)
    for breaker in entry.breakers:
        sides = page.links[breaker.sentence]
        for side, holds in (("a", True), ("b", False)):
            own = {k[2:]: v for k, v in sides.items() if k.startswith(f"{side}.")}
            own.pop("layer", "")
            assert entry.holds(attend(decode_stack(own)).layers[-1]) == holds


def test_a_sentence_of_ones_own() -> None:
    page = Guide().choose("pattern", "same-word").choose("sentence", "TO BE OR NOT TO BE")
    assert page.session.stack == FIELD_GUIDE["same-word"].on(["TO", "BE", "OR", "NOT", "TO", "BE"])
    assert "Columns 1 to 4 of X say which word a token is, columns 5 to 10 where" in page.words
    page.choose("pattern", "next")
    assert page.session.stack == FIELD_GUIDE["next"].on(["TO", "BE", "OR", "NOT", "TO", "BE"])


def test_a_sentence_that_cannot_be_is_refused_and_kept() -> None:
    page = Guide().choose("sentence", "")
    assert page.scenario.tokens == SENTENCE
    (refusal,) = page.at.error
    assert unmarked(refusal.value).endswith("PIZZA. The pictures still show the sentence before.")
    page.choose("sentence", "DOG")
    assert not page.at.error
    assert "still show" not in page.words


@pytest.mark.parametrize(
    ("sentence", "columns"),
    [
        ("DOG", "Column 1 of X says which word a token is, column 2 where it stands."),
        ("DOG DOG", "Column 1 of X says which word a token is, columns 2 to 3 where it stands."),
        ("DOG dog", "Columns 1 to 2 of X say which word a token is, columns 3 to 4 where"),
    ],
)
def test_columns_of_x_are_named_as_many_as_there_are(sentence: str, columns: str) -> None:
    page = Guide().choose("sentence", sentence)
    assert columns in page.words


def test_the_field_says_that_capitals_count() -> None:
    (field,) = (each for each in Guide().at.text_input if each.label.startswith("On a sentence"))
    assert "“Dogs” and “dogs” are different words" in field.help


def test_one_word_alone_has_no_others() -> None:
    page = Guide().choose("pattern", "global").choose("sentence", "DOG")
    assert "any other one at the first and itself" in page.words
    assert "each of the others" not in page.words


def test_a_changed_weight_takes_the_tick_away() -> None:
    page = Guide()
    assert NOT_TRUE not in page.words
    take_entries(page.session, [Entry(1, "w_q", 5, 0, "-9")])
    page.run()
    assert entry_of(page.session.stack) is FIELD_GUIDE["previous"]
    assert not FIELD_GUIDE["previous"].holds(page.session.trace)
    assert any("<s>" in node.value for node in page.at.get("html"))


def test_a_layer_of_another_kind_is_shown_without_words_on_a_pattern() -> None:
    page = Guide("p.example=pizza")
    assert "Seen in real models" not in page.words


def test_the_head_opens_in_the_explorer() -> None:
    here = Guide().links["Open this head in the explorer"]
    assert decode_stack(here) == FIELD_GUIDE["previous"].on(SENTENCE)


# ---- of two layers ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["induction", "pointer"])
def test_a_pattern_of_two_layers_shows_its_last_one_and_on_demand_the_first(name: str) -> None:
    page = Guide().choose("pattern", name)
    assert page.session.layer == 1
    assert FIELD_GUIDE[name].claim_on(SENTENCE).sentence in page.words
    assert "The others are free: layer 1 writes there." in page.words
    page.session.look_at(layer=0)
    page.run()
    assert page.session.layer == 0
    assert NOT_TRUE not in page.words
    page.choose("sentence", "TO BE OR NOT TO BE")
    assert page.session.stack == FIELD_GUIDE[name].on(["TO", "BE", "OR", "NOT", "TO", "BE"])
    page.choose("pattern", "previous")
    assert page.session.stack == FIELD_GUIDE["previous"].on(["TO", "BE", "OR", "NOT", "TO", "BE"])


def test_all_layers_stand_below_the_head_and_columns_have_names_in_each() -> None:
    page = Guide().choose("pattern", "induction")
    pictures = [{m["name"]: m for m in picture["figure"]["matrices"]} for picture in page.plots]
    assert [next(iter(matrices)) for matrices in pictures][:2] == ["masked_scores/0", "weights/0"]
    *_, weights, layers = pictures
    names = ["THE", "CAT", "SEES", "OTHER", *(f"place {n}" for n in range(1, 7))]
    names += [f"free {n}" for n in range(1, 5)]
    assert list(weights["x"]["column_labels"]) == list(layers["1.x"]["column_labels"]) == names
    assert list(layers["x"]["column_labels"]) == list(layers["stream"]["column_labels"]) == names


def test_what_breaks_it_is_compared_in_the_last_layer() -> None:
    page = Guide().choose("pattern", "induction")
    for breaker in FIELD_GUIDE["induction"].breakers:
        sides = page.links[breaker.sentence]
        assert (sides["a.layer"], sides["b.layer"]) == ("2", "2")


def test_where_no_word_comes_twice_it_says_so_and_noise_has_no_colour() -> None:
    page = Guide().choose("pattern", "pointer").choose("sentence", "one two")
    assert "No word comes twice: layer 2 finds nothing" in page.words
    (scores,) = (
        m
        for plot in page.plots
        for m in plot["figure"]["matrices"]
        if m["name"] == "masked_scores/0"
    )
    assert 0 < abs(page.session.traces.layers[1].masked_scores[0, 1]).max() < 1e-9
    assert (scores["low"], scores["high"]) == (-1, 1)
