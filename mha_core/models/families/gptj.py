"""GPT-J: pairs of neighbours turn; attention and MLP read the same norm."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import equal_heads, model, plain_mlp
from mha_core.models.plan import Block, Embedding, ModelPlan, Norms
from mha_core.models.rotation import rotary
from mha_core.models.sizes import width_a_head
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions

FOUR: Final = ("q_proj", "k_proj", "v_proj", "out_proj")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("n_embd")
    eps = config.number("layer_norm_epsilon", default=1e-5)
    return model(
        config.layers("n_layer"),
        "h",
        partial(_block, config, names, width, eps),
        width,
        Embedding(names.name("wte.weight"), width),
        names.norm("ln_f", eps),
    )


def _block(config: Fields, names: Tensors, width: int, eps: float, place: str) -> Block:
    n_heads = config.heads("n_head", "num_attention_heads")
    d_k = width_a_head(width, n_heads)
    turning = config.whole("rotary_dim", default=d_k, most=LIMITS.width)
    scores = ScoreOptions(**rotary(config, d_k, pairs="neighbours", columns=turning))
    matrices = separate(names, f"{place}.attn", FOUR)
    up_and_down = (f"{place}.mlp.fc_in", f"{place}.mlp.fc_out")
    norm = names.norm(f"{place}.ln_1", eps)
    return Block(
        equal_heads(matrices, n_heads, width, scores=scores, rules=CAUSAL),
        plain_mlp(
            config,
            names,
            up_and_down,
            "n_inner",
            usual="gelu_new",
            acts="activation_function",
            width=4 * width,
        ),
        Norms(attention_in=norm, mlp_in=norm),
        is_parallel=True,
    )


FAMILY: Final = Family(
    name="GPT-J",
    order=41,
    model_types=("gptj",),
    anchor="h.0.attn.q_proj.weight",
    beside=("h.0.mlp.fc_in.weight",),
    plan=plan,
)
