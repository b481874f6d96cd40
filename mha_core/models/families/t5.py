"""T5's encoder: scores are not scaled, and each head adds a number for each kind of distance."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors, inner_width
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, Block, Distances, Embedding, Mlp, ModelPlan, Norms
from mha_core.models.stored import Stored
from mha_core.scenario.score_options import ScoreOptions

ONLY_THE_ENCODER: Final = say("The model has a decoder too. This is its encoder.")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("d_model")
    eps = config.number("layer_norm_epsilon", default=1e-6)
    n_heads = config.heads("num_heads", "num_attention_heads")
    table = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    distances = Distances(
        Stored(names.name(table)),
        config.whole("relative_attention_num_buckets", default=32, least=4, most=LIMITS.width),
        config.whole("relative_attention_max_distance", default=128),
    )
    return ModelPlan(
        width,
        tuple(
            _block(config, names, f"encoder.block.{layer}.layer", width, n_heads, eps, distances)
            for layer in range(config.layers("num_layers"))
        ),
        Embedding(
            names.name(
                "shared.weight" if "shared.weight" in names else "encoder.embed_tokens.weight"
            ),
            width,
        ),
        names.norm("encoder.final_layer_norm", eps, is_rms=True),
    )


def _block(
    config: Fields,
    names: Tensors,
    place: str,
    width: int,
    n_heads: int,
    eps: float,
    distances: Distances,
) -> Block:
    d_k = config.whole("d_kv", default=64, most=LIMITS.width)
    return Block(
        Attention(
            separate(names, f"{place}.0.SelfAttention", ("q", "k", "v", "o")),
            n_heads,
            n_heads,
            d_k,
            d_k,
            ScoreOptions(scale="none"),
            distances=distances,
        ),
        _mlp(config, names, f"{place}.1.DenseReluDense"),
        Norms(
            attention_in=names.norm(f"{place}.0.layer_norm", eps, is_rms=True),
            mlp_in=names.norm(f"{place}.1.layer_norm", eps, is_rms=True),
        ),
    )


def _mlp(config: Fields, names: Tensors, place: str) -> Mlp:
    width, down = inner_width(config, "d_ff"), names.linear(f"{place}.wo")
    if f"{place}.wi.weight" in names:
        return Mlp(names.linear(f"{place}.wi"), down, width, "relu")
    gate = names.linear(f"{place}.wi_0")
    return Mlp(names.linear(f"{place}.wi_1"), down, width, "gelu_tanh", gate)


FAMILY: Final = Family(
    name="T5",
    order=53,
    model_types=("t5", "mt5"),
    anchor="encoder.block.0.layer.0.SelfAttention.q.weight",
    beside=("encoder.final_layer_norm.weight",),
    plan=plan,
    says=ONLY_THE_ENCODER,
)
