"""Whether the norm of queries and keys subtracts the mean of a row before it divides: LayerNorm."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_divided

KINDS: Final = {
    "rms": Choice(say("RMS"), say("The norm only divides.")),
    "layer": Choice(
        say("LayerNorm"),
        say("Before the norm divides, it subtracts the mean of the row: LayerNorm, as in Phi."),
    ),
}

OPTION: Final = Option(
    name="qk_norm_kind",
    order=150,
    sidebar_order=112,
    thing=say("The kind of the norm of queries and keys"),
    title=say("RMS or LayerNorm"),
    kind=Word(KINDS, say("Take 'rms' or 'layer'.")),
    default="rms",
    in_a_link="rms, or layer: whether the mean of a row is subtracted first",
    help=" ".join(meaning for _, meaning in KINDS.values()),
    drawn=tuple(KINDS),
    applies=is_divided,
    note=lambda name: KINDS[name].meaning,
    effect=lambda scores, _: KINDS[scores.qk_norm_kind].meaning,
    mistake=say("The mean of each query and key was not subtracted before its norm."),
)
