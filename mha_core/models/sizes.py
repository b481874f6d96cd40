"""Sizes that follow from others in a config, and may not fit."""

from __future__ import annotations

from mha_core.checks.errors import HeadsError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_head_groups, divisors
from mha_core.language import say
from mha_core.models.fields import Fields


def width_a_head(width: int, n_heads: int) -> int:
    """The width of each head, where the heads share the model's width."""
    if width % n_heads:
        raise HeadsError(
            say("The number of heads"),
            say("must divide the width {width}").format(width=width),
            str(n_heads),
            say("Take one of {divisors}.").format(divisors=divisors(width)),
        )
    return width // n_heads


def grouped_heads(config: Fields, width: int) -> tuple[int, int, int]:
    """The number of heads, that of key/value heads, and a head's width, which may be said."""
    n_heads = config.heads()
    n_kv_heads = config.heads("num_key_value_heads", default=n_heads)
    check_head_groups(n_heads, n_kv_heads)
    if "head_dim" in config:
        return n_heads, n_kv_heads, config.whole("head_dim", most=LIMITS.width)
    return n_heads, n_kv_heads, width_a_head(width, n_heads)
