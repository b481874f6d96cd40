"""Latents: small rows, each behind a norm, that queries, keys and values are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.checks.errors import HeadsError, OptionError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.models import Model, open_model
from mha_core.models.memory import block_bytes
from mha_core.scenario.origin import LATENT_OF_KEYS, LATENTS
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, Recorded

RANK, TURNING, STILL, D_V, HEADS = 6, 4, 8, 5, 2
WITH_LATENTS = ["deepseek-v2", "deepseek-v2-lite", "deepseek-v3", "glm4-moe-lite", "minicpm3"]


def opened(name: str, **config: Any) -> Model:
    file = Recorded(name).file
    return open_model(Held(file.tensors, {**file.config, **config}))


def layer_of(model: Model, layer: int = 1) -> Scenario:
    return model.scenario(layer, model.text_of(IDS))


def normed(row: FloatArray, gain: FloatArray) -> list[float]:
    """By the norm's own formula, a number at a time."""
    root = (sum(float(number) ** 2 for number in row) / len(row) + 1e-6) ** 0.5
    return [float(number) / root * float(times) for number, times in zip(row, gain, strict=True)]


def test_x_is_the_latent_of_the_queries_and_c_has_that_of_keys_and_values() -> None:
    model = opened("deepseek-v2")
    layer, read = layer_of(model), model.run(IDS).inputs[1]
    place, tensors = "layers.1.self_attn", Recorded("deepseek-v2").file.tensors
    a_q, a_kv = (tensors[f"{place}.{name}.weight"] for name in ("q_a_proj", "kv_a_proj_with_mqa"))
    gains = [tensors[f"{place}.{name}_a_layernorm.weight"] for name in ("q", "kv")]
    assert layer.context is not None
    for row, (x, c) in enumerate(zip(layer.x, layer.context, strict=True)):
        of_queries, of_keys = a_q @ read[row], a_kv @ read[row]
        np.testing.assert_allclose(x, normed(of_queries, gains[0]), atol=1e-6)
        np.testing.assert_allclose(c[:RANK], normed(of_keys[:RANK], gains[1]), atol=1e-6)
        np.testing.assert_allclose(c[RANK:], of_keys[RANK:], atol=1e-6)  # it passes no norm
    assert layer.context_tokens == layer.tokens
    assert layer.origin.x == LATENTS


def test_without_a_latent_of_the_queries_x_is_what_the_layer_reads() -> None:
    model = opened("deepseek-v2-lite")
    layer = layer_of(model)
    np.testing.assert_array_equal(layer.x, model.run(IDS).inputs[1])
    assert layer.origin.x == LATENT_OF_KEYS
    assert model.widths(1) == (12, RANK + TURNING)
    assert opened("deepseek-v3").widths(1) == (7, RANK + TURNING)


def test_what_turns_stands_first_in_each_head_and_all_heads_share_it() -> None:
    model = opened("deepseek-v2-lite")
    layer, tensors = layer_of(model), Recorded("deepseek-v2-lite").file.tensors
    own_q = tensors["layers.1.self_attn.q_proj.weight"].T.reshape(-1, HEADS, STILL + TURNING)
    q = layer.w_q.reshape(-1, HEADS, STILL + TURNING)
    np.testing.assert_array_equal(q[..., :TURNING], own_q[..., STILL:])
    np.testing.assert_array_equal(q[..., TURNING:], own_q[..., :STILL])
    both = tensors["layers.1.self_attn.kv_b_proj.weight"].T.reshape(RANK, HEADS, STILL + D_V)
    k = layer.w_k.reshape(RANK + TURNING, HEADS, STILL + TURNING)
    for head in range(HEADS):
        np.testing.assert_array_equal(k[:RANK, head, TURNING:], both[:, head, :STILL])
        np.testing.assert_array_equal(k[RANK:, head, :TURNING], np.eye(TURNING))
        assert not k[:RANK, head, :TURNING].any()
        assert not k[RANK:, head, TURNING:].any()
    v = layer.w_v.reshape(RANK + TURNING, HEADS, D_V)
    np.testing.assert_array_equal(v[:RANK], both[..., STILL:])
    assert not v[RANK:].any()
    assert layer.scores.rope_columns == TURNING


@pytest.mark.parametrize("name", WITH_LATENTS)
def test_heads_alone_are_those_of_the_whole_layer(name: str) -> None:
    model = opened(name)
    whole = layer_of(model)
    part = model.weights(1).only([1]).of(whole)
    assert part.origin == whole.origin
    weights = attend(whole).weights[[1]]
    np.testing.assert_allclose(attend(part).weights, weights, atol=1e-6)
    read = model.run(IDS).inputs[1]
    again = model.weights(1).only([1]).scenario(read)  # of what the layer reads
    np.testing.assert_allclose(attend(again).weights, weights, atol=1e-6)


def test_hidden_states_are_made_small_too() -> None:
    model = opened("deepseek-v3")
    stream = model.run(IDS).streams[1]
    layer = model.scenario_on(1, stream)
    assert layer.tokens == layer.context_tokens == ("t1", "t2", "t3", "t4", "t5", "t6", "t7")
    assert layer == replace(layer_of(model), tokens=layer.tokens, context_tokens=layer.tokens)


