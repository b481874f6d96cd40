"""gpt-oss: sinks of its heads, experts behind them, and experts that are packed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.models import LayerNames, open_model, read_layer
from mha_core.models.stored import Stored
from tests.core.models.held import Held
from tests.core.models.packed_experts import both_ways
from tests.core.models.recorded_models import IDS, Recorded


def gpt_oss() -> Held:
    return Recorded("gpt-oss").file


def test_each_head_has_its_sink_and_every_second_layer_a_window() -> None:
    file = gpt_oss()
    model = open_model(file)
    for layer in range(model.n_layers):
        sinks = file.tensors[f"layers.{layer}.self_attn.sinks"]
        np.testing.assert_array_equal(model.weights(layer).sinks, sinks)
    rules = [model.weights(layer).rules[0] for layer in range(2)]
    assert [rule.name for rule in rules] == ["sliding_window", "causal"]


def test_without_the_sinks_its_weights_would_be_others() -> None:
    recorded = Recorded("gpt-oss")
    model = open_model(recorded.file)
    layer = model.weights(1).scenario(model.run(IDS).inputs[1])
    apart = attend(replace(layer, sinks=None)).weights - recorded.expected["weights1"]
    assert np.abs(apart).max() > 0.1


def test_heads_alone_keep_their_sinks() -> None:
    model = open_model(gpt_oss())
    x, weights = model.run(IDS).inputs[0], model.weights(0)
    whole, part = attend(weights.scenario(x)), attend(weights.only([3, 1]).scenario(x))
    np.testing.assert_allclose(part.weights, whole.weights[[3, 1]], atol=1e-6)
    np.testing.assert_allclose(part.sink_weights, whole.sink_weights[[3, 1]], atol=1e-6)


def test_sinks_are_mapped_by_hand_too() -> None:
    file = gpt_oss()
    place = "layers.{layer}.self_attn"
    q, k, v, o = (Stored(f"{place}.{each}_proj.weight", True) for each in "qkvo")
    names = LayerNames(q, k, v, o, sinks=Stored(f"{place}.sinks"))
    assert LayerNames.from_json(names.to_json()) == names
    read = read_layer(file, 1, names=names, n_heads=4, n_kv_heads=2)
    np.testing.assert_array_equal(read.sinks, file.tensors["layers.1.self_attn.sinks"])


def test_a_token_goes_to_the_experts_that_its_router_rates_highest() -> None:
    file = gpt_oss()
    experts = open_model(file).block(0).mlp
    x = np.eye(12, dtype=np.float32)[:3]
    place = "layers.0.mlp"
    rated = x @ file.tensors[f"{place}.router.weight"].T + file.tensors[f"{place}.router.bias"]
    for row in range(3):
        best = np.argsort(rated[row])[:-3:-1]
        shares = np.exp(rated[row, best]) / np.exp(rated[row, best]).sum()
        made = sum(
            share * one_expert(file, place, expert, x[row])
            for share, expert in zip(shares, best, strict=True)
        )
        np.testing.assert_allclose(experts(x)[row], made, atol=1e-5)


def one_expert(file: Held, place: str, expert: int, x: np.ndarray) -> np.ndarray:
    def linear(name: str, row: np.ndarray) -> np.ndarray:
        weights = file.tensors[f"{place}.experts.{name}"][expert]
        return row @ weights + file.tensors[f"{place}.experts.{name}_bias"][expert]

    both = linear("gate_up_proj", x)
    gate, up = np.minimum(both[::2], 7), np.clip(both[1::2], -7, 7)
    return linear("down_proj", gate / (1 + np.exp(-1.702 * gate)) * (up + 1))


def test_experts_without_biases_are_read() -> None:
    kept = {
        name: array
        for name, array in gpt_oss().tensors.items()
        if not name.endswith(("_proj_bias", "router.bias"))
    }
    assert np.isfinite(open_model(Held(kept, gpt_oss().config)).run(IDS).result).all()


def test_experts_of_another_shape_are_refused() -> None:
    file = gpt_oss()
    file.shapes["layers.1.mlp.experts.down_proj"] = (5, 20, 11)
    with pytest.raises(ShapeError, match=r"layers\.1\.mlp\.experts\.down_proj must give"):
        open_model(file)


def test_packed_experts_are_the_same_model() -> None:
    packed, plain = (open_model(file) for file in both_ways())
    np.testing.assert_array_equal(packed.run(IDS).result, plain.run(IDS).result)
    assert packed.says == plain.says


class Counted(Held):
    """It keeps which experts were read."""

    def read_rows(self, name: str, rows: Sequence[int]) -> FloatArray:
        self.was_read.extend(f"{name} {row}" for row in rows)
        return super().read_rows(name, rows)


@pytest.mark.parametrize("is_packed", [True, False])
def test_only_experts_that_are_chosen_are_read(is_packed: bool) -> None:
    file = both_ways()[not is_packed]
    model = open_model(counted := Counted(file.tensors, file.config))
    run = model.run([3])
    assert run.stream.shape == (1, 32)
    place = "layers.0.mlp.experts.down_proj"
    of_experts = [each for each in counted.was_read if each.startswith(place)]
    chosen = model.plan.blocks[0].mlp.router.chosen
    assert place not in counted.was_read
    assert len({each.split()[-1] for each in of_experts}) == chosen
