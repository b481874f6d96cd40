"""A trace in plain words: what each head does, and what the present setting does.

Every sentence is computed from the trace and is true of each row. If something is true only on
average, the sentence says so. Token labels are in quotation marks, as they were given: escape a
sentence before it is shown. Heads are counted from 1, as on the screen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.naming import name_of, words_of
from mha_core.layer.trace import Trace
from mha_core.mask_rules.registry import RULES
from mha_core.options.registry import OPTIONS
from mha_core.options.scale import BY_ROOT_D_K
from mha_core.reading.lost_rows import lost_in_head, lost_rows, overflow_note
from mha_core.reading.metrics import (
    CLOSELY,
    Change,
    Target,
    main_target,
    mean_effective_tokens,
    picks,
)
from mha_core.reading.patterns import (
    EVEN,
    Pattern,
    best_pattern,
    choosing_queries,
    patterns,
    resembles,
)

NEARLY_EQUAL: Final = 0.1  # scores this near give weights within 5 % of an even share
EVENLY: Final = 0.98  # the part of each row that is even; nobody sees the rest
ROUNDING: Final = 1e-6  # a share this near to 1 counts as 1
MOST_NAMED: Final = 3  # more tokens than this are counted, not listed

LOOKS: Final = {  # each token looks ...
    "itself": "at itself",
    "previous token": "at the one before it",
    "next token": "at the one after it",
    "first token": "at the first token, {first}",
    "last token": "at the last token, {last}",
    "same word": "at its own word wherever it stands",
    "all before": "at itself and all before it",
    "neighbours": "at itself and the tokens beside it",
    "global token": "at itself and the first token, {first}",
    "block": "at the block it stands in",
    "uniform": "at all tokens",
}


@dataclass(frozen=True)
class Reading:
    """One head in a sentence, and the numbers in that sentence.

    `target` is the key that gets most weight; None if every query is blind. `pattern` is None if
    the head resembles no pattern; its score is then 0. Of a head that a naive softmax has lost
    nothing is known: it looks at an infinite number of tokens.
    """

    sentence: str
    effective_tokens: float
    target: int | None
    target_share: float
    pattern: str | None
    pattern_score: float


def head_reading(trace: Trace, head: int) -> Reading:
    """What a head does, in words: the pattern that it resembles, or the keys with most weight.

    >>> from mha_core import Scenario, attend
    >>> I = 9 * np.eye(3)
    >>> I_LOVE_PIZZA = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> head_reading(attend(I_LOVE_PIZZA), 0).sentence
    'Each token looks at itself (1.00). A query attends to one token.'
    """
    return _reading(trace, head, resembles(trace, head))


def all_readings(trace: Trace) -> tuple[Reading, ...]:
    """head_reading of every head. The parts that all heads share are computed once."""
    best = (best_pattern(found) for found in patterns(trace))
    return tuple(_reading(trace, head, pattern) for head, pattern in enumerate(best))


def change_sentence(trace: Trace, change: Change) -> str:
    """How far the output moves, and for which token most.

    >>> from mha_core import Scenario, attend
    >>> from mha_core.reading.metrics import output_change
    >>> I = np.eye(2)
    >>> trace = attend(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2))
    >>> change_sentence(trace, output_change(trace, without=[1]))
    'the output moves by 71 % of its size, most for “t2”'
    """
    if math.isnan(change.relative):
        lost = int(np.isnan(change.rows).sum())
        return f"{lost} of {len(change.rows)} rows of the output are not numbers"
    if change.most is None:
        return "the output stays as it is"
    if math.isinf(change.relative):
        moves = "the output moves away from all zeros"
    elif change.relative < 0.01:
        moves = "the output moves by less than 1 % of its size"
    else:
        moves = f"the output moves by {100 * change.relative:.0f} % of its size"
    most = np.flatnonzero(np.isclose(change.rows, max(change.rows), rtol=1e-6, atol=0))
    if len(most) > MOST_NAMED or len(most) == len(change.rows):
        return moves
    return f"{moves}, most for {listed(quoted_query(trace, int(query)) for query in most)}"


def influence_sentence(trace: Trace, cell: Cell, of: str, slopes: FloatArray) -> str:
    """Which number of the array `of` moves a cell most. `slopes` are the derivatives by that array.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> from mha_core.layer.influence import influence
    >>> trace, cell = attend(load_example("pizza")), Cell("output", None, 3, 2)
    >>> influence_sentence(trace, cell, "x", influence(trace, cell)["x"])
    'output[PIZZA, 3] moves most with the 4th number of “PEPPERONI”: by +0.69 for each 1'
    """
    name = name_of(trace, cell, "text")
    sizes = np.abs(slopes.reshape(-1, slopes.shape[-1]))
    if not sizes.any():
        return f"{name} moves with no number of {words_of(of)}"
    row, column = (int(place[0]) for place in np.nonzero(sizes == sizes.max()))
    slope = slopes.reshape(sizes.shape)[row, column]
    as_much = int(np.isclose(sizes, sizes.max(), rtol=1e-6, atol=0).sum()) - 1
    others = f" and as much with {as_much} other{'s' * (as_much > 1)}" if as_much else ""
    sign = "+" if slope > 0 else ""
    most = _number_in(trace, of, row, column)
    return f"{name} moves most with {most}{others}: by {sign}{_score(slope)} for each 1"


def _number_in(trace: Trace, of: str, row: int, column: int) -> str:
    """A number of a given array as people say it: those of X belong to tokens."""
    s = trace.scenario
    if of in ("x", "context"):
        labels = s.tokens if of == "x" else s.context_tokens
        return f"the {_nth(column + 1)} number of {_label(labels, row)}"
    return name_of(trace, Cell(of, None, row, column), "text")


def _nth(number: int) -> str:
    """The number's place in words.

    >>> [_nth(number) for number in (1, 2, 3, 4, 11, 12, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '112th']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def setting_notes(trace: Trace) -> tuple[str, ...]:
    """What the present setting does, one sentence for each note. Only true notes are given.

    >>> from mha_core import Scenario, attend
    >>> from mha_core.scenario.masks import Mask, Rule
    >>> I = np.eye(4)
    >>> causal = Mask((Rule("causal"),))
    >>> trace = attend(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1, mask=causal))
    >>> for note in setting_notes(trace):
    ...     print(note)
    The causal mask hides 6 of 16 cells.
    Without the scale 1/sqrt(d_k), scores would be 2 times as large.
    """
    kinds = (
        overflow_note,
        _mask,
        _blind,
        _scale,
        _cap,
        _temperature,
        _effects,
        _one_key,
        _averaging,
        _sharing,
        _off,
    )
    return tuple(note for note_of in kinds if (note := note_of(trace)))


# Heads


def _reading(trace: Trace, head: int, pattern: Pattern | None) -> Reading:
    if lost := lost_in_head(trace, head):
        return Reading(lost, math.inf, None, 0.0, None, 0.0)
    target = main_target(trace, head)
    tokens = mean_effective_tokens(trace.weights[head])
    return Reading(
        _sentence(trace, head, pattern, target, tokens),
        effective_tokens=tokens,
        target=None if target is None else target.key,
        target_share=0.0 if target is None else target.share,
        pattern=None if pattern is None else pattern.name,
        pattern_score=0.0 if pattern is None else pattern.score,
    )


def _sentence(
    trace: Trace, head: int, pattern: Pattern | None, target: Target | None, tokens: float
) -> str:
    if target is None:
        return "No query may attend to anything."
    if not choosing_queries(trace).any():
        return "No query may see more than one token, so there is no choice."
    looks = _pattern_words(trace, head, pattern) if pattern else _other_words(trace, head, target)
    many = "one token" if f"{tokens:.1f}" == "1.0" else f"about {tokens:.1f} tokens"
    return f"{looks[0].upper()}{looks[1:]}. A query attends to {many}."


def _pattern_words(trace: Trace, head: int, pattern: Pattern) -> str:
    """Each token looks at ..., if each nearly does; otherwise "mostly", with the mean share."""
    is_global = pattern.name == "global token"  # where the first looks at all
    each = f"each token{_but(trace, (0,) if is_global else pattern.without)}"
    at = LOOKS[pattern.name].format(
        first=_quoted(trace.scenario.key_tokens, 0), last=_quoted(trace.scenario.key_tokens, -1)
    )
    if pattern.name in EVEN:
        at = f"{'evenly' if pattern.least >= EVENLY else 'nearly evenly'} {at}"
    if pattern.name == "uniform" and trace.mask.all():
        return f"{each} looks {at} ({_range(trace.weights[head])})"
    if pattern.name == "uniform":
        return f"{each} looks {at} that the mask allows"
    if pattern.is_close:
        return f"{each} looks {at} ({share_in_words(pattern.share)})"
    return f"{each} looks mostly {at} ({share_in_words(pattern.share)} on average)"


def _but(trace: Trace, without: tuple[int, ...]) -> str:
    """The tokens for which the sentence is not true, in words such as " but the first"."""
    if not without:
        return ""
    if without in [(0,), (trace.scenario.n_q - 1,)]:
        return " but the first" if without == (0,) else " but the last"
    if len(without) > MOST_NAMED:
        return f" but {len(without)}"
    return f" but {listed(quoted_query(trace, query) for query in without)}"


def _other_words(trace: Trace, head: int, target: Target) -> str:
    """Which keys get most weight, or how many are picked. What every query does comes first."""
    named = listed(quoted_key(trace, key) for key in target.keys)
    get, each = ("gets", "") if len(target.keys) == 1 else ("get", " each")
    share = share_in_words(target.share)
    stands_out = len(target.keys) <= MOST_NAMED and len(target.keys) < trace.scenario.n_k
    few = picks(trace, head)
    each_sees_all = few is None or few.most >= len(target.keys)
    if stands_out and target.least >= CLOSELY and each_sees_all:
        return f"{named} {get} nearly all weight of every query ({share}{each} on average)"
    blind = trace.blind_queries
    if few:
        who = f"each query{_but(trace, tuple(np.flatnonzero(blind).tolist()))}"
        keys = "one key" if few.most == 1 else "one or two keys"
        return f"{who} picks {keys} ({share_in_words(few.share)} of its weight on average)"
    average = "on average over the queries, " if np.count_nonzero(~blind) > 1 else ""
    if not stands_out:
        return f"{average}no token stands out ({share} at most)"
    return f"{average}{named} {get} the most weight ({share}{each})"


# The setting: each of these gives one sentence, or "" if there is nothing to say.


def _mask(trace: Trace) -> str:
    mask = trace.scenario.mask
    kinds = [_mask_title(rule.name) for rule in mask.rules]
    if mask.custom is not None:
        kinds.append("drawn")
    if mask.additive is not None and np.isneginf(mask.additive).any():
        kinds.append("additive")
    if not kinds:
        return ""
    kinds = list(dict.fromkeys(kinds))
    hide = "mask hides" if len(kinds) == 1 else "masks hide"
    hidden, cells = int(np.logical_not(trace.mask).sum()), trace.mask.size
    all_cells = "the only cell" if cells == 1 else f"all {cells} cells"
    count = {0: "nothing", cells: all_cells}.get(hidden, f"{hidden} of {cells} cells")
    return f"The {listed(kinds)} {hide} {count}."


def _mask_title(name: str) -> str:
    """The name of a mask in words: the start of its docstring, as in `Sliding window: ...`"""
    return RULES[name].title.lower()


def _blind(trace: Trace) -> str:
    blind = [int(query) for query in np.flatnonzero(trace.blind_queries)]
    if not blind:
        return ""
    if len(blind) > MOST_NAMED:
        who = f"{len(blind)} of {trace.scenario.n_q} queries"
    else:
        who = "Query " if len(blind) == 1 else "Queries "
        who += listed(quoted_query(trace, query) for query in blind)
    its, outputs_are = ("its", "output is") if len(blind) == 1 else ("their", "outputs are")
    if trace.scenario.b_o is not None:
        zeros = f"{its} weights are zeros and {its} {outputs_are} b_O alone"
    elif len(blind) == 1:
        zeros = "its weights and its output are zeros"
    else:
        zeros = "their weights and outputs are zeros"
    return f"{who} may attend to nothing: {zeros}."


def _scale(trace: Trace) -> str:
    scores, d_k = trace.scenario.scores, trace.scenario.d_k
    usual = 1 / math.sqrt(d_k)
    ratio = scores.factor(d_k) / usual
    if scores.scale == BY_ROOT_D_K and d_k > 1:
        return f"Without the scale {BY_ROOT_D_K}, scores would be {1 / usual:.3g} times as large."
    if math.isclose(ratio, 1):
        return ""
    if scores.scale == "none":
        return f"Without the scale {BY_ROOT_D_K}, scores are {ratio:.3g} times as large."
    if ratio == 0:
        return "The scale is 0, so nothing is left of the scores."
    if ratio < 0:
        return "The scale is below 0, so the best match gets the lowest score."
    return f"The scale makes scores {ratio:.3g} times as large as {BY_ROOT_D_K} would."


def _cap(trace: Trace) -> str:
    if trace.scenario.scores.softcap is None or not trace.mask.any():
        return ""
    before, after = trace.scaled_scores[:, trace.mask], trace.capped_scores[:, trace.mask]
    farthest = np.unravel_index(np.abs(before).argmax(), before.shape)
    was, now = _score(before[farthest]), _score(after[farthest])
    if was == now:
        return "The soft cap leaves the scores nearly as they are."
    return f"The soft cap moves the score farthest from 0: from {was} to {now}."


def _temperature(trace: Trace) -> str:
    temperature = trace.scenario.scores.temperature
    times = f"{1 / temperature:.3g}"
    if times == "1":
        return ""
    return f"The temperature {temperature:.3g} makes scores {times} times as large before softmax."


def _effects(trace: Trace) -> str:
    """What the other options do that are not as usual."""
    s = trace.scenario
    return " ".join(
        filter(
            None,
            (
                option.effect(value, s.d_k)
                for name, option in OPTIONS.items()
                if option.applies(s.scores) and (value := getattr(s.scores, name)) != option.default
            ),
        )
    )


def _one_key(trace: Trace) -> str:
    chooses = choosing_queries(trace)
    if not chooses.any():
        return ""
    largest = trace.weights[:, chooses].max(axis=-1)
    sharp = largest.min(axis=-1) >= CLOSELY
    if not sharp.any():
        return ""
    scores = trace.tempered_scores[sharp][:, chooses][:, trace.mask[chooses]]
    farthest = scores.flat[np.abs(scores).argmax()]
    share = share_in_words(largest[sharp].mean(), 3)
    return (
        f"{_scores_in_heads(trace, sharp)} reach {_score(farthest)}, so softmax gives nearly all "
        f"weight to one key ({share} on average)."
    )


def _averaging(trace: Trace) -> str:
    chooses = choosing_queries(trace)
    if not chooses.any():
        return ""
    scores, open_keys = trace.tempered_scores[:, chooses], trace.mask[chooses]
    highest = scores.max(axis=-1, where=open_keys, initial=-np.inf)
    lowest = scores.min(axis=-1, where=open_keys, initial=np.inf)
    flat = (highest - lowest).max(axis=-1) <= NEARLY_EQUAL
    flat &= ~lost_rows(trace).any(axis=-1)
    if not flat.any():
        return ""
    if flat.all():
        averages = "the head averages" if flat.size == 1 else "every head averages"
    else:
        averages = "it averages" if flat.sum() == 1 else "they average"
    return f"{_scores_in_heads(trace, flat)} within a row are nearly equal, so {averages}."


def _sharing(trace: Trace) -> str:
    n_heads, n_kv_heads = trace.scenario.n_heads, trace.scenario.n_kv_heads
    if n_kv_heads == n_heads:
        return ""
    if n_kv_heads == 1:
        return f"All {n_heads} query heads share 1 key/value head."
    return f"{n_heads} query heads share {n_kv_heads} key/value heads."


def _off(trace: Trace) -> str:
    s = trace.scenario
    if not s.heads_off:
        return ""
    if len(s.heads_off) == s.n_heads:
        left = "zeros" if s.b_o is None else "b_O alone"
        every = "The only head" if s.n_heads == 1 else "Every head"
        return f"{every} is off: the output is {left}."
    who = _heads(sorted(s.heads_off), s.n_heads)
    adds = "is off: it adds" if len(s.heads_off) == 1 else "are off: they add"
    return f"{who[0].upper()}{who[1:]} {adds} nothing to the output."


# Words and numbers


def _scores_in_heads(trace: Trace, chosen: BoolArray) -> str:
    """The subject of a sentence about what the softmax gets in these heads."""
    scores = "scores" if trace.scenario.scores.temperature == 1 else "scores / T"
    if chosen.all():
        return scores.replace("s", "S", 1)
    heads = [int(head) for head in np.flatnonzero(chosen)]
    return f"In {_heads(heads, chosen.size)}, {scores}"


def _heads(heads: Sequence[int], n_heads: int) -> str:
    if len(heads) > MOST_NAMED:
        return f"{len(heads)} of {n_heads} heads"
    return ("head " if len(heads) == 1 else "heads ") + listed(str(head + 1) for head in heads)


def quoted_query(trace: Trace, query: int) -> str:
    return _label(trace.scenario.tokens, query)


def quoted_key(trace: Trace, key: int) -> str:
    return _label(trace.scenario.key_tokens, key)


def _label(labels: Sequence[str], index: int) -> str:
    """The label of a token in quotation marks; with its place, if another token has the same."""
    quoted = _quoted(labels, index)
    is_told = labels.count(labels[index]) == 1 or not labels[index].strip()
    return quoted if is_told else f"{quoted} ({index + 1})"


def _quoted(labels: Sequence[str], index: int) -> str:
    """The label of a token as it was given; its place, if the label is blank."""
    label = labels[index]
    return f"“{label}”" if label.strip() else f"token {index % len(labels) + 1}"


def listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them: A, B and C."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def share_in_words(share: float, digits: int = 2) -> str:
    """A part of 1. Less than all is never written as 1, and more than nothing never as 0."""
    least = 10.0**-digits
    if 1 - least / 2 < share < 1 - ROUNDING:
        return f"over {1 - least:.{digits}f}"
    if 0 < share < least / 2:
        return f"under {least:.{digits}f}"
    return f"{share:.{digits}f}"


def _range(shares: FloatArray) -> str:
    least, most = share_in_words(shares.min()), share_in_words(shares.max())
    return f"{least} each" if least == most else f"{least} to {most}"


def _score(score: float) -> str:
    """A score with three digits: 2.83, 16.0, 1000; or a power of ten: 2.5e+09."""
    size = abs(score)
    if size and not 0.01 <= size < 1e6:
        text = f"{score:.1e}"
    else:
        text = f"{score:.{2 if size < 9.995 else 1 if size < 99.95 else 0}f}"
    return text.replace("-", "\N{MINUS SIGN}")
