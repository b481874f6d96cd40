"""What heads do as shares, on heads that were made for it, and on many texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import HeadMap, Mask, Rule, Scenario, attend, head_map
from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.guide.field_guide import FIELD_GUIDE
from mha_core.layer.in_notebook import as_text
from mha_core.layer.trace import Trace
from mha_core.models import open_model
from mha_core.survey.head_map import IN_LAYERS, ORDERS, heads_on, in_order, small_pictures
from mha_core.survey.many_texts import ManyTexts, found_in, highest_middle_lowest, ranked
from mha_core.survey.measures import (
    ENTROPY,
    EVEN,
    LABELS,
    MEASURES,
    MIXED,
    NAMES,
    TITLES,
    label_of,
    mean_of_known,
    shares,
    without_first,
)
from mha_core.survey.sentences import sentences
from mha_core.trained.numbers import FILE
from tests.core.by_hand import CAUSAL, before, with_latents, with_weights
from tests.core.strategies import scenarios

WORDS = ("a", "b", "c", "a", "b", "d")


@dataclass
class Layers:
    """A text as a model has read it."""

    layers: Sequence[Scenario]
    numbers: tuple[Sequence[int], Sequence[int]] = ((), ())

    @property
    def n_layers(self) -> int:
        return len(self.layers)

    def layer_name(self, layer: int) -> str:
        return f"Layer {layer + 1}"

    def layer(self, layer: int) -> Scenario:
        return self.layers[layer]

    def words(self, layer: int) -> tuple[Sequence[int], Sequence[int]]:
        return self.numbers


def two_layers(words: Sequence[str]) -> Layers:
    traces = attend(FIELD_GUIDE["induction"].on(tuple(words)))
    return Layers([trace.scenario for trace in traces.layers])


def shares_of(trace: Trace) -> FloatArray:
    return shares(trace.weights, trace.mask, trace.scenario.tokens)


def one_hot(keys: Sequence[int]) -> FloatArray:
    weights: FloatArray = np.eye(len(WORDS))[list(keys)]
    return weights


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("previous", [0, 0, 1, 2, 3, 4]),
        ("next", [1, 2, 3, 4, 5, 5]),
        ("itself", range(6)),
        ("first", [0] * 6),
        ("last", [5] * 6),
        ("same-word", [3, 4, 2, 0, 1, 5]),
        ("induction", [0, 1, 2, 1, 2, 5]),
    ],
)
def test_a_head_that_does_one_thing_has_all_its_share_there(name: str, keys: list[int]) -> None:
    found = shares_of(with_weights(one_hot(keys), tokens=WORDS))[0]
    scores = mean_of_known(found, axis=-1)
    assert scores[NAMES.index(name)] == pytest.approx(1)
    assert scores[NAMES.index(ENTROPY)] == pytest.approx(0)
    assert label_of(scores) == name


def test_only_queries_that_could_do_otherwise_count() -> None:
    found = shares_of(with_weights(np.tril(np.ones((6, 6))), tokens=WORDS, mask=CAUSAL))[0]
    previous, induction = (found[NAMES.index(name)] for name in ("previous", "induction"))
    np.testing.assert_allclose(previous, [np.nan, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6], rtol=1e-6)
    assert np.isnan(induction).tolist() == [True, True, True, False, False, True]
    assert np.isnan(found[NAMES.index("next")]).all()
    np.testing.assert_allclose(found[-1], [np.nan, 1, 1, 1, 1, 1], rtol=1e-6)


def test_a_single_query_tells_nothing() -> None:
    found = shares_of(with_weights(np.tril(np.ones((6, 6))), tokens=WORDS, mask=CAUSAL))[0]
    assert np.isnan(found[NAMES.index("last")]).all()  # only the last token sees itself there


def test_a_head_that_does_nothing_much_is_even_or_mixed() -> None:
    n_measures = len(MEASURES)
    assert label_of(np.array([np.nan] * n_measures + [0.95])) == EVEN
    assert label_of(np.array([0.49] * n_measures + [0.5])) == MIXED
    assert label_of(np.full(n_measures + 1, np.nan)) == MIXED
    assert {*LABELS, ENTROPY} == {*TITLES}


@given(scenarios())
def test_shares_lie_between_0_and_1(s: Scenario) -> None:
    if s.context is None:
        found = shares_of(attend(s))
        assert found.shape == (s.n_heads, len(NAMES), s.n_q)
        known = found[~np.isnan(found)]
        assert ((known >= 0) & (known <= 1 + 1e-5)).all()


def test_the_heads_of_all_layers_come_in_turn() -> None:
    first, second = heads_on(two_layers(WORDS))
    assert label_of(first.scores[0]) == "previous"
    assert label_of(second.scores[0]) == "induction"
    assert first.small.shape == (1, 6, 6)


def test_a_map_has_all_heads_and_says_how_many() -> None:
    found = head_map(two_layers(WORDS), "Two")
    assert (found.title, found.tokens, found.n_heads) == ("Two", WORDS, 2)
    assert repr(found) == "A map of 2 heads in 2 layers on 6 tokens"
    assert label_of(found.layers[1].scores[0]) == "induction"


@pytest.mark.parametrize("text", [open_model(FILE), None, "a text"])
def test_a_map_is_of_a_model_that_has_read_a_text(text: Any) -> None:
    with pytest.raises(OptionError, match=r"a model that has read a text, got .* Write head"):
        head_map(text)


def test_a_notebook_shows_a_map_as_text_until_a_painter_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = head_map(two_layers(WORDS))
    monkeypatch.setattr(HeadMap, "painter", staticmethod(as_text))
    assert found._repr_html_() == f"<pre>{found!r}</pre>"
    monkeypatch.setattr(HeadMap, "painter", staticmethod(lambda of: f"{of.n_heads} heads"))
    assert found._repr_html_() == "2 heads"


def test_heads_come_in_the_order_of_the_model_or_of_what_they_do_most() -> None:
    layers = list(heads_on(two_layers(WORDS)))
    assert in_order(layers, IN_LAYERS) == [(0, 0), (1, 0)]
    assert in_order(layers, "induction") == [(1, 0), (0, 0)]
    assert in_order(layers, "previous") == [(0, 0), (1, 0)]
    assert all(sorted(in_order(layers, order)) == [(0, 0), (1, 0)] for order in ORDERS)


def test_a_small_picture_keeps_a_thin_diagonal() -> None:
    small = small_pictures(np.eye(512)[None])
    assert small.shape == (1, 32, 32)
    assert (small[0].diagonal() == 1).all()


def test_many_texts_are_taken_one_by_one_and_their_means_are_those_of_what_was_read() -> None:
    many = ManyTexts(["a b a", "a b c a b", "c d c d e"])
    for text in many.texts[:2]:
        many.take(*found_in(two_layers(text.split())))
    assert (many.count, many.tokens[0]) == (2, [("a", "b", "a")] * 2)
    assert many.scores().shape == (2, 2, 1, len(NAMES))
    means = many.means()
    assert means[0, 0, NAMES.index("previous")] == pytest.approx(1)
    assert means[1, 0, NAMES.index("induction")] == pytest.approx(1, abs=1e-3)


def test_an_exception_is_a_word_at_which_the_head_does_it_seldom() -> None:
    many = ManyTexts(["x . a b c"] * 6)
    found = np.full((1, 1, len(NAMES), 5), np.nan, np.float32)
    found[0, 0, NAMES.index("previous")] = [np.nan, 0.9, 0.1, 0.95, 0.9]
    for text in many.texts:
        many.take([tuple(text.split())], found)
    assert [tuple(each)[:2] for each in many.exceptions(0, 0, "previous")] == [
        ("a", False),
        (".", True),
    ]
    assert many.exceptions(0, 0, "previous")[0].places == 6
    assert many.exceptions(0, 0, "induction") == []


def test_a_rare_word_is_no_exception() -> None:
    many = ManyTexts(["x . a b"])
    found = np.full((1, 1, len(NAMES), 4), np.nan, np.float32)
    found[0, 0, NAMES.index("previous")] = [0.9, 0.9, 0.1, 0.95]
    many.take([("x", ".", "a", "b")], found)
    assert many.exceptions(0, 0, "previous") == []


def test_texts_are_ranked_and_none_is_chosen_twice() -> None:
    assert ranked(np.array([0.1, 0.5, np.nan, 0.3])) == [1, 3, 0]
    assert [*highest_middle_lowest([7, 8])] == [("highest", 7), ("highest", 8)]
    chosen = [*highest_middle_lowest(range(20))]
    assert chosen == [
        *[("highest", 0), ("highest", 1)],
        *[("middle", 9), ("middle", 10)],
        *[("lowest", 18), ("lowest", 19)],
    ]


def test_there_are_two_hundred_sentences_and_none_twice() -> None:
    assert len({*sentences()}) == len(sentences()) == 200
    assert all(text.endswith((".", "?")) for text in sentences())


def test_a_head_rests_on_its_learned_sink_and_on_the_first_token() -> None:
    """A sink of 0 takes as much as all keys together, whose weights are halved."""
    before = [0, 0, 1, 2, 3, 4]
    layer = with_weights(one_hot(before), tokens=WORDS, sinks=np.zeros(1)).scenario
    (heads,) = heads_on(Layers([layer]))
    known = dict(zip(NAMES, heads.scores[0], strict=True))
    assert known["sink"] == pytest.approx((1 + 1 + 4 / 2) / 6)
    assert known["first"] == pytest.approx(2 / 2 / 6)
    assert known["previous"] == pytest.approx(1 / 2)
    assert label_of(heads.scores[0]) == "sink"
    (without,) = heads_on(Layers([layer]), has_first=False)
    assert np.isnan(without.scores[0, NAMES.index("sink")])
    assert without.scores[0, NAMES.index("previous")] == pytest.approx(1)
    _, found = found_in(Layers([layer]))
    np.testing.assert_allclose(found[0, 0, NAMES.index("sink")], [1, 1, *[1 / 2] * 4], atol=1e-6)


def test_without_a_learned_sink_a_head_rests_on_the_first_token_alone() -> None:
    found = shares_of(with_weights(np.tril(np.ones((6, 6))), tokens=WORDS, mask=CAUSAL))[0]
    first, sink = (found[NAMES.index(name)] for name in ("first", "sink"))
    np.testing.assert_array_equal(first, sink)
    rests = mean_of_known(shares_of(with_weights(one_hot([0] * 6), tokens=WORDS)), axis=-1)[0]
    assert label_of(rests) == "first"


def test_a_sink_rests_where_a_window_hides_the_first_token() -> None:
    window = Mask((Rule("sliding_window", left=1),))
    layer = with_weights(np.ones((6, 6)), tokens=WORDS, mask=window, sinks=np.zeros(1)).scenario
    found = found_in(Layers([layer]))[1][0, 0, NAMES.index("sink")]
    np.testing.assert_allclose(found, [np.nan, 2 / 3, *[1 / 3] * 4], atol=1e-6)


def test_each_measure_says_what_it_is() -> None:
    assert all(each.meaning.startswith("It looks at") for each in MEASURES.values())


def test_a_head_that_rests_on_the_first_token_shows_what_else_it_does() -> None:
    rests = 0.9 * one_hot([0] * 6) + 0.1 * one_hot([0, 0, 1, 2, 3, 4])
    trace = with_weights(rests, tokens=WORDS)
    weights, allowed = without_first(trace.weights, trace.mask)
    scores = mean_of_known(shares(weights, allowed, WORDS), axis=-1)[0]
    assert label_of(mean_of_known(shares_of(trace), axis=-1)[0]) == "first"
    assert label_of(scores) == "previous"
    assert scores[NAMES.index("previous")] == pytest.approx(1)
    left = with_weights(rests, tokens=WORDS)
    (heads,) = heads_on(Layers([left.scenario]), has_first=False)
    np.testing.assert_allclose(heads.scores[0], scores)


def test_whole_words_are_seen_by_their_tokens_together() -> None:
    tokens = ("play", "##ing", "cats", "play")
    words = [0, 0, 1, 2]
    weights = np.tril(np.ones((4, 4))) / np.arange(1, 5)[:, None]
    layer = with_weights(weights, tokens=tokens, mask=CAUSAL).scenario
    (heads,) = heads_on(Layers([layer], (words, words)), has_words=True)
    assert heads.small.shape == (1, 3, 3)
    np.testing.assert_allclose(heads.small[0, 1], [2 / 3, 1 / 3, 0], atol=1e-6)
    assert heads.scores[0, NAMES.index("previous")] == pytest.approx((2 / 3 + 1 / 4) / 2)


def across() -> Scenario:
    """A head of a decoder that copies: each word looks at what follows it in the other text."""
    looks = [[-99, 9, -99, -99], [-99, -99, 9, -99], [-99, -99, -99, 9]]
    return Scenario(
        **{"x": np.eye(3), "tokens": ("a", "b", "c"), "w_q": np.array(looks, float)},
        **{"context": np.eye(4), "context_tokens": ("A", "b", "c", "##d")},
        **{"w_k": np.eye(4), "w_v": np.eye(4), "w_o": np.eye(4, 3), "n_heads": 1},
    )


def test_a_head_that_looks_at_another_text_is_told_by_its_words() -> None:
    tokens, found = found_in(Layers([across(), two_layers(WORDS).layer(0)]))
    assert tokens == [("a", "b", "c"), WORDS]
    assert found.shape == (2, 1, len(NAMES), 6)
    assert np.isnan(found[0, ..., 3:]).all()  # it has three tokens
    scores = mean_of_known(found[0, 0], axis=-1)
    known = dict(zip(NAMES, scores, strict=True))
    assert known["induction"] == pytest.approx(1, abs=1e-3)
    assert known["same-word"] == pytest.approx(0, abs=1e-3)
    assert [name for name in NAMES if np.isnan(known[name])] == ["previous", "next", "itself"]


def test_whole_words_of_two_texts() -> None:
    (heads,) = heads_on(Layers([across()], ([0, 1, 2], [0, 1, 2, 2])), has_words=True)
    assert heads.small.shape == (1, 3, 3)
    np.testing.assert_allclose(heads.small[0, 2], [0, 0, 1], atol=1e-3)


def test_the_heads_of_a_layer_with_latents_are_told_as_those_of_one_text() -> None:
    s = replace(with_weights(before(6), np.eye(6)).scenario, tokens=WORDS)
    alone, latents = (heads_on(Layers([layer])) for layer in (s, with_latents(s)))
    np.testing.assert_array_equal(next(alone).scores, next(latents).scores)
