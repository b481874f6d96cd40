"""A score of a trained model as the sum of a table: words, places, heads and MLPs, biases."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.checks.errors import NumberError, OptionError
from mha_core.layer.score_table import FEW, Part, ScoreTable, with_fewer_parts
from mha_core.models import Model, open_model
from mha_core.models.score_parts import input_parts, score_parts
from tests.core.models.own_model import own_model
from tests.core.models.recorded_models import IDS, NAMES, Recorded

TOLERANCE = 1e-5  # of the largest term: the models' own numbers are float32


@cache
def opened(name: str) -> Model:
    return open_model(Recorded(name).file)


WITH_TEXT = [name for name in NAMES if opened(name).plan.embedding is not None]


@pytest.mark.parametrize("name", WITH_TEXT)
def test_x_of_each_layer_is_the_sum_of_its_parts(name: str) -> None:
    model = opened(name)
    run, rows = model.run(IDS), (5, 2)
    for layer in range(model.n_of_encoder):
        parts, _ = input_parts(model, IDS, layer, rows)
        there = run.inputs[layer][list(rows)]
        most = max(float(np.abs(each).max()) for each in parts.values())
        np.testing.assert_allclose(sum(parts.values()), there, atol=TOLERANCE * most)


@given(name=st.sampled_from(WITH_TEXT), data=st.data())
def test_a_table_adds_up_to_its_score(name: str, data: st.DataObject) -> None:
    """Norms before and behind, of Q and K, rotation, shared heads, biases, factors."""
    model = opened(name)
    layer = data.draw(st.integers(0, model.n_of_encoder - 1))
    trace = attend(model.scenario(layer, model.text_of(IDS)))
    s = trace.scenario
    head, query, key = (data.draw(st.integers(0, n - 1)) for n in (s.n_heads, s.n_q, s.n_k))
    table, _ = score_parts(model, IDS, layer, trace, head, (query, key))
    score = trace.scaled_scores[head, query, key] / s.scores.temperature
    for each in (table, with_fewer_parts(table)):
        assert abs(each.terms.sum() - score) < TOLERANCE * max(1, np.abs(each.terms).max())


@pytest.mark.parametrize("name", WITH_TEXT)
def test_parts_know_the_rows_that_they_make(name: str) -> None:
    model, at = opened(name), (5, 2)
    x = model.run(IDS).inputs[1]
    parts = input_parts(model, IDS, 1, at)
    assert parts.make(x[list(at)])
    assert not parts.make(x[[5, 3]])
    assert not parts.make(1.01 * x[list(at)])


def test_what_a_model_adds_up_is_told_apart() -> None:
    """BERT: words, places, types and a norm at first; a norm with a bias after each addition."""
    parts, held = input_parts(opened("bert"), IDS, 1, [3])
    heads = [Part("head", 0, head) for head in range(opened("bert").n_heads)]
    at_first = [Part("word"), Part("place"), Part("every")]
    assert [*parts] == [*at_first, *heads, Part("bias", 0), Part("mlp", 0)]
    assert [norm.is_rms for norm in held] == [False] * 3


def test_the_norm_before_attention_is_the_last_that_is_held() -> None:
    model = opened("llama")
    run = model.run(IDS)
    parts, held = input_parts(model, IDS, 1, [4])
    assert {part.kind for part in parts} == {"word", "head", "mlp"}
    assert [norm.is_rms for norm in held] == [True]
    block = model.block(1).norms["attention_in"]
    assert block is not None
    mean = float(np.square(run.streams[1][4]).mean())
    assert held[-1].scales[0] == pytest.approx(1 / np.sqrt(mean + block.eps))


def test_a_model_of_attention_alone_has_no_norm_to_hold() -> None:
    model = open_model(own_model())
    ids = (0, 1, 0)
    parts, held = input_parts(model, ids, 1, [2])
    assert [*parts] == [Part("word"), Part("place"), Part("head", 0, 0), Part("head", 0, 1)]
    assert held == ()
    np.testing.assert_allclose(sum(parts.values()), model.run(ids).inputs[1][[2]], atol=TOLERANCE)


def test_the_word_of_the_first_layer_meets_no_norm_but_its_own() -> None:
    parts, held = input_parts(opened("llama"), IDS, 0, [0, 6])
    assert [*parts] == [Part("word")]
    assert len(held) == 1


def test_a_head_alone_has_the_table_that_it_has_among_the_others() -> None:
    model = opened("qwen3")  # heads share keys; queries and keys are normed
    text, run = model.text_of(IDS), model.run(IDS)
    whole = attend(model.scenario(1, text))
    alone = attend(model.weights(1).only([1]).scenario(run.inputs[1], text.tokens))
    tables = [
        score_parts(model, IDS, 1, trace, head, (5, 3)).table
        for trace, head in ((whole, 1), (alone, 0))
    ]
    np.testing.assert_allclose(tables[0].terms, tables[1].terms, atol=TOLERANCE)


def test_of_many_parts_the_largest_are_told_and_the_others_as_one() -> None:
    heads = [Part("head", layer, head) for layer in range(3) for head in range(7)]
    mlps, biases = ([Part(kind, layer) for layer in range(3)] for kind in ("mlp", "bias"))
    parts = (Part("word"), *heads, *mlps, *biases, Part("bias"))
    large = [heads[4], *heads[15:], mlps[1]]
    assert len(large) == FEW
    queries = np.array([[40.0 if part in large else 0.5] for part in parts])
    queries[-1] = 50
    table = ScoreTable(parts, (Part("word"),), queries, np.ones((1, 1)), 0.5)
    fewer = with_fewer_parts(table)
    first, last = fewer.of_query[: 1 + FEW], fewer.of_query[1 + FEW :]
    assert first == (Part("bias"), *large)  # the largest first
    assert last == (Part("word"), Part("heads"), Part("mlps"), Part("biases"))
    assert fewer.terms.sum() == table.terms.sum()
    assert fewer.terms[fewer.of_query.index(Part("heads")), 0] == 0.25 * (len(heads) - 7)
    assert with_fewer_parts(fewer).of_query == fewer.of_query


def test_what_cannot_be_split_is_refused_in_words() -> None:
    with pytest.raises(OptionError, match="must come from its pixels or sounds"):
        input_parts(opened("vit"), IDS, 1, [0])
    with pytest.raises(NumberError, match="The layer must be a whole number from 0 to 1"):
        input_parts(opened("llama"), IDS, 2, [0])
    with pytest.raises(NumberError, match="The rows must name tokens from 0 to 6, got 7"):
        input_parts(opened("llama"), IDS, 1, [7])
