"""Decoders that read an encoder: two texts, and heads that look from the one at the other."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import OptionError
from mha_core.models import Model, open_model, scenario_from_layer
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, IDS_OF_DECODER, Recorded

OWN, CROSS = 2, 3  # the first layer of the decoder, behind two of the encoder


@pytest.fixture
def model() -> Model:
    return open_model(Recorded("bart").file)


def test_a_layer_of_a_decoder_is_two(model: Model) -> None:
    assert model.has_decoder
    assert (model.n_of_encoder, model.n_layers) == (2, 6)
    assert [model.layer_name(layer) for layer in (1, OWN, CROSS, 5)] == [
        "Encoder, layer 2",
        "Decoder, layer 1",
        "Decoder, layer 1, cross",
        "Decoder, layer 2, cross",
    ]
    assert "Its decoder has 2 layers, each of two: heads among its own words" in model.says


def test_heads_of_the_cross_attention_look_at_what_the_encoder_made(model: Model) -> None:
    text = model.read_text("3 1 4 1 5", "7 1 8")
    run = model.run_on(text)
    scenario = model.scenario(CROSS, text, run)
    assert scenario.tokens == ("2", "7", "1", "8")
    assert scenario.context_tokens == ("3", "1", "4", "1", "5")
    assert attend(scenario).weights.shape == (3, 4, 5)
    np.testing.assert_array_equal(scenario.x, run.inputs[CROSS])
    np.testing.assert_array_equal(scenario.context, run.context(CROSS))


def test_a_text_and_its_layers_are_at_hand_together(model: Model) -> None:
    on = model.on("3 1 4 1 5", "7 1 8")
    assert on.layer(CROSS).context_tokens == ("3", "1", "4", "1", "5")
    assert on.words(CROSS) == ((0, 1, 2, 3), (0, 1, 2, 3, 4))
    assert on.layer_name(CROSS) == "Decoder, layer 1, cross"


def test_the_decoder_sees_its_own_words_and_no_later_one(model: Model) -> None:
    scenario = model.scenario(OWN, model.read_text("3 1 4 1 5", "7 1 8"))
    assert scenario.context is None
    assert not np.triu(attend(scenario).weights, 1).any()


def test_the_encoder_knows_nothing_of_the_decoders_text(model: Model) -> None:
    one, other = (model.read_text("3 1 4", own) for own in ("7 1", "8 8 8"))
    for layer in range(model.n_of_encoder):
        assert model.scenario(layer, one) == model.scenario(layer, other)
    assert model.run_on(one).context(OWN) is None


def test_a_decoder_reads_the_same_text_where_nothing_else_is_said(model: Model) -> None:
    """The token that ends the text, here 2, was not written yet."""
    of_decoder = model.read_text("3 1 4 2").of_decoder
    assert of_decoder is not None
    assert (of_decoder.ids, of_decoder.words) == ((2, 3, 1, 4), (0, 1, 2, 3))
    assert model.read_text("3 1 4", "5 5 5 5").longest == 5
    assert of_decoder.longest == 4


def test_a_layer_knows_the_words_of_its_queries_and_of_its_keys(model: Model) -> None:
    text = model.text_of([3, 1, 4, 1, 5])
    assert model.words(1, text) == ((0, 1, 2, 3, 4), (0, 1, 2, 3, 4))
    assert model.words(OWN, text) == ((0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5))
    assert model.words(CROSS, text) == ((0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4))


def test_without_a_text_it_reads_the_token_that_it_begins_with(model: Model) -> None:
    np.testing.assert_array_equal(model.run(IDS).result, model.run(IDS, [2]).result)
    assert model.run(IDS).result.shape == (1, model.width)


def test_some_heads_of_the_cross_attention_are_read(tmp_path: Path) -> None:
    recorded = Recorded("t5-whole")
    config = np.array(json.dumps(recorded.config))
    np.savez(tmp_path / "model.npz", config=config, **recorded.file.tensors)
    ids, own = (" ".join(map(str, each)) for each in (IDS, IDS_OF_DECODER[1:]))
    some = scenario_from_layer(tmp_path, CROSS, ids, heads=[2, 0], of_decoder=f"{own} 1")
    assert some.tokens == ("0", *own.split())
    whole = attend(scenario_from_layer(tmp_path, CROSS, ids, of_decoder=f"{own} 1")).weights
    np.testing.assert_allclose(attend(some).weights, whole[[2, 0]], atol=1e-6)


def test_a_file_with_the_encoder_alone_is_a_model_too() -> None:
    recorded = Recorded("t5-whole")
    tensors = {name: each for name, each in recorded.file.tensors.items() if "decoder" not in name}
    model = open_model(Held(tensors, recorded.config))
    assert not model.has_decoder
    assert model.read_text("3 1").of_decoder is None
    assert model.layer_name(1) == "Layer 2"
    whole = open_model(recorded.file).run(IDS, IDS_OF_DECODER)
    np.testing.assert_array_equal(model.run(IDS).result, whole.context(CROSS))


def test_cross_attention_takes_no_hidden_states_of_the_decoder_alone(model: Model) -> None:
    with pytest.raises(OptionError, match="one whose keys come from the encoder"):
        model.scenario_on(CROSS, np.zeros((3, model.width)))
