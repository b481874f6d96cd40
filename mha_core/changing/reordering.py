"""Tokens, columns of X and heads in another order, each with all that belongs to it.

Tokens and columns are also added and removed.

- A token takes along its row of X, or of C and C_V, its label, its place under RoPE, its rows and
  columns of the drawn masks, and its numbers in the rules. In self-attention the tokens are queries
  and keys at once.
- A new token gets the row that the recipe of X makes for one more word, if the recipe leaves the
  other rows as they are; else zeros, as in C_V. It is open to all, and joins the document of the
  token before.
- A column of X takes the rows of the projections that it is multiplied by. A new one has zeros
  there too. So all queries, keys and values stay when a column is added or moved.
- A head takes along its columns of W_Q, b_Q, R_K and R_Q, its rows of W_O and its gates; those of
  W_K, W_V, b_K and b_V too, if it shares them with no other head. If it is off, it stays off.
- A recipe that makes other numbers for the new order is forgotten: the array then counts as given
  numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.changing.numbers_of_heads import scores_in_order
from mha_core.changing.places_of_tokens import NEW, places_in_order
from mha_core.changing.recipes import ArrayPlan, InputMaker, WeightsMaker, try_to_make
from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import Dims, FloatArray
from mha_core.checks.values import check_one_of, check_places, check_tokens
from mha_core.language import say
from mha_core.mask_rules.declared import Keys
from mha_core.mask_rules.registry import RULES
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer

# The array that has a row for each token of a sequence.
ROWS_OF: Final[Mapping[str, str]] = {"tokens": "x", "context_tokens": "context"}
# The array that has the columns of a width, and the projections that have a row for each of them.
COLUMNS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "d_model": ("x", "w_q", "w_f", "w_g"),
    "d_model_kv": ("context", "w_k"),
    "d_model_v": ("context_v", "w_v"),
}
# The arrays with a block for each head: the width of a block, and the axis along which they stand.
HEADS_OF: Final[Mapping[str, tuple[str, int]]] = {
    **{"w_q": ("d_k", 1), "w_k": ("d_k", 1), "w_v": ("d_v", 1), "w_o": ("d_v", 0)},
    **{"b_q": ("d_k", 0), "b_k": ("d_k", 0), "b_v": ("d_v", 0), "b_s": ("n_q", 0)},
    **{"w_g": ("d_g", 1), "b_g": ("d_g", 0)},
    **{"w_f": ("2", 1), "b_f": ("2", 0), "c_f": ("1", 0)},
    "sinks": ("1", 0),
    **{"r_k": ("d_k", 1), "r_q": ("d_k", 1)},
}
OF_KV_HEADS: Final = ("w_k", "w_v", "b_k", "b_v")  # a block for each key/value head

# An order gives the old place for each new one; NEW marks a place that was not there.
Order = tuple[int, ...]
Maker = InputMaker | WeightsMaker


# Tokens. A sequence is `tokens` or `context_tokens`; places are counted from 0.


def with_token_added(s: Scenario, sequence: str, place: int, name: str) -> Scenario:
    """One more token, which gets this place."""
    order = _order_with_new(say("A token"), len(_tokens(s, sequence)), place)
    return _with_tokens_in_order(s, sequence, order, name)


def with_token_removed(s: Scenario, sequence: str, place: int) -> Scenario:
    """One token less."""
    order = _order_without(say("A token"), len(_tokens(s, sequence)), place)
    return _with_tokens_in_order(s, sequence, order)


def with_token_moved(s: Scenario, sequence: str, place: int, to: int) -> Scenario:
    """A token at another place. Those between go up or down by one."""
    order = _order_moved(say("A token"), len(_tokens(s, sequence)), place, to)
    return _with_tokens_in_order(s, sequence, order)


def with_tokens_backwards(s: Scenario, sequence: str) -> Scenario:
    """All tokens in reverse order."""
    order = tuple(reversed(range(len(_tokens(s, sequence)))))
    return _with_tokens_in_order(s, sequence, order)


def order_between(before: Scenario, after: Scenario) -> Order | None:
    """How the same tokens, with the same rows of X, stand now: the old place of each.

    None where they are others, or stand as they stood.

    >>> from mha_core.examples import load_example
    >>> cat = load_example("the-cat")
    >>> order_between(cat, with_token_moved(cat, "tokens", 0, 2))
    (1, 2, 0, 3, 4, 5)
    """
    if before.x is after.x or before.n_q != after.n_q:
        return None
    places: dict[tuple[str, bytes], list[int]] = {}
    for place, (token, row) in enumerate(zip(before.tokens, before.x, strict=True)):
        places.setdefault((token, row.tobytes()), []).append(place)
    found = []
    for token, row in zip(after.tokens, after.x, strict=True):
        if not places.get((token, row.tobytes())):
            return None
        found.append(places[token, row.tobytes()].pop(0))
    return tuple(found) if found != sorted(found) else None


def _tokens(s: Scenario, sequence: str) -> tuple[str, ...]:
    check_one_of(say("The sequence"), sequence, ROWS_OF)
    _check_context(s, is_needed=sequence == "context_tokens")
    return s.tokens if sequence == "tokens" else s.context_tokens


def _with_tokens_in_order(s: Scenario, sequence: str, order: Order, name: str = "") -> Scenario:
    """The tokens in another order. `name` is that of a new one."""
    old, array = _tokens(s, sequence), ROWS_OF[sequence]
    tokens = check_tokens([name if place == NEW else old[place] for place in order])
    before = ArrayPlan.of(s)
    new_row = _row_for_one_more(before, sequence, name) if NEW in order else 0
    of_queries = order if sequence == "tokens" else None
    of_keys = order if sequence == "context_tokens" or s.context is None else None
    changed: dict[str, Any] = {
        sequence: tokens,
        array: _in_order(getattr(s, array), order, filler=new_row),
        "mask": mask_in_order(s.mask, of_queries, of_keys),
        "b_s": additions_in_order(s, of_queries, of_keys),
        "scores": places_in_order(s, sequence, order),
        "context_v": own_values_in_order(s, of_keys),
    }
    reordered = replace(s, **changed)
    after = ArrayPlan.of(reordered)
    origin = s.origin
    made = _made_rows(before, array)
    if made is not None:
        remade, moved = _made_rows(after, array), _in_order(made, order, filler=new_row)
        if remade is None or not np.array_equal(remade, moved):
            origin = replace(origin, x="")
    if not _make_the_same(before.makers()[-1], after.makers()[-1]):
        origin = replace(origin, weights="")
    return replace(reordered, origin=origin)


def _row_for_one_more(plan: ArrayPlan, sequence: str, name: str) -> FloatArray | float:
    """What the recipe makes for a new token at the end; 0 if the other rows would change."""
    longer: dict[str, Any] = {sequence: (*getattr(plan, sequence), name)}
    was, now = (_made_rows(each, ROWS_OF[sequence]) for each in (plan, replace(plan, **longer)))
    if was is None or now is None or not np.array_equal(now[:-1], was):
        return 0.0
    row: FloatArray = now[-1]
    return row


def _made_rows(plan: ArrayPlan, array: str) -> FloatArray | None:
    """What the recipe of X makes; None if it makes nothing."""
    makers = {maker.group: maker for maker in plan.inputs(plan.x)}
    return try_to_make(makers[array]).get(array)


def _make_the_same(one: Maker, other: Maker) -> bool:
    """Whether two recipes make the same numbers, or the first makes none."""
    if one == other:
        return True
    made, others = try_to_make(one), try_to_make(other)
    return all(np.array_equal(made[name], others.get(name, 0)) for name in made)


# Masks.


def mask_in_order(mask: Mask, of_queries: Order | None, of_keys: Order | None) -> Mask:
    """The mask of tokens that stand in another order now."""
    """The mask with its queries, its keys or both in another order; None leaves them."""

    def moved(matrix: npt.NDArray[Any] | None, filler: float) -> npt.NDArray[Any] | None:
        for axis, order in enumerate((of_queries, of_keys)):
            if matrix is not None and order is not None:
                matrix = _in_order(matrix, order, axis, filler=filler)
        return matrix

    rules = tuple(_rule_in_order(rule, of_queries, of_keys) for rule in mask.rules)
    return Mask(rules, moved(mask.custom, True), moved(mask.additive, 0))


def additions_in_order(
    layer: Scenario | Layer, of_queries: Order | None, of_keys: Order | None
) -> FloatArray | None:
    """What each head adds to its scores, with the tokens in another order; 0 for new ones."""
    if layer.b_s is None:
        return None
    added = layer.b_s.reshape(layer.n_heads, -1, layer.b_s.shape[1])
    for axis, order in ((1, of_queries), (2, of_keys)):
        if order is not None:
            added = _in_order(added, order, axis)
    return added.reshape(-1, added.shape[-1])


def own_values_in_order(layer: Scenario | Layer, of_keys: Order | None) -> FloatArray | None:
    """The rows that values alone are made from, with the keys in another order; 0 for new ones."""
    if layer.context_v is None or of_keys is None:
        return layer.context_v
    return _in_order(layer.context_v, of_keys)


def _rule_in_order(rule: Rule, of_queries: Order | None, of_keys: Order | None) -> Rule:
    """A rule stays a rule. What it says of single tokens follows them."""
    options = dict(rule.options)
    if of_keys is not None:
        goes_to = {place: new for new, place in enumerate(of_keys)}
        for name in RULES[rule.name].named(Keys) & options.keys():
            options[name] = [goes_to[key] for key in options[name] if key in goes_to]
    if "segments" in options:
        of_key = options["segments"]
        of_query = options.get("query_segments")
        options["segments"] = _segments_in_order(of_key, of_keys)
        if of_query or of_queries != of_keys:
            options["query_segments"] = _segments_in_order(of_query or of_key, of_queries)
    return Rule(rule.name, options)


def _segments_in_order(segments: Sequence[int], order: Order | None) -> tuple[int, ...]:
    """The documents of the tokens. A new token joins that of the one before it, or the first.

    >>> _segments_in_order((1, 1, 2), (0, 1, NEW, 2)), _segments_in_order((1, 2), (NEW, 0, 1))
    ((1, 1, 1, 2), (1, 1, 2))
    """
    if order is None:
        return tuple(segments)
    joined = (order[max(at - 1, 0)] if place == NEW else place for at, place in enumerate(order))
    return tuple(segments[max(place, 0)] for place in joined)


# Columns of X, whose width is `d_model`; of C, `d_model_kv`; of C_V, `d_model_v`.


def with_column_added(s: Scenario, width: str, place: int) -> Scenario:
    """One more column, of zeros, which gets this place. The heads keep their widths."""
    order = _order_with_new(say("A column"), _count(s, width), place)
    return _with_columns_in_order(s, width, order)


def with_column_removed(s: Scenario, width: str, place: int) -> Scenario:
    """One column less, and one row less of each projection that is applied to it."""
    order = _order_without(say("A column"), _count(s, width), place)
    return _with_columns_in_order(s, width, order)


def with_column_moved(s: Scenario, width: str, place: int, to: int) -> Scenario:
    """A column at another place, with the rows of the projections."""
    order = _order_moved(say("A column"), _count(s, width), place, to)
    return _with_columns_in_order(s, width, order)


def _count(s: Scenario, width: str) -> int:
    check_one_of(say("The width"), width, COLUMNS_OF)
    _check_context(s, is_needed=width == "d_model_kv")
    if width == "d_model_v" and s.context_v is None:
        raise OptionError(
            "C_V",
            say("needs values from rows of their own first"),
            say("a scenario without them"),
            say("Use with_own_values."),
        )
    return s.sizes[width]


def _with_columns_in_order(s: Scenario, width: str, order: Order) -> Scenario:
    if order == tuple(range(s.sizes[width])):
        return s
    array, *projections = COLUMNS_OF[width]
    for source, other in (("d_model", "d_model_kv"), ("d_model_kv", "d_model_v")):
        is_same = getattr(s, COLUMNS_OF[other][0]) is None  # keys are made from X, values from C
        if is_same and COLUMNS_OF[source][1] in projections:
            projections += COLUMNS_OF[other][1:]
    given = s.given()
    changed: dict[str, Any] = {
        name: _in_order(given[name], order) for name in projections if name in given
    }
    changed[array] = _in_order(getattr(s, array), order, axis=1)
    return replace(s, **changed, origin=_origin_of_others(s, array))


def _origin_of_others(s: Scenario, array: str) -> Origin:
    """The recipe of X made no rows that values alone are made from."""
    recipe = s.origin.x if array == "context_v" else ""
    return replace(s.origin, x=recipe, weights="")


def _check_context(s: Scenario, *, is_needed: bool) -> None:
    if is_needed and s.context is None:
        raise OptionError(
            "C",
            say("needs a second sequence first"),
            say("a scenario without one"),
            say("Use with_context."),
        )


# Heads, numbered from 0.


def with_head_moved(s: Scenario, head: int, to: int) -> Scenario:
    """A head at another place. Those between go up or down by one.

    A head stays among those that share its keys and values: which heads share them follows from
    their places. So do ALiBi's slopes. Under ALiBi a moved head gets another slope, and the output
    changes.
    """
    order = _order_moved(say("A head"), s.n_heads, head, to)
    if order == tuple(range(s.n_heads)):
        return s
    _check_stays_in_group(s, head, to)
    changed: dict[str, Any] = {}
    for name, (width, axis) in HEADS_OF.items():
        array = getattr(s, name)
        is_shared = name in OF_KV_HEADS and s.n_kv_heads < s.n_heads
        if array is not None and not is_shared:
            lines = _lines_of_blocks(order, *Dims(width).shape(s.sizes))
            changed[name] = np.take(array, lines, axis)
    goes_to = {place: new for new, place in enumerate(order)}
    off = frozenset(goes_to[each] for each in s.heads_off)
    changed["scores"] = scores_in_order(s, order)
    return replace(s, **changed, heads_off=off, origin=replace(s.origin, weights=""))


def _check_stays_in_group(s: Scenario, head: int, to: int) -> None:
    group = s.n_heads // s.n_kv_heads
    if group > 1 and head // group != to // group:
        first = head - head % group + 1
        need = say("must stay among heads {first} to {last}, which share its keys and values")
        raise ShapeError(
            say("Head {head}").format(head=head + 1),
            need.format(first=first, last=first + group - 1),
            say("place {place}").format(place=to + 1),
            say("Move it among these, or take {count} key/value heads: one for each head.").format(
                count=s.n_heads
            ),
        )


def _lines_of_blocks(order: Order, width: int) -> list[int]:
    """The lines of all blocks, each of this width, when the blocks are in this order.

    >>> _lines_of_blocks((1, 0), 3)
    [3, 4, 5, 0, 1, 2]
    """
    return [place * width + line for place in order for line in range(width)]


# Orders.


def _order_with_new(thing: str, count: int, place: int) -> Order:
    """All places, and a new one.

    >>> _order_with_new("A token", 3, 1)
    (0, -1, 1, 2)
    """
    check_places(thing, [place], count + 1, say("place"), say("places"))
    return (*range(place), NEW, *range(place, count))


def _order_without(thing: str, count: int, place: int) -> Order:
    """All places but one.

    >>> _order_without("A token", 3, 1)
    (0, 2)
    """
    check_places(thing, [place], count, say("place"), say("places"))
    if count == 1:
        raise ShapeError(
            thing,
            say("must stay where it is the only one"),
            say("its removal"),
            say("Add another one first."),
        )
    return (*range(place), *range(place + 1, count))


def _order_moved(thing: str, count: int, place: int, to: int) -> Order:
    """All places, one of them elsewhere.

    >>> _order_moved("A token", 4, 0, 2)
    (1, 2, 0, 3)
    """
    check_places(thing, [place, to], count, say("place"), say("places"))
    others = [each for each in range(count) if each != place]
    return (*others[:to], place, *others[to:])


def _in_order(
    array: npt.NDArray[Any], order: Order, axis: int = 0, *, filler: Any = 0
) -> npt.NDArray[Any]:
    """The lines of an array along an axis in another order; new ones hold the filler.

    >>> _in_order(np.array([[1, 2], [3, 4]]), (1, NEW, 0))
    array([[3, 4],
           [0, 0],
           [1, 2]])
    """
    taken = np.take(array, np.maximum(order, 0), axis)
    np.moveaxis(taken, axis, 0)[np.equal(order, NEW)] = filler
    return taken
