"""Models of every architecture in GGUF, and each thing that its converter does or does not do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from mha_core import Rule, attend
from mha_core.checks.errors import FileError, OptionError
from mha_core.io.tensors.opening import open_tensors
from mha_core.models import Model, open_model
from mha_core.models.gguf_kinds import KINDS
from mha_core.models.renamed import as_hub_names
from tests.core.models.as_gguf import CASES, converted, sizes, written
from tests.core.models.held import Held
from tests.core.models.packed_experts import drawn, plain_numbers
from tests.core.models.recorded_models import IDS, IDS_OF_DECODER, Recorded

CLOSE = 1e-5


def test_every_architecture_is_tried() -> None:
    assert [*CASES] == [*KINDS]


@pytest.mark.parametrize("kind", CASES)
def test_it_is_the_same_model_as_its_safetensors(kind: str, tmp_path: Path) -> None:
    name, unsaid = CASES[kind]
    recorded = Recorded(name)
    model = open_model(written(tmp_path / "model.gguf", kind, recorded), unsaid)
    hub = open_model(recorded.file)
    run = model.run(IDS, IDS_OF_DECODER if hub.has_decoder else ())
    assert (model.family, model.n_layers) == (hub.family, hub.n_layers)
    for layer in range(model.n_layers):
        weights = attend(run.scenario(layer)).weights
        np.testing.assert_allclose(weights, recorded.expected[f"weights{layer}"], atol=CLOSE)
        for matrix in ("w_q", "w_k", "w_v", "w_o"):
            ours, theirs = (getattr(each.weights(layer), matrix) for each in (model, hub))
            np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_allclose(run.result, recorded.expected["result0"], atol=CLOSE, rtol=CLOSE)


def test_the_largest_falcon_has_two_norms_side_by_side(tmp_path: Path) -> None:
    recorded = Recorded("falcon-new")
    model = open_model(written(tmp_path / "model.gguf", "falcon", recorded))
    np.testing.assert_allclose(model.run(IDS).result, recorded.expected["result0"], atol=CLOSE)


@pytest.mark.parametrize(("layers", "is_said"), [(46, True), (26, False)])
def test_the_largest_gemma_2_scales_by_the_width_of_all_heads(layers: int, is_said: bool) -> None:
    sizes = {"block_count": layers, "embedding_length": 4608, "attention.head_count": 32}
    said = {f"gemma2.{field}": value for field, value in sizes.items()}
    config = as_hub_names(Held({}, {"general.architecture": "gemma2", **said})).config
    assert config.get("query_pre_attn_scalar") == (144 if is_said else None)


# What the converter does, and what it does not, one by one.


def opened(path: Path, kind: str, name: str, **what: Any) -> Model:
    return open_model(written(path / "model.gguf", kind, Recorded(name), **what), CASES[kind][1])


def moves(kind: str, name: str, tensor: str) -> bool:
    """Whether GGUF has other numbers in a tensor than the hub."""
    recorded = Recorded(name)
    array = recorded.file.tensors[tensor]
    ((_, made),) = converted(kind, tensor, array, sizes(recorded.config))
    return not np.array_equal(made, array)


@pytest.mark.parametrize("kind", CASES)
def test_only_llama_and_olmo_move_the_rows_of_q(kind: str) -> None:
    """And a family turns neighbours only where its own code does: those are not moved."""
    name, _ = CASES[kind]
    w_q = open_model(Recorded(name).file).plan.blocks[0].attention.names.w_q
    if not w_q.name.endswith("c_attn.weight") and "query_key_value" not in w_q.name:
        assert moves(kind, name, w_q.name) == (kind in ("llama", "olmo"))
        assert KINDS[kind].says.get("stored_in_neighbours", False) == (kind in ("llama", "olmo"))


@pytest.mark.parametrize("kind", ["gemma", "gemma2", "gemma3"])
def test_the_1_of_gemmas_gains_is_in_the_file(kind: str, tmp_path: Path) -> None:
    name, _ = CASES[kind]
    model, hub = opened(tmp_path, kind, name), open_model(Recorded(name).file)
    stored = model.file.read("norm.weight")
    np.testing.assert_array_equal(stored, hub.file.read("norm.weight") + np.float32(1))
    for norm in (model.last_norm, hub.last_norm):
        assert norm is not None
        np.testing.assert_array_equal(norm.gain, stored)


@pytest.mark.parametrize("kind", ["olmo2", "qwen3", "llama", "gpt-oss"])
def test_other_gains_are_as_they_are(kind: str, tmp_path: Path) -> None:
    name, _ = CASES[kind]
    model = opened(tmp_path, kind, name)
    np.testing.assert_array_equal(
        model.file.read("norm.weight"), Recorded(name).file.tensors["norm.weight"]
    )


def test_a_clip_of_olmo_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"clip_qkv of config\.json must be one of what is known"):
        opened(tmp_path, "olmo", "olmo", says={"attention.clamp_kqv": 8.0})


def test_phi_4_says_by_a_window_of_0_that_it_has_none(tmp_path: Path) -> None:
    model = opened(tmp_path, "phi3", "phi3", says={"attention.sliding_window": 0})
    assert model.weights(0).rules == (Rule("causal"),)


@pytest.mark.parametrize("kind", ["command-r", "stablelm"])
def test_gains_of_each_head_stand_in_one_tensor(kind: str, tmp_path: Path) -> None:
    """The largest of these two norm queries and keys, and only the tensors say so."""
    gains = {
        f"blk.{layer}.attn_{of}_norm.weight": np.full((heads, 6), 1 + layer, np.float32)
        for layer in range(2)
        for of, heads in (("q", 2), ("k", 1))
    }
    scores = opened(tmp_path, kind, CASES[kind][0], more=gains).weights(1).scores
    assert (scores.qk_norm, scores.qk_norm_kind) == ("head", "layer")
    assert (scores.q_gain, scores.k_gain) == ((2.0,) * 12, (2.0,) * 6)


def test_tensors_that_an_architecture_is_not_known_to_have_are_refused(tmp_path: Path) -> None:
    gains = {"blk.1.attn_q_norm.weight": np.ones(12, np.float32)}
    with pytest.raises(FileError, match=r"is known to have, got 'blk\.1\.attn_q_norm\.weight'"):
        opened(tmp_path, "llama", CASES["llama"][0], more=gains)


def test_gate_and_up_of_gpt_oss_in_one_tensor_are_refused(tmp_path: Path) -> None:
    """Which rows are the gate's, no converter says: a guess would give other numbers silently."""
    both = {"blk.0.ffn_gate_up_exps.weight": np.ones((4, 12, 12), np.float32)}
    known = {tensor.name for tensor in gguf.MODEL_TENSORS[gguf.MODEL_ARCH.GPT_OSS]}
    assert {"FFN_GATE_UP_EXP", "FFN_GATE_EXP"} & known == {"FFN_GATE_EXP"}
    with pytest.raises(
        FileError, match=r"is known to have, got 'blk\.0\.ffn_gate_up_exps\.weight'"
    ):
        opened(tmp_path, "gpt-oss", "gpt-oss", more=both)


