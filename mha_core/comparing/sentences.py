"""A and B in plain words: where they begin to differ, how far the output moves, and the weights."""

from __future__ import annotations

import numpy as np

from mha_core.comparing.distances import (
    ROUNDING,
    Distance,
    Distances,
    all_distances,
    numbers_of_both,
    total_variation,
)
from mha_core.comparing.token_order import token_order
from mha_core.layer.trace import Trace
from mha_core.reading.lost_rows import lost_rows
from mha_core.reading.metrics import change_of_rows
from mha_core.reading.sentences import change_sentence, quoted_query, share_in_words


def comparison_sentences(a: Trace, b: Trace, apart: Distances | None = None) -> tuple[str, ...]:
    """What becomes of A's numbers in B, one sentence for each thing that can be said.

    `apart` has all distances of steps, where somebody has computed them before.

    >>> from mha_core import attend
    >>> from mha_core.changing.rules import with_rules
    >>> from mha_core.examples import load_example
    >>> pizza = load_example("pizza")
    >>> for sentence in comparison_sentences(attend(pizza), attend(with_rules(pizza, []))):
    ...     print(sentence)
    Up to the scaled scores they are the same; from the mask on they differ.
    The output moves by 82 % of its size, most for “LOVE”.
    Most weight moves in head 2: of “I”, 0.79 goes to other tokens.
    """
    apart = all_distances(a, b) if apart is None else apart
    said = (
        _order(a, b),
        _beginning(apart),
        _output(a, b, apart["output"]),
        _lost("A", a),
        _lost("B", b),
        _weights(a, b, apart["weights"]),
    )
    return tuple(sentence for sentence in said if sentence)


def _order(a: Trace, b: Trace) -> str:
    if not token_order(a.scenario, b.scenario).is_changed:
        return ""
    return "Each token is compared with itself, wherever it stands."


def _beginning(apart: Distances) -> str:
    """The first step at which the numbers differ."""
    titles = {name: _within_a_sentence(getattr(Trace, name).title) for name in apart}
    first = next((name for name, each in apart.items() if not each or not each.is_rounding), None)
    if first is None:
        return ""
    before = list(apart)[: list(apart).index(first)]
    if not before:
        return "They differ from the input on."
    last = titles[before[-1]]
    return f"Up to the {last} they are the same; from the {titles[first]} on they differ."


def _within_a_sentence(title: str) -> str:
    return title[0].lower() + title[1:]


def _output(a: Trace, b: Trace, output: Distance | None) -> str:
    pair = numbers_of_both(a, b, "output")
    if output is None or pair is None:
        shapes = (" × ".join(map(str, trace.output.shape)) for trace in (a, b))
        return "The outputs differ in size: {} and {}.".format(*shapes)
    if output.largest == 0 and not output.lost:
        return "The output is the same, to the last bit."
    if output.is_rounding:
        return (
            "The output is the same but for rounding: "
            f"the largest difference is {output.largest:.1e}."
        )
    theirs, ours = pair
    change = change_of_rows(theirs, ours - theirs)
    words = change_sentence(b, change)
    return f"{words[0].upper()}{words[1:]}."


def _lost(side: str, trace: Trace) -> str:
    """How many rows of weights a naive softmax has lost."""
    lost = lost_rows(trace)
    if not lost.any():
        return ""
    are = "is" if lost.sum() == 1 else "are"
    return f"In {side}, {lost.sum()} of {lost.size} rows of weights {are} lost to a naive softmax."


def _weights(a: Trace, b: Trace, weights: Distance | None) -> str:
    """Which query gives most of its weight to other tokens."""
    in_a, in_b = (_heads(trace.scenario.n_heads) for trace in (a, b))
    if in_a != in_b:
        return f"The weights cannot be compared: A has {in_a}, B has {in_b}."
    shares = total_variation(a, b, token_order(a.scenario, b.scenario))
    if shares is None or weights is None or weights.is_rounding:
        return ""
    known = np.nan_to_num(shares)
    if known.max() <= ROUNDING[b.scenario.dtype.name]:
        return ""
    head, query = (int(place) for place in np.unravel_index(known.argmax(), known.shape))
    who, share = quoted_query(b, query), share_in_words(shares[head, query])
    return f"Most weight moves in head {head + 1}: of {who}, {share} goes to other tokens."


def _heads(count: int) -> str:
    return f"{count} head{'s' * (count > 1)}"
