"""GGUF's architectures: the hub's names of tensors and fields, and what its converter changes.

The converter moves numbers, and each change is said by a field that the family reads:
`stored_in_neighbours`: the columns of Q and K that turn together stand side by side;
`qkv_apart`: all of Q, then K, then V, where the hub has them in each head or group;
`gains_hold_one`: the 1 that Gemma adds to its gains is in them;
`stored_as_linear`: GPT-2's matrices have a row for each output.

GPT-J has names there, but llama.cpp neither converts nor runs it: such files come from others, who
move nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

# Fields, and how configs of the hub call them: families have several words for one thing.
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "block_count": ("num_hidden_layers",),
    "decoder_block_count": ("num_decoder_layers",),
    "decoder_start_token_id": ("decoder_start_token_id",),
    "embedding_length": ("hidden_size",),
    "feed_forward_length": ("intermediate_size", "n_inner", "ffn_hidden_size", "d_ff"),
    "expert_feed_forward_length": ("intermediate_size",),
    "expert_count": ("num_local_experts",),
    "expert_used_count": ("num_experts_per_tok",),
    "attention.head_count": ("num_attention_heads",),
    "attention.head_count_kv": ("num_key_value_heads", "num_kv_heads"),
    "attention.key_length": ("head_dim", "d_kv"),
    "attention.causal": ("is_causal",),
    "attention.layer_norm_rms_epsilon": ("rms_norm_eps",),
    "attention.layer_norm_epsilon": ("layer_norm_eps", "layer_norm_epsilon"),
    "attention.sliding_window": ("sliding_window",),
    "attention.relative_buckets_count": ("relative_attention_num_buckets",),
    "attention.clamp_kqv": ("clip_qkv",),
    "attn_logit_softcapping": ("attn_logit_softcapping",),
    "context_length": ("max_position_embeddings",),
    "rope.freq_base": ("rope_theta",),
    "rope.freq_base_swa": ("rope_local_base_freq",),
    "rope.dimension_count": ("rotary_columns", "rotary_dim"),
    "use_parallel_residual": ("use_parallel_residual",),
}

# What is said of a stretched rotation, and how the hub calls it.
SCALING: Final[Mapping[str, str]] = {
    "type": "rope_type",
    "factor": "factor",
    "original_context_length": "original_max_position_embeddings",
    "yarn_beta_fast": "beta_fast",
    "yarn_beta_slow": "beta_slow",
    "yarn_attn_factor": "attention_factor",
    "yarn_log_multiplier": "mscale_all_dim",
}
HARMLESS: Final = ("attn_rot_embd",)  # tensors of layers that old files have, and nobody reads
# The hub's names of these have no `.weight` and no `.bias`.
WITHOUT_ENDING: Final = ("self_attn.sinks", "mlp.gate.e_score_correction_bias")
BY_SIGMOID: Final = 2  # what a file says of experts that are rated one by one


@dataclass(frozen=True)
class Kind:
    """What the hub calls a model of this architecture, its layers, and its tensors.

    `says`: what its config says where the file says nothing; `scaling`: what its rope_scaling says
    then. `where`: other names that hold where a file has this tensor. Of so many layers, `every`,
    the last sees all keys, and the others a window. `fields` stand in the place of FIELDS;
    `by_sigmoid` says more, where experts are rated one by one.
    """

    model_type: str
    layers: str
    names: Mapping[str, str]
    says: Mapping[str, Any] = field(default_factory=dict)
    scaling: Mapping[str, Any] = field(default_factory=dict)
    where: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    every: int = 0
    largest: int = 0  # layers of the one size whose scores are scaled by the width of all heads
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    log_multiplier: float = 0.0  # by what the file's is multiplied; then `mscale` is the same
    by_sigmoid: Mapping[str, Any] = field(default_factory=dict)


LLAMA: Final = {
    "token_embd": "embed_tokens",
    "output_norm": "norm",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_down": "mlp.down_proj",
}
NORMED: Final = {**LLAMA, "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
WITH_NORMS_BEHIND: Final = {
    **NORMED,
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
EXPERTS: Final = {
    "ffn_gate_inp": "mlp.gate",
    "ffn_gate_exps": "mlp.experts.gate_proj",
    "ffn_up_exps": "mlp.experts.up_proj",
    "ffn_down_exps": "mlp.experts.down_proj",
}
GPT_OSS: Final = {
    **LLAMA,
    **EXPERTS,
    "post_attention_norm": "post_attention_layernorm",
    "attn_sinks": "self_attn.sinks",
    "ffn_gate_inp": "mlp.router",
}
QWEN2_MOE: Final = {
    **LLAMA,
    **EXPERTS,
    "ffn_gate_inp_shexp": "mlp.shared_expert_gate",
    "ffn_gate_shexp": "mlp.shared_expert.gate_proj",
    "ffn_up_shexp": "mlp.shared_expert.up_proj",
    "ffn_down_shexp": "mlp.shared_expert.down_proj",
}
DEEPSEEK2: Final = {
    **LLAMA,
    **EXPERTS,
    "exp_probs_b": "mlp.gate.e_score_correction_bias",
    "ffn_gate_shexp": "mlp.shared_experts.gate_proj",
    "ffn_up_shexp": "mlp.shared_experts.up_proj",
    "ffn_down_shexp": "mlp.shared_experts.down_proj",
    "attn_q_a": "self_attn.q_a_proj",
    "attn_q_a_norm": "self_attn.q_a_layernorm",
    "attn_q_b": "self_attn.q_b_proj",
    "attn_kv_a_mqa": "self_attn.kv_a_proj_with_mqa",
    "attn_kv_a_norm": "self_attn.kv_a_layernorm",
    "attn_kv_b": "self_attn.kv_b_proj",
    "attn_k_b": "self_attn.k_b_proj",  # newer files have the two parts of it, a matrix a head
    "attn_v_b": "self_attn.v_b_proj",
}
PHI: Final = {
    **LLAMA,
    "output_norm": "final_layernorm",
    "attn_output": "self_attn.dense",
    "ffn_up": "mlp.fc1",
    "ffn_down": "mlp.fc2",
}
PHI3: Final = {**LLAMA, "attn_qkv": "self_attn.qkv_proj", "ffn_up": "mlp.gate_up_proj"}
STARCODER2: Final = {**LLAMA, "ffn_up": "mlp.c_fc", "ffn_down": "mlp.c_proj"}
GPT2: Final = {
    "token_embd": "wte",
    "position_embd": "wpe",
    "output_norm": "ln_f",
    "attn_norm": "ln_1",
    "ffn_norm": "ln_2",
    "attn_qkv": "attn.c_attn",
    "attn_output": "attn.c_proj",
    "ffn_up": "mlp.c_fc",
    "ffn_down": "mlp.c_proj",
}
GPTJ: Final = {
    "token_embd": "wte",
    "output_norm": "ln_f",
    "attn_norm": "ln_1",
    "attn_q": "attn.q_proj",
    "attn_k": "attn.k_proj",
    "attn_v": "attn.v_proj",
    "attn_output": "attn.out_proj",
    "ffn_up": "mlp.fc_in",
    "ffn_down": "mlp.fc_out",
}
BLOOM: Final = {
    "token_embd": "word_embeddings",
    "token_embd_norm": "word_embeddings_layernorm",
    "output_norm": "ln_f",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_qkv": "self_attention.query_key_value",
    "attn_output": "self_attention.dense",
    "ffn_up": "mlp.dense_h_to_4h",
    "ffn_down": "mlp.dense_4h_to_h",
}
TWO_NORMS: Final = {"attn_norm": "ln_mlp", "attn_norm_2": "ln_attn"}
NEOX: Final = {
    **BLOOM,
    "token_embd": "embed_in",
    "output_norm": "final_layer_norm",
    "attn_qkv": "attention.query_key_value",
    "attn_output": "attention.dense",
}
BERT: Final = {
    "token_embd": "embeddings.word_embeddings",
    "token_types": "embeddings.token_type_embeddings",
    "position_embd": "embeddings.position_embeddings",
    "token_embd_norm": "embeddings.LayerNorm",
    "attn_q": "attention.self.query",
    "attn_k": "attention.self.key",
    "attn_v": "attention.self.value",
    "attn_output": "attention.output.dense",
    "attn_output_norm": "attention.output.LayerNorm",
    "ffn_up": "intermediate.dense",
    "ffn_down": "output.dense",
    "layer_output_norm": "output.LayerNorm",
}


def _of_t5(part: str, attentions: Mapping[str, str], *, is_gated: bool = False) -> dict[str, str]:
    """The names in T5's encoder or decoder: the parts of a layer have numbers, the MLP's the last.

    With a gate, the MLP's matrices have other names.
    """
    mlp = f"layer.{len(attentions)}.DenseReluDense"
    gated = {"ffn_gate": f"{mlp}.wi_0", "ffn_up": f"{mlp}.wi_1"}
    if is_gated:
        return {f"{part}.{theirs}": ours for theirs, ours in gated.items()}
    names = {
        "output_norm": "final_layer_norm",
        "ffn_norm": f"layer.{len(attentions)}.layer_norm",
        "ffn_up": f"{mlp}.wi",
        "ffn_down": f"{mlp}.wo",
    }
    for number, (theirs, ours) in enumerate(attentions.items()):
        place = f"layer.{number}.{ours}"
        names[f"{theirs}_norm"] = f"layer.{number}.layer_norm"
        names[f"{theirs}_rel_b"] = f"{place}.relative_attention_bias"
        names |= {f"{theirs}_{each}": f"{place}.{each}" for each in "qkvo"}
    return {f"{part}.{theirs}": ours for theirs, ours in names.items()}


OF_ENCODER: Final = {"attn": "SelfAttention"}
OF_DECODER: Final = {"attn": "SelfAttention", "cross_attn": "EncDecAttention"}
T5: Final = {"token_embd": "shared", **_of_t5("enc", OF_ENCODER), **_of_t5("dec", OF_DECODER)}
GATED: Final = {
    **_of_t5("enc", OF_ENCODER, is_gated=True),
    **_of_t5("dec", OF_DECODER, is_gated=True),
}
OF_T5: Final = {"enc.blk.0.ffn_gate.weight": GATED}
MOVED: Final = {"stored_in_neighbours": True}
APART: Final = {"qkv_apart": True}
HOLD_ONE: Final = {"gains_hold_one": True}
OF_EXPERTS: Final = {
    "expert_feed_forward_length": ("moe_intermediate_size",),
    "expert_shared_feed_forward_length": ("shared_expert_intermediate_size",),
}
# The last of several that a file has counts: of newer files, those with `_mla`.
OF_DEEPSEEK: Final = {
    **OF_EXPERTS,
    "attention.head_count_kv": (),  # 1 in newer files, which count the latent as one head
    "attention.key_length": ("qk_head_dim",),
    "attention.key_length_mla": ("qk_head_dim",),
    "attention.value_length": ("v_head_dim",),
    "attention.value_length_mla": ("v_head_dim",),
    "attention.q_lora_rank": ("q_lora_rank",),
    "attention.kv_lora_rank": ("kv_lora_rank",),
    "rope.dimension_count": ("qk_rope_head_dim",),
    "expert_shared_count": ("n_shared_experts",),
    "expert_weights_scale": ("routed_scaling_factor",),
    "expert_weights_norm": ("norm_topk_prob",),
    "expert_group_count": ("n_group",),
    "expert_group_used_count": ("topk_group",),
}
KINDS: Final[Mapping[str, Kind]] = {
    "llama": Kind("llama", "layers", LLAMA, MOVED),
    "qwen2": Kind("qwen2", "layers", LLAMA),
    "qwen3": Kind("qwen3", "layers", NORMED),
    "qwen2moe": Kind("qwen2_moe", "layers", QWEN2_MOE, fields=OF_EXPERTS),
    "qwen3moe": Kind(
        "qwen3_moe", "layers", {**NORMED, **EXPERTS}, {"norm_topk_prob": True}, fields=OF_EXPERTS
    ),
    "olmoe": Kind("olmoe", "layers", {**NORMED, **EXPERTS}),
    "deepseek2": Kind(
        "deepseek_v2",
        "layers",
        DEEPSEEK2,
        {"topk_method": "group_limited_greedy"},  # of one group, where the file says none
        fields=OF_DEEPSEEK,
        log_multiplier=10.0,
        by_sigmoid={"model_type": "deepseek_v3", "topk_method": "noaux_tc"},
    ),
    "minicpm3": Kind(
        "minicpm3",
        "layers",
        DEEPSEEK2,
        {"scale_emb": 12, "scale_depth": 1.4},  # of the one model that there is; no file says them
        fields=OF_DEEPSEEK,
    ),
    "gemma": Kind("gemma", "layers", LLAMA, HOLD_ONE),
    "gemma2": Kind("gemma2", "layers", WITH_NORMS_BEHIND, HOLD_ONE, largest=46),
    "gemma3": Kind(
        "gemma3_text",
        "layers",
        WITH_NORMS_BEHIND,
        {**HOLD_ONE, "rope_local_base_freq": 10_000.0},
        largest=62,
    ),
    "phi2": Kind("phi", "layers", PHI),
    "phi3": Kind("phi3", "layers", PHI3),
    "starcoder2": Kind("starcoder2", "layers", STARCODER2),
    "stablelm": Kind(
        "stablelm",
        "layers",
        {**LLAMA, "attn_q_norm": "self_attn.q_layernorm", "attn_k_norm": "self_attn.k_layernorm"},
    ),
    "olmo": Kind("olmo", "layers", LLAMA, MOVED),
    "olmo2": Kind("olmo2", "layers", WITH_NORMS_BEHIND),
    "command-r": Kind("cohere", "layers", NORMED),
    "gpt-oss": Kind("gpt_oss", "layers", GPT_OSS, scaling={"truncate": False}, every=2),
    "gpt2": Kind("gpt2", "h", GPT2, {"stored_as_linear": True}),
    "gptj": Kind("gptj", "h", GPTJ),
    "gptneox": Kind("gpt_neox", "layers", NEOX, APART),
    "falcon": Kind(
        "falcon",
        "h",
        BLOOM,
        {**APART, "new_decoder_architecture": True},
        where={"blk.0.attn_norm_2.weight": TWO_NORMS},
    ),
    "bloom": Kind("bloom", "h", BLOOM, APART),
    "bert": Kind("bert", "encoder.layer", BERT),
    "t5": Kind("t5", "block", T5, where=OF_T5),
    "t5encoder": Kind("t5", "block", T5, where=OF_T5),
}
