"""A scenario as a short, readable text for a link, and back, to the last bit.

    example=pizza&heads=4&mask=causal

A link starts from an example, or without one from a single token of width 1 with one head, and
says what to change. The parameters take effect in the order of PARAMETERS, however they stand:
first words, sizes, recipes and scores, all at once; then the mask and the heads switched off; at
last the arrays that are still not the same to the last bit, each as `x.cells`, `x.rows` or `x.zip`
(see `link_values.py`). So what `origin` says of a scenario makes its link short or long, never
wrong.

Reading a link runs no code. Before it makes an array it counts the cells of all: there are never
more than LIMITS.link_cells, and what reading holds on the way is at most a few times that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import numpy as np

from mha_core.changing.changes import with_changes, with_dtype
from mha_core.changing.recipes import LAYER_SIZES, WEIGHTS, Recipe
from mha_core.changing.sizes import sizes_after
from mha_core.checks.errors import FormatError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import differing_cells
from mha_core.checks.values import check_limit, check_tokens
from mha_core.examples import load_example
from mha_core.io.scenario.link_values import (
    COPY_AGAIN,
    FORMS,
    NONE,
    SMALLER,
    blank,
    read_array,
    read_labels,
    read_number,
    read_rules,
    read_whole,
    refused,
    write_array,
    write_labels,
    write_number,
    write_rules,
)
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import BY_ROOT_D_K, ScoreOptions

NO_CONTEXT: Final = "~none"  # `~n` is no label, so this is none
ROOT: Final = "root_d_k"
SIZES: Final = {  # as the link calls them
    "d_model": "d_model",
    "d_model_kv": "d_model_kv",
    "heads": "n_heads",
    "kv_heads": "n_kv_heads",
    "d_k": "d_k",
    "d_v": "d_v",
    "d_out": "d_out",
}
MATRICES: Final = (*GIVEN, "custom", "additive")
CELLS_OVER_ZEROS: Final = {"x.cells", "context.cells"}
MAY_BE_NONE: Final = ("b_q", "b_k", "b_v", "b_o", "custom", "additive")
FIRST_TO_FOLLOW: Final = ("d_k", "d_v", "n_kv_heads", "d_out", "d_model_kv", "n_heads", "d_model")
PARAMETERS: Final[Mapping[str, str]] = {
    "example": "the example to start from",
    "dtype": "float32 or float64",
    "tokens": "labels of the queries: tokens=I+LOVE+PIZZA",
    "context": f"labels of the second sequence; {NO_CONTEXT} takes it away",
    "d_model": "width of X",
    "d_model_kv": "width of the second sequence",
    "heads": "number of heads; kv_heads, d_k and d_v follow unless they are given too",
    "kv_heads": "number of key/value heads",
    "d_k": "width of a head's queries and keys",
    "d_v": "width of a head's values",
    "d_out": "width of the output",
    "x": "how X is made: one of INPUTS",
    "x_seed": "its seed, 0 if left out",
    "weights": "how the projections are made: one of PRESETS",
    "weights_seed": "their seed, 0 if left out",
    "scale": f"{ROOT}, none or a number",
    "softcap": "none or a number",
    "positions": "none, sinusoidal, rope or alibi",
    "query_start": "position of the first query",
    "mask": "mask rules that all hold: mask=causal+sliding_window~left.2; none takes them away",
    "off": "heads switched off: off=0.2; none switches all on",
    **{f"{name}.{form}": f"{name}'s numbers" for name in MATRICES for form in FORMS},
    "additive_dtype": "float32 or float64, where the additive mask's type is not that of X",
    **{name: "none takes it away" for name in MAY_BE_NONE},
    "origin": "what made the arrays, where the rest of the link does not say so",
}
OF_THE_PAGE: Final = (  # how a page shows the scenario: they stand in its address too
    *("decimals", "colors", "values", "palette", "show", "rows", "head", "cell", "page", "hide"),
    *("title", "embed", "embed_options"),
)
ADDED_BY_OTHERS: Final = ("utm_", "fbclid", "gclid")  # what mailings add to any link begins so
KNOWN: Final = (
    ", ".join(name for name in PARAMETERS if "." not in name)
    + f", and .{', .'.join(FORMS)} of {', '.join(MATRICES)}"
)


def encode_link(s: Scenario) -> str:
    """The scenario as a query string, without its question mark.

    >>> from mha_core.changing.changes import with_heads
    >>> encode_link(with_heads(load_example("two-tokens"), 4))
    'example=two-tokens&heads=4'
    """
    query = urlencode(link_parameters(s), errors="surrogatepass")
    check_limit("The link's length", len(query), LIMITS.link_chars, SMALLER)
    return query


def link_parameters(s: Scenario, most_chars: int = LIMITS.link_chars) -> dict[str, str]:
    """The same as names and values, before they are quoted.

    An array that would take more than `most_chars` is refused as soon as that is known.
    """
    try:
        return _write(s, s.origin, most_chars)
    except MhaError:  # the names in origin do not lead here: write everything out
        return _write(s, Origin(), most_chars)


def decode_link(link: str | Mapping[str, str]) -> Scenario:
    """The scenario of a link: a whole address, its query string, or its names and values.

    What the address says of the page, and what mailings add to it, is passed over.

    >>> s = decode_link("tokens=I+LOVE+PIZZA&d_model=4&heads=2&x=one_hot&mask=causal")
    >>> s.tokens, s.d_k, s.mask.rules
    (('I', 'LOVE', 'PIZZA'), 2, (Rule(name='causal', options={}),))
    """
    given = _parsed(link)
    return _with_the_rest(_started(given), given)


# The scenario that a link starts from, with all that can be said in names and sizes.


def _blank() -> Scenario:
    one = np.zeros((1, 1))
    return Scenario(x=one, w_q=one, w_k=one, w_v=one, w_o=one, n_heads=1)


def _started(given: Mapping[str, str]) -> Scenario:
    start = load_example(given["example"]) if "example" in given else _blank()
    if "dtype" in given:
        start = with_dtype(start, given["dtype"])
    tokens, others = start.tokens, start.context_tokens
    if "tokens" in given:
        tokens = check_tokens(read_labels("tokens", given["tokens"]))
    if "context" in given:
        none = given["context"] == NO_CONTEXT
        others = () if none else check_tokens(read_labels("context", given["context"]))
    sizes = {ours: read_whole(name, given[name]) for name, ours in SIZES.items() if name in given}
    _check_room(start, given, len(tokens), len(others), sizes)
    return with_changes(
        start,
        tokens=tokens,
        context_tokens=others,
        sizes=sizes,
        x=_read_recipe(given, "x", start.origin.x),
        weights=_read_recipe(given, "weights", start.origin.weights),
        scores=_read_scores(given, start.scores),
        # Links that list cells of X list them over zeros: some are older than rows that are drawn.
        draw_new_rows=CELLS_OVER_ZEROS.isdisjoint(given),
    )


def _check_room(
    start: Scenario, given: Mapping[str, str], n_q: int, n_context: int, chosen: Mapping[str, int]
) -> None:
    """Refuse more cells than a link may ask for, before any is made."""
    n_k = n_context or n_q
    sizes = {"n_q": n_q, "n_k": n_k, **sizes_after(start, chosen, cross=n_context > 0)}
    cells = sum(math.prod(matrix.dims.shape(sizes)) for matrix in GIVEN.values())
    if start.origin.weights or "weights" in given:
        # A preset may draw a square as wide as the widest of its matrices, and keep a part of it.
        cells += max(max(GIVEN[name].dims.shape(sizes)) for name in WEIGHTS) ** 2
    drawn = start.mask.custom is not None or start.mask.additive is not None
    if drawn or any(name.startswith(("custom", "additive")) for name in given):
        cells += n_q * n_k
    check_limit("The number of cells of all matrices of a link", cells, LIMITS.link_cells, SMALLER)


def _read_recipe(given: Mapping[str, str], name: str, so_far: str) -> Recipe | None:
    seed = f"{name}_seed"
    if name not in given and seed not in given:
        return None
    return Recipe(given.get(name, so_far), read_whole(seed, given.get(seed, "0")))


def _read_scores(given: Mapping[str, str], scores: ScoreOptions) -> ScoreOptions:
    options: dict[str, Any] = {}
    if "scale" in given:
        words = {ROOT: BY_ROOT_D_K, NONE: NONE}
        options["scale"] = words.get(given["scale"]) or read_number("scale", given["scale"])
    if "softcap" in given:
        cap = given["softcap"]
        options["softcap"] = None if cap == NONE else read_number("softcap", cap)
    if "positions" in given:
        options["positions"] = given["positions"]
    if "query_start" in given:
        options["query_start"] = read_whole("query_start", given["query_start"])
    return replace(scores, **options)


# Mask, heads and every array that is still different.


def _with_the_rest(s: Scenario, given: Mapping[str, str]) -> Scenario:
    fields: dict[str, Any] = {}
    for name, matrix in GIVEN.items():
        shape = matrix.dims.shape(s.sizes)
        fields[name] = _read_matrix(given, name, getattr(s, name), shape, s.dtype)
    if s.context is None and fields["context"] is not None:
        raise refused("context", "must label the second sequence", "its numbers only", "Add it.")
    rules = read_rules("mask", given["mask"]) if "mask" in given else s.mask.rules
    drawn = (s.n_q, s.n_k)
    additive_dtype = np.dtype(_checked_dtype(given.get("additive_dtype", s.dtype.name)))
    fields["mask"] = Mask(
        rules,
        _read_matrix(given, "custom", s.mask.custom, drawn, np.dtype(np.bool_)),
        _read_matrix(given, "additive", s.mask.additive, drawn, additive_dtype),
    )
    if "off" in given:
        off = [] if given["off"] == NONE else given["off"].split(".")
        fields["heads_off"] = frozenset(read_whole("off", head) for head in off)
    if "origin" in given:
        fields["origin"] = _read_origin(given["origin"])
    return replace(s, **fields)


def _read_matrix(
    given: Mapping[str, str],
    name: str,
    now: Any,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
) -> Any:
    """The matrix as the link has it: as it is, none at all, or changed."""
    ways = [way for way in (name, *(f"{name}.{form}" for form in FORMS)) if way in given]
    if name in ("x", "context"):
        ways = [way for way in ways if way != name]  # its words or its recipe, read before
    if len(ways) > 1:
        raise refused(ways[0], "must be the only one of its matrix", f"{ways[1]} too")
    if not ways:
        return now
    if ways[0] == name:
        if given[name] != NONE:
            raise refused(name, "must be none", repr(given[name]), "Give its numbers as .rows.")
        return None
    if now is None or now.dtype != dtype:
        now = blank(shape, dtype)
    form = ways[0].removeprefix(f"{name}.")
    return read_array(ways[0], form, given[ways[0]], now, infinite=name == "additive")


def _checked_dtype(name: str) -> str:
    if name not in ("float32", "float64"):
        raise refused("additive_dtype", "must be float32 or float64", repr(name))
    return name


def _read_origin(text: str) -> Origin:
    labels = read_labels("origin", text)
    if len(labels) != len(Origin.__dataclass_fields__):
        raise refused("origin", "must be five labels", repr(text))
    example, x, x_seed, weights, weights_seed = labels
    x_number, weights_number = (read_whole("origin", seed) for seed in (x_seed, weights_seed))
    return Origin(example, x, x_number, weights, weights_number)


# Writing: each part says only what differs from what reading would otherwise give.


def _write(target: Scenario, hints: Origin, most_chars: int) -> dict[str, str]:
    given = _write_start(target, hints)
    start = _started(given)
    rest = _write_the_rest(target, start, most_chars)
    if not CELLS_OVER_ZEROS.isdisjoint(rest) and _draws_rows(start, _started({**given, **rest})):
        rest = _write_the_rest(target, start, most_chars, cells_of_input=False)
    return {**given, **rest}


def _draws_rows(start: Scenario, over_zeros: Scenario) -> bool:
    pairs = [(start.x, over_zeros.x), (start.keys_from, over_zeros.keys_from)]
    return any(differing_cells(drawn, zeros).any() for drawn, zeros in pairs)


def _write_start(target: Scenario, hints: Origin) -> dict[str, str]:
    start = load_example(hints.example) if hints.example else _blank()
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
        **_write_scores(target.scores, start.scores),
    }


def _write_sizes(target: Scenario, start: Scenario) -> dict[str, str]:
    """As few sizes as lead from one to the other: those that follow by themselves are left out."""
    wanted = {name: target.sizes[name] for name in LAYER_SIZES}
    cross = target.context is not None
    chosen = wanted
    for name in 2 * FIRST_TO_FOLLOW:  # twice, as one may follow only once a later one is left out
        fewer = {size: value for size, value in chosen.items() if size != name}
        if _sizes_or_none(start, fewer, cross) == wanted:
            chosen = fewer
    return {name: str(chosen[ours]) for name, ours in SIZES.items() if ours in chosen}


def _sizes_or_none(start: Scenario, chosen: Mapping[str, int], cross: bool) -> object:
    try:
        return sizes_after(start, chosen, cross=cross)
    except MhaError:
        return None


def _write_recipe(name: str, wanted: str, seed: int, start: str, start_seed: int) -> dict[str, str]:
    if not wanted or (wanted, seed) == (start, start_seed):
        return {}
    named = {} if wanted == start else {name: wanted}
    return {**named, **({f"{name}_seed": str(seed)} if seed or not named else {})}


def _write_scores(wanted: ScoreOptions, start: ScoreOptions) -> dict[str, str]:
    written = {}
    for name in ScoreOptions.__dataclass_fields__:
        value = getattr(wanted, name)
        if value != getattr(start, name):
            words = {BY_ROOT_D_K: ROOT, None: NONE}
            text = isinstance(value, str) or value is None
            written[name] = words.get(value, value) if text else write_number(value)
    return written


def _write_the_rest(
    target: Scenario, s: Scenario, most_chars: int, *, cells_of_input: bool = True
) -> dict[str, str]:
    given = {}
    if target.mask.rules != s.mask.rules:
        given["mask"] = write_rules(target.mask.rules)
    if target.heads_off != s.heads_off:
        given["off"] = ".".join(str(head) for head in sorted(target.heads_off)) or NONE
    for name in GIVEN:
        cells = cells_of_input or name not in ("x", "context")
        given |= _write_matrix(name, getattr(target, name), getattr(s, name), most_chars, cells)
    given |= _write_matrix("custom", target.mask.custom, s.mask.custom, most_chars)
    additive = _write_matrix("additive", target.mask.additive, s.mask.additive, most_chars)
    given |= additive
    if target.mask.additive is not None and additive and target.mask.additive.dtype != s.dtype:
        given["additive_dtype"] = target.mask.additive.dtype.name
    if target.origin != s.origin:
        given["origin"] = write_labels([str(part) for part in astuple(target.origin)])
    return given


def _write_matrix(
    name: str, wanted: Any, now: Any, most_chars: int, cells: bool = True
) -> dict[str, str]:
    if wanted is None:
        return {} if now is None else {name: NONE}
    base = None if now is None or now.dtype != wanted.dtype else now
    way = write_array(wanted, base, most_chars, cells=cells)
    return {} if way is None else {f"{name}.{way[0]}": way[1]}


# The text as names and values.


def _parsed(link: str | Mapping[str, str]) -> dict[str, str]:
    pairs = _split(link) if isinstance(link, str) else list(link.items())
    given: dict[str, str] = {}
    for name, value in pairs:
        if name in OF_THE_PAGE or name.startswith(ADDED_BY_OTHERS):
            continue
        if name not in PARAMETERS:
            raise refused(name[:60], f"must be one of {KNOWN}", "an unknown name", "Remove it.")
        if name in given:
            raise refused(name, "must be given once", "it twice", "Remove one.")
        if not isinstance(value, str):
            raise refused(name, "must be a text", type(value).__name__)
        given[name] = value
    length = sum(len(value) for value in given.values())
    check_limit("The link's length", length, LIMITS.link_chars, SMALLER)
    return given


def _query_of(link: str) -> str:
    """What stands in an address between ? and #, or a text without an address as it is.

    >>> _query_of("https://example.org/?heads=4#top"), _query_of("tokens=why?")
    ('heads=4', 'tokens=why?')
    """
    address, mark, query = link.partition("?")
    if mark and "=" not in address:
        return query.partition("#")[0]
    if "://" in address.partition("=")[0]:
        need = "must say what it changes, after a question mark"
        raise FormatError("The link", need, "an address alone", COPY_AGAIN)
    return link


def _split(link: str) -> list[tuple[str, str]]:
    check_limit("The link's length", len(link), LIMITS.link_chars, SMALLER)
    query = _query_of(link.strip())
    try:
        return parse_qsl(
            query,
            keep_blank_values=True,
            errors="surrogatepass",  # as written: labels may hold any sign
            max_num_fields=LIMITS.link_fields,
        )
    except UnicodeError as error:
        raise FormatError("The link", "must be in UTF-8", "other bytes", COPY_AGAIN) from error
    except ValueError as error:
        need = f"must have at most {LIMITS.link_fields} parameters"
        raise FormatError("The link", need, "more", COPY_AGAIN) from error
