"""The small models that are compared: the classes of transformers, and their settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

IDS: Final = (3, 1, 4, 1, 5, 2, 6)
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
    "mistral": ("MistralConfig", "MistralModel", {**LLAMA, "sliding_window": 3}),
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
}
