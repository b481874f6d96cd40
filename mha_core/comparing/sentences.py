"""A and B in plain words: at which steps they differ, how far the output moves, and the weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.comparing.distances import (
    ROUNDING,
    SELDOM_USED,
    Distance,
    Distances,
    all_distances,
    array_of,
    numbers_of_both,
    total_variation,
)
from mha_core.comparing.token_order import token_order
from mha_core.language import say, say_number
from mha_core.layer.naming import title_of_array, within_a_sentence
from mha_core.layer.trace import Trace
from mha_core.reading.lost_rows import lost_rows
from mha_core.reading.metrics import change_of_rows
from mha_core.reading.sentences import change_sentence
from mha_core.reading.words import listed, quoted_key, quoted_query, share_in_words
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.one_text import reads_one_text

MOST_NAMED: Final = 2  # steps in a row
# Steps that are only another form of an earlier one.
FORMS: Final = {
    **{"q_heads": "q", "k_heads": "k", "v_heads": "v"},
    **{"q_rotated_first": "q", "k_rotated_first": "k"},
    **{"q_centered": "q", "k_centered": "k"},
    **{"q_normed": "q", "k_normed": "k", "v_normed": "v"},
    **{"q_rotated": "q", "k_rotated": "k"},
}

Run = tuple[int, int]  # the places of the first and the last step that differ


def comparison_sentences(a: Trace, b: Trace, apart: Distances | None = None) -> tuple[str, ...]:
    """How A's numbers change in B: one sentence for each thing that can be said.

    `apart` has the distances of all steps, if they are known already.

    >>> from mha_core import attend
    >>> from mha_core.changing.rules import with_rules
    >>> from mha_core.examples import load_example
    >>> pizza = load_example("pizza")
    >>> for sentence in comparison_sentences(attend(pizza), attend(with_rules(pizza, []))):
    ...     print(sentence)
    Both agree through the scaled scores. They begin to differ at the mask.
    The output moves by 82% of its size, most for “LOVE”.
    Most weight moves for “I” in head 2: 0.79.
    """
    apart = all_distances(a, b) if apart is None else apart
    said = (
        _order(a, b),
        _where(apart),
        _output(a, b, apart["output"]),
        _lost("A", a),
        _lost("B", b),
        _weights(a, b, apart["weights"]),
    )
    return tuple(sentence for sentence in said if sentence)


def why_no_distance(a: Trace, b: Trace, step: str) -> str:
    """Why A and B have no distance in a step, or in a given array."""
    without = [side for side, trace in (("A", a), ("B", b)) if array_of(trace, step) is None]
    if not without:
        return say("A and B differ in size here")
    symbol = GIVEN[step].symbol
    if len(without) == 2:
        return say("Neither A nor B has {matrix}").format(matrix=symbol)
    return say("{side} has no {matrix}").format(side=without[0], matrix=symbol)


def _order(a: Trace, b: Trace) -> str:
    if not token_order(a.scenario, b.scenario).is_changed:
        return ""
    return say("Each token is compared with itself, wherever it stands.")


def _where(apart: Distances) -> str:
    """At which steps they differ: mostly from one step on, sometimes only here and there."""
    is_same = {name: each is not None and each.is_same for name, each in apart.items()}
    steps = _steps_to_tell(is_same)
    titles = [within_a_sentence(title_of_array(name)) for name in steps]
    runs = _runs([not is_same[name] for name in steps])
    if not runs:
        return ""
    if len(runs) == 1:
        return _one_run(titles, *runs[0])
    if len(runs) == 2 and (sentence := _two_runs(titles, *runs)):
        return sentence
    differing = sum(not same for same in is_same.values())
    first, _ = runs[0]
    return say("The numbers differ in {count} of {all} steps, first in the {step}.").format(
        count=differing, all=len(is_same), step=titles[first]
    )


def _one_run(titles: Sequence[str], first: int, last: int) -> str:
    """A sentence for steps that differ from the first to the last, while all others are the same.

    >>> _one_run("abcdef", 1, 2)
    'The numbers differ only in the b and the c.'
    >>> _one_run("abcdef", 1, 4)
    'The numbers differ only from the b to the e.'
    """
    is_at_end = last == len(titles) - 1
    if first == last or (last - first < MOST_NAMED and not is_at_end):
        return say("The numbers differ only in {steps}.").format(
            steps=_named(titles[first : last + 1])
        )
    if not is_at_end:
        return say("The numbers differ only from the {first} to the {last}.").format(
            first=titles[first], last=titles[last]
        )
    if first == 0:
        return say("The numbers begin to differ at the {step}.").format(step=titles[first])
    return say("Both agree through the {before}. They begin to differ at the {step}.").format(
        before=titles[first - 1], step=titles[first]
    )


def _two_runs(titles: Sequence[str], early: Run, late: Run) -> str:
    """A sentence for steps that differ, with others between them; "" if it takes too many names.

    >>> _two_runs("abcdefgh", (1, 4), (6, 7))
    'The numbers differ from the b on, except in the f.'
    >>> _two_runs("abcdefgh", (0, 1), (5, 7))
    'The numbers differ only in the a and the b, and from the f on.'
    >>> _two_runs("abcdefgh", (0, 0), (3, 4))
    'The numbers differ only in the a, the d and the e.'
    """
    (first, last), (again, end) = early, late
    is_at_end = end == len(titles) - 1
    before, between, after = (
        titles[first : last + 1],
        titles[last + 1 : again],
        titles[again : end + 1],
    )
    if is_at_end and len(between) <= MOST_NAMED:
        return say("The numbers differ from the {step} on, except in {steps}.").format(
            step=titles[first], steps=_named(between)
        )
    if len(before) > MOST_NAMED:
        return ""
    if is_at_end and len(after) > 1:
        return say("The numbers differ only in {steps}, and from the {step} on.").format(
            steps=_named(before), step=titles[again]
        )
    if len(after) > MOST_NAMED:
        return ""
    return say("The numbers differ only in {steps}.").format(steps=_named([*before, *after]))


def _named(titles: Sequence[str]) -> str:
    says = say("the {step}")
    return listed([says.format(step=title) for title in titles])


def _steps_to_tell(is_same: Mapping[str, bool]) -> list[str]:
    """The steps without those that would only make the sentence longer.

    A mask, a bias or positions that are the same do not depend on what differs: they are no gap. If
    the queries differ, those by head must differ too.
    """
    left_out = {name for name in SELDOM_USED if is_same.get(name)}
    left_out |= {name for name, of in FORMS.items() if not (is_same.get(name, True) or is_same[of])}
    return [name for name in is_same if name not in left_out]


def _runs(is_set: Sequence[bool]) -> list[Run]:
    """The first and the last place of each unbroken run.

    >>> _runs([False, True, True, False, True])
    [(1, 2), (4, 4)]
    """
    places = [
        [place for place, _ in run]
        for value, run in groupby(enumerate(is_set), key=itemgetter(1))
        if value
    ]
    return [(run[0], run[-1]) for run in places]


def _output(a: Trace, b: Trace, output: Distance | None) -> str:
    pair = numbers_of_both(a, b, "output")
    if output is None or pair is None:
        in_a, in_b = (" × ".join(map(str, trace.output.shape)) for trace in (a, b))
        return say("The outputs differ in size: {in_a} and {in_b}.").format(in_a=in_a, in_b=in_b)
    if output.largest == 0 and not output.lost:
        return say("The output is the same, to the last bit.")
    if output.is_rounding:
        return say(
            "The output is the same but for rounding: the largest difference is {difference:.1e}."
        ).format(difference=output.largest)
    theirs, ours = pair
    change = change_of_rows(theirs, ours - theirs)
    words = change_sentence(b, change)
    return f"{words[0].upper()}{words[1:]}."


def _lost(side: str, trace: Trace) -> str:
    """How many rows of weights a naive softmax has lost."""
    lost = lost_rows(trace)
    if not lost.any():
        return ""
    count = int(lost.sum())
    return say_number(
        "In {side}, {count} of {all} rows of weights is lost to a naive softmax.",
        "In {side}, {count} of {all} rows of weights are lost to a naive softmax.",
        count,
    ).format(side=side, count=count, all=lost.size)


def _weights(a: Trace, b: Trace, weights: Distance | None) -> str:
    """Which query gives most of its weight to other tokens."""
    in_a, in_b = (_heads(trace.scenario.n_heads) for trace in (a, b))
    if in_a != in_b:
        return say("The weights cannot be compared: A has {in_a}, B has {in_b}.").format(
            in_a=in_a, in_b=in_b
        )
    order = token_order(a.scenario, b.scenario)
    pair, shares = numbers_of_both(a, b, "weights", order), total_variation(a, b, order)
    if pair is None or shares is None or weights is None or weights.is_rounding:
        return ""
    known = np.nan_to_num(shares)
    if known.max() <= max(ROUNDING[trace.scenario.dtype.name] for trace in (a, b)):
        return ""
    places = np.argwhere(np.isclose(known, known.max()))
    (head, query), *others = places.tolist()
    share = share_in_words(known[head, query])
    gainers = {_who_gains(b, row, pair[1][h, row] - pair[0][h, row]) for h, row in places.tolist()}
    gainer = gainers.pop() if len(gainers) == 1 else ""
    rows = _rows(b, head, query, others)
    if not gainer:
        return say("Most weight moves for {rows}: {share}.").format(rows=rows, share=share)
    return say("Most weight moves for {rows}: {share}, mostly to {key}.").format(
        rows=rows, share=share, key=gainer
    )


def _rows(b: Trace, head: int, query: int, others: Sequence[Sequence[int]]) -> str:
    """The first of the rows of weights that move equally far, and how many others there are."""
    who, count = quoted_query(b, query), len(others)
    if not others:
        return say("{token} in head {head}").format(token=who, head=head + 1)
    if all(other == head for other, _ in others):
        says = say_number(
            "{token} and {count} other in head {head}",
            "{token} and {count} others in head {head}",
            count,
        )
    else:
        says = say_number(
            "{token} in head {head} and {count} other row",
            "{token} in head {head} and {count} other rows",
            count,
        )
    return says.format(token=who, head=head + 1, count=count)


def _who_gains(b: Trace, query: int, gains: FloatArray) -> str:
    """The key that gains more than half of what moves to keys; "" where none does."""
    key = int(gains.argmax())
    if gains[key] <= gains.clip(min=0).sum() / 2 + ROUNDING[b.scenario.dtype.name]:
        return ""
    is_itself = reads_one_text(b.scenario) and key == query
    return say("itself") if is_itself else quoted_key(b, key)


def _heads(count: int) -> str:
    return say_number("{count} head", "{count} heads", count).format(count=count)
