"""The patterns that heads make: each with a head that does it, why it does, and what breaks it.

Every sentence here either has a function that checks it, or says what a paper has found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np

from mha_core.changing.changes import with_heads_off, with_matrix, with_scores, with_weights
from mha_core.changing.layers import as_stack, with_layer
from mha_core.changing.rules import with_rules
from mha_core.examples.example import CAUSAL as CAUSAL_MASK
from mha_core.examples.example import from_recipes
from mha_core.guide.two_layer_heads import (
    COPYING,
    POINTING,
    by_a_copy,
    by_a_pointer,
    looks_at_all_so_far_alike,
    looks_at_what_followed,
)
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import natural_width, tokenize
from mha_core.making.presets import PRESETS
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.stack.attending import layer_on_x
from mha_core.stack.stack import Stack

SENTENCE: Final = tokenize("THE CAT SEES THE OTHER CAT")
INPUT: Final = "one_hot_position"
HOT: Final = 100.0  # a temperature at which no score stands out


@dataclass(frozen=True)
class Breaker:
    """A sentence on what breaks a pattern, the change that does it, and a title of the result.

    The change is made in one `layer`, counted from 0.
    """

    sentence: str
    change: Callable[[Scenario], Scenario]
    title: str
    layer: int = 0

    def of(self, stack: Stack) -> Stack:
        """The layers with the change."""
        s = layer_on_x(stack, self.layer)
        return with_layer(stack, self.layer, s, self.change(s))


@dataclass(frozen=True)
class Seen:
    """What was found in real models, and the paper that says so."""

    sentence: str
    paper: str


@dataclass(frozen=True)
class GuideEntry:
    """One pattern: what a head with it does, why its weights do it, what breaks it, who saw it.

    `preset` makes the projections. Its first claim is what the head does, if there is no other
    `claim`. Where no word comes twice there may be nothing to find: `claim_if_new` says what it
    does then. Where the pattern needs several layers, `build` makes them, the first from the
    preset; the claim is about the last.
    """

    name: str
    title: str
    preset: str
    why: str
    breakers: tuple[Breaker, ...]
    seen: tuple[Seen, ...]
    claim: Claim | None = None
    mask: Mask = field(default_factory=Mask)
    build: Callable[[Sequence[str]], Stack] | None = None
    claim_if_new: Claim | None = None

    def claim_on(self, tokens: Sequence[str]) -> Claim:
        """What the head does on a sentence, with the check of the trace of the last layer."""
        if self.claim_if_new and len(set(tokens)) == len(tokens):
            return self.claim_if_new
        return self.claim or PRESETS[self.preset].claims[0]

    def holds(self, trace: Trace) -> bool:
        """Whether the head still does it. The trace is that of the last layer."""
        return self.claim_on(trace.scenario.tokens).holds(trace)

    def on(self, tokens: Sequence[str]) -> Stack:
        """One head with this pattern, on any sentence; with the layers that it needs."""
        return self.build(tokens) if self.build else as_stack(self._head(tokens))

    def is_made_as(self, stack: Stack) -> bool:
        """Whether a stack may have begun as this entry."""
        has_several = len(stack.layers) > 1
        return self.preset == stack.first.origin.weights and has_several == bool(self.build)

    def _head(self, tokens: Sequence[str]) -> Scenario:
        width = natural_width(INPUT, tokens) or len(tokens)
        return from_recipes(
            "",
            tokens,
            d_model=width,
            n_heads=1,
            x=INPUT,
            weights=self.preset,
            d_k=max(2, len(tokens)),
            mask=self.mask,
        )


# What breaks patterns.


def _without_places(s: Scenario) -> Scenario:
    """X without the columns that say where a token stands."""
    return _without_columns(s, slice(len(set(s.tokens)), None))


def _without_words(s: Scenario) -> Scenario:
    """X without the columns that say which word a token is."""
    return _without_columns(s, slice(0, len(set(s.tokens))))


def _without_columns(s: Scenario, columns: slice) -> Scenario:
    x = s.x.copy()
    x[:, columns] = 0
    return with_matrix(s, "x", x)


def _without_first_key(s: Scenario) -> Scenario:
    return _masked(s, Rule("padding", hidden=(0,)))


def _masked(s: Scenario, rule: Rule) -> Scenario:
    return replace(s, mask=Mask((*s.mask.rules, rule)))


NO_PLACES: Final = Breaker(
    say("Remove positions from X: then no head can tell where a token stands."),
    _without_places,
    say("X without positions"),
)
HEAT: Final = Breaker(
    say(
        "Divide the scores by a temperature of {temperature:g}: the lead is gone, and the weights "
        "are nearly even."
    ).format(temperature=HOT),
    partial(with_scores, temperature=HOT),
    say("At a temperature of {temperature:g}").format(temperature=HOT),
)
CAUSAL: Final = partial(with_rules, names=["causal"])
WITHOUT_LAYER_1: Final = Breaker(
    say(
        "Switch off the head of layer 1: layer 2 finds nothing, and looks at all tokens so far "
        "alike."
    ),
    partial(with_heads_off, heads={0}),
    say("Without the head of layer 1"),
)
HEAT_IN_LAYER_2: Final = replace(HEAT, layer=1)


def _with_random_queries_and_keys(s: Scenario) -> Scenario:
    """Only W_Q and W_K differ: what a head hands on stays."""
    drawn = with_weights(s, "random")
    return with_matrix(with_matrix(s, "w_q", drawn.w_q), "w_k", drawn.w_k)


def _with_negative_w_o(s: Scenario) -> Scenario:
    return with_matrix(s, "w_o", -s.w_o)


def _with_random_values(s: Scenario) -> Scenario:
    """Only W_V differs: where the head looks stays."""
    return with_matrix(s, "w_v", with_weights(s, "random").w_v)


# What heads do that their preset does not say.


def _looks_at_earlier_places_of_its_word(trace: Trace) -> bool:
    words = np.array(trace.scenario.tokens)
    looks = np.tril(words[:, None] == words)
    shares = looks / looks.sum(axis=1, keepdims=True)
    return bool(nearly_equal(trace.weights, [shares], within=1e-9))


INDUCTION: Final = Claim(
    say(
        "In layer 2, every token whose word came before looks at what followed it, to each as much."
    ),
    looks_at_what_followed,
)
NOTHING_FOLLOWED: Final = Claim(
    say("No word comes twice: layer 2 finds nothing, and looks at all tokens so far alike."),
    looks_at_all_so_far_alike,
)

# Where they were seen.

OLSSON: Final = "Olsson et al., 2022, In-context Learning and Induction Heads"
ELHAGE: Final = "Elhage et al., 2021, A Mathematical Framework for Transformer Circuits"
CLARK: Final = "Clark et al., 2019, What Does BERT Look At?"
KOVALEVA: Final = "Kovaleva et al., 2019, Revealing the Dark Secrets of BERT"
WANG: Final = "Wang et al., 2022, Interpretability in the Wild"
LONGFORMER: Final = "Beltagy et al., 2020, Longformer"

_CODES: Final = say(
    "W_Q gives each place the code of the place that it looks for, and W_K "
    "gives each place its own code. Where the two are the same code, the "
    "score is 30 higher than elsewhere, and softmax gives that key nearly "
    "all weight."
)
_KINDS: Final = say(
    "W_Q gives each place the code of a set of places, and W_K gives each "
    "place the codes of all sets that it belongs to. All keys of the set "
    "get the same score, 30 above the others, and share the weight."
)

_ALL: Final = (
    GuideEntry(
        "previous",
        say("Previous token"),
        "previous_token",
        _CODES,
        (NO_PLACES, HEAT),
        (
            Seen(
                say(
                    "Such a head tells each token what came before it. Together with a later head, "
                    "the induction head, it continues a text as it went on the first time."
                ),
                ELHAGE,
            ),
            Seen(
                say(
                    "In translation models these positional heads are among the few that "
                    "matter most."
                ),
                "Voita et al., 2019, Analyzing Multi-Head Self-Attention",
            ),
        ),
    ),
    GuideEntry(
        "next",
        say("Next token"),
        "next_token",
        _CODES,
        (
            Breaker(
                say("Add a causal mask: it hides the token that comes next."),
                CAUSAL,
                say("With a causal mask"),
            ),
            NO_PLACES,
        ),
        (
            Seen(
                say(
                    "BERT has heads that attend nearly only to the next token, or to the previous "
                    "one, most of them in early layers."
                ),
                CLARK,
            ),
        ),
    ),
    GuideEntry(
        "two-back",
        say("Two back"),
        "two_back",
        _CODES,
        (NO_PLACES, HEAT),
        (
            Seen(
                say(
                    "Models that learn a language from examples in the text have n-gram heads: "
                    "they look at what followed the same last words before. For two last words, "
                    "a token must know which two came before it."
                ),
                "Akyürek et al., 2024, In-Context Language Learning",
            ),
        ),
    ),
    GuideEntry(
        "first",
        say("First token (a sink)"),
        "first_token",
        say(
            "W_Q gives every place the same code, and W_K gives it to the first place "
            "alone. So all queries have their one high score at the first token."
        ),
        (
            Breaker(
                say("Hide the first token: the weight has to go somewhere else."),
                _without_first_key,
                say("The first token hidden"),
            ),
            HEAT,
        ),
        (
            Seen(
                say(
                    "Language models put much weight on the first tokens, whatever they say. "
                    "Weights must sum to 1, and a head that finds nothing leaves them there."
                ),
                "Xiao et al., 2023, Efficient Streaming Language Models with Attention Sinks",
            ),
        ),
    ),
    GuideEntry(
        "itself",
        say("Itself"),
        "itself",
        _CODES,
        (NO_PLACES, HEAT),
        (
            Seen(
                say(
                    "It is rare: most heads of BERT attend little to the token itself. The "
                    "residual connection around the attention keeps the token anyway."
                ),
                CLARK,
            ),
        ),
    ),
    GuideEntry(
        "same-word",
        say("Same word"),
        "same_word",
        say(
            "W_Q and W_K read the columns of X that say which word a token is, and give "
            "each word a code of its own. So a word finds itself at all its places."
        ),
        (
            Breaker(
                say("Remove words from X: only positions are left, and nothing matches."),
                _without_words,
                say("X without words"),
            ),
            HEAT,
        ),
        (
            Seen(
                say(
                    "GPT-2 small reads forward, so its heads of this kind look at earlier places "
                    "alone: the duplicate token heads, which have an entry of their own."
                ),
                WANG,
            ),
        ),
    ),
    GuideEntry(
        "duplicate",
        say("Duplicate token"),
        "same_word",
        say(
            "W_Q and W_K give each word a code of its own, so a word finds itself at all its "
            "places. The causal mask leaves it the earlier ones, and its own."
        ),
        (
            Breaker(
                say("Remove words from X: only positions are left, and no word is said again."),
                _without_words,
                say("X without words"),
            ),
            HEAT,
        ),
        (
            Seen(
                say(
                    "GPT-2 small has such duplicate token heads. Where a name is said again they "
                    "look at its first place, and mark it as said before."
                ),
                WANG,
            ),
        ),
        Claim(
            say("Every token looks equally at all places of its word so far, its own included."),
            _looks_at_earlier_places_of_its_word,
        ),
        CAUSAL_MASK,
    ),
    GuideEntry(
        "uniform",
        say("Uniform"),
        "zeros",
        say(
            "W_Q and W_K are 0, so every score is 0. Softmax shares the weight evenly among equal "
            "scores: the output of the head is the mean of all values."
        ),
        (
            Breaker(
                say("Let W_Q and W_K be random numbers: the scores differ, and so do the weights."),
                _with_random_queries_and_keys,
                say("W_Q and W_K random"),
            ),
        ),
        (
            Seen(
                say(
                    "Some heads of BERT, above all in lower layers, spread their weight over "
                    "nearly all tokens, as if the sentence were a bag of words."
                ),
                CLARK,
            ),
        ),
    ),
    GuideEntry(
        "block",
        say("Block"),
        "own_block",
        _KINDS,
        (NO_PLACES, HEAT),
        (
            Seen(
                say(
                    "Where BERT reads two sentences at once, some heads attend within each "
                    "sentence: their weights have two blocks."
                ),
                KOVALEVA,
            ),
        ),
    ),
    GuideEntry(
        "local",
        say("Local"),
        "neighbours",
        _KINDS,
        (NO_PLACES, HEAT),
        (
            Seen(
                say("Models for long texts build it in, as a window that slides along the text."),
                LONGFORMER,
            ),
            Seen(
                say("Heads that may choose how far they look choose short spans in lower layers."),
                "Sukhbaatar et al., 2019, Adaptive Attention Span in Transformers",
            ),
        ),
    ),
    GuideEntry(
        "global",
        say("Global"),
        "global_token",
        _KINDS,
        (
            Breaker(
                say("Hide the first token: nothing connects the others then."),
                _without_first_key,
                say("The first token hidden"),
            ),
            NO_PLACES,
        ),
        (
            Seen(
                say(
                    "Models for long texts let a few tokens see all others and be seen by them, so "
                    "two distant tokens are two steps apart."
                ),
                LONGFORMER,
            ),
        ),
    ),
    GuideEntry(
        "copying",
        say("Copying"),
        "average_before",
        say(
            "W_V and W_O hand on each column of X as it is. W_Q and W_K say where the head looks, "
            "here at all tokens so far: what it finds there is added under its own name."
        ),
        (
            Breaker(
                say("Turn the signs of W_O: now the head takes away what it looks at."),
                _with_negative_w_o,
                say("W_O negative"),
            ),
            Breaker(
                say("Let W_V be random numbers: the head looks where it did, and copies nothing."),
                _with_random_values,
                say("W_V random"),
            ),
        ),
        (
            Seen(
                say(
                    "Most heads of a small model with one layer copy: a word that they look at "
                    "becomes more probable as the next one."
                ),
                ELHAGE,
            ),
            Seen(
                say(
                    "A late head of GPT-2 small does the reverse: it makes a word that it looks at "
                    "less probable."
                ),
                "McDougall et al., 2023, Copy Suppression",
            ),
        ),
        PRESETS["average_before"].claims[1],
    ),
    GuideEntry(
        "induction",
        say("Induction by a copy"),
        COPYING,
        say(
            "Two layers. In layer 1 each token looks at the one before, and W_O writes its word "
            "into free columns of X. In layer 2 W_Q reads a token's own word, and W_K these "
            "copies: so keys are made of what layer 1 has written (K-composition)."
        ),
        (WITHOUT_LAYER_1, HEAT_IN_LAYER_2),
        (
            Seen(
                say(
                    "Models with two layers learn such induction heads, models with one do not. "
                    "They continue a text as it went on the first time."
                ),
                ELHAGE,
            ),
            Seen(
                say(
                    "In training, models with two layers or more gain most of their skill to "
                    "learn from a text while these heads form."
                ),
                OLSSON,
            ),
        ),
        INDUCTION,
        build=by_a_copy,
        claim_if_new=NOTHING_FOLLOWED,
    ),
    GuideEntry(
        "pointer",
        say("Induction by a pointer"),
        POINTING,
        say(
            "Two layers. In layer 1 each token looks at the earlier places of its word, and W_O "
            "writes the place after each into free columns of X. In layer 2 W_Q reads these "
            "columns, and W_K the places: so queries are made of what layer 1 has written "
            "(Q-composition)."
        ),
        (WITHOUT_LAYER_1, HEAT_IN_LAYER_2),
        (
            Seen(
                say(
                    "In GPT-2 small, heads that find a word said before hand on where it stood, "
                    "too, and later heads use this position."
                ),
                WANG,
            ),
            Seen(
                say(
                    "At least one induction head of GPT-2 seems to work so: it calculates with "
                    "places, and reads no copies."
                ),
                ELHAGE,
            ),
        ),
        INDUCTION,
        build=by_a_pointer,
        claim_if_new=NOTHING_FOLLOWED,
    ),
)
FIELD_GUIDE: Final[Mapping[str, GuideEntry]] = {entry.name: entry for entry in _ALL}
FIRST_ENTRY: Final = FIELD_GUIDE["previous"]


def entry_of(stack: Stack) -> GuideEntry | None:
    """The entry that made the projections of a stack; of several, the one with its mask."""
    made = [entry for entry in _ALL if entry.is_made_as(stack)]
    with_its_mask = (entry for entry in made if entry.mask == stack.first.mask)
    return next(with_its_mask, made[0] if made else None)
