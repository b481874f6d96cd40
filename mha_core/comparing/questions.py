"""Ready questions: an A, the one thing that changes in B, and what is then true of the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

import numpy as np

from mha_core.changing.changes import with_heads, with_scores
from mha_core.changing.layers import as_stack, with_layer
from mha_core.changing.rules import with_rules
from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray
from mha_core.comparing.distances import distance, total_variation
from mha_core.comparing.one_change import (
    backwards,
    causal,
    farther,
    in_float32,
    in_four,
    in_pairs,
    later,
    over_copies,
    refuse_one_layer,
    refuse_without_room,
    without_a_head,
    without_copies,
    without_root,
)
from mha_core.examples import load_example, load_stack
from mha_core.examples.example import WHY_DIVIDE
from mha_core.examples.two_layers import (
    looks_at_all_alike,
    looks_at_its_word,
    looks_at_what_followed,
    one_layer_alone,
)
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.reading.lost_rows import lost_rows
from mha_core.reading.metrics import CLOSELY
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario
from mha_core.stack.attending import layer_on_x
from mha_core.stack.stack import Stack

Change = Callable[[Scenario], Scenario]
ChangeOfLayers = Callable[[Stack], Stack]


@dataclass(frozen=True)
class ComparedClaim:
    """A sentence on A and B, and its check."""

    sentence: str
    holds: Callable[[Trace, Trace], bool]


@dataclass(frozen=True)
class ReadyQuestion:
    """A question that a comparison answers: B is A with one `change`, best seen in `step`.

    The claims are true of its own A and B, and say nothing of another A. `title_of_b` says what has
    changed in B, for any A. `title_of_a` says what its own A is, if it is not an unchanged example.
    A question of several layers has a `change_layers`, of which `change` says why one layer will
    not do. `layers` are those that A and B show, counted from 0.
    """

    name: str
    question: str
    a: Callable[[], Scenario | Stack]
    change: Change
    step: str
    claims: tuple[ComparedClaim, ...]
    title_of_b: str
    title_of_a: str = ""
    change_layers: ChangeOfLayers | None = None
    layers: tuple[int, int] = (0, 0)

    @property
    def sides(self) -> tuple[Stack, Stack]:
        """Its own A and B. They are made once."""
        return _sides(self.name)

    @property
    def shown(self) -> tuple[Scenario, Scenario]:
        """The layer of each side that is compared, on its X."""
        return _shown(self.name)

    def b_of(self, a: Stack, layer: int, shown: Scenario) -> Stack:
        """The B of any A: the change is made in the layer that is shown, or in all together."""
        if self.change_layers:
            return self.change_layers(a)
        return with_layer(a, layer, shown, self.change(shown))


@cache
def _sides(name: str) -> tuple[Stack, Stack]:
    ready = READY_QUESTIONS[name]
    a = as_stack(ready.a())
    return a, ready.b_of(a, 0, a.first)


@cache
def _shown(name: str) -> tuple[Scenario, Scenario]:
    ready = READY_QUESTIONS[name]
    a, b = map(layer_on_x, ready.sides, ready.layers)
    return a, b


# The A of a question, where it is not an unchanged example.


def _example(name: str, change: Change = lambda s: s) -> Callable[[], Scenario]:
    return lambda: change(load_example(name))


def _with_rope(s: Scenario) -> Scenario:
    return with_scores(s, positions="rope")


# What is true of A and B.


def _is_same(a: Trace, b: Trace, step: str = "output") -> bool:
    apart = distance(a, b, step)
    return apart is not None and apart.is_rounding


def _has_moved(a: Trace, b: Trace, step: str = "output") -> bool:
    apart = distance(a, b, step)
    return apart is not None and not apart.is_rounding


def _begins_at(step: str, before: str) -> Callable[[Trace, Trace], bool]:
    return lambda a, b: _is_same(a, b, before) and _has_moved(a, b, step)


def _mean_of_largest(trace: Trace) -> float:
    return float(trace.weights.max(axis=-1).mean())


def _gets_sharp(a: Trace, b: Trace) -> bool:
    return _mean_of_largest(a) < CLOSELY <= _mean_of_largest(b)


def _shares(a: Trace, b: Trace) -> FloatArray:
    shares = total_variation(a, b)
    return np.zeros((1, 1)) if shares is None else shares


def _first_moves_last_stays(a: Trace, b: Trace) -> bool:
    shares = _shares(a, b)
    return bool(shares[:, 0].all() and nearly_equal(shares[:, -1], np.zeros(len(shares))))


def _loses_what_it_added(a: Trace, b: Trace) -> bool:
    off = sorted(b.scenario.heads_off)
    return bool(off) and nearly_equal(a.output - a.contributions[off].sum(axis=0), b.output)


def _odd_heads_stay(a: Trace, b: Trace) -> bool:
    shares = _shares(a, b)
    stay = nearly_equal(shares[::2], np.zeros_like(shares[::2]))
    return stay and bool((shares[1::2] > 0).any(axis=-1).all())


def _overflow_loses_rows(trace: Trace) -> bool:
    overflowed = np.isinf(trace.exponentials).any(axis=-1)
    has_numbers = ~np.isnan(trace.weights).any(axis=-1)
    return bool(overflowed.any() and not (overflowed & has_numbers).any())


def _is_close(within: float, a: Trace, b: Trace) -> bool:
    return not np.array_equal(a.weights, b.weights) and nearly_equal(
        b.weights.astype(np.float64), a.weights, within
    )


def _only_splits(a: Trace, b: Trace) -> bool:
    """The same columns of Q, K and V, for more heads."""
    is_same = all(_is_same(a, b, name) for name in ("q", "k", "v"))
    return is_same and len(a.weights) < len(b.weights)


def _looks_one_way(a: Trace, b: Trace) -> bool:
    """One head has one row of weights for each query, four heads have four."""
    return len(a.weights) == 1 and len({head.tobytes() for head in b.weights}) == len(b.weights) > 1


_ALL: Final = (
    ReadyQuestion(
        "root",
        WHY_DIVIDE,
        _example("wide-head"),
        without_root,
        "weights",
        (
            ComparedClaim(
                say(
                    "Without the division, a query gives over 0.9 of its weight to one key "
                    "on average."
                ),
                _gets_sharp,
            ),
        ),
        title_of_b=say("Without the division"),
    ),
    ReadyQuestion(
        "causal",
        say("What does a causal mask change?"),
        _example("causal", partial(with_rules, names=[])),
        causal,
        "weights",
        (
            ComparedClaim(
                say("The scores stay as they are. The mask only takes some of them away."),
                _begins_at("weights", "masked_scores"),
            ),
            ComparedClaim(
                say("The first word now sees only itself. The last word sees all, as before."),
                _first_moves_last_stays,
            ),
        ),
        title_of_b=say("With a causal mask"),
        title_of_a=say("No looking ahead, without its mask"),
    ),
    ReadyQuestion(
        "heads",
        say("One head or four?"),
        _example("permutation", partial(with_heads, n_heads=1)),
        in_four,
        "output",
        (
            ComparedClaim(
                say("Q, K and V stay as they are. Four heads only divide their columns."),
                _only_splits,
            ),
            ComparedClaim(
                say(
                    "One head has one row of weights for a query. Four heads have four, "
                    "all different."
                ),
                _looks_one_way,
            ),
        ),
        title_of_b=say("Four heads"),
        title_of_a=say("The man bites the dog, one head"),
    ),
    ReadyQuestion(
        "order",
        say("Does order matter?"),
        _example("permutation"),
        backwards,
        "output",
        (
            ComparedClaim(
                say("No. Each word has the same output in reverse order, at its new place."),
                _is_same,
            ),
        ),
        title_of_b=say("In reverse order"),
    ),
    ReadyQuestion(
        "positions",
        say("Does order matter with positions?"),
        _example("positions"),
        backwards,
        "output",
        (ComparedClaim(say("Yes. Each word gets another output at another place."), _has_moved),),
        title_of_b=say("In reverse order"),
    ),
    ReadyQuestion(
        "head",
        say("What does head 2 add?"),
        _example("four-heads"),
        without_a_head,
        "output",
        (
            ComparedClaim(
                say("The output loses just what the head has added to it."), _loses_what_it_added
            ),
            ComparedClaim(
                say("The weights of the other heads stay as they are."),
                partial(_is_same, step="weights"),
            ),
        ),
        title_of_b=say("One head off"),
    ),
    ReadyQuestion(
        "grouped",
        say("Grouped queries or not?"),
        _example("grouped-query", partial(with_heads, n_heads=4, n_kv_heads=4)),
        in_pairs,
        "weights",
        (
            ComparedClaim(
                say(
                    "Heads 1 and 3 keep their own keys, and their weights. "
                    "Heads 2 and 4 now look at the keys of their neighbours."
                ),
                _odd_heads_stay,
            ),
        ),
        title_of_b=say("Keys and values shared in pairs"),
        title_of_a=say("Grouped queries, before they are grouped"),
    ),
    ReadyQuestion(
        "float32",
        say("float32 or float64?"),
        _example("causal"),
        in_float32,
        "weights",
        (
            ComparedClaim(
                say("The weights differ, but by less than a millionth."), partial(_is_close, 1e-6)
            ),
        ),
        title_of_b=say("In float32"),
    ),
    ReadyQuestion(
        "rope",
        say("RoPE: a later start?"),
        _example("causal", _with_rope),
        later,
        "raw_scores",
        (
            ComparedClaim(
                say(
                    "Queries and keys are turned further, but the scores stay: "
                    "they depend on the distance alone."
                ),
                lambda a, b: _has_moved(a, b, "q_rotated") and _is_same(a, b, "raw_scores"),
            ),
        ),
        title_of_b=say("A later start"),
        title_of_a=say("No looking ahead, with RoPE"),
    ),
    ReadyQuestion(
        "far",
        say("RoPE: a farther query?"),
        _example("translation", _with_rope),
        farther,
        "weights",
        (
            ComparedClaim(
                say(
                    "The keys stay where they are and the queries are turned further: "
                    "so the scores change."
                ),
                lambda a, b: _is_same(a, b, "k_rotated") and _has_moved(a, b, "raw_scores"),
            ),
        ),
        title_of_b=say("A farther query"),
        title_of_a=say("Translation, with RoPE"),
    ),
    ReadyQuestion(
        "naive",
        say("Stable or naive softmax?"),
        _example("saturated"),
        partial(with_scores, softmax="naive"),
        "weights",
        (
            ComparedClaim(
                say(
                    "In B exp overflows, so some rows of weights are not numbers. "
                    "A subtracts the largest score first, so all its weights are finite."
                ),
                lambda a, b: _overflow_loses_rows(b) and bool(np.isfinite(a.weights).all()),
            ),
            ComparedClaim(
                say("The other rows are the same in both: what is subtracted changes no share."),
                lambda a, b: nearly_equal(a.weights[~lost_rows(b)], b.weights[~lost_rows(b)]),
            ),
        ),
        title_of_b=say("A naive softmax"),
    ),
    ReadyQuestion(
        "layers",
        say("One layer or two?"),
        one_layer_alone,
        refuse_without_room,
        "weights",
        (
            ComparedClaim(
                say(
                    "One layer looks for its word among words: the last a finds the first a, and "
                    "b gets no more than c and d."
                ),
                lambda a, _b: looks_at_its_word(a),
            ),
            ComparedClaim(
                say(
                    "Above a layer that copies the word before, it looks for its word among "
                    "copies: the last a finds b, with 0.999864."
                ),
                lambda _a, b: looks_at_what_followed(b),
            ),
        ),
        title_of_b=say("Above a layer that copies"),
        title_of_a=say("Two layers: after a comes b, one layer alone"),
        change_layers=over_copies,
        layers=(0, 1),
    ),
    ReadyQuestion(
        "copies",
        say("With and without the head of layer 1?"),
        partial(load_stack, "induction"),
        refuse_one_layer,
        "weights",
        (
            ComparedClaim(
                say("In A, the last a looks at b in layer 2, with 0.999864."),
                lambda a, _b: looks_at_what_followed(a),
            ),
            ComparedClaim(
                say(
                    "In B, layer 1 leaves no copies. Layer 2 is the same and finds nothing: it "
                    "looks at all four earlier tokens alike."
                ),
                lambda _a, b: looks_at_all_alike(b),
            ),
        ),
        title_of_b=say("A head of layer 1 off"),
        change_layers=without_copies,
        layers=(1, 1),
    ),
)
READY_QUESTIONS: Final[Mapping[str, ReadyQuestion]] = {ready.name: ready for ready in _ALL}


def with_one_change(a: Stack, layer: int, shown: Scenario) -> Stack:
    """The B of the first question that changes something in A, but no size of it.

    The change is made in the layer that is shown, on its X.
    """
    for ready in READY_QUESTIONS.values():
        with suppress(MhaError):  # this question has no B for this A
            b = ready.b_of(a, layer, shown)
            if b != a and b.sizes == a.sizes:
                return b
    return a
