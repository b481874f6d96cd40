"""torch.nn.MultiheadAttention: Q, K and V in one in_proj. A layer alone, so X must be given."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, ModelPlan
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames, Stored
from mha_core.models.windows import CAUSAL


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = names.shape("in_proj_weight")[-1]
    n_heads = config.heads("num_heads", "n_heads", "nhead", "num_attention_heads")
    d_k = width_a_head(width, n_heads)
    out = names.linear("out_proj")
    w_q, w_k, w_v = _parts(names.name("in_proj_weight"), width, is_transposed=True)
    bias = names.given("in_proj_bias")
    b_q, b_k, b_v = _parts(bias, width) if bias else (None, None, None)
    matrices = LayerNames(w_q, w_k, w_v, out.weight, b_q, b_k, b_v, out.bias)
    rules = CAUSAL if config.flag("is_causal", "causal", default=False) else ()
    return ModelPlan(
        width, (Block(Attention(matrices, n_heads, n_heads, d_k, d_k, rules=rules)),), None
    )


def _parts(name: str, width: int, *, is_transposed: bool = False) -> tuple[Stored, Stored, Stored]:
    q, k, v = (
        Stored(name, is_transposed, begin=part * width, end=(part + 1) * width) for part in range(3)
    )
    return q, k, v


FAMILY: Final = Family(
    name="torch.nn.MultiheadAttention",
    order=60,
    model_types=("torch.nn.MultiheadAttention",),
    anchor="in_proj_weight",
    plan=plan,
    says=say("It is a layer alone: give X."),
    is_one_layer=True,
)
