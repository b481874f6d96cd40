"""Whether the values of each head are scaled to one size: as in Gemma 3n."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option, Options

NORMS: Final = {
    "none": Choice(say("None"), say("Values stay as long as they are.")),
    "rms": Choice(
        say("RMS"), say("Each value of a head is divided by its root mean square: as in Gemma 3n.")
    ),
}


def are_values_normed(scores: Options) -> bool:
    return bool(scores.v_norm != "none")


OPTION: Final = Option(
    name="v_norm",
    order=190,
    sidebar_order=150,
    used="seldom",
    thing=say("The norm of values"),
    title=say("Norm of V"),
    kind=Word(NORMS, say("Take 'none' or 'rms'.")),
    default="none",
    in_a_link="none, or rms: whether the values of each head are normed",
    help=" ".join(meaning for _, meaning in NORMS.values()),
    drawn=tuple(NORMS),
    note=lambda name: NORMS[name].meaning,
    effect=lambda scores, _: NORMS[scores.v_norm].meaning,
    mistake=say("The norm of values was forgotten."),
)
