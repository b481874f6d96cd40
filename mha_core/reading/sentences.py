"""A trace in plain words: what each head does, and how far a number moves others.

Every sentence is computed from the trace and is true of each row. If something is true only on
average, the sentence says so. Token labels are in quotation marks, as they were given: escape a
sentence before it is shown. Heads are counted from 1, as on the screen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say, say_number
from mha_core.layer.cells import Cell
from mha_core.layer.naming import name_of, words_of
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_sinks
from mha_core.reading.lost_rows import lost_in_head
from mha_core.reading.metrics import (
    CLOSELY,
    Change,
    Target,
    main_target,
    mean_effective_tokens,
    picks,
    share_of_sink,
)
from mha_core.reading.patterns import EVEN, PEAK, Pattern, best_pattern, choosing_queries, patterns
from mha_core.reading.words import (
    MOST_NAMED,
    listed,
    quoted_in_its_place,
    quoted_key,
    quoted_label,
    quoted_query,
    range_in_words,
    score_in_words,
    share_in_words,
)
from mha_core.scenario.given_arrays import OF_TOKENS

EVENLY: Final = 0.98  # the part of each row that is even; nobody sees the rest

LOOKS: Final = {  # each token looks ...
    "itself": say("at itself"),
    "previous token": say("at the one before it"),
    "next token": say("at the one after it"),
    "first token": say("at the first token, {first}"),
    "last token": say("at the last token, {last}"),
    "same word": say("at its own word wherever it stands"),
    "all before": say("at itself and all before it"),
    "neighbours": say("at itself and the tokens beside it"),
    "global token": say("at itself and the first token, {first}"),
    "block": say("at the block it stands in"),
    "uniform": say("at all tokens"),
}
NAMES: Final = {  # what a head looks at, in few words, to stand above it
    "itself": say("itself"),
    "previous token": say("the word before"),
    "next token": say("the word after"),
    "first token": say("the first word"),
    "last token": say("the last word"),
    "same word": say("the same word"),
    "all before": say("all words before"),
    "neighbours": say("the words beside"),
    "global token": say("itself and the first"),
    "block": say("its own block"),
    "uniform": say("all words"),
}
MOSTLY: Final = 0.3  # of all weight; with less, no head is named after a key
DARK: Final = 0.5  # a weight that people see at once
MOST_OF_LABEL: Final = 10  # letters of a label in a name


@dataclass(frozen=True)
class Reading:
    """One head in a sentence, and the numbers in that sentence. Its name is what it looks at.

    `target` is the key that gets most weight; None if every query is blind. `pattern` is None if
    the head resembles no pattern; its score is then 0. If a naive softmax has lost the head,
    nothing is known of it: it looks at an infinite number of tokens.
    """

    sentence: str
    effective_tokens: float
    target: int | None
    target_share: float
    pattern: str | None
    pattern_score: float
    name: str = ""


def all_readings(trace: Trace) -> tuple[Reading, ...]:
    """What each head does, in words: the pattern that it resembles, or the keys with most weight.

    >>> from mha_core import Scenario, attend
    >>> I = 9 * np.eye(3)
    >>> I_LOVE_PIZZA = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> all_readings(attend(I_LOVE_PIZZA))[0].sentence
    'Each token looks at itself (1.00). A query attends to one token.'
    """
    best = (best_pattern(found) for found in patterns(trace))
    return tuple(_reading(trace, head, pattern) for head, pattern in enumerate(best))


def change_sentence(trace: Trace, change: Change) -> str:
    """How far the output moves, and for which token most.

    >>> from mha_core import Scenario, attend
    >>> from mha_core.reading.metrics import output_change
    >>> I = np.eye(2)
    >>> trace = attend(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2))
    >>> change_sentence(trace, output_change(trace, without=[1]))
    'the output moves by 71% of its size, most for “t2”'
    """
    if math.isnan(change.relative):
        lost = int(np.isnan(change.rows).sum())
        return say("{count} of {all} rows of the output are not numbers").format(
            count=lost, all=len(change.rows)
        )
    if change.most is None:
        return say("the output stays as it is")
    if math.isinf(change.relative):
        moves = say("the output moves away from all zeros")
    elif change.relative < 0.01:
        moves = say("the output moves by less than 1% of its size")
    else:
        moves = say("the output moves by {share:.0%} of its size").format(share=change.relative)
    most = np.flatnonzero(np.isclose(change.rows, max(change.rows), rtol=1e-6, atol=0))
    if len(most) > MOST_NAMED or len(most) == len(change.rows):
        return moves
    return say("{moves}, most for {tokens}").format(
        moves=moves, tokens=listed(quoted_query(trace, int(query)) for query in most)
    )


def influence_sentence(
    trace: Trace, cell: Cell, of: str, slopes: FloatArray, above: Trace | None = None
) -> str:
    """Which number of the array `of` moves a cell most. `slopes` are the derivatives by that array.

    The cell may be of a layer `above` the one that has the array.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> from mha_core.layer.influence import influence
    >>> trace, cell = attend(load_example("pizza")), Cell("output", None, 3, 2)
    >>> influence_sentence(trace, cell, "x", influence(trace, cell)["x"])
    'output[PIZZA, 3] is most sensitive to the 4th number of “PEPPERONI”: +0.69 for each 1 added'
    """
    name = name_of(above or trace, cell, "text")
    sizes = np.abs(slopes.reshape(-1, slopes.shape[-1]))
    if not sizes.any():
        return say("{number} does not depend on any number of {matrix}").format(
            number=name, matrix=words_of(of)
        )
    row, column = (int(place[0]) for place in np.nonzero(sizes == sizes.max()))
    slope = slopes.reshape(sizes.shape)[row, column]
    as_much = int(np.isclose(sizes, sizes.max(), rtol=1e-6, atol=0).sum()) - 1
    effect = f"{'+' if slope > 0 else ''}{score_in_words(slope)}"
    most = _number_in(trace, of, row, column)
    says = say("{number} is most sensitive to {other}: {effect} for each 1 added")
    if as_much:
        says = say_number(
            "{number} is most sensitive to {other} and equally to {count} other: "
            "{effect} for each 1 added",
            "{number} is most sensitive to {other} and equally to {count} others: "
            "{effect} for each 1 added",
            as_much,
        )
    return says.format(number=name, other=most, count=as_much, effect=effect)


def _number_in(trace: Trace, of: str, row: int, column: int) -> str:
    """A number of a given array as people say it: those of X belong to tokens."""
    s = trace.scenario
    if of in OF_TOKENS:
        labels = s.tokens if of == "x" else s.key_tokens
        says = say("the {nth} number of {token}")
        if of == "context_v":  # beside X or C, whose rows have the same tokens
            says = say("the {nth} number of {token} in C_V")
        return says.format(nth=_nth(column + 1), token=quoted_in_its_place(labels, row))
    return name_of(trace, Cell(of, None, row, column), "text")


def _nth(number: int) -> str:
    """The number's place in words.

    >>> [_nth(number) for number in (1, 2, 3, 4, 11, 12, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '112th']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def _reading(trace: Trace, head: int, pattern: Pattern | None) -> Reading:
    if lost := lost_in_head(trace, head):
        return Reading(lost, math.inf, None, 0.0, None, 0.0)
    target = main_target(trace, head)
    of_sink = None if without_sinks(trace.scenario) else trace.sink_weights[head]
    tokens = mean_effective_tokens(trace.weights[head], of_sink)
    return Reading(
        _sentence(trace, head, pattern, target, tokens),
        effective_tokens=tokens,
        target=None if target is None else target.key,
        target_share=0.0 if target is None else target.share,
        pattern=None if pattern is None else pattern.name,
        pattern_score=0.0 if pattern is None else pattern.score,
        name=_name(trace, head, pattern, target),
    )


def _name(trace: Trace, head: int, pattern: Pattern | None, target: Target | None) -> str:
    if target is None or not choosing_queries(trace).any():
        return ""
    if pattern:
        return NAMES[pattern.name]
    stands_out = len(target.keys) <= MOST_NAMED and len(target.keys) < trace.scenario.n_k
    if stands_out and target.share >= MOSTLY:
        return say("mostly {keys}").format(keys=_in_few_letters(trace, target.keys))
    if picks(trace, head):
        return say("one or two words")
    has_dark_cell = trace.weights[head, choosing_queries(trace)].max() >= DARK
    if has_dark_cell:
        return say("different words")
    if stands_out and target.share > PEAK * _even_share(trace, target.key):
        return say("{keys} most").format(keys=_in_few_letters(trace, target.keys))
    return say("no word stands out")


def _even_share(trace: Trace, key: int) -> float:
    """What a key would get on average, if each query looked evenly at all that it may see."""
    n_open = trace.mask.sum(axis=-1)
    sees = n_open > 0
    return float((trace.mask[sees, key] / n_open[sees]).mean())


def _in_few_letters(trace: Trace, keys: tuple[int, ...]) -> str:
    """The one key, or how many there are."""
    if len(keys) > 1:
        return say_number("{count} word", "{count} words", len(keys)).format(count=len(keys))
    label = trace.scenario.key_tokens[keys[0]]
    if len(label) > MOST_OF_LABEL:
        return say("“{token}…”").format(token=label[: MOST_OF_LABEL - 1])
    return quoted_key(trace, keys[0])


def _sentence(
    trace: Trace, head: int, pattern: Pattern | None, target: Target | None, tokens: float
) -> str:
    if target is None:
        return say("No query may attend to anything.")
    of_sink = share_of_sink(trace, head)
    if of_sink is not None:
        said = _without_sink(trace, head, pattern, target, tokens)
        takes = say("Its sink takes {share} of the weight on average.")
        return f"{said} {takes.format(share=share_in_words(of_sink))}"
    return _without_sink(trace, head, pattern, target, tokens)


def _without_sink(
    trace: Trace, head: int, pattern: Pattern | None, target: Target, tokens: float
) -> str:
    """What a head does with its keys."""
    if not choosing_queries(trace).any():
        if without_sinks(trace.scenario):
            return say("No query may see more than one token, so there is no choice.")
        return say("No query may see more than one token.")
    looks = _pattern_words(trace, head, pattern) if pattern else _other_words(trace, head, target)
    looks = looks[0].upper() + looks[1:]
    if f"{tokens:.1f}" == "1.0":
        return say("{looks}. A query attends to one token.").format(looks=looks)
    return say("{looks}. A query attends to about {count:.1f} tokens.").format(
        looks=looks, count=tokens
    )


def _pattern_words(trace: Trace, head: int, pattern: Pattern) -> str:
    """Each token looks at ..., if each nearly does; otherwise "mostly", with the mean share."""
    is_global = pattern.name == "global token"  # where the first looks at all
    each = say("each token{but}").format(but=_but(trace, (0,) if is_global else pattern.without))
    at = LOOKS[pattern.name].format(
        first=quoted_label(trace.scenario.key_tokens, 0),
        last=quoted_label(trace.scenario.key_tokens, -1),
    )
    if pattern.name in EVEN:
        says = say("evenly {at}") if pattern.least >= EVENLY else say("nearly evenly {at}")
        at = says.format(at=at)
    looks = say("{each} looks {at} ({share})")
    if pattern.name == "uniform" and trace.mask.all():
        return looks.format(each=each, at=at, share=range_in_words(trace.weights[head]))
    if pattern.name == "uniform":
        return say("{each} looks {at} that the mask allows").format(each=each, at=at)
    if pattern.is_close:
        return looks.format(each=each, at=at, share=share_in_words(pattern.share))
    return say("{each} looks mostly {at} ({share} on average)").format(
        each=each, at=at, share=share_in_words(pattern.share)
    )


def _but(trace: Trace, without: tuple[int, ...]) -> str:
    """The tokens for which the sentence is not true, in words such as " but the first"."""
    if not without:
        return ""
    if without in [(0,), (trace.scenario.n_q - 1,)]:
        return say(" but the first") if without == (0,) else say(" but the last")
    if len(without) > MOST_NAMED:
        return say(" but {count}").format(count=len(without))
    tokens = listed(quoted_query(trace, query) for query in without)
    return say(" but {tokens}").format(tokens=tokens)


def _other_words(trace: Trace, head: int, target: Target) -> str:
    """Which keys get most weight, or how many are picked. What every query does comes first."""
    named = listed(quoted_key(trace, key) for key in target.keys)
    share = share_in_words(target.share)
    stands_out = len(target.keys) <= MOST_NAMED and len(target.keys) < trace.scenario.n_k
    few = picks(trace, head)
    each_sees_all = few is None or few.most >= len(target.keys)
    if stands_out and target.least >= CLOSELY and each_sees_all:
        return say_number(
            "{keys} gets nearly all weight of every query ({share} on average)",
            "{keys} get nearly all weight of every query ({share} each on average)",
            len(target.keys),
        ).format(keys=named, share=share)
    blind = trace.blind_queries
    if few:
        who = say("each query{but}").format(but=_but(trace, tuple(np.flatnonzero(blind).tolist())))
        says = say("{who} picks one or two keys ({share} of its weight on average)")
        if few.most == 1:
            says = say("{who} picks one key ({share} of its weight on average)")
        return says.format(who=who, share=share_in_words(few.share))
    average = say("on average over the queries, ") if np.count_nonzero(~blind) > 1 else ""
    if not stands_out:
        return say("{average}no token stands out ({share} at most)").format(
            average=average, share=share
        )
    says = say_number(
        "{average}{keys} gets the most weight ({share})",
        "{average}{keys} get the most weight ({share} each)",
        len(target.keys),
    )
    if not without_sinks(trace.scenario):
        says = say_number(
            "{average}{keys} gets the most weight of all tokens ({share})",
            "{average}{keys} get the most weight of all tokens ({share} each)",
            len(target.keys),
        )
    return says.format(average=average, keys=named, share=share)
