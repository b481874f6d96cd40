"""Which keys a layer of a decoder sees, as config.json says it: all before, or a window of them."""

from __future__ import annotations

from typing import Final

from mha_core.models.fields import Fields
from mha_core.scenario.masks import Rule

CAUSAL: Final = (Rule("causal"),)


def window_rules(config: Fields, layer: int) -> tuple[Rule, ...]:
    """The rules of a layer's mask. A window of 4 sees the token itself and 3 before it."""
    if "sliding_window" not in config or not _slides(config, layer):
        return CAUSAL
    return (Rule("sliding_window", left=config.whole("sliding_window") - 1),)


def layer_kind(config: Fields, layer: int) -> str:
    """What config.json calls the kind of this layer; empty where it says nothing."""
    kinds = config.words("layer_types", default=())
    return kinds[layer] if layer < len(kinds) else ""


def _slides(config: Fields, layer: int) -> bool:
    if kind := layer_kind(config, layer):
        return kind == "sliding_attention"
    if not config.flag("use_sliding_window", default=True):
        return False
    return layer >= config.whole("max_window_layers", default=0, least=0)
