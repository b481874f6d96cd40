"""Attention whose queries, keys and values are made of small rows: DeepSeek V2 and those after it.

Of each query and key, the columns behind `qk_nope_head_dim` turn. All heads share those of the key.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from mha_core.checks.errors import HeadsError
from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.models.family import Tensors, inner_width
from mha_core.models.fields import Fields
from mha_core.models.like_llama import norms_before
from mha_core.models.mixtures import experts, gated, has_router
from mha_core.models.plan import Attention, Block, Experts, Latents, Mlp, Router
from mha_core.models.rotation import PLAIN, SCALING, grown, in_longer_texts, kind_in, turned
from mha_core.models.stored import LayerNames, Stored
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions

ANCHOR: Final = "layers.0.self_attn.kv_a_proj_with_mqa.weight"
BESIDE: Final = ("layers.0.self_attn.kv_b_proj.weight",)
EPS: Final = 1e-6  # of the norms of the latents, whatever the config says of the others


def block(
    config: Fields,
    names: Tensors,
    layer: int,
    mlp: Mlp | Experts,
    *,
    pairs: str,
    factor: float = 1.0,
) -> Block:
    return Block(
        _attention(config, names, f"layers.{layer}.self_attn", pairs),
        mlp,
        norms_before(config, names, layer),
        factor=factor,
    )


def mlp_of(
    config: Fields, names: Tensors, layer: int, router_of: Callable[[Fields, Tensors, str], Router]
) -> Mlp | Experts:
    """One MLP in the first layers; then experts, and beside them one MLP that all tokens pass."""
    place = f"layers.{layer}.mlp"
    if not has_router(names, place):
        return gated(config, names, place, inner_width(config))
    width = inner_width(config, "moe_intermediate_size")
    n_shared = config.whole("n_shared_experts", default=0, least=0, most=LIMITS.heads)
    return experts(
        config,
        names,
        place,
        router_of(config, names, place),
        width,
        shared=gated(config, names, f"{place}.shared_experts", n_shared * width)
        if n_shared
        else None,
    )


def _attention(config: Fields, names: Tensors, place: str, pairs: str) -> Attention:
    n_heads = _n_heads(config)
    n_turning = _width(config, "qk_rope_head_dim")
    still = _still(config, n_turning)
    d_v = _width(config, "v_head_dim", default=config.width() // n_heads)
    d_k = n_turning + still
    scaling = config.inside(*SCALING)
    turns, growth = turned(config, scaling, n_turning, pairs)
    scores = ScoreOptions(**turns, rope_columns=n_turning, **_scale(scaling, d_k))
    latents = _latents(config, names, place, n_turning, growth)
    of_queries = "q_b_proj" if latents.of_queries else "q_proj"
    of_heads: dict[str, Any] = {"is_transposed": True, "groups": n_heads}
    both = names.name(f"{place}.kv_b_proj.weight")
    last = names.linear(f"{place}.o_proj")
    matrices = LayerNames(
        names.linear(f"{place}.{of_queries}").weight,
        Stored(both, **of_heads, end=still),
        Stored(both, **of_heads, begin=still, end=still + d_v),
        last.weight,
        b_o=last.bias,
    )
    return Attention(
        matrices,
        n_heads,
        n_heads,
        d_k,
        d_v,
        scores,
        CAUSAL,
        latents=latents,
        longer_texts=in_longer_texts(config),
    )


def _latents(config: Fields, names: Tensors, place: str, n_turning: int, growth: float) -> Latents:
    rank = _width(config, "kv_lora_rank")
    both = f"{place}.kv_a_proj_with_mqa"
    of_keys = Latents(
        names.linear(both, end=rank),
        names.norm(f"{place}.kv_a_layernorm", EPS, is_rms=True),
        rank,
        names.linear(both, begin=rank, end=rank + n_turning),
        n_turning,
        growth,
    )
    if "q_lora_rank" not in config:
        return of_keys
    return replace(
        of_keys,
        of_queries=names.linear(f"{place}.q_a_proj"),
        norm_of_queries=names.norm(f"{place}.q_a_layernorm", EPS, is_rms=True),
        width_of_queries=_width(config, "q_lora_rank"),
    )


def _n_heads(config: Fields) -> int:
    """Keys are shared only through the latent: the config must not say that heads share others."""
    n_heads = config.heads()
    n_kv_heads = config.heads("num_key_value_heads", default=n_heads)
    if n_kv_heads != n_heads:
        raise HeadsError(
            say("num_key_value_heads of config.json"),
            say("must be {count}, as many as there are heads").format(count=n_heads),
            str(n_kv_heads),
            say("Check the file."),
        )
    return n_heads


def _still(config: Fields, n_turning: int) -> int:
    """How many columns of a query do not turn. GGUF says them together with those that do."""
    if "qk_nope_head_dim" in config:
        return _width(config, "qk_nope_head_dim")
    return _width(config, "qk_head_dim", least=n_turning + 1) - n_turning


def _width(config: Fields, name: str, **default: Any) -> int:
    return config.whole(name, most=LIMITS.width, **default)


def _scale(scaling: Fields, d_k: int) -> dict[str, Any]:
    """The scale, where YaRN makes it larger than usual: `mscale_all_dim` is of all columns."""
    by = scaling.number("mscale_all_dim", default=0.0)
    if kind_in(scaling) == PLAIN or not by:
        return {}
    return {"scale": grown(scaling.number("factor"), by) ** 2 / math.sqrt(d_k)}
