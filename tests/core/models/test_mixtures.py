"""Mixtures of experts: how a router rates and chooses, and what is read of the file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_core.checks.errors import NumberError, OptionError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.models import open_model
from mha_core.models.experts import ExpertsWeights, RouterWeights
from mha_core.models.mlp_and_norm import LinearWeights
from mha_core.models.plan import Linear, Router
from mha_core.models.stored import Stored
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, Recorded

NONE = Linear(Stored("router"))
MIXTURES = ["deepseek-v2", "deepseek-v3", "mixtral", "qwen2-moe", "qwen3-moe", "olmoe", "afmoe"]


def routed(logits: list[float], correction: Any = None, **how: Any) -> dict[int, float]:
    """The experts of one token, each with its share. Its row has a number for each expert."""
    count = len(logits)
    router = RouterWeights(
        Router(NONE, count, **how),
        LinearWeights(np.eye(count, dtype=np.float32), None),
        None if correction is None else np.array(correction, np.float32),
    )
    chosen, shares = router(np.array([logits], np.float32))
    assert shares.dtype == np.float32
    return dict(zip(chosen[0].tolist(), shares[0].tolist(), strict=True))


LN = np.log(np.array([1.0, 4.0, 2.0, 3.0])).tolist()  # a softmax gives tenths


def test_a_rating_is_a_share_or_a_part_of_those_of_the_chosen() -> None:
    assert routed(LN, chosen=2, is_parted=False) == pytest.approx({1: 0.4, 3: 0.3})
    assert routed(LN, chosen=2) == pytest.approx({1: 4 / 7, 3: 3 / 7})
    assert routed(LN, chosen=2, is_parted=False, factor=5.0) == pytest.approx({1: 2.0, 3: 1.5})


def test_experts_may_be_rated_one_by_one() -> None:
    made = routed([0.0, np.log(3)], chosen=2, rating="sigmoid", is_parted=False)
    assert made == pytest.approx({1: 0.75, 0: 0.5})


def test_a_correction_chooses_and_is_no_part_of_the_share() -> None:
    how: Any = {"chosen": 1, "rating": "sigmoid", "is_parted": False}
    assert routed([0.0, np.log(3)], [0.3, 0.0], **how) == pytest.approx({0: 0.5})
    assert routed([0.0, np.log(3)], [0.2, 0.0], **how) == pytest.approx({1: 0.75})


def test_a_group_is_as_good_as_its_best_expert_or_as_two_of_them() -> None:
    """Of three groups of two: 4 and 0; 3 and 3; 2 and 0."""
    logits = [4.0, 0.0, 3.0, 3.0, 2.0, 0.0]
    how: Any = {"chosen": 2, "groups": 3, "groups_chosen": 1}
    assert {*routed(logits, told_by=1, **how)} == {0, 1}
    assert {*routed(np.log(np.array(logits) + 1).tolist(), told_by=2, **how)} == {2, 3}
    assert {*routed(logits, chosen=2)} == {0, 2}


def test_ratings_that_are_all_0_give_shares_of_0() -> None:
    assert routed([-1e9, -1e9], chosen=2, rating="sigmoid") == {0: 0.0, 1: 0.0}


@pytest.mark.parametrize("name", MIXTURES)
def test_only_experts_that_are_chosen_are_read(name: str) -> None:
    file = Recorded(name).file
    model = open_model(file)
    assert model.run([3]).stream.shape == (1, 12)
    was_read = {each for each in file.was_read if ".experts." in each}
    layers = [n for n, block in enumerate(model.plan.blocks) if hasattr(block.mlp, "router")]
    for layer in layers:
        of_layer = {each.split(".experts.")[1] for each in was_read if f"layers.{layer}." in each}
        assert len({each.split(".")[0] for each in of_layer}) == 2
        assert len(of_layer) == 2 * 3


def one_expert(tensors: Any, place: str, x: FloatArray) -> FloatArray:
    gate, up, down = (tensors[f"{place}.{name}_proj.weight"] for name in ("gate", "up", "down"))
    opened = gate @ x
    made: FloatArray = down @ (opened / (1 + np.exp(-opened)) * (up @ x))
    return made


def test_every_token_passes_the_expert_that_all_share_and_its_gate_says_how_much() -> None:
    file = Recorded("qwen2-moe").file
    mlp, place = open_model(file).block(0).mlp, "layers.0.mlp"
    assert isinstance(mlp, ExpertsWeights)
    x = np.eye(12, dtype=np.float32)[:3]
    chosen, shares = mlp.router(x)
    for row in range(3):
        gate = file.tensors[f"{place}.shared_expert_gate.weight"][0] @ x[row]
        made = one_expert(file.tensors, f"{place}.shared_expert", x[row]) / (1 + np.exp(-gate))
        for expert, share in zip(chosen[row], shares[row], strict=True):
            made += share * one_expert(file.tensors, f"{place}.experts.{expert}", x[row])
        np.testing.assert_allclose(mlp(x)[row], made, atol=1e-5)


def test_a_model_may_have_no_expert_for_all_tokens() -> None:
    recorded = Recorded("deepseek-v3")
    file = Held(
        {name: each for name, each in recorded.file.tensors.items() if "shared" not in name},
        {**recorded.config, "n_shared_experts": None},
    )
    mlp = open_model(file).block(1).mlp
    assert isinstance(mlp, ExpertsWeights)
    x = np.eye(12, dtype=np.float32)[:1]
    chosen, shares = mlp.router(x)
    experts = (f"layers.1.mlp.experts.{expert}" for expert in chosen[0])
    made = [one_expert(file.tensors, place, x[0]) for place in experts]
    np.testing.assert_allclose(mlp(x)[0], shares[0] @ np.array(made), atol=1e-5)


@pytest.mark.parametrize("expert", [0, 4])
def test_an_expert_of_another_shape_is_refused(expert: int) -> None:
    file = Recorded("mixtral").file
    name = f"layers.1.block_sparse_moe.experts.{expert}.w2.weight"
    file.shapes[name] = (12, 19)
    with pytest.raises(ShapeError, match=name):
        open_model(file)


def test_a_correction_and_a_gate_of_other_shapes_are_refused() -> None:
    for model, name, shape in [
        ("deepseek-v3", "layers.1.mlp.gate.e_score_correction_bias", (5,)),
        ("deepseek-v3", "layers.1.mlp.shared_experts.up_proj.weight", (16, 11)),
        ("qwen2-moe", "layers.0.mlp.shared_expert_gate.weight", (2, 12)),
    ]:
        file = Recorded(model).file
        file.shapes[name] = shape
        with pytest.raises(ShapeError, match=name):
            open_model(file)


def test_experts_of_all_in_one_tensor_are_the_same_model() -> None:
    recorded = Recorded("olmoe")
    tensors = {}
    for name, array in recorded.file.tensors.items():
        head, mark, tail = name.partition(".experts.")
        _, _, what = tail.partition(".")
        key = f"{head}{mark}{what}" if mark else name
        tensors[key] = [*tensors.get(key, []), array] if mark else array
    one = {name: np.array(each) for name, each in tensors.items()}
    model = open_model(Held(one, recorded.config))
    np.testing.assert_array_equal(model.run(IDS).result, open_model(recorded.file).run(IDS).result)


@pytest.mark.parametrize(
    "groups", [{"n_group": 4, "topk_group": 2}, {"n_group": 6, "topk_group": 1}]
)
def test_groups_that_do_not_fit_are_refused(groups: dict[str, int]) -> None:
    file = Recorded("deepseek-v3").file
    with pytest.raises(NumberError, match="must part the experts into equal groups"):
        open_model(Held(file.tensors, {**file.config, **groups}))


def test_a_clip_of_olmoe_is_refused() -> None:
    file = Recorded("olmoe").file
    with pytest.raises(OptionError, match=r"clip_qkv of config\.json"):
        open_model(Held(file.tensors, {**file.config, "clip_qkv": 8.0}))


def test_afmoe_has_a_gate_in_each_layer_and_turns_only_where_it_has_a_window() -> None:
    model = open_model(Recorded("afmoe").file)
    first, second = (model.weights(layer) for layer in range(2))
    assert first.w_g is not None
    assert first.w_g.shape == first.w_o.shape[::-1]
    assert (first.scores.positions, second.scores.positions) == ("rope", "none")
    gated = first.only([1]).scenario(np.ones((2, len(first.w_q)), np.float32))
    assert gated.d_g == gated.d_v
