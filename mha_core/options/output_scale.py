"""The factor of the output: as the tanh gate of Idefics, which is one number for all tokens."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.factors import factor
from mha_core.options.option import Option

OPTION: Final[Option] = factor(
    "output_scale",
    order=340,
    sidebar_order=220,
    used="seldom",
    thing=say("The factor of the output"),
    title=say("Factor of the output"),
    in_a_link="what the output is multiplied by: a number",
    help=say(
        "The output, with b_O in it, is multiplied by it: as by the tanh gate of Idefics, which "
        "is one number for all tokens."
    ),
    note=lambda by: say("The output is multiplied by {by:.4g}.").format(by=by),
    effect=lambda scores, _: say("The output is multiplied by {by:.4g}.").format(
        by=scores.output_scale
    ),
    mistake=say("The factor of the output was forgotten."),
)
