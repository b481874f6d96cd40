"""The parts of decoders whose files have Llama's names. A family takes those that are its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from mha_core.models.attention_names import separate
from mha_core.models.family import Tensors, activation, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Embedding, Mlp, ModelPlan, Norm, Norms
from mha_core.models.rotation import in_longer_texts, rotary_with_growth
from mha_core.models.sizes import grouped_heads
from mha_core.models.stored import HEAD, LayerNames, Stored
from mha_core.models.windows import layer_kind, window_rules
from mha_core.scenario.score_options import ScoreOptions

FOUR: Final = ("q_proj", "k_proj", "v_proj", "o_proj")
ANCHOR: Final = "layers.0.self_attn.q_proj.weight"


def decoder(
    config: Fields,
    names: Tensors,
    block: Callable[[Fields, Tensors, int, int], Block],
    last_norm: Norm,
    factor: float = 1.0,
) -> ModelPlan:
    """A model of these blocks, each made of its number and the model's width."""
    width = config.width()
    return ModelPlan(
        width,
        tuple(block(config, names, layer, width) for layer in range(config.layers())),
        Embedding(names.name("embed_tokens.weight"), width, factor),
        last_norm,
    )


def rms_norm(config: Fields, names: Tensors, name: str, **more: Any) -> Norm:
    return names.norm(name, config.number("rms_norm_eps", default=1e-6), is_rms=True, **more)


def norms_before(config: Fields, names: Tensors, layer: int) -> Norms:
    """An RMSNorm before attention and one before the MLP, as Llama has them."""
    place = f"layers.{layer}"
    return Norms(
        attention_in=rms_norm(config, names, f"{place}.input_layernorm"),
        mlp_in=rms_norm(config, names, f"{place}.post_attention_layernorm"),
    )


def layer_norm(config: Fields, names: Tensors, name: str) -> Norm:
    eps = config.number("layer_norm_eps", "norm_epsilon", default=1e-5)
    return names.norm(name, eps)


def attention(
    config: Fields,
    names: Tensors,
    layer: int,
    width: int,
    *,
    turns: bool = True,
    matrices: LayerNames | None = None,
    rotated: Mapping[str, Any] | None = None,
    gains_add_one: bool = False,
    **scores: Any,
) -> Attention:
    """Grouped queries, rotated, in a window if the config says so.

    `rotated` says what is usual for the rotation in this family, where all columns turn unless it
    says `usual_part`; `scores` adds to the options.
    """
    n_heads, n_kv_heads, d_k = grouped_heads(config, width)
    kind = layer_kind(config, layer)
    turned: Mapping[str, Any] = {}
    growth, longer = 1.0, None
    if turns:
        longer = in_longer_texts(config, kind)
        usual = {"usual_part": None, **(rotated or {})}
        turned, growth = rotary_with_growth(config, d_k, layer_kind=kind, **usual)
    return Attention(
        matrices or four_matrices(config, names, layer, n_heads, n_kv_heads),
        n_heads,
        n_kv_heads,
        d_k,
        d_k,
        ScoreOptions(**{**turned, **scores}),
        window_rules(config, layer),
        gains_add_one,
        turning_growth=growth,
        longer_texts=longer,
    )


def normed_matrices(
    config: Fields, names: Tensors, layer: int, width: int, kind: str
) -> dict[str, Any]:
    """What `attention` takes where queries and keys are normed: each head, or all together."""
    n_heads, n_kv_heads, _ = grouped_heads(config, width)
    place = f"layers.{layer}.self_attn"
    return {
        "matrices": replace(
            four_matrices(config, names, layer, n_heads, n_kv_heads),
            q_gain=Stored(names.name(f"{place}.q_norm.weight")),
            k_gain=Stored(names.name(f"{place}.k_norm.weight")),
        ),
        "qk_norm": kind,
        "qk_norm_eps": config.number("rms_norm_eps", default=1e-6),
    }


def layer_normed_matrices(
    config: Fields, names: Tensors, layer: int, width: int, of: tuple[str, str]
) -> dict[str, Any]:
    """The same where the norm is a LayerNorm of each head, with gains of its own; `of` names both.

    Gains of all heads are one tensor, or each head has one in a list, as StableLM's code names it.
    """
    n_heads, n_kv_heads, _ = grouped_heads(config, width)
    gains = {}
    for role, name in zip(("q_gain", "k_gain"), of, strict=True):
        place = f"layers.{layer}.self_attn.{name}"
        each = f"{place}.norms.{HEAD}.weight"
        is_list = each.replace(HEAD, "0") in names
        gains[role] = Stored(names.name(each if is_list else f"{place}.weight"))
    return {
        "matrices": replace(four_matrices(config, names, layer, n_heads, n_kv_heads), **gains),
        "qk_norm": "head",
        "qk_norm_kind": "layer",
        "qk_norm_eps": config.number("layer_norm_eps", default=1e-5),
    }


def four_matrices(
    config: Fields, names: Tensors, layer: int, n_heads: int, n_kv_heads: int
) -> LayerNames:
    in_neighbours = config.flag("stored_in_neighbours", default=False)  # as GGUF stores Llama's
    return separate(
        names,
        f"layers.{layer}.self_attn",
        FOUR,
        q={"heads_of_neighbours": n_heads * in_neighbours},
        k={"heads_of_neighbours": n_kv_heads * in_neighbours},
    )


def gated_mlp(config: Fields, names: Tensors, layer: int, usual: str = "silu") -> Mlp:
    place = f"layers.{layer}.mlp"
    return Mlp(
        names.linear(f"{place}.up_proj"),
        names.linear(f"{place}.down_proj"),
        inner_width(config),
        activation(config, "hidden_activation", "hidden_act", default=usual),
        names.linear(f"{place}.gate_proj"),
    )
