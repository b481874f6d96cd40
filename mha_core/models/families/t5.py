"""T5: scores are not scaled, and each head adds a number for each kind of distance."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.models.attention_names import separate
from mha_core.models.family import Family, Tensors, inner_width
from mha_core.models.fields import Fields
from mha_core.models.parts import decoder, model, shared_words
from mha_core.models.plan import Attention, Block, Distances, Embedding, Mlp, ModelPlan, Norm, Norms
from mha_core.models.stored import Stored
from mha_core.models.windows import CAUSAL
from mha_core.scenario.score_options import ScoreOptions

FOUR: Final = ("q", "k", "v", "o")
UNSCALED: Final = ScoreOptions(scale="none")


def plan(config: Fields, names: Tensors) -> ModelPlan:
    width = config.width("d_model")
    count = config.layers("num_layers")
    embedding = Embedding(shared_words(names), width)
    return model(
        count,
        "encoder.block",
        partial(_layer_of_encoder, config, names),
        width,
        embedding,
        _norm(config, names, "encoder.final_layer_norm"),
        decoder(
            config,
            names,
            "decoder.block",
            partial(_layer_of_decoder, config, names),
            config.whole("num_decoder_layers", default=count, most=LIMITS.model_layers),
            embedding,
            _norm(config, names, "decoder.final_layer_norm"),
            begins_with=0,
            ends_with=1,
        ),
    )


def _layer_of_encoder(config: Fields, names: Tensors, place: str) -> Block:
    distances = _distances(config, names, "encoder", sees_ahead=True)
    attention = _attention(config, names, f"{place}.layer.0.SelfAttention", distances=distances)
    return _with_mlp(config, names, attention, place, 1)


def _layer_of_decoder(config: Fields, names: Tensors, place: str) -> tuple[Block, Block]:
    own, cross = f"{place}.layer.0", f"{place}.layer.1"
    distances = _distances(config, names, "decoder", sees_ahead=False)
    return (
        Block(
            _attention(config, names, f"{own}.SelfAttention", rules=CAUSAL, distances=distances),
            norms=Norms(attention_in=_norm(config, names, f"{own}.layer_norm")),
        ),
        _with_mlp(
            config,
            names,
            _attention(config, names, f"{cross}.EncDecAttention", is_cross=True),
            place,
            2,
        ),
    )


def _attention(config: Fields, names: Tensors, place: str, **more: Any) -> Attention:
    n_heads = config.heads("num_heads", "num_attention_heads")
    d_k = config.whole("d_kv", default=64, most=LIMITS.width)
    return Attention(separate(names, place, FOUR), n_heads, n_heads, d_k, d_k, UNSCALED, **more)


def _distances(config: Fields, names: Tensors, part: str, *, sees_ahead: bool) -> Distances:
    table = f"{part}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    return Distances(
        Stored(names.name(table)),
        config.whole("relative_attention_num_buckets", default=32, least=4, most=LIMITS.width),
        config.whole("relative_attention_max_distance", default=128),
        sees_ahead,
    )


def _with_mlp(
    config: Fields, names: Tensors, attention: Attention, place: str, of_mlp: int
) -> Block:
    """The MLP stands at this place in the layer, what attention reads at the one before."""
    before, own = (f"{place}.layer.{number}" for number in (of_mlp - 1, of_mlp))
    return Block(
        attention,
        _mlp(config, names, f"{own}.DenseReluDense"),
        Norms(
            attention_in=_norm(config, names, f"{before}.layer_norm"),
            mlp_in=_norm(config, names, f"{own}.layer_norm"),
        ),
    )


def _norm(config: Fields, names: Tensors, name: str) -> Norm:
    return names.norm(name, config.number("layer_norm_epsilon", default=1e-6), is_rms=True)


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
)
