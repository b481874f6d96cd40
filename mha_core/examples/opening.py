"""What is attention: one sentence, and four heads that each look for something else."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.examples.example import Example, from_recipes
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import tokenize
from mha_core.making.presets import PRESETS
from mha_core.reading.claims import Claim
from mha_core.reading.patterns import best_pattern, patterns
from mha_core.scenario.x_columns import LEAST_WIDTH, OF_WORDS


def _looks(trace: Trace, head: int, name: str) -> bool:
    """Whether the head resembles this pattern more than any other."""
    if head >= trace.scenario.n_heads:
        return False
    best = best_pattern(patterns(trace)[head])
    return best is not None and best.name == name


def _looks_for_something_else(trace: Trace) -> bool:
    return all(
        _looks(trace, head, name)
        for head, name in ((0, "previous token"), (1, "same word"), (3, "uniform"))
    )


def _nouns_look_at_verbs(trace: Trace) -> bool:
    """In head 3, “cat” looks at “sees” more than at all other words together."""
    s = trace.scenario
    if s.n_heads < 3 or "cat" not in s.tokens or "sees" not in s.key_tokens:
        return False
    return bool(trace.weights[2, s.tokens.index("cat"), s.key_tokens.index("sees")] > 0.5)


EXAMPLES: Final = (
    Example(
        name="the-cat",
        title=say("The cat sees the other cat"),
        question=say("What is attention?"),
        sentence=say("Each of four heads looks for something else."),
        holds=_looks_for_something_else,
        build=partial(
            from_recipes,
            "the-cat",
            tokenize("the cat sees the other cat"),
            d_model=LEAST_WIDTH,
            n_heads=4,
            x=OF_WORDS,
            weights="sentence_heads",
            d_k=2,
            d_v=2,
        ),
        claims=(
            *PRESETS["sentence_heads"].claims,
            Claim(say("In head 3, “cat” looks at “sees”: a noun at a verb."), _nouns_look_at_verbs),
        ),
        notes=(
            Claim(
                say(
                    "Type another sentence: each word gets its own vector, and the heads "
                    "read it too."
                ),
                _looks_for_something_else,
            ),
        ),
    ),
)
