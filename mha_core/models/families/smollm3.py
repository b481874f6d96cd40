"""SmolLM3: Llama, but some layers turn no columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mha_core.models.families import llama
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Block, ModelPlan
from mha_core.scenario.score_options import ScoreOptions


def plan(config: Fields, names: Tensors) -> ModelPlan:
    made = llama.plan(config, names)
    turns = config.numbers("no_rope_layers", len(made.blocks))  # 0 for a layer that does not turn
    blocks = zip(made.blocks, turns, strict=True)
    return replace(
        made, blocks=tuple(block if turn else _without_positions(block) for block, turn in blocks)
    )


def _without_positions(block: Block) -> Block:
    return replace(block, attention=replace(block.attention, scores=ScoreOptions()))


FAMILY: Final = Family(
    name="SmolLM3",
    order=27,
    model_types=("smollm3",),
    anchor=llama.FAMILY.anchor,
    beside=llama.FAMILY.beside,
    plan=plan,
)
