"""BERT and RoBERTa, and what is made of them, as MiniLM: norms stand after each part."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.models.attention_names import of_linears
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.parts import equal_heads, model, norms_of, plain_mlp
from mha_core.models.plan import Block, Embedding, ModelPlan
from mha_core.models.stored import LayerNames
from mha_core.models.windows import CAUSAL

PADDED: Final = ("roberta", "xlm-roberta", "camembert")  # positions begin behind that of padding


def plan(config: Fields, names: Tensors) -> ModelPlan:
    config.must_not("position_embedding_type", "absolute")
    width = config.width()
    eps = config.number("layer_norm_eps", default=1e-12)
    is_padded = config.word("model_type", default="bert") in PADDED
    place = "embeddings"
    return model(
        config.layers(),
        "encoder.layer",
        partial(_block, config, names, width, eps),
        width,
        Embedding(
            names.name(f"{place}.word_embeddings.weight"),
            width,
            positions=names.name(f"{place}.position_embeddings.weight"),
            first_position=config.whole("pad_token_id", default=1, least=0) + 1 if is_padded else 0,
            kinds=names.given(f"{place}.token_type_embeddings.weight"),
            norm=names.norm(f"{place}.LayerNorm", eps),
        ),
    )


def _block(config: Fields, names: Tensors, width: int, eps: float, place: str) -> Block:
    rules = CAUSAL if config.flag("is_decoder", default=False) else ()
    behind, own = f"{place}.attention.output.LayerNorm", f"{place}.output.LayerNorm"
    return Block(
        equal_heads(matrices(names, place, "self"), config.heads(), width, rules=rules),
        plain_mlp(config, names, inner(place), usual="gelu"),
        norms_of(names, eps, behind, own, are_before=False),
    )


def matrices(names: Tensors, place: str, within: str) -> LayerNames:
    """Those of attention, of which three stand together."""
    three = (f"{place}.attention.{within}.{each}" for each in ("query", "key", "value"))
    return of_linears(*map(names.linear, (*three, f"{place}.attention.output.dense")))


def inner(place: str) -> tuple[str, str]:
    """The two matrices of the MLP."""
    return f"{place}.intermediate.dense", f"{place}.output.dense"


FAMILY: Final = Family(
    name="BERT",
    order=30,
    model_types=("bert", *PADDED),
    anchor="encoder.layer.0.attention.self.query.weight",
    beside=("embeddings.word_embeddings.weight",),
    plan=plan,
)
