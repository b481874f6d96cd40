"""What the present setting does, in sentences: as true of each row as those of `sentences.py`."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.mask_rules.registry import RULES
from mha_core.options.registry import OPTIONS
from mha_core.options.scale import BY_ROOT_D_K
from mha_core.reading.lost_rows import lost_rows, overflow_note
from mha_core.reading.metrics import CLOSELY
from mha_core.reading.patterns import choosing_queries
from mha_core.reading.words import (
    MOST_NAMED,
    heads_in_words,
    listed,
    quoted_query,
    score_in_words,
    share_in_words,
)

NEARLY_EQUAL: Final = 0.1  # scores this near give weights within 5 % of an even share


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


# Each of these gives one sentence, or "" if there is nothing to say.


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
    hide = say("mask hides") if len(kinds) == 1 else say("masks hide")
    hidden, cells = int(np.logical_not(trace.mask).sum()), trace.mask.size
    all_cells = say("the only cell") if cells == 1 else f"all {cells} cells"
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
    its, outputs_are = (
        ("its", say("output is")) if len(blind) == 1 else ("their", say("outputs are"))
    )
    if trace.scenario.b_o is not None:
        zeros = say("{its} weights are zeros and {its} {outputs_are} b_O alone").format(
            its=its, outputs_are=outputs_are
        )
    elif len(blind) == 1:
        zeros = say("its weights and its output are zeros")
    else:
        zeros = say("their weights and outputs are zeros")
    return say("{who} may attend to nothing: {zeros}.").format(who=who, zeros=zeros)


def _scale(trace: Trace) -> str:
    scores, d_k = trace.scenario.scores, trace.scenario.d_k
    usual = 1 / math.sqrt(d_k)
    ratio = scores.factor(d_k) / usual
    if scores.scale == BY_ROOT_D_K and d_k > 1:
        return say(
            "Without the scale {by_root_d_k}, scores would be {value:.3g} times as large."
        ).format(by_root_d_k=BY_ROOT_D_K, value=1 / usual)
    if math.isclose(ratio, 1):
        return ""
    if scores.scale == "none":
        return say(
            "Without the scale {by_root_d_k}, scores are {ratio:.3g} times as large."
        ).format(by_root_d_k=BY_ROOT_D_K, ratio=ratio)
    if ratio == 0:
        return say("The scale is 0, so nothing is left of the scores.")
    if ratio < 0:
        return say("The scale is below 0, so the best match gets the lowest score.")
    return say("The scale makes scores {ratio:.3g} times as large as {by_root_d_k} would.").format(
        ratio=ratio, by_root_d_k=BY_ROOT_D_K
    )


def _cap(trace: Trace) -> str:
    if trace.scenario.scores.softcap is None or not trace.mask.any():
        return ""
    before, after = trace.scaled_scores[:, trace.mask], trace.capped_scores[:, trace.mask]
    farthest = np.unravel_index(np.abs(before).argmax(), before.shape)
    was, now = score_in_words(before[farthest]), score_in_words(after[farthest])
    if was == now:
        return say("The soft cap leaves the scores nearly as they are.")
    return say("The soft cap moves the score farthest from 0: from {was} to {now}.").format(
        was=was, now=now
    )


def _temperature(trace: Trace) -> str:
    temperature = trace.scenario.scores.temperature
    times = f"{1 / temperature:.3g}"
    if times == "1":
        return ""
    return say(
        "The temperature {temperature:.3g} makes scores {times} times as large before softmax."
    ).format(temperature=temperature, times=times)


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
    farthest = score_in_words(scores.flat[np.abs(scores).argmax()])
    share = share_in_words(largest[sharp].mean(), 3)
    return say(
        "{scores_in_heads} reach {farthest}, so softmax gives nearly all "
        "weight to one key ({share} on average)."
    ).format(scores_in_heads=_scores_in_heads(trace, sharp), farthest=farthest, share=share)


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
        averages = say("the head averages") if flat.size == 1 else say("every head averages")
    else:
        averages = say("it averages") if flat.sum() == 1 else say("they average")
    return say("{scores_in_heads} within a row are nearly equal, so {averages}.").format(
        scores_in_heads=_scores_in_heads(trace, flat), averages=averages
    )


def _sharing(trace: Trace) -> str:
    n_heads, n_kv_heads = trace.scenario.n_heads, trace.scenario.n_kv_heads
    if n_kv_heads == n_heads:
        return ""
    if n_kv_heads == 1:
        return say("All {n_heads} query heads share 1 key/value head.").format(n_heads=n_heads)
    return say("{n_heads} query heads share {n_kv_heads} key/value heads.").format(
        n_heads=n_heads, n_kv_heads=n_kv_heads
    )


def _off(trace: Trace) -> str:
    s = trace.scenario
    if not s.heads_off:
        return ""
    if len(s.heads_off) == s.n_heads:
        left = "zeros" if s.b_o is None else "b_O alone"
        every = say("The only head") if s.n_heads == 1 else say("Every head")
        return say("{every} is off: the output is {left}.").format(every=every, left=left)
    who = heads_in_words(sorted(s.heads_off), s.n_heads)
    adds = say("is off: it adds") if len(s.heads_off) == 1 else say("are off: they add")
    return say("{upper}{who} {adds} nothing to the output.").format(
        upper=who[0].upper(), who=who[1:], adds=adds
    )


def _scores_in_heads(trace: Trace, chosen: BoolArray) -> str:
    """The subject of a sentence about what the softmax gets in these heads."""
    scores = "scores" if trace.scenario.scores.temperature == 1 else "scores / T"
    if chosen.all():
        return scores.replace("s", "S", 1)
    heads = [int(head) for head in np.flatnonzero(chosen)]
    return f"In {heads_in_words(heads, chosen.size)}, {scores}"
