"""The small models that are compared: the classes of transformers, and their settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

IDS: Final = (3, 1, 4, 1, 5, 2, 6)
IDS_OF_DECODER: Final = (2, 7, 1, 8, 2)
N_WORDS: Final = 11

Case = tuple[str, str, Mapping[str, Any]]

LLAMA: Final = {
    "vocab_size": N_WORDS,
    "hidden_size": 12,
    "intermediate_size": 20,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 32,
    "pad_token_id": 0,
}
PHI_3_LONGROPE: Final = {
    **LLAMA,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "max_position_embeddings": 64,
    "original_max_position_embeddings": 16,
    "rope_parameters": {
        "rope_type": "longrope",
        "rope_theta": 100.0,
        "short_factor": [1.0, 1.5, 2.0],
        "long_factor": [2.0, 3.0, 4.0],
    },
}
BERT: Final = {
    "vocab_size": N_WORDS,
    "hidden_size": 12,
    "intermediate_size": 20,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "max_position_embeddings": 17,
}
GPT2: Final = {"vocab_size": N_WORDS, "n_embd": 12, "n_layer": 2, "n_head": 3, "n_positions": 16}
YARN: Final = {
    "rope_type": "yarn",
    "rope_theta": 50.0,
    "factor": 4.0,
    "original_max_position_embeddings": 64,
}
LLAMA3: Final = {
    "rope_type": "llama3",
    "rope_theta": 500.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}

NEOX: Final = {
    "vocab_size": N_WORDS,
    "hidden_size": 16,
    "intermediate_size": 20,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": 16,
    "rope_parameters": {"rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": 0.5},
}
FALCON: Final = {
    "vocab_size": N_WORDS,
    "hidden_size": 12,
    "ffn_hidden_size": 20,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "bos_token_id": 0,
    "eos_token_id": 0,
}
OPT: Final = {
    "vocab_size": N_WORDS,
    "hidden_size": 12,
    "ffn_dim": 20,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "max_position_embeddings": 9,
    "word_embed_proj_dim": 12,
    "pad_token_id": 0,
}

IMAGES: Final = {
    "hidden_size": 12,
    "intermediate_size": 20,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "image_size": 4,
    "patch_size": 2,
}

T5: Final = {
    "vocab_size": N_WORDS,
    "d_model": 12,
    "d_kv": 5,
    "d_ff": 20,
    "num_layers": 2,
    "num_heads": 3,
}
BART: Final = {
    "vocab_size": N_WORDS,
    "d_model": 12,
    "encoder_layers": 2,
    "encoder_attention_heads": 3,
    "encoder_ffn_dim": 20,
    "decoder_layers": 2,
    "decoder_attention_heads": 3,
    "decoder_ffn_dim": 20,
    "max_position_embeddings": 9,
    "scale_embedding": True,
    **{"pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 2},
}

LATENTS: Final = {
    **LLAMA,
    **{"num_key_value_heads": 2, "q_lora_rank": 7, "kv_lora_rank": 6},
    **{"qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 5},
}
EXPERTS: Final = {
    **{"num_experts_per_tok": 2, "moe_intermediate_size": 8},
    **{"n_routed_experts": 6, "n_shared_experts": 2, "first_k_dense_replace": 1},
}
GROUPS: Final = {"n_group": 3, "topk_group": 2}
SHARED_YARN: Final = {**YARN, "mscale": 1.0, "mscale_all_dim": 1.0}
PARTED_YARN: Final = {**YARN, "mscale": 0.7, "mscale_all_dim": 0.3}

CASES: Final[dict[str, Case]] = {
    "gpt2": ("GPT2Config", "GPT2Model", GPT2),
    "gpt2-inverse-layer": (
        "GPT2Config",
        "GPT2Model",
        {**GPT2, "scale_attn_by_inverse_layer_idx": True, "n_inner": 20},
    ),
    "llama": ("LlamaConfig", "LlamaModel", LLAMA),
    "llama-head-size": (
        "LlamaConfig",
        "LlamaModel",
        {**LLAMA, "head_dim": 8, "attention_bias": True, "rope_theta": 50.0},
    ),
    "llama-3.1": ("LlamaConfig", "LlamaModel", {**LLAMA, "rope_parameters": LLAMA3}),
    "llama-dynamic": (  # the text is longer than those of the training
        "LlamaConfig",
        "LlamaModel",
        {
            **LLAMA,
            "max_position_embeddings": 4,
            "rope_parameters": {"rope_type": "dynamic", "rope_theta": 50.0, "factor": 4.0},
        },
    ),
    "llama-part": (  # its code turns all columns, whatever part is said
        "LlamaConfig",
        "LlamaModel",
        {
            **LLAMA,
            "head_dim": 8,
            "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5},
        },
    ),
    "llama-yarn": ("LlamaConfig", "LlamaModel", {**LLAMA, "rope_parameters": YARN}),
    "llama-linear": (
        "LlamaConfig",
        "LlamaModel",
        {
            **LLAMA,
            "mlp_bias": True,
            "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4},
        },
    ),
    "llama-sees-all": ("LlamaConfig", "LlamaModel", {**LLAMA, "is_causal": False}),
    "mistral": ("MistralConfig", "MistralModel", {**LLAMA, "sliding_window": 3}),
    "mistral-layer-types": (  # its code does not look at them
        "MistralConfig",
        "MistralModel",
        {**LLAMA, "sliding_window": 3, "layer_types": ["full_attention", "sliding_attention"]},
    ),
    "ministral3": (
        "Ministral3Config",
        "Ministral3Model",
        {
            **{**LLAMA, "head_dim": 4, "bos_token_id": 1, "eos_token_id": 2},
            "rope_parameters": {
                **{**SHARED_YARN, "original_max_position_embeddings": 3, "beta_slow": 0.25},
                "llama_4_scaling_beta": 0.5,
            },
        },
    ),
    "qwen2": ("Qwen2Config", "Qwen2Model", {**LLAMA, "num_key_value_heads": 2}),
    "qwen2-window": (
        "Qwen2Config",
        "Qwen2Model",
        {**LLAMA, "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1},
    ),
    "bert": ("BertConfig", "BertModel", BERT),
    "bert-tanh": (
        "BertConfig",
        "BertModel",
        {**BERT, "hidden_act": "gelu_new", "is_decoder": True},
    ),
    "roberta": ("RobertaConfig", "RobertaModel", {**BERT, "pad_token_id": 0}),
    "distilbert": (
        "DistilBertConfig",
        "DistilBertModel",
        {
            "vocab_size": N_WORDS,
            "dim": 12,
            "hidden_dim": 20,
            "n_layers": 2,
            "n_heads": 3,
            "max_position_embeddings": 9,
        },
    ),
    "albert": (
        "AlbertConfig",
        "AlbertModel",
        {**BERT, "num_hidden_layers": 4, "num_hidden_groups": 2, "embedding_size": 8},
    ),
    "gpt-neox": ("GPTNeoXConfig", "GPTNeoXModel", NEOX),
    "gpt-neox-one-after-the-other": (
        "GPTNeoXConfig",
        "GPTNeoXModel",
        {**NEOX, "use_parallel_residual": False, "attention_bias": False},
    ),
    "gpt-neox-yarn": (
        "GPTNeoXConfig",
        "GPTNeoXModel",
        {**NEOX, "rope_parameters": {**YARN, "partial_rotary_factor": 0.5}},
    ),
    "gptj": (
        "GPTJConfig",
        "GPTJModel",
        {**GPT2, "n_head": 2, "rotary_dim": 4, "bos_token_id": 0, "eos_token_id": 0},
    ),
    "phi": ("PhiConfig", "PhiModel", {**LLAMA, "partial_rotary_factor": 0.7}),
    "phi-normed": (
        "PhiConfig",
        "PhiModel",
        {**LLAMA, "partial_rotary_factor": 0.7, "qk_layernorm": True},
    ),
    "phi3": (
        "Phi3Config",
        "Phi3Model",
        {**LLAMA, "bos_token_id": 1, "eos_token_id": 2, "sliding_window": 3},
    ),
    "phi3-longrope": ("Phi3Config", "Phi3Model", PHI_3_LONGROPE),
    "phi3-longrope-long": (  # the text is longer than those of the training
        "Phi3Config",
        "Phi3Model",
        {**PHI_3_LONGROPE, "original_max_position_embeddings": 6},
    ),
    "phi3-longrope-part": (  # as Phi-4-mini
        "Phi3Config",
        "Phi3Model",
        {
            **LLAMA,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "max_position_embeddings": 64,
            "original_max_position_embeddings": 16,
            "partial_rotary_factor": 2 / 3,
            "rope_parameters": {
                "rope_type": "longrope",
                "rope_theta": 100.0,
                "partial_rotary_factor": 2 / 3,
                "short_factor": [1.0, 1.5],
                "long_factor": [2.0, 3.0],
            },
        },
    ),
    "olmo": ("OlmoConfig", "OlmoModel", LLAMA),
    "gemma": ("GemmaConfig", "GemmaModel", {**LLAMA, "head_dim": 8}),
    "gemma2": (
        "Gemma2Config",
        "Gemma2Model",
        {
            **LLAMA,
            "head_dim": 8,
            "query_pre_attn_scalar": 5,
            "attn_logit_softcapping": 0.5,
            "sliding_window": 3,
        },
    ),
    "cohere": ("CohereConfig", "CohereModel", LLAMA),
    "cohere-normed": ("CohereConfig", "CohereModel", {**LLAMA, "use_qk_norm": True}),
    "cohere2": (
        "Cohere2Config",
        "Cohere2Model",
        {**LLAMA, "sliding_window": 3, "layer_types": ["sliding_attention", "full_attention"]},
    ),
    "stablelm": ("StableLmConfig", "StableLmModel", {**LLAMA, "partial_rotary_factor": 0.7}),
    "stablelm-normed": (
        "StableLmConfig",
        "StableLmModel",
        {**LLAMA, "partial_rotary_factor": 0.7, "qk_layernorm": True},
    ),
    "stablelm-parallel": (
        "StableLmConfig",
        "StableLmModel",
        {
            **LLAMA,
            "use_parallel_residual": True,
            "use_qkv_bias": True,
            "partial_rotary_factor": 0.7,
        },
    ),
    "starcoder2": ("Starcoder2Config", "Starcoder2Model", {**LLAMA, "sliding_window": 3}),
    "smollm3": (
        "SmolLM3Config",
        "SmolLM3Model",
        {**LLAMA, "no_rope_layers": [1, 0], "bos_token_id": 1, "eos_token_id": 2},
    ),
    "falcon": ("FalconConfig", "FalconModel", FALCON),
    "falcon-new": (
        "FalconConfig",
        "FalconModel",
        {**FALCON, "num_attention_heads": 6, "num_kv_heads": 3, "new_decoder_architecture": True},
    ),
    "falcon-one-after-the-other": (
        "FalconConfig",
        "FalconModel",
        {**FALCON, "multi_query": False, "parallel_attn": False, "bias": True},
    ),
    "bloom": (
        "BloomConfig",
        "BloomModel",
        {"vocab_size": N_WORDS, "hidden_size": 12, "n_layer": 2, "n_head": 3},
    ),
    "opt": ("OPTConfig", "OPTModel", OPT),
    "opt-norm-behind": ("OPTConfig", "OPTModel", {**OPT, "do_layer_norm_before": False}),
    "clip": (
        "CLIPTextConfig",
        "CLIPTextModel",
        {**BERT, "max_position_embeddings": 9, "eos_token_id": 6},
    ),
    "clip-of-images": ("CLIPVisionConfig", "CLIPVisionModel", IMAGES),
    "vit": ("ViTConfig", "ViTModel", IMAGES),
    "qwen3": ("Qwen3Config", "Qwen3Model", {**LLAMA, "head_dim": 8}),
    "gpt-oss": (
        "GptOssConfig",
        "GptOssModel",
        {
            **LLAMA,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 8,
            "sliding_window": 3,
            "num_local_experts": 5,
            "num_experts_per_tok": 2,
        },
    ),
    "deepseek-v2": (
        "DeepseekV2Config",
        "DeepseekV2Model",
        {
            **LATENTS,
            **EXPERTS,
            **GROUPS,
            "topk_method": "group_limited_greedy",
            "routed_scaling_factor": 3.0,
            "rope_parameters": PARTED_YARN,
        },
    ),
    "deepseek-v2-lite": (
        "DeepseekV2Config",
        "DeepseekV2Model",
        {**LATENTS, **EXPERTS, "q_lora_rank": None, "attention_bias": True},
    ),
    "deepseek-v3": (
        "DeepseekV3Config",
        "DeepseekV3Model",
        {**LATENTS, **EXPERTS, **GROUPS, "rope_parameters": SHARED_YARN},
    ),
    "deepseek-v3-halves": (
        "DeepseekV3Config",
        "DeepseekV3Model",
        {
            **LATENTS,
            **EXPERTS,
            **{"n_group": 1, "topk_group": 1, "first_k_dense_replace": 0},
            **{"rope_interleave": False, "norm_topk_prob": False, "attention_bias": True},
        },
    ),
    "glm4-moe-lite": ("Glm4MoeLiteConfig", "Glm4MoeLiteModel", {**LATENTS, **EXPERTS}),
    "minicpm3": (
        "MiniCPM3Config",
        "MiniCPM3Model",
        {
            **LATENTS,
            "max_position_embeddings": 64,
            "rope_parameters": {
                **{"rope_type": "longrope", "rope_theta": 100.0},
                **{"short_factor": [1.0, 1.5], "long_factor": [2.0, 3.0]},
                "original_max_position_embeddings": 16,
            },
        },
    ),
    "mixtral": (
        "MixtralConfig",
        "MixtralModel",
        {**LLAMA, "num_local_experts": 5, "sliding_window": 3},
    ),
    "qwen2-moe": (
        "Qwen2MoeConfig",
        "Qwen2MoeModel",
        {
            **LLAMA,
            **{"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 8},
            "shared_expert_intermediate_size": 16,
        },
    ),
    "qwen3-moe": (
        "Qwen3MoeConfig",
        "Qwen3MoeModel",
        {
            **LLAMA,
            **{"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 8},
            **{"head_dim": 8, "norm_topk_prob": True},
        },
    ),
    "qwen3-moe-some": (
        "Qwen3MoeConfig",
        "Qwen3MoeModel",
        {
            **LLAMA,
            **{"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 8},
            **{"head_dim": 8, "mlp_only_layers": [1]},
        },
    ),
    "afmoe": (
        "AfmoeConfig",
        "AfmoeModel",
        {
            **LLAMA,
            **{"num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 8},
            **{"num_dense_layers": 1, "num_shared_experts": 2, "route_scale": 1.5},
            **{"head_dim": 8, "sliding_window": 3, "mup_enabled": True},
            "layer_types": ["sliding_attention", "full_attention"],
        },
    ),
    "olmoe": (
        "OlmoeConfig",
        "OlmoeModel",
        {**LLAMA, "eos_token_id": 2, "num_experts": 5, "num_experts_per_tok": 2},
    ),
    "olmo2": ("Olmo2Config", "Olmo2Model", {**LLAMA, "eos_token_id": 2, "num_key_value_heads": 2}),
    "olmo3": (
        "Olmo3Config",
        "Olmo3Model",
        {
            **LLAMA,
            "eos_token_id": 2,
            "num_key_value_heads": 2,
            "sliding_window": 3,
            "layer_types": ["sliding_attention", "full_attention"],
            "rope_parameters": {
                "sliding_attention": {"rope_type": "default", "rope_theta": 50.0},
                "full_attention": YARN,
            },
        },
    ),
    "gemma3": (
        "Gemma3TextConfig",
        "Gemma3TextModel",
        {
            **LLAMA,
            "num_hidden_layers": 3,
            "head_dim": 8,
            "query_pre_attn_scalar": 5,
            "sliding_window": 3,
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
            "rope_parameters": {
                "sliding_attention": {"rope_type": "default", "rope_theta": 10.0},
                "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1000.0},
            },
        },
    ),
    "gemma3-sees-all": (  # as EmbeddingGemma
        "Gemma3TextConfig",
        "Gemma3TextModel",
        {
            **LLAMA,
            "head_dim": 8,
            "sliding_window": 4,
            "layer_types": ["sliding_attention", "full_attention"],
            "use_bidirectional_attention": True,
        },
    ),
    "t5": ("T5Config", "T5EncoderModel", T5),
    "t5-gated": (
        "T5Config",
        "T5EncoderModel",
        {**T5, "feed_forward_proj": "gated-gelu", "relative_attention_num_buckets": 8},
    ),
    "t5-whole": ("T5Config", "T5Model", {**T5, "num_decoder_layers": 3}),
    "bart": ("BartConfig", "BartModel", BART),
    "whisper": (
        "WhisperConfig",
        "WhisperModel",
        {**BART, "num_mel_bins": 3, "max_source_positions": 4, "max_target_positions": 9},
    ),
}
