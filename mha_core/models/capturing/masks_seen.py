"""What hid keys from queries while a module ran, as a Mask: by rules where rules say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.models.capturing.run import as_array
from mha_core.models.windows import CAUSAL
from mha_core.scenario.masks import Mask, Rule

HIDES: Final = -1e4  # a score that gets as much added is hidden: some write this for -inf
WAYS_OF_TORCH: Final[tuple[tuple[Rule, ...], ...]] = ((), CAUSAL)

Given = npt.NDArray[Any]


def as_added(mask: Given, *, true_hides: bool) -> FloatArray:
    """What the mask adds to the scores, with -inf for what it hides.

    >>> as_added(np.array([True, False]), true_hides=True)
    array([-inf,   0.])
    """
    if mask.dtype.kind != "f":
        return np.where((mask != 0) == true_hides, -np.inf, 0)
    added: FloatArray = np.where(mask <= HIDES, -np.inf, mask)
    return added


def as_mask(added: FloatArray, ways: Sequence[tuple[Rule, ...]] = WAYS_OF_TORCH) -> Mask:
    """The mask that adds this. If some of these rules hide the same, they are the mask.

    >>> as_mask(np.array([[0, -np.inf], [0, 0]])).rules
    (Rule(name='causal', options={}),)
    """
    is_hidden: BoolArray = np.isneginf(added)
    rest = np.where(is_hidden, 0, added)
    additive = rest if rest.any() else None
    padding = padding_rules(np.all(is_hidden, axis=0))
    for rules in ways:
        mask = Mask((*rules, *padding), additive=additive)
        if np.array_equal(mask.allowed(*added.shape), ~is_hidden):
            return mask
    return Mask(custom=~is_hidden, additive=additive)


def padding_rules(is_padding: Given) -> tuple[Rule, ...]:
    """The rule that hides these keys from all queries; none, where there are none."""
    hidden = np.flatnonzero(is_padding)
    return (Rule("padding", hidden=hidden),) if hidden.size else ()


def of_all_heads(mask: Given) -> Given:
    """The one mask that all heads have, of a mask for each head."""
    if not (mask == mask[:1]).all():
        raise OptionError(
            say("The mask"),
            say("must be the same for all heads"),
            say("another for some"),
            say("Capture the layer with one mask for all."),
        )
    one: Given = mask[0]
    return one


def hidden_pairs(mask: object, row: int) -> BoolArray | None:
    """Which keys a part that attends was told to hide from which queries, for all heads alike.

    None: it was told of no pairs, or of others for some heads.
    """
    import torch

    if not isinstance(mask, torch.Tensor) or mask.ndim != 4:
        return None
    of_text = as_array(mask[row if len(mask) > 1 else 0])
    hidden: BoolArray = np.isneginf(as_added(of_text, true_hides=False))
    return hidden[0] if (hidden == hidden[:1]).all() else None


def rules_without_a_mask(
    part: Any, is_causal: bool | None, rules: tuple[Rule, ...], n_tokens: int
) -> tuple[Rule, ...]:
    """The rules of an attention that was given no mask, as its code of `transformers` runs then.

    Its "eager" kind hides nothing by itself, but in older versions, which keep a mask in a buffer.
    Its "sdpa" kind hides later tokens, in a window too, if the call or the part says `is_causal`.
    If `rules` hide the same, they stay.
    """
    kind = getattr(getattr(part, "config", None), "_attn_implementation", "")
    if kind not in ("eager", "sdpa"):
        return rules
    if is_causal is None:
        is_causal = getattr(part, "is_causal", True)
    if kind == "eager":
        is_causal = any(not buffer.dtype.is_floating_point for buffer in part.buffers())
    ran = CAUSAL if is_causal else ()
    shape = n_tokens, n_tokens
    is_same = np.array_equal(Mask(ran).allowed(*shape), Mask(rules).allowed(*shape))
    return rules if is_same else ran


def of_model(
    name: str, mask: Given, row: int, rules: tuple[Rule, ...], shape: tuple[int, int]
) -> Mask:
    """The mask of a layer with these rules in a model that was given one under this name.

    One number a token says what is no padding. A matrix stands in the place of the rules. `shape`
    has the number of queries and that of keys.
    """
    if mask.shape[-1] != shape[1]:
        raise ShapeError(
            name,
            say("must have a number for each of the {count} tokens").format(count=shape[1]),
            say("shape {shape}").format(shape=mask.shape),
            say("Give the whole text at once, without a cache of earlier tokens."),
        )
    of_text: Given = mask[row if len(mask) > 1 else 0]
    if of_text.ndim == 1:
        return Mask((*rules, *padding_rules(of_text == 0)))
    matrix = of_all_heads(of_text) if of_text.ndim == 3 else of_text
    added = as_added(np.broadcast_to(matrix, shape), true_hides=False)
    return as_mask(added, (rules, *WAYS_OF_TORCH))
