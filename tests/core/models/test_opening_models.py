"""A model is recognised, or the error says what is wrong with its file or its config."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mha_core.checks.errors import (
    FileError,
    HeadsError,
    MhaError,
    NumberError,
    OptionError,
    ShapeError,
)
from mha_core.models import capture, open_model, read_layer
from mha_core.models.families.registry import FAMILIES, is_recognised
from tests.core.models.held import Held, made_model
from tests.core.models.recorded_models import IDS, NAMES, Recorded
from tests.core.refusals import check_refused


def test_every_family_has_a_recorded_model_or_a_test_of_its_own() -> None:
    recorded = {open_model(Recorded(name).file).family for name in NAMES}
    assert set(FAMILIES) - recorded == {
        "Attention layers alone",
        "GlassLM",
        "torch.nn.MultiheadAttention",
    }


def test_on_ones_own_machine_it_may_be_a_file_of_pytorch(tmp_path: Path) -> None:
    held = Recorded("gpt2").file
    path = tmp_path / "model.pt"
    torch.save({name: torch.tensor(numbers) for name, numbers in held.tensors.items()}, path)
    Path(tmp_path, "config.json").write_text(json.dumps(dict(held.config)))
    with pytest.raises(FileError, match="must end in"):
        open_model(path)
    np.testing.assert_array_equal(
        open_model(path, own_machine=True).run(IDS).result, open_model(held).run(IDS).result
    )


def test_a_path_may_begin_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Recorded("gpt2").file
    np.savez(tmp_path / "model.npz", config=json.dumps(dict(held.config)), **held.tensors)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert open_model("~/model.npz").family == open_model(held).family


@pytest.mark.parametrize("source", [None, "", 3, b"model", {}, torch.nn.Linear(2, 2)])
@pytest.mark.parametrize("door", [open_model, read_layer])
def test_what_is_no_file_is_refused(door: Callable[[Any], Any], source: object) -> None:
    with pytest.raises(FileError, match="The source must be the path of a file or a folder"):
        door(source)


@pytest.mark.parametrize("config", ["llama", 3, [("model_type", "llama")]])
def test_a_config_is_fields_by_their_names(config: Any) -> None:
    said = re.escape('Write config={"model_type": "llama", ...}.')
    with pytest.raises(OptionError, match=f"^config must be the fields of .*{said}$"):
        open_model(Recorded("gpt2").file, config)
    with pytest.raises(OptionError, match="config must be the fields of"):
        capture(torch.nn.MultiheadAttention(4, 2).eval(), config=config)


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert", "distilbert", "gpt-neox", "falcon"])
def test_without_its_type_a_model_is_known_by_its_names(name: str) -> None:
    recorded = Recorded(name)
    config = {key: value for key, value in recorded.config.items() if key != "model_type"}
    known = open_model(recorded.file)
    assert open_model(made_model(recorded.shapes, config)).family == known.family


def test_a_family_is_known_though_its_config_is_missing() -> None:
    assert is_recognised(Held(Recorded("llama").file.tensors, {}))
    assert not is_recognised(Held({"odd": np.zeros((2, 2))}, {}))


def test_names_may_have_something_before_them() -> None:
    recorded = Recorded("gpt2")
    file = recorded.file
    longer = Held({f"transformer.{key}": value for key, value in file.tensors.items()}, file.config)
    np.testing.assert_array_equal(
        open_model(longer).run(IDS).result, open_model(file).run(IDS).result
    )


def test_a_config_may_be_given_where_no_file_says_it() -> None:
    recorded = Recorded("gpt2")
    bare = made_model(recorded.shapes, {})
    check_refused(
        lambda: open_model(bare),
        OptionError(
            "config.json",
            "must say hidden_size",
            "nothing",
            "Put the model's config.json beside its file, or give config={...}.",
        ),
    )
    assert open_model(bare, {"n_embd": 12, "n_layer": 2, "n_head": 3}).n_heads == 3


@pytest.mark.parametrize(
    ("config", "tensors", "got"),
    [
        ({"model_type": "mamba"}, {}, "a model of type 'mamba'"),
        ({"model_type": "gpt2"}, {}, "a config that says gpt2, and tensors of other names"),
        ({}, {"odd": np.zeros(3)}, "tensors such as 'odd'"),
        ({}, {}, "tensors such as ''"),
    ],
)
def test_what_is_not_recognised_is_told(
    config: dict[str, Any], tensors: dict[str, Any], got: str
) -> None:
    with pytest.raises(FileError, match="must be of a model that is recognised") as caught:
        open_model(Held(tensors, config))
    assert caught.value.got == got


# A config that lies.

LIES: list[tuple[str, dict[str, Any], type[MhaError], str]] = [
    ("gpt2", {"n_head": 5}, HeadsError, "must divide the width 12, got 5"),
    ("gpt2", {"n_head": 0}, NumberError, "must be a whole number from 1 to 256, got 0"),
    ("gpt2", {"n_head": "3"}, NumberError, "got '3'"),
    ("gpt2", {"n_layer": 3}, FileError, "must have the tensor h.2.attn.c_attn.weight"),
    ("gpt2", {"n_layer": 10**9}, NumberError, "from 1 to 512"),
    ("gpt2", {"n_embd": 9}, ShapeError, "h.0.attn.c_attn.weight must give a matrix of shape"),
    ("gpt2", {"n_inner": 7}, ShapeError, "must give a matrix of shape (12, 7)"),
    ("gpt2", {"activation_function": "mish"}, OptionError, "must be one of gelu"),
    ("gpt2", {"activation_function": 3}, NumberError, "must be text"),
    ("gpt2", {"layer_norm_epsilon": -1}, NumberError, "must be a number of at least 0"),
    ("gpt2", {"scale_attn_by_inverse_layer_idx": 1}, NumberError, "must be true or false"),
    ("llama", {"num_key_value_heads": 3}, HeadsError, "must divide n_heads = 2"),
    ("llama", {"head_dim": 8}, ShapeError, "must give a matrix of shape (12, 16)"),
    ("llama", {"rope_parameters": 3}, NumberError, "must hold fields with names"),
    ("llama", {"layer_types": "all"}, NumberError, "must be a list of texts"),
    ("bert", {"position_embedding_type": "relative_key"}, OptionError, "'relative_key'"),
    ("falcon-new", {"num_kv_heads": 4}, HeadsError, "must divide n_heads = 6"),
    ("gpt-neox", {"num_attention_heads": 16}, NumberError, "columns that turn"),
    ("opt", {"word_embed_proj_dim": 6}, OptionError, "got 6"),
]


@pytest.mark.parametrize(("name", "lie", "kind", "said"), LIES, ids=lambda value: str(value)[:40])
def test_a_config_that_lies_is_refused(
    name: str, lie: dict[str, Any], kind: type[MhaError], said: str
) -> None:
    recorded = Recorded(name)
    with pytest.raises(kind) as caught:
        open_model(made_model(recorded.shapes, {**recorded.config, **lie}))
    assert said in str(caught.value)


def test_a_tensor_of_another_shape_is_named_before_anything_is_read() -> None:
    recorded = Recorded("bert")
    shapes = {**recorded.shapes, "encoder.layer.1.attention.self.key.weight": (12, 12, 1)}
    file = made_model(shapes, recorded.config)
    check_refused(
        lambda: open_model(file),
        ShapeError(
            "encoder.layer.1.attention.self.key.weight",
            "must have 2 axes",
            "shape (12, 12, 1)",
            "Check that config.json, or the mapping by hand, belongs to this file.",
        ),
    )
    assert file.was_read == []


def test_an_embedding_of_another_width_is_named() -> None:
    recorded = Recorded("bert")
    shapes = {**recorded.shapes, "embeddings.position_embeddings.weight": (17, 11)}
    with pytest.raises(ShapeError, match=r"position_embeddings.weight must .* \(17, 12\)"):
        open_model(made_model(shapes, recorded.config))


# Traps into which readers of weights fall.


@pytest.mark.parametrize(
    ("name", "pairs"),
    [("llama", "halves"), ("cohere", "neighbours"), ("gptj", "neighbours"), ("phi", "halves")],
)
def test_pairs_are_those_of_the_family_whatever_the_names(name: str, pairs: str) -> None:
    assert open_model(Recorded(name).file).weights(0).scores.rope_pairs == pairs


def test_the_base_is_the_one_of_the_config() -> None:
    assert open_model(Recorded("llama-head-size").file).weights(0).scores.rope_base == 50
    old = Recorded("llama")
    config = {**old.config, "rope_parameters": None, "rope_theta": 777.0}
    assert open_model(made_model(old.shapes, config)).weights(0).scores.rope_base == 777


def test_a_base_that_is_given_counts_more_than_that_of_the_file() -> None:
    file = Recorded("llama-head-size").file
    assert "rope_theta" in file.config["rope_parameters"]
    given = open_model(file, {"rope_theta": 777.0})
    assert given.weights(0).scores.rope_base == 777
    assert open_model(file, {"hidden_act": "silu"}).weights(0).scores.rope_base == 50


def test_a_heads_width_need_not_be_a_share_of_the_models() -> None:
    weights = open_model(Recorded("llama-head-size").file).weights(0)
    assert (weights.n_heads, weights.d_k, weights.w_q.shape) == (2, 8, (12, 16))


def test_berts_norms_have_its_eps_and_its_gelu_is_that_of_erf() -> None:
    block = open_model(Recorded("bert").file).plan.blocks[0]
    assert block.norms.after_attention is not None
    assert block.norms.after_attention.eps == 1e-12
    assert block.mlp is not None
    assert block.mlp.activation == "gelu"


def test_a_matrix_of_conv1d_is_not_transposed() -> None:
    file = Recorded("gpt2").file
    weights = open_model(file).weights(1)
    np.testing.assert_array_equal(weights.w_k, file.tensors["h.1.attn.c_attn.weight"][:, 12:24])
    np.testing.assert_array_equal(weights.w_o, file.tensors["h.1.attn.c_proj.weight"])


def test_tied_layers_have_the_same_weights_and_are_read_once() -> None:
    file = Recorded("albert").file
    model = open_model(file)
    blocks = model.plan.blocks
    assert blocks[0] == blocks[1] != blocks[2] == blocks[3]
    _ = model.run(IDS).result
    key = "encoder.albert_layer_groups.0.albert_layers.0.attention.key.weight"
    assert file.was_read.count(key) == 1


def test_numbers_of_8_bits_with_a_scale_beside_them_are_refused() -> None:
    """Without it they would be other numbers silently: files of DeepSeek V3 have them."""
    recorded = Recorded("deepseek-v3").file
    name = "layers.1.self_attn.o_proj.weight"
    scaled = {**recorded.tensors, f"{name}_scale_inv": np.ones((1, 1), np.float32)}
    check_refused(
        lambda: open_model(Held(scaled, recorded.config)),
        FileError(
            name,
            "must have numbers that need no scale",
            f"a scale beside them, '{name}_scale_inv'",
            "Take the model's files in BF16: nothing here applies such scales.",
        ),
    )


def test_gemma_2_has_windows_in_every_second_layer_though_older_files_do_not_say_so() -> None:
    recorded = Recorded("gemma2")
    config = {key: value for key, value in recorded.config.items() if key != "layer_types"}
    model = open_model(made_model(recorded.shapes, config))
    assert [model.weights(layer).rules[0].name for layer in (0, 1)] == ["sliding_window", "causal"]
    assert model.plan.blocks == open_model(recorded.file).plan.blocks


def test_gemma_3_turns_faster_in_windows_as_older_files_say_it() -> None:
    recorded = Recorded("gemma3")
    old = {**recorded.config, "rope_theta": 1000.0, "rope_local_base_freq": 10.0}
    old |= {"rope_scaling": {"rope_type": "linear", "factor": 4.0}, "rope_parameters": None}
    assert open_model(made_model(recorded.shapes, old)).plan == open_model(recorded.file).plan
    without = {**old, "layer_types": None, "sliding_window_pattern": 2}
    assert open_model(made_model(recorded.shapes, without)).plan == open_model(recorded.file).plan
    windows = {**without, "sliding_window_pattern": None}
    model = open_model(made_model(recorded.shapes, windows))
    assert {block.attention.rules[0].name for block in model.plan.blocks} == {"sliding_window"}


def test_olmo_3_stretches_no_rotation_in_windows_as_older_files_say_it() -> None:
    recorded = Recorded("olmo3")
    scaling = recorded.config["rope_parameters"]["full_attention"]
    flat = {"rope_parameters": scaling}
    apart = {
        "rope_parameters": None,
        "rope_theta": 50.0,
        "rope_scaling": {**scaling, "rope_theta": None},
    }
    for old in (flat, apart):
        model = open_model(made_model(recorded.shapes, {**recorded.config, **old}))
        assert model.plan == open_model(recorded.file).plan


def test_names_that_several_families_have_are_told_where_no_config_says_which() -> None:
    recorded = Recorded("llama")
    config = {key: value for key, value in recorded.config.items() if key != "model_type"}
    says = "No config says the type of this model. Its tensors have the names of Llama, but some "
    assert says in open_model(made_model(recorded.shapes, config)).says
    assert says not in open_model(recorded.file).says


def test_qwen2_may_have_a_window_that_it_does_not_use() -> None:
    recorded = Recorded("qwen2-window")
    config = {**recorded.config, "layer_types": None}
    names = {
        use: [
            open_model(made_model(recorded.shapes, {**config, "use_sliding_window": use}))
            .weights(layer)
            .rules[0]
            .name
            for layer in (0, 1)
        ]
        for use in (False, True)
    }
    assert names == {False: ["causal", "causal"], True: ["causal", "sliding_window"]}
