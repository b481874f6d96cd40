"""From a scenario to a link's names and values.

Each function writes only what differs from the scenario that reading has at that point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.changing.recipes import LAYER_SIZES
from mha_core.changing.sizes import sizes_after
from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray, differing_cells
from mha_core.io.scenario.link_names import CELLS_OVER_ZEROS, FIRST_TO_FOLLOW, NO_CONTEXT, SIZES
from mha_core.io.scenario.link_reading import (
    LABELS_OF_ORIGIN,
    LABELS_WITH_MODEL,
    check_room,
    scenario_before_arrays,
    start_of_link,
    unsaid_start,
)
from mha_core.io.scenario.link_values import (
    NONE,
    write_array,
    write_labels,
    write_option,
    write_rules,
)
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

# Without any of these words, X is that of the example: it has no row that was drawn.
DRAW_ROWS: Final = {"tokens", "context", "x", "x_seed", *SIZES}


class LinkStart(NamedTuple):
    """The part of a link without numbers, and the scenario that this part leads to."""

    given: Mapping[str, str]
    scenario: Scenario


def link_start(target: Scenario, hints: Origin, number: int = 0, used: int = 0) -> LinkStart:
    """The words, sizes, recipes and scores of a link, and what the example and recipes make."""
    given = words_and_sizes(target, hints, number)
    return LinkStart(given, scenario_before_arrays(given, number, used))


def arrays_to_write(target: Scenario, start: Scenario) -> frozenset[str]:
    """The given arrays whose numbers differ from those that the start of the link makes."""
    made = start.given()
    return frozenset(
        name
        for name, array in target.given().items()
        if name not in made or not _have_equal_bits(array, made[name])
    )


def _have_equal_bits(a: FloatArray, b: FloatArray) -> bool:
    if a is b:
        return True
    bits = f"u{a.itemsize}"  # a comparison of numbers would be slower, and blind to -0
    return a.dtype == b.dtype and np.array_equal(a.view(bits), b.view(bits))


def write_link(
    target: Scenario, link_begins: LinkStart, most_chars: int, number: int = 0, used: int = 0
) -> dict[str, str]:
    given, start = link_begins
    rest = _write_mask_and_arrays(target, start, most_chars)
    check_room({**given, **rest}, number, used)
    may_have_drawn = not (DRAW_ROWS.isdisjoint(given) or CELLS_OVER_ZEROS.isdisjoint(rest))
    if may_have_drawn and _draws_rows(start, scenario_before_arrays({**given, **rest}, number)):
        rest = _write_mask_and_arrays(target, start, most_chars, cells_of_input=False)
    return {**given, **rest}


def _draws_rows(start: Scenario, over_zeros: Scenario) -> bool:
    pairs = [(start.x, over_zeros.x), (start.keys_from, over_zeros.keys_from)]
    return any(differing_cells(drawn, zeros).any() for drawn, zeros in pairs)


def words_and_sizes(target: Scenario, hints: Origin, number: int = 0) -> dict[str, str]:
    """What a link says of a layer, counted from 0, before it says any number of an array."""
    start = start_of_link(hints.example or None, number)
    given = {"example": hints.example} if hints.example else {}
    if target.dtype != start.dtype:
        given["dtype"] = target.dtype.name
    if target.tokens != start.tokens:
        given["tokens"] = write_labels(target.tokens)
    if target.context_tokens != start.context_tokens:
        given["context"] = write_labels(target.context_tokens) or NO_CONTEXT
    return {
        **given,
        **_write_sizes(target, start),
        **_write_recipe("x", hints.x, hints.x_seed, start.origin.x, start.origin.x_seed),
        **_write_recipe(
            "weights",
            *(hints.weights, hints.weights_seed),
            *(start.origin.weights, start.origin.weights_seed),
        ),
        **_write_scores(target, start),
    }


def _write_sizes(target: Scenario, start: Scenario) -> dict[str, str]:
    """The fewest sizes that lead to the target: sizes that follow by themselves are left out."""
    wanted = {name: target.sizes[name] for name in LAYER_SIZES}
    cross = target.context is not None
    chosen = wanted
    for name in 2 * FIRST_TO_FOLLOW:  # twice: some can be left out only after a later one is
        fewer = {size: value for size, value in chosen.items() if size != name}
        if _sizes_or_none(start, fewer, cross) == wanted:
            chosen = fewer
    return {name: str(chosen[ours]) for name, ours in SIZES.items() if ours in chosen}


def _sizes_or_none(start: Scenario, chosen: Mapping[str, int], cross: bool) -> object:
    try:
        found = sizes_after(start, chosen, cross=cross)
        return {name: found[name] for name in LAYER_SIZES}
    except MhaError:
        return None


def _write_recipe(name: str, wanted: str, seed: int, start: str, start_seed: int) -> dict[str, str]:
    if not wanted or (wanted, seed) == (start, start_seed):
        return {}
    named = {} if wanted == start else {name: wanted}
    return {**named, **({f"{name}_seed": str(seed)} if seed or not named else {})}


def _write_scores(target: Scenario, start: Scenario) -> dict[str, str]:
    is_cross, positions = target.context is not None, target.scores.positions
    unsaid = unsaid_start(start, positions, is_cross=is_cross)
    read = replace(start.scores, query_start=unsaid)
    return {
        name: write_option(option, value)
        for name, option in OPTIONS.items()
        if (value := getattr(target.scores, name)) != getattr(read, name)
    }


def _write_mask_and_arrays(
    target: Scenario, s: Scenario, most_chars: int, *, cells_of_input: bool = True
) -> dict[str, str]:
    given = {}
    if target.mask.rules != s.mask.rules:
        given["mask"] = write_rules(target.mask.rules)
    if target.heads_off != s.heads_off:
        given["off"] = ".".join(str(head) for head in sorted(target.heads_off)) or NONE
    if target.n_distances not in (0, s.n_distances):
        given["distances"] = str(target.n_distances)
    if target.w_g is not None and target.d_g != s.d_g:
        given["d_g"] = str(target.d_g)
    for name in GIVEN:
        cells = cells_of_input or name not in ("x", "context")
        given |= _write_matrix(name, getattr(target, name), getattr(s, name), most_chars, cells)
    given |= _write_matrix("custom", target.mask.custom, s.mask.custom, most_chars)
    additive = _write_matrix("additive", target.mask.additive, s.mask.additive, most_chars)
    given |= additive
    if target.mask.additive is not None and additive and target.mask.additive.dtype != s.dtype:
        given["additive_dtype"] = target.mask.additive.dtype.name
    if target.origin != s.origin:
        given["origin"] = _write_origin(target.origin)
    return given


def _write_origin(origin: Origin) -> str:
    """Without a model, or a text of its decoder, as links were before they could name them."""
    labels = [str(part) for part in astuple(origin)]
    if not origin.model:
        return write_labels(labels[:LABELS_OF_ORIGIN])
    return write_labels(labels if origin.model_text_of_decoder else labels[:LABELS_WITH_MODEL])


def _write_matrix(
    name: str, wanted: Any, now: Any, most_chars: int, cells: bool = True
) -> dict[str, str]:
    if wanted is None:
        return {} if now is None else {name: NONE}
    is_alike = now is not None and (now.dtype, now.shape) == (wanted.dtype, wanted.shape)
    base = now if is_alike else None
    way = write_array(wanted, base, most_chars, cells=cells)
    return {} if way is None else {f"{name}.{way[0]}": way[1]}
