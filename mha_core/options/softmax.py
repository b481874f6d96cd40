"""The kind of softmax: with the largest score of a row subtracted, or without."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option

SOFTMAXES: Final = {
    "stable": Choice(
        say("Stable"),
        say("The largest score of a row is subtracted before exp, so exp never overflows."),
    ),
    "naive": Choice(
        say("Naive"),
        say(
            "Nothing is subtracted. exp overflows at scores above about 89 in float32, and above "
            "about 710 in float64."
        ),
    ),
}

OPTION: Final = Option(
    name="softmax",
    order=60,
    sidebar_order=40,
    thing="softmax",
    title=say("Softmax"),
    kind=Word(SOFTMAXES, say("Take 'stable', which never overflows.")),
    default="stable",
    in_a_link="stable or naive: naive subtracts nothing before exp",
    help=" ".join(f"{title}: {meaning}" for title, meaning in SOFTMAXES.values()),
    drawn=tuple(SOFTMAXES),
    note=lambda _: say("The softmax is naive."),
)
