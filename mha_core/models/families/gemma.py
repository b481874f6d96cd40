"""Gemma 1 to 3: scaled words, gains to which 1 is added, a soft cap, norms on both sides."""

from __future__ import annotations

from typing import Any, Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    gated_mlp,
    normed_matrices,
    rms_norm,
)
from mha_core.models.plan import Block, ModelPlan, Norm, Norms
from mha_core.models.windows import FULL, SLIDING


def plan(config: Fields, names: Tensors) -> ModelPlan:
    last = _norm(config, names, "norm")
    return decoder(config, names, _block, last, factor=config.width() ** 0.5)


def _norm(config: Fields, names: Tensors, name: str) -> Norm:
    return rms_norm(config, names, name, adds_one=_adds_one(config))


def _adds_one(config: Fields) -> bool:
    return not config.flag("gains_hold_one", default=False)  # as GGUF stores them


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
    is_normed = f"{place}.self_attn.q_norm.weight" in names
    normed = normed_matrices(config, names, layer, width, "head") if is_normed else {}
    return Block(
        attention(
            _with_layers(config),
            names,
            layer,
            width,
            gains_add_one=is_normed and _adds_one(config),
            **_scores(config),
            **normed,
        ),
        gated_mlp(config, names, layer, usual="gelu_tanh"),
        norms,
    )


def _with_layers(config: Fields) -> Fields:
    """What older files do not say: which layers see all, and that of Gemma 3 others turn faster."""
    said = dict(config.config)
    usual = {"gemma2": 2, "gemma3_text": 6}.get(config.word("model_type", default="gemma"))
    every = config.whole("sliding_window_pattern", default=usual or 1)
    if usual and "layer_types" not in config:
        kinds = (SLIDING, FULL)
        said["layer_types"] = [kinds[(layer + 1) % every == 0] for layer in range(config.layers())]
    if "rope_local_base_freq" in config:
        scaling = config.given("rope_scaling", default={})
        said["rope_parameters"] = {
            SLIDING: {"rope_theta": config.number("rope_local_base_freq")},
            FULL: {**scaling, "rope_theta": config.number("rope_theta")},
        }
        said["rope_scaling"] = None
    return Fields(said)


def _scores(config: Fields) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    if "query_pre_attn_scalar" in config:
        scores["scale"] = max(config.number("query_pre_attn_scalar"), 1e-30) ** -0.5
    if "attn_logit_softcapping" in config:
        scores["softcap"] = config.number("attn_logit_softcapping")
    return scores


FAMILY: Final = Family(
    name="Gemma", order=25, model_types=("gemma", "gemma2", "gemma3_text"), anchor=ANCHOR, plan=plan
)
