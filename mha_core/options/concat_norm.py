"""Whether the concatenation is normed before W_O, over all its columns: as in BitNet b1.58."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option, Options

NORMS: Final = {
    "none": Choice(say("None"), say("W_O gets the heads' outputs as they are.")),
    "rms": Choice(
        say("RMS"),
        say("Before W_O, the outputs of all heads in a row are divided by their root mean square."),
    ),
    "layer": Choice(
        say("LayerNorm"),
        say(
            "Before W_O, the outputs of all heads in a row lose their mean, and are divided by the "
            "root mean square of what is left."
        ),
    ),
}


def is_concat_normed(scores: Options) -> bool:
    return bool(scores.concat_norm != "none")


OPTION: Final = Option(
    name="concat_norm",
    order=220,
    sidebar_order=180,
    used="seldom",
    thing=say("The norm of the concatenation"),
    title=say("Norm of concat"),
    kind=Word(NORMS, say("Take 'none', 'rms' or 'layer'.")),
    default="none",
    in_a_link="none, rms or layer: how the concatenation is normed before W_O",
    help=" ".join(meaning for _, meaning in NORMS.values()),
    drawn=tuple(NORMS),
    note=lambda name: NORMS[name].meaning,
    effect=lambda scores, _: NORMS[scores.concat_norm].meaning,
    mistake=say("The norm of the concatenation was forgotten."),
)
