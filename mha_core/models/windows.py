"""Which keys a layer of a decoder sees, as config.json says it: all before, or a window of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mha_core.models.fields import Fields
from mha_core.scenario.masks import Rule

CAUSAL: Final = (Rule("causal"),)
SLIDING: Final = "sliding_attention"
FULL: Final = "full_attention"
# Whatever the config says beside: models whose code looks at no window, and at the window alone.
HAVE_NONE: Final = ("llama", "gemma", "cohere", "stablelm", "olmo")
HAVE_IT_IN_ALL: Final = ("mistral", "ministral3", "mixtral", "phi3", "starcoder2")


def window_rules(config: Fields, layer: int) -> tuple[Rule, ...]:
    """The rules of a layer's mask. A window of 4 sees the token itself and 3 before it.

    Some models that make a vector of a text have a decoder's layers, and see all of it. Those of
    Gemma have windows too, half of which is before the token, and half behind it.
    """
    if config.flag("use_bidirectional_attention", default=False):
        return _both_sides(config, layer)
    if not config.flag("is_causal", default=True):
        config.must_not("sliding_window")
        return ()
    if "sliding_window" not in config or not _slides(config, layer):
        return CAUSAL
    return (Rule("sliding_window", left=config.whole("sliding_window") - 1),)


def _both_sides(config: Fields, layer: int) -> tuple[Rule, ...]:
    if "sliding_window" not in config or not _slides(config, layer):
        return ()
    half = config.whole("sliding_window") // 2
    return (Rule("sliding_window", left=half, right=half),)


def sees_ahead(rules: Sequence[Rule]) -> bool:
    """Whether a layer with these rules lets a token see later ones."""
    return not any(rule.name == "causal" or _ends_at_the_token(rule) for rule in rules)


def _ends_at_the_token(rule: Rule) -> bool:
    return rule.name == "sliding_window" and not rule.options.get("right")


def layer_kind(config: Fields, layer: int) -> str:
    """What config.json calls the kind of this layer; empty where it says nothing."""
    kinds = config.words("layer_types", default=())
    return kinds[layer] if layer < len(kinds) else ""


def _slides(config: Fields, layer: int) -> bool:
    model = config.word("model_type", default="")
    if model in (*HAVE_NONE, *HAVE_IT_IN_ALL):
        return model in HAVE_IT_IN_ALL
    if kind := layer_kind(config, layer):
        return kind == SLIDING
    if not config.flag("use_sliding_window", default=True):
        return False
    return layer >= config.whole("max_window_layers", default=0, least=0)
