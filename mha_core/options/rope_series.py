"""Which pairs of columns go from fast to slow together, where places have several axes."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option, Options
from mha_core.options.rope_axes import axes_of
from mha_core.options.rope_places import has_axes

SERIES: Final = {
    "axis": Choice(
        say("Each axis"),
        say("The pairs of each axis go from fast to slow: as in the vision of DINOv3 and Llama 4."),
    ),
    "all": Choice(
        say("All pairs"),
        say("All pairs go from fast to slow, whatever their axes: as in Qwen2-VL's text."),
    ),
}


class InSeries(NamedTuple):
    """The number of a pair in its series, from 0, and how many pairs this has."""

    number: int
    among: int

    @property
    def share(self) -> float:
        return self.number / self.among


def in_series(scores: Options, pairs: int) -> tuple[InSeries, ...]:
    """Where each pair stands among those that go from fast to slow together.

    >>> from mha_core.scenario.score_options import ScoreOptions
    >>> two_axes = ScoreOptions(positions="rope", rope_places=((0.0, 0.0), (0.0, 1.0)))
    >>> [each.share for each in in_series(two_axes, 4)]
    [0.0, 0.5, 0.0, 0.5]
    """
    axes = axes_of(scores, pairs)
    if scores.rope_series == "all" or not has_axes(scores):
        return tuple(InSeries(pair, pairs) for pair in range(pairs))
    counts = Counter(axes)
    so_far: Counter[int] = Counter()
    found = []
    for axis in axes:
        found.append(InSeries(so_far[axis], counts[axis]))
        so_far[axis] += 1
    return tuple(found)


OPTION: Final = Option(
    name="rope_series",
    order=106,
    sidebar_order=96,
    thing=say("The series of frequencies"),
    title=say("From fast to slow"),
    kind=Word(SERIES, say("Take 'axis' or 'all'.")),
    default="axis",
    in_a_link="axis or all: which pairs go from fast to slow together",
    help=" ".join(meaning for _, meaning in SERIES.values()),
    drawn=tuple(SERIES),
    applies=lambda scores: has_axes(scores) and scores.rope_frequencies is None,
    note=lambda name: SERIES[name].meaning,
    effect=lambda scores, _: SERIES[scores.rope_series].meaning,
    mistake=say("The pairs of each axis went from fast to slow."),
)