def test_what_old_files_have_and_nobody_reads_does_no_harm(tmp_path: Path) -> None:
    old = {"blk.0.attn_rot_embd.weight": np.ones(3, np.float32)}
    assert opened(tmp_path, "llama", "llama-head-size", more=old).family == "Llama"


def test_yarn_is_read_as_the_hub_says_it(tmp_path: Path) -> None:
    recorded = Recorded("llama-yarn")
    model = opened(tmp_path, "llama", "llama-yarn")
    run = model.run(IDS)
    for layer in range(model.n_layers):
        weights = attend(run.scenario(layer)).weights
        np.testing.assert_allclose(weights, recorded.expected[f"weights{layer}"], atol=CLOSE)
    said = {"rope.scaling.yarn_attn_factor": 1.5}
    grown = opened(tmp_path, "llama", "llama-yarn", says=said).weights(0).scores
    assert grown.scale == pytest.approx(1.5**2 / 6**0.5)
    cancelled = {"rope.scaling.yarn_log_multiplier": 1.0}
    scores = opened(tmp_path, "llama", "llama-yarn", says=cancelled).weights(0).scores
    assert scores.scale == "1/sqrt(d_k)"


def test_olmo_3_stretches_only_where_all_keys_are_seen(tmp_path: Path) -> None:
    recorded = Recorded("olmo3")
    windows = {"attention.sliding_window_pattern": [True, False]}
    run = opened(tmp_path, "olmo2", "olmo3", says=windows).run(IDS)
    for layer in range(2):
        weights = attend(run.scenario(layer)).weights
        np.testing.assert_allclose(weights, recorded.expected[f"weights{layer}"], atol=CLOSE)


def test_a_rotation_that_is_stretched_in_another_way_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"rope_type of config\.json must be one of"):
        opened(tmp_path, "qwen2", "qwen2", says={"rope.scaling.type": "other"})


def test_gpt_oss_stretches_its_rotation_without_rounding(tmp_path: Path) -> None:
    """Its config says so, and GGUF has no field for it."""
    model, hub = opened(tmp_path, "gpt-oss", "gpt-oss"), open_model(Recorded("gpt-oss").file)
    assert model.weights(0).scores == hub.weights(0).scores


@pytest.mark.parametrize(
    ("pattern", "slides"),
    [(None, [True, False]), ([False, True], [False, True]), (1, [False, False]), (0, [True, True])],
)
def test_which_layers_have_a_window(pattern: Any, slides: list[bool], tmp_path: Path) -> None:
    says = {} if pattern is None else {"attention.sliding_window_pattern": pattern}
    model = opened(tmp_path, "gpt-oss", "gpt-oss", says=says)
    rules = [model.weights(layer).rules[0].name for layer in range(2)]
    assert rules == ["sliding_window" if each else "causal" for each in slides]


