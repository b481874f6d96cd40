"""Whether queries and keys are scaled to one size before they meet: as in Qwen3 and OLMo 2."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option, Options

NORMS: Final = {
    "none": Choice(say("None"), say("Queries and keys stay as long as they are.")),
    "head": Choice(
        say("Each head"),
        say("Each query and key of a head is divided by its root mean square: as in Qwen3."),
    ),
    "all": Choice(
        say("All heads"),
        say("Each row of Q and of K is divided by its root mean square: as in OLMo 2."),
    ),
    "gains": Choice(
        say("Gains alone"),
        say(
            "Nothing is divided: each column of a head's queries and keys is multiplied by its "
            "gain, as in TimesFM."
        ),
    ),
}


def is_normed(scores: Options) -> bool:
    """Whether queries and keys pass a norm, or its gains alone."""
    return bool(scores.qk_norm != "none")


def is_divided(scores: Options) -> bool:
    return bool(scores.qk_norm in ("head", "all"))


OPTION: Final = Option(
    name="qk_norm",
    order=110,
    sidebar_order=110,
    thing=say("The norm of queries and keys"),
    title=say("Norm of Q and K"),
    kind=Word(NORMS, say("Take 'none', 'head', 'all' or 'gains'.")),
    default="none",
    in_a_link="none, head or all: over which columns queries and keys are normed; or gains",
    help=" ".join(meaning for _, meaning in NORMS.values()),
    drawn=tuple(NORMS),
    note=lambda name: NORMS[name].meaning,
    effect=lambda scores, _: NORMS[scores.qk_norm].meaning,
    mistake=say("The norm of queries and keys was forgotten."),
)
