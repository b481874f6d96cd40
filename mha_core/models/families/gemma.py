"""Gemma and Gemma 2: scaled words, gains to which 1 is added, a soft cap, norms on both sides."""

from __future__ import annotations

from typing import Any, Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import ANCHOR, attention, decoder, gated_mlp, rms_norm
from mha_core.models.plan import Block, ModelPlan, Norm, Norms


def plan(config: Fields, names: Tensors) -> ModelPlan:
    last = _norm(config, names, "norm")
    return decoder(config, names, _block, last, factor=config.width() ** 0.5)


def _norm(config: Fields, names: Tensors, name: str) -> Norm:
    return rms_norm(config, names, name, adds_one=True)


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"

    def norm(name: str) -> Norm:
        return _norm(config, names, f"{place}.{name}")

    if f"{place}.pre_feedforward_layernorm.weight" in names:
        norms = Norms(
            attention_in=norm("input_layernorm"),
            attention_out=norm("post_attention_layernorm"),
            mlp_in=norm("pre_feedforward_layernorm"),
            mlp_out=norm("post_feedforward_layernorm"),
        )
    else:
        norms = Norms(attention_in=norm("input_layernorm"), mlp_in=norm("post_attention_layernorm"))
    return Block(
        attention(_with_windows(config), names, layer, width, **_scores(config)),
        gated_mlp(config, names, layer, usual="gelu_tanh"),
        norms,
    )


def _with_windows(config: Fields) -> Fields:
    """Older files of Gemma 2 do not say that every second layer has a window, from the first on."""
    if config.word("model_type", default="gemma") != "gemma2" or "layer_types" in config:
        return config
    kinds = ["full_attention" if layer % 2 else "sliding_attention" for layer in range(512)]
    return Fields({**config.config, "layer_types": kinds})


def _scores(config: Fields) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    if "query_pre_attn_scalar" in config:
        scores["scale"] = max(config.number("query_pre_attn_scalar"), 1e-30) ** -0.5
    if "attn_logit_softcapping" in config:
        scores["softcap"] = config.number("attn_logit_softcapping")
    return scores


FAMILY: Final = Family(
    name="Gemma", order=25, model_types=("gemma", "gemma2"), anchor=ANCHOR, plan=plan
)
