"""StableLM: Llama's layers with LayerNorm, and a part of the columns turns.

The 12B of StableLM 2 norms queries and keys too, with gains of each head.
"""

from __future__ import annotations

from typing import Final

from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.like_llama import (
    ANCHOR,
    attention,
    decoder,
    gated_mlp,
    layer_norm,
    layer_normed_matrices,
)
from mha_core.models.plan import Block, ModelPlan, Norms

Q_NORM: Final = "self_attn.q_layernorm"


def plan(config: Fields, names: Tensors) -> ModelPlan:
    return decoder(config, names, _block, layer_norm(config, names, "norm"))


def _block(config: Fields, names: Tensors, layer: int, width: int) -> Block:
    place = f"layers.{layer}"
    is_parallel = config.flag("use_parallel_residual", default=False)
    before = layer_norm(config, names, f"{place}.input_layernorm")
    own = layer_norm(config, names, f"{place}.post_attention_layernorm")
    is_normed = config.flag("qk_layernorm", default=f"{place}.{Q_NORM}.weight" in names)
    of = ("q_layernorm", "k_layernorm")
    normed = layer_normed_matrices(config, names, layer, width, of) if is_normed else {}
    return Block(
        attention(config, names, layer, width, rotated={"usual_part": 0.25}, **normed),
        gated_mlp(config, names, layer),
        Norms(attention_in=before, mlp_in=before if is_parallel else own),
        is_parallel=is_parallel,
    )


FAMILY: Final = Family(
    name="StableLM", order=29, model_types=("stablelm",), anchor=ANCHOR, plan=plan
)
