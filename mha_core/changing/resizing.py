"""Arrays and masks in other sizes: each keeps the cells that still exist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import BoolArray, Dims, FloatArray, Sizes
from mha_core.mask_rules.declared import Alignment, Keys
from mha_core.mask_rules.registry import RULES
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario


def resized_array(
    name: str,
    array: FloatArray,
    before: Sizes,
    after: Sizes,
    *,
    over: FloatArray | None = None,
    edited: BoolArray | None = None,
) -> FloatArray:
    """The array in the sizes `after`. Its kept cells are written over `over`.

    By default that is what counts where the array is left out: zeros, or ones.

    If the number of its heads stays, each head keeps its own rows and columns. Otherwise the
    matrix keeps its upper left corner. `edited` says which cells to keep, by default all.
    """
    dims = GIVEN[name].dims
    heads_stay = all(before[h] == after[h] for h in ("n_heads", "n_kv_heads") if h in dims.names)
    axes = Dims(dims.names.replace("*", " ")) if heads_stay else dims
    old, new = axes.shape(before), axes.shape(after)
    if over is None and old == new:
        return array
    base = np.full(dims.shape(after), float(GIVEN[name].left_out)) if over is None else over
    result = base.astype(
        array.dtype, order="C"
    )  # in C order: then reshape gives a view, not a copy
    stays = np.ones(old, np.bool_) if edited is None else edited.reshape(old)
    corner = _corner(old, new)
    np.copyto(result.reshape(new)[corner], array.reshape(old)[corner], where=stays[corner])
    return result


def resized_mask(mask: Mask, n_q: int, n_k: int) -> Mask:
    """The mask for other numbers of queries and keys."""
    return Mask(
        tuple(_resized_rule(rule, n_q, n_k) for rule in mask.rules),
        None if mask.custom is None else cut_or_filled(mask.custom, n_q, n_k, filler=True),
        None if mask.additive is None else cut_or_filled(mask.additive, n_q, n_k, filler=0),
    )


def mask_without_context(s: Scenario) -> Mask:
    """The mask of s without its second sequence, when the queries are the keys too.

    The parts for keys of the second sequence are removed, because the page would not show them.
    A key stays if the first sequence has the same token at the same place. The queries keep their
    documents. An alignment of two sequences has no meaning for one, so it is removed.
    """
    stays = np.array([token in s.context_tokens[i : i + 1] for i, token in enumerate(s.tokens)])
    rules = tuple(_rule_without_context(rule, stays) for rule in s.mask.rules)
    custom, additive = s.mask.custom, s.mask.additive
    if custom is not None:
        custom = cut_or_filled(custom, s.n_q, s.n_q, filler=True) | ~stays
    if additive is not None:
        additive = np.where(stays, cut_or_filled(additive, s.n_q, s.n_q, filler=0), 0)
    return Mask(
        rules,
        None if custom is None or custom.all() else custom,
        None if additive is None or not additive.any() else additive,
    )


def _rule_without_context(rule: Rule, stays: BoolArray) -> Rule:
    no_more = RULES[rule.name].named(Alignment)
    options = {name: value for name, value in rule.options.items() if name not in no_more}
    for name in RULES[rule.name].named(Keys) & options.keys():
        options[name] = [key for key in options[name] if key < stays.size and stays[key]]
    if of_queries := options.pop("query_segments", ()):
        options["segments"] = of_queries
    return Rule(rule.name, options)


def _resized_rule(rule: Rule, n_q: int, n_k: int) -> Rule:
    options = dict(rule.options)
    for name in RULES[rule.name].named(Keys) & options.keys():
        options[name] = [index for index in options[name] if index < n_k]
    if "segments" in options:
        of_keys = options["segments"]
        of_queries = options.get("query_segments") or (of_keys if n_q != n_k else ())
        options["segments"] = _cut_or_repeated(of_keys, n_k)
        if of_queries:
            options["query_segments"] = _cut_or_repeated(of_queries, n_q)
    return Rule(rule.name, options)


def _cut_or_repeated(segments: Sequence[int], count: int) -> tuple[int, ...]:
    """New tokens join the last document."""
    return (*segments, *[segments[-1]] * count)[:count]


def cut_or_filled(
    matrix: npt.NDArray[Any], n_q: int, n_k: int, *, filler: object
) -> npt.NDArray[Any]:
    """The matrix with other numbers of rows and columns. Its upper left corner stays.

    >>> cut_or_filled(np.array([[False, True]]), 2, 3, filler=True).astype(int)
    array([[0, 1, 1],
           [1, 1, 1]])
    """
    result = np.full((n_q, n_k), filler, matrix.dtype)
    corner = _corner(matrix.shape, (n_q, n_k))
    result[corner] = matrix[corner]
    return result


def _corner(old: tuple[int, ...], new: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(slice(min(sizes)) for sizes in zip(old, new, strict=True))
