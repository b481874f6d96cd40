"""The factor of the values: as in MiMo V2."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.factors import factor
from mha_core.options.option import Option

OPTION: Final[Option] = factor(
    "v_scale",
    order=330,
    sidebar_order=146,
    used="seldom",
    thing=say("The factor of the values"),
    title=say("Factor of V"),
    in_a_link="what all values are multiplied by: a number",
    help=say("All values of the heads are multiplied by it: 0.707 in MiMo V2."),
    note=lambda by: say("Values are multiplied by {by:.4g}.").format(by=by),
    effect=lambda scores, _: say("Values are multiplied by {by:.4g}.").format(by=scores.v_scale),
    mistake=say("The factor of the values was forgotten."),
)