def test_a_decoder_that_sees_all_of_a_text_has_no_rule(tmp_path: Path) -> None:
    model = opened(tmp_path, "qwen3", "qwen3", says={"attention.causal": False})
    assert not model.is_causal
    windowed = {"attention.causal": False, "attention.sliding_window": 3}
    with pytest.raises(OptionError, match=r"sliding_window of config\.json must be one of"):
        opened(tmp_path, "qwen3", "qwen3", says=windowed)


def test_the_words_of_the_end_may_be_others_than_those_of_the_beginning(tmp_path: Path) -> None:
    """GGUF calls them `output`."""
    words = np.zeros((11, 12), np.float32)
    model = opened(tmp_path, "llama", "llama-head-size")
    end = model.run(IDS).result[-1]
    words[7] = end
    other = opened(tmp_path, "llama", "llama-head-size", more={"output.weight": words})
    assert other.next_token(other.text_of(IDS)) == "7"


def test_packed_experts_of_gguf_are_those_of_the_hub(tmp_path: Path) -> None:
    """Of the two numbers in a byte, the second stands half a block behind the first there."""
    writer = gguf.GGUFWriter(tmp_path / "model.gguf", "gpt-oss")
    _, _, columns = shape = (5, 32, 32)
    nibbles, scales = drawn("down", shape)
    halves = nibbles[..., :16] | nibbles[..., 16:] << 4
    blocks = np.concatenate([scales[..., None], halves], axis=-1).astype(np.uint8)
    raw = blocks.reshape(5, 32, columns // 32 * 17)
    writer.add_tensor("blk.0.ffn_down_exps.weight", raw, raw_dtype=gguf.GGMLQuantizationType.MXFP4)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    read = open_tensors(tmp_path / "model.gguf").read_rows("blk.0.ffn_down_exps.weight", [3, 1])
    np.testing.assert_array_equal(read, plain_numbers(nibbles, scales)[[3, 1]])


# DeepSeek: two kinds of routers, and newer files that have keys and values of a latent apart.


@pytest.mark.parametrize("name", ["deepseek-v2", "deepseek-v2-lite"])
def test_experts_that_a_softmax_rates_are_those_of_deepseek_v2(name: str, tmp_path: Path) -> None:
    recorded = Recorded(name)
    if name == "deepseek-v2":  # whose `mscale` no file has: it is taken as the other
        recorded.config["rope_parameters"]["mscale_all_dim"] = 0.7
    model = opened_as(tmp_path, recorded)
    assert model.family == "DeepSeek V2"
    np.testing.assert_allclose(model.run(IDS).result, open_model(recorded.file).run(IDS).result)


def opened_as(path: Path, recorded: Recorded, **what: Any) -> Model:
    return open_model(written(path / "model.gguf", "deepseek2", recorded, **what))


class Parted(Recorded):
    """Keys and values of the latent apart, as newer files have them: a matrix for each head."""

    @property
    def file(self) -> Held:
        tensors = dict(super().file.tensors)
        for name in [each for each in tensors if "kv_b_proj" in each]:
            heads, still = (
                self.config[each] for each in ("num_attention_heads", "qk_nope_head_dim")
            )
            of_heads = tensors.pop(name).reshape(heads, -1, self.config["kv_lora_rank"])
            keys, values = of_heads[:, :still].swapaxes(1, 2), of_heads[:, still:]
            tensors[name.replace("kv_b", "k_b")] = np.ascontiguousarray(keys)
            tensors[name.replace("kv_b", "v_b")] = values
        return Held(tensors, self.config)


# What such files say of a cache that holds latents: one head of keys, and their width.
OF_CACHE = {
    "attention.head_count_kv": 1,
    **{"attention.key_length": 10, "attention.key_length_mla": 12},
    **{"attention.value_length": 6, "attention.value_length_mla": 5},
}


def test_keys_and_values_that_stand_apart_are_joined(tmp_path: Path) -> None:
    whole = Recorded("deepseek-v3")
    model = opened_as(tmp_path, Parted("deepseek-v3"), says=OF_CACHE)
    np.testing.assert_allclose(model.run(IDS).result, whole.expected["result0"], atol=CLOSE)
    name = "layers.1.self_attn.kv_b_proj.weight"
    expected = whole.file.tensors[name]
    np.testing.assert_array_equal(model.file.read(name), expected)
    np.testing.assert_array_equal(model.file.read_rows(name, [3, 1]), expected[[3, 1]])
    assert model.file.folder == tmp_path


@pytest.mark.parametrize(
    "shape", [(2, 5), (3, 5, 6), (2, 5, 7)], ids=["no heads", "other heads", "another width"]
)
def test_parts_that_do_not_fit_are_not_joined(shape: tuple[int, ...], tmp_path: Path) -> None:
    class Odd(Parted):
        @property
        def file(self) -> Held:
            held = super().file
            held.tensors["layers.1.self_attn.v_b_proj.weight"] = np.ones(shape, np.float32)
            return held

    with pytest.raises(FileError, match=r"must have the tensor layers\.1\.self_attn\.kv_b_proj"):
        opened_as(tmp_path, Odd("deepseek-v3"), says=OF_CACHE)