def test_other_layers_are_as_wide_as_their_model() -> None:
    assert opened("llama").widths(0) == (12, None)
    bart = opened("bart")
    assert [bart.widths(layer) for layer in (2, 3)] == [(12, None), (12, 12)]


# What the config says.


def test_yarn_makes_all_scores_larger_by_one_factor_and_what_turns_by_another() -> None:
    usual = 1 / (STILL + TURNING) ** 0.5

    def grown(by: float) -> float:
        return 0.1 * by * float(np.log(4)) + 1

    same = opened("deepseek-v3").weights(1)  # mscale and mscale_all_dim are equal
    assert same.scores.scale == pytest.approx(usual * grown(1) ** 2)
    assert same.w_k.max() == 1
    parted = opened("deepseek-v2").weights(1)  # 0.7 and 0.3
    assert parted.scores.scale == pytest.approx(usual * grown(0.3) ** 2)
    growth = parted.w_k.reshape(RANK + TURNING, HEADS, -1)[RANK, 0, 0]
    assert growth == pytest.approx(grown(0.7) / grown(0.3))
    own = Recorded("deepseek-v2").file.tensors["layers.1.self_attn.q_b_proj.weight"].T
    np.testing.assert_allclose(parted.w_q[:, 0], growth * own[:, STILL], atol=1e-6)


def test_without_yarn_the_scale_is_the_usual_one() -> None:
    for name in ("deepseek-v2-lite", "minicpm3", "glm4-moe-lite"):
        assert opened(name).weights(0).scores.scale == "1/sqrt(d_k)"


@pytest.mark.parametrize(
    ("name", "more", "pairs"),
    [
        ("deepseek-v2", {}, "neighbours"),
        ("deepseek-v3", {}, "neighbours"),
        ("deepseek-v3", {"rope_interleave": False}, "halves"),
        ("minicpm3", {}, "halves"),
    ],
)
def test_which_columns_turn_together(name: str, more: dict[str, Any], pairs: str) -> None:
    assert opened(name, **more).weights(0).scores.rope_pairs == pairs


def test_the_norms_of_the_latents_have_an_eps_of_their_own() -> None:
    model = opened("glm4-moe-lite")
    block = model.block(1)
    latents = block.attention.latents
    assert latents is not None
    assert latents.queries is not None
    assert latents.keys.norm is not None
    assert latents.queries.norm is not None
    assert latents.keys.norm.eps == latents.queries.norm.eps == 1e-6
    assert block.norms["attention_in"].eps == 1e-5  # type: ignore[union-attr] # it has one


@pytest.mark.parametrize(
    ("name", "more", "refusal"),
    [
        ("deepseek-v2", {"topk_method": "noaux_tc"}, "topk_method of config.json must be one of"),
        ("deepseek-v2", {"scoring_func": "sigmoid"}, "scoring_func of config.json must be one of"),
        ("deepseek-v2", {"norm_topk_prob": True}, "norm_topk_prob of config.json must be one of"),
        ("deepseek-v3", {"topk_method": "greedy"}, "topk_method of config.json must be one of"),
        ("deepseek-v3", {"scoring_func": "softmax"}, "scoring_func of config.json must be one of"),
    ],
)
def test_routers_of_other_kinds_are_refused(name: str, more: Any, refusal: str) -> None:
    with pytest.raises(OptionError, match=refusal):
        opened(name, **more)


def test_kimi_k2_is_a_deepseek_v3_of_one_group() -> None:
    recorded = Recorded("glm4-moe-lite")
    says = {"topk_method": "noaux_tc", "scoring_func": "sigmoid", "rope_interleave": None}
    kimi = opened("glm4-moe-lite", model_type="kimi_k2", **says)
    assert kimi.family == "DeepSeek V3"
    np.testing.assert_allclose(kimi.run(IDS).result, recorded.expected["result0"], atol=1e-5)


def test_heads_that_would_share_keys_are_refused() -> None:
    with pytest.raises(HeadsError, match="must be 2, as many as there are heads, got 1"):
        opened("deepseek-v3", num_key_value_heads=1)


@pytest.mark.parametrize(
    "name", ["q_a_proj", "q_a_layernorm", "kv_a_proj_with_mqa", "kv_a_layernorm", "kv_b_proj"]
)
def test_a_tensor_of_another_shape_is_refused(name: str) -> None:
    file = Recorded("deepseek-v3").file
    tensor = f"layers.1.self_attn.{name}.weight"
    file.shapes[tensor] = (3, *file.shapes[tensor][1:])
    with pytest.raises(ShapeError, match=tensor):
        open_model(file)


@pytest.mark.parametrize("name", ["deepseek-v3", "deepseek-v2-lite", "minicpm3"])
def test_the_memory_of_a_block_is_that_of_its_numbers(name: str) -> None:
    model = opened(name)
    attention = model.weights(0)
    latents = attention.latents
    assert latents is not None
    matrices = [attention.w_q, attention.w_k, attention.w_v, attention.w_o]
    matrices += [latents.keys.linear.weight]
    matrices += [each.weight for each in (latents.keys.beside,) if each]
    matrices += [each.linear.weight for each in (latents.queries,) if each]
    width = model.width
    norms = 8 * width
    alone = replace(model.plan.blocks[0], mlp=None)
    assert block_bytes(alone, width) == 4 * (sum(each.size for each in matrices) + norms)
