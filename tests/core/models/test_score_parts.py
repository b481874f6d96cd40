"""A score of a trained model as the sum of a table: words, places, heads and MLPs, biases."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.checks.errors import NumberError
from mha_core.checks.shapes import FloatArray
from mha_core.layer.score_table import FEW, Part, ScoreTable, with_fewer_parts
from mha_core.models import Model, open_model
from mha_core.models.run import ModelRun
from mha_core.models.score_parts import (
    InputParts,
    encoded_parts,
    input_parts,
    score_inputs,
    score_parts,
)
from tests.core.models.own_model import own_model
from tests.core.models.recorded_models import IDS, IDS_OF_DECODER, NAMES, Recorded

TOLERANCE = 1e-5  # of the largest term: the models' own numbers are float32


@cache
def opened(name: str) -> Model:
    return open_model(Recorded(name).file)


def run_of(name: str) -> ModelRun:
    """Of a model that reads images or sounds, on rows that somebody else has embedded."""
    model, start = opened(name), Recorded(name).expected.get("start0")
    own = IDS_OF_DECODER if model.has_decoder else ()
    return model.run(IDS, own) if start is None else model.run_from(start, own)


WITH_DECODER = [name for name in NAMES if opened(name).has_decoder]


def check_sum(parts: InputParts, rows: FloatArray) -> None:
    most = max(float(np.abs(each).max()) for each in parts.parts.values())
    np.testing.assert_allclose(sum(parts.parts.values()), rows, atol=TOLERANCE * most)


@pytest.mark.parametrize("name", NAMES)
def test_x_of_each_layer_is_the_sum_of_its_parts(name: str) -> None:
    model, run, rows = opened(name), run_of(name), (3, 2)
    for layer in range(model.n_layers):
        check_sum(input_parts(model, run, layer, rows), run.inputs[layer][list(rows)])


@pytest.mark.parametrize("name", WITH_DECODER)
def test_what_the_encoder_made_is_the_sum_of_its_parts(name: str) -> None:
    model, run = opened(name), run_of(name)
    encoded = run.context(model.n_layers - 1)
    assert encoded is not None
    check_sum(encoded_parts(model, run, (3, 2)), encoded[[3, 2]])


@given(name=st.sampled_from(NAMES), data=st.data())
def test_a_table_adds_up_to_its_score(name: str, data: st.DataObject) -> None:
    """Norms before and behind, of Q and K, rotation, shared heads, biases, factors, decoders."""
    model, run = opened(name), run_of(name)
    layer = data.draw(st.integers(0, model.n_layers - 1))
    trace = attend(run.scenario(layer))
    s = trace.scenario
    head, query, key = (data.draw(st.integers(0, n - 1)) for n in (s.n_heads, s.n_q, s.n_k))
    table = score_parts(model, run, layer, trace, head, (query, key)).table
    score = trace.scaled_scores[head, query, key] / s.scores.temperature
    for each in (table, with_fewer_parts(table)):
        assert abs(each.terms.sum() - score) < TOLERANCE * max(1, np.abs(each.terms).max())


@pytest.mark.parametrize("name", NAMES)
def test_parts_know_the_rows_that_they_make(name: str) -> None:
    model, run, at = opened(name), run_of(name), (3, 2)
    for layer in range(1, model.n_layers):
        inputs, s = score_inputs(model, run, layer, at), run.scenario(layer)
        assert inputs.make(s, at)
        assert not inputs.make(s, (3, 1))
        assert not inputs.make(s, (1, 2))
        assert not inputs.make(replace(s, x=1.01 * s.x), at)
        if s.context is not None:
            assert not inputs.make(replace(s, context=1.01 * s.context), at)


def test_a_head_that_looks_across_joins_what_the_decoder_and_the_encoder_have_added() -> None:
    model = opened("bart")
    heads = [[Part("head", layer, head) for head in range(model.n_heads)] for layer in range(6)]
    at_first = [Part("word"), Part("place")]
    inputs = score_inputs(model, run_of("bart"), 5, (3, 2))
    biases = [Part("bias", layer) for layer in range(6)]
    assert set(inputs.of_query.parts) == {
        *at_first,
        *(Part("every"), *heads[2], *heads[3], *heads[4], *biases[2:5], Part("mlp", 3)),
    }
    assert set(inputs.of_key.parts) == {
        *at_first,
        *(Part("every"), *heads[0], *heads[1], *biases[:2], Part("mlp", 0), Part("mlp", 1)),
    }
    assert len(inputs.of_query.held) == 1 + 2 + 2  # of the words; of each attention; of the MLP
    assert len(inputs.of_key.held) == 1 + 2 * 2
    assert {len(norm.scales) for each in inputs for norm in each.held} == {1}


def test_rows_that_somebody_else_has_embedded_are_one_part() -> None:
    model = opened("whisper")
    run = run_of("whisper")
    assert [*input_parts(model, run, 0, [1]).parts] == [Part("x"), Part("bias", 0)]
    own, across = score_inputs(model, run, model.n_of_encoder + 1, (1, 1))
    assert Part("x") not in own.parts
    assert {Part("word"), Part("place")} < set(own.parts)
    assert Part("x") in across.parts


def test_a_head_that_is_left_out_has_no_part() -> None:
    model, off = opened("llama"), (0, 1)
    run = model.run(IDS, heads_off=[off])
    parts = input_parts(model, run, 1, [4])
    assert not parts.parts[Part("head", *off)].any()
    check_sum(parts, run.inputs[1][[4]])


def test_what_a_model_adds_up_is_told_apart() -> None:
    """BERT: words, places, types and a norm at first; a norm with a bias after each addition."""
    parts, held = input_parts(opened("bert"), run_of("bert"), 1, [3])
    heads = [Part("head", 0, head) for head in range(opened("bert").n_heads)]
    at_first = [Part("word"), Part("place"), Part("every")]
    assert [*parts] == [*at_first, *heads, Part("bias", 0), Part("mlp", 0)]
    assert [norm.is_rms for norm in held] == [False] * 3


def test_the_norm_before_attention_is_the_last_that_is_held() -> None:
    model = opened("llama")
    run = model.run(IDS)
    parts, held = input_parts(model, run, 1, [4])
    assert {part.kind for part in parts} == {"word", "head", "mlp"}
    assert [norm.is_rms for norm in held] == [True]
    block = model.block(1).norms["attention_in"]
    assert block is not None
    mean = float(np.square(run.streams[1][4]).mean())
    assert held[-1].scales[0] == pytest.approx(1 / np.sqrt(mean + block.eps))


def test_a_model_of_attention_alone_has_no_norm_to_hold() -> None:
    model = open_model(own_model())
    ids = (0, 1, 0)
    run = model.run(ids)
    parts, held = input_parts(model, run, 1, [2])
    assert [*parts] == [Part("word"), Part("place"), Part("head", 0, 0), Part("head", 0, 1)]
    assert held == ()
    np.testing.assert_allclose(sum(parts.values()), run.inputs[1][[2]], atol=TOLERANCE)


def test_the_word_of_the_first_layer_meets_no_norm_but_its_own() -> None:
    parts, held = input_parts(opened("llama"), run_of("llama"), 0, [0, 6])
    assert [*parts] == [Part("word")]
    assert len(held) == 1


def test_a_head_alone_has_the_table_that_it_has_among_the_others() -> None:
    model = opened("qwen3")  # heads share keys; queries and keys are normed
    text, run = model.text_of(IDS), model.run(IDS)
    whole = attend(model.scenario(1, text))
    alone = attend(model.weights(1).only([1]).scenario(run.inputs[1], text.tokens))
    tables = [
        score_parts(model, run, 1, trace, head, (5, 3)).table
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
    model, run = opened("llama"), run_of("llama")
    with pytest.raises(NumberError, match="The layer must be a whole number from 0 to 1"):
        input_parts(model, run, 2, [0])
    with pytest.raises(NumberError, match="The rows must name tokens from 0 to 6, got 7"):
        input_parts(model, run, 1, [7])
