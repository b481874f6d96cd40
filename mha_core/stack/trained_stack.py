"""The trained model on any text, as a Stack.

>>> stack = trained_stack("Mila Stone saw a dog. Mila")
>>> stack.tokens[-2:], len(stack.layers), len(stack.words)
(('.', 'Mila'), 2, 168)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from mha_core.checks.values import check_one_of, check_tokens
from mha_core.language import say
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer
from mha_core.stack.stack import Stack
from mha_core.trained.numbers import RECIPE, Trained, trained

CAUSAL: Final = Mask((Rule("causal"),))
_WORD_OR_MARK: Final = re.compile(r"\w+|[^\w\s]")


def trained_stack(text: str) -> Stack:
    """The model of the file on a text, whose marks are tokens too."""
    return stack_of(trained(), _WORD_OR_MARK.findall(text))


def stack_of(
    model: Trained, tokens: Sequence[str], words: Sequence[str] = (), example: str = ""
) -> Stack:
    """The whole model on these tokens.

    Its W_U has a column for each word of the model; or for these `words`, with the same logits.
    """
    tokens = check_tokens(tokens)
    shown = tuple(words) or model.words
    for word in shown:
        check_one_of(say("A word to predict"), word, model.words)
    first, *above = model.layers
    of_all: Any = {"n_heads": model.heads, "mask": CAUSAL}
    return Stack(
        (
            Scenario(
                x=model.x(tokens),
                tokens=tokens,
                origin=Origin(example, x=RECIPE),
                **of_all,
                **first,
            ),
            *(Layer(origin=Origin(example), **of_all, **layer) for layer in above),
        ),
        w_u=model.unembed[:, [model.words.index(word) for word in shown]],
        words=shown,
    )
