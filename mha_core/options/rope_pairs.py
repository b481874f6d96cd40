"""Which two columns turn together: files of models differ, and the wrong choice is not seen.

Crossed pairs are those of V-JEPA 2: it repeats the angles of an axis, the first half of its columns
and then the second, while the columns that turn together are neighbours.
"""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option

PAIRS: Final = {
    "neighbours": Choice(
        say("Neighbours"), say("Columns 1 and 2 turn together, then 3 and 4: as in the paper.")
    ),
    "halves": Choice(
        say("Halves"),
        say(
            "Each column of the first half turns with its like of the second: as in Llama's files."
        ),
    ),
    "crossed": Choice(
        say("Crossed"),
        say(
            "Neighbours turn together, but each by an angle of its own: as in V-JEPA 2. Then their "
            "length changes, and a score depends on more than the distance."
        ),
    ),
}

OPTION: Final = Option(
    name="rope_pairs",
    order=90,
    sidebar_order=90,
    thing=say("The pairs of columns"),
    title=say("Pairs"),
    kind=Word(PAIRS, say("Take 'neighbours', as in the paper, 'halves' or 'crossed'.")),
    default="neighbours",
    in_a_link="neighbours, halves or crossed: which two columns turn together",
    help=" ".join(meaning for _, meaning in PAIRS.values()),
    drawn=tuple(PAIRS),
    applies=lambda scores: scores.positions == "rope",
    note=lambda name: PAIRS[name].meaning,
    effect=lambda scores, _: PAIRS[scores.rope_pairs].meaning,
    mistake=say("Neighbouring columns were turned together, by one angle."),
)
