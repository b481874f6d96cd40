"""What the present setting does, in sentences: as true of each row as those of `sentences.py`."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say, say_number
from mha_core.layer.growth import growth_factors
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import (
    gates_are_shares,
    without_factor_of_output,
    without_gate,
    without_gate_of_additions,
    without_growth,
    without_own_values,
    without_sinusoids,
)
from mha_core.mask_rules.registry import RULES
from mha_core.options.r_places import axes_of_distances
from mha_core.options.registry import OPTIONS
from mha_core.options.scale import BY_ROOT_D_K
from mha_core.options.temperature import OF_BASE_2
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
from mha_core.scenario.first_position import after_cache
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.one_text import reads_one_text
from mha_core.scenario.origin import LATENT_OF_KEYS
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import PLACES_IN_A_TURN, has_such_columns

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
        _growth,
        _scale,
        _cap,
        _temperature,
        _effects,
        _one_key,
        _averaging,
        _factors,
        _sinks,
        _distances,
        _own_values,
        _gate,
        _sharing,
        _off,
        _first_query,
        _places,
        _latents,
    )
    return tuple(note for note_of in kinds if (note := note_of(trace)))


# Each of these gives one sentence, or "" if there is nothing to say.


def _mask(trace: Trace) -> str:
    mask = trace.scenario.mask
    kinds = [_mask_title(rule.name) for rule in mask.rules]
    if mask.custom is not None:
        kinds.append(say("drawn"))
    if mask.additive is not None and np.isneginf(mask.additive).any():
        kinds.append(say("additive"))
    if not kinds:
        return ""
    kinds = list(dict.fromkeys(kinds))
    hides = say_number(
        "The {masks} mask hides {cells}.", "The {masks} masks hide {cells}.", len(kinds)
    )
    return hides.format(masks=listed(kinds), cells=_hidden_cells(trace))


def _hidden_cells(trace: Trace) -> str:
    hidden, cells = int(np.logical_not(trace.mask).sum()), trace.mask.size
    if not hidden:
        return say("nothing")
    if hidden < cells:
        return say("{count} of {all} cells").format(count=hidden, all=cells)
    return say("the only cell") if cells == 1 else say("all {count} cells").format(count=cells)


def _mask_title(name: str) -> str:
    """The name of a mask in words: the start of its docstring, as in `Sliding window: ...`"""
    return RULES[name].title.lower()


def _blind(trace: Trace) -> str:
    blind = [int(query) for query in np.flatnonzero(trace.blind_queries)]
    if not blind:
        return ""
    if len(blind) > MOST_NAMED:
        who = say("{count} of {all} queries").format(count=len(blind), all=trace.scenario.n_q)
    else:
        tokens = listed(quoted_query(trace, query) for query in blind)
        says = say_number("Query {tokens}", "Queries {tokens}", len(blind))
        who = says.format(tokens=tokens)
    if trace.scenario.b_o is not None and not without_factor_of_output(trace.scenario):
        return say_number(
            "{who} may attend to nothing: its weights are zeros.",
            "{who} may attend to nothing: their weights are zeros.",
            len(blind),
        ).format(who=who)
    if trace.scenario.b_o is None:
        return say_number(
            "{who} may attend to nothing: its weights and its output are zeros.",
            "{who} may attend to nothing: their weights and outputs are zeros.",
            len(blind),
        ).format(who=who)
    return say_number(
        "{who} may attend to nothing: its weights are zeros and its output is b_O alone.",
        "{who} may attend to nothing: their weights are zeros and their outputs are b_O alone.",
        len(blind),
    ).format(who=who)


def _scale(trace: Trace) -> str:
    scores, d_k = trace.scenario.scores, trace.scenario.d_k
    usual = 1 / math.sqrt(d_k)
    ratio = scores.factor(d_k) / usual
    if scores.scale == BY_ROOT_D_K and d_k > 1:
        return say("Without the scale {scale}, scores would be {times:.3g} times as large.").format(
            scale=BY_ROOT_D_K, times=1 / usual
        )
    if math.isclose(ratio, 1):
        return ""
    if scores.scale == "none":
        return say("Without the scale {scale}, scores are {times:.3g} times as large.").format(
            scale=BY_ROOT_D_K, times=ratio
        )
    if ratio == 0:
        return say("The scale is 0, so nothing is left of the scores.")
    if ratio < 0:
        return say("The scale is below 0, so the best match gets the lowest score.")
    return say("The scale makes scores {times:.3g} times as large as {scale} would.").format(
        times=ratio, scale=BY_ROOT_D_K
    )


def _growth(trace: Trace) -> str:
    s = trace.scenario
    if without_growth(s):
        return ""
    factors = growth_factors(s)[:, 0]
    if (factors == 1).all():
        return say("No query stands so late that its scores grow.")
    return say(
        "Scores grow with the position: those of the first query are multiplied by {first:.4g}, "
        "those of the last by {last:.4g}."
    ).format(first=factors[0], last=factors[-1])


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
    if temperature == OF_BASE_2:
        return say(
            "The temperature 1 / ln 2 = 1.4427 makes softmax one of base 2: 2 to the power of each "
            "score, not e."
        )
    times = f"{1 / temperature:.3g}"
    if times == "1":
        return ""
    return say(
        "The temperature {temperature:.3g} makes scores {times} times as large before softmax."
    ).format(temperature=temperature, times=times)


def _effects(trace: Trace) -> str:
    """What the other options do, if they are not as usual."""
    s = trace.scenario
    return " ".join(
        filter(
            None,
            (
                option.effect(s.scores, s.d_k)
                for name, option in OPTIONS.items()
                if option.applies(s.scores)
                and option.has_what_it_needs(s.given())
                and getattr(s.scores, name) != option.default
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
        "{scores} reach {number}, so softmax gives nearly all "
        "weight to one key ({share} on average)."
    ).format(scores=_scores_in_heads(trace, sharp), number=farthest, share=share)


def _averaging(trace: Trace) -> str:
    chooses = choosing_queries(trace)
    if not chooses.any():
        return ""
    scores, open_keys = trace.tempered_scores[:, chooses], trace.mask[chooses]
    highest = scores.max(axis=-1, where=open_keys, initial=-np.inf)
    lowest = scores.min(axis=-1, where=open_keys, initial=np.inf)
    flat = (highest - lowest).max(axis=-1) <= NEARLY_EQUAL
    flat &= ~lost_rows(trace).any(axis=-1)
    # What goes to a sink is averaged with nothing.
    flat &= (trace.sink_weights[:, chooses] <= NEARLY_EQUAL).all(axis=(1, 2))
    if not flat.any():
        return ""
    if flat.all():
        says = say("{scores} within a row are nearly equal, so every head averages.")
        if flat.size == 1:
            says = say("{scores} within a row are nearly equal, so the head averages.")
    else:
        says = say_number(
            "{scores} within a row are nearly equal, so it averages.",
            "{scores} within a row are nearly equal, so they average.",
            int(flat.sum()),
        )
    return says.format(scores=_scores_in_heads(trace, flat))


def _sinks(trace: Trace) -> str:
    if trace.scenario.sinks is None:
        return ""
    return say(
        "Each head has a sink: one more score in each row, which takes weight and has no value. So "
        "the weights of a row add up to 1 less the share of the sink."
    )


def _factors(trace: Trace) -> str:
    if without_gate_of_additions(trace.scenario):
        return ""
    factors = trace.factors.mean(axis=(1, 2), dtype=np.float64)
    least, most = int(factors.argmin()), int(factors.argmax())
    says = say("A gate multiplies what each head adds to its scores: by {factor} on average.")
    if np.ptp(trace.factors) == 0:
        says = say("A gate multiplies what each head adds to its scores: by {factor} everywhere.")
    elif factors.size > 1:
        says = say(
            "A gate multiplies what each head adds to its scores: by {factor} on average, from "
            "{less} in head {least} to {more} in head {most}."
        )
    return says.format(
        factor=f"{factors.mean():.2f}",
        less=f"{factors[least]:.2f}",
        more=f"{factors[most]:.2f}",
        least=least + 1,
        most=most + 1,
    )


def _distances(trace: Trace) -> str:
    s = trace.scenario
    if not s.n_distances:
        return ""
    symbols = [GIVEN[name].symbol for name in ("r_k", "r_q") if getattr(s, name) is not None]
    names = say(" and ").join(symbols)
    if not trace.relative_scores.any():
        says = say("By {matrices}, 0 is added to each score: distances play no part yet.")
        return says.format(matrices=names)
    axes, reach = axes_of_distances(s.scores), s.reach
    if s.scores.r_places is not None:
        says = say(
            "By {matrices}, a score counts the distance of the key's place too. What is farther "
            "away than {reach} counts as {reach} away."
        )
        if axes > 1:
            says = say(
                "By {matrices}, a score counts the distance of the key too, on each of {count} "
                "axes. What is farther away than {reach} on an axis counts as {reach} away on it."
            )
        return says.format(matrices=names, count=axes, reach=reach)
    return say_number(
        "By {matrices}, a score counts the distance of the key too. What is farther away than "
        "{count} token counts as {count} token away.",
        "By {matrices}, a score counts the distance of the key too. What is farther away than "
        "{count} tokens counts as {count} tokens away.",
        reach,
    ).format(matrices=names, count=reach)


def _own_values(trace: Trace) -> str:
    s = trace.scenario
    if without_own_values(s):
        return ""
    if without_sinusoids(s):
        return say("Values are made from rows of their own, C_V, and not from those of the keys.")
    return say("Values are made from rows of their own, C_V, to which no positions are added.")


def _gate(trace: Trace) -> str:
    if without_gate(trace.scenario):
        return ""
    if not gates_are_shares(trace.scenario):
        return _other_gate(trace)
    gates = trace.gates.mean(axis=(1, 2), dtype=np.float64)
    least, most = int(gates.argmin()), int(gates.argmax())
    says = say("A gate before W_O multiplies what the heads give: by {share} on average.")
    if np.ptp(trace.gates) == 0:
        says = say("A gate before W_O multiplies what the heads give: by {share} everywhere.")
    elif gates.size > 1:
        says = say(
            "A gate before W_O multiplies what the heads give: by {share} on average, from {less} "
            "in head {least} to {more} in head {most}."
        )
    return says.format(
        share=share_in_words(float(gates.mean())),
        less=share_in_words(float(gates[least])),
        more=share_in_words(float(gates[most])),
        least=least + 1,
        most=most + 1,
    )


def _other_gate(trace: Trace) -> str:
    """Of a gate whose numbers are no shares."""
    numbers = {
        "least": score_in_words(trace.gates.min()),
        "most": score_in_words(trace.gates.max()),
    }
    says = say(
        "A gate before W_O multiplies what the heads give by numbers from {least} to {most}."
    )
    if np.ptp(trace.gates) == 0:
        says = say("A gate before W_O multiplies what the heads give by {least} everywhere.")
    return says.format(**numbers)


def _sharing(trace: Trace) -> str:
    n_heads, n_kv_heads = trace.scenario.n_heads, trace.scenario.n_kv_heads
    if n_kv_heads == n_heads:
        return ""
    if n_kv_heads == 1:
        return say("All {count} query heads share 1 key/value head.").format(count=n_heads)
    return say("{count} query heads share {shared} key/value heads.").format(
        count=n_heads, shared=n_kv_heads
    )


def _off(trace: Trace) -> str:
    s = trace.scenario
    if not s.heads_off:
        return ""
    if len(s.heads_off) == s.n_heads:
        return _all_off(s)
    who = heads_in_words(sorted(s.heads_off), s.n_heads)
    return say_number(
        "{heads} is off: it adds nothing to the output.",
        "{heads} are off: they add nothing to the output.",
        len(s.heads_off),
    ).format(heads=who[0].upper() + who[1:])


def _all_off(s: Scenario) -> str:
    if s.b_o is not None and not without_factor_of_output(s):
        return say_number("The only head is off.", "Every head is off.", s.n_heads)
    if s.b_o is None and s.n_heads == 1:
        return say("The only head is off: the output is zeros.")
    if s.b_o is None:
        return say("Every head is off: the output is zeros.")
    if s.n_heads == 1:
        return say("The only head is off: the output is b_O alone.")
    return say("Every head is off: the output is b_O alone.")


def _scores_in_heads(trace: Trace, chosen: BoolArray) -> str:
    """The subject of a sentence about what the softmax gets in these heads."""
    is_usual = trace.scenario.scores.temperature == 1
    if chosen.all():
        return say("Scores") if is_usual else say("Scores / T")
    heads = heads_in_words([int(head) for head in np.flatnonzero(chosen)], chosen.size)
    says = say("In {heads}, scores") if is_usual else say("In {heads}, scores / T")
    return says.format(heads=heads)


def _first_query(trace: Trace) -> str:
    """Where the positions do not go on after those of a cache."""
    s = trace.scenario
    after = after_cache(s.n_q, s.n_k)
    has_positions = s.scores.positions != "none" or s.scores.growth
    if s.context is None or not has_positions or s.query_start == after:
        return ""
    return say(
        "Positions do not follow the second sequence: the first query is at {start}. "
        "After a decoder's cache of these keys it would be at {after}."
    ).format(start=s.query_start, after=after)


def _places(trace: Trace) -> str:
    s = trace.scenario
    if not has_such_columns(s.x, s.origin.x) or s.n_q <= PLACES_IN_A_TURN:
        return ""
    says = say("The columns of place are the hand of a clock: after {count} tokens they repeat.")
    return says.format(count=PLACES_IN_A_TURN)


def _latents(trace: Trace) -> str:
    """What X and C are in a trained layer that makes its queries, keys and values of latents."""
    s = trace.scenario
    if not reads_one_text(s) or s.context is None:
        return ""
    says = say(
        "The layer makes smaller rows of what it reads, each behind a norm. X is that of the "
        "queries, C that of keys and values. The last columns of C passed no norm: all heads share "
        "them in their keys. A cache keeps C alone."
    )
    if s.origin.x == LATENT_OF_KEYS:
        says = say(
            "X is what the layer reads. For keys and values it makes smaller rows of it, behind a "
            "norm: C. The last columns of C passed no norm: all heads share them in their keys. A "
            "cache keeps C alone."
        )
    return says
