"""Layers on one stream as a text for a link, and back, to the last bit.

    example=the-cat&layers=2&2.heads=2&2.mask=causal

The first layer is written as a scenario alone is (`link.py`). What a link says of a higher layer
begins with its number; such a layer has the words and the width of the stream.

An example of several layers is the start of all of them. Else a higher layer starts with no
weights, or from the example that it names. `layers` says how many there are, where they are not as
many as the example has; `residual` is `on` or `off`, where it is not as in the example or, of
another number of layers, not as usual: the stream is there where there are several. `words` and the
numbers of `w_u` are for a prediction. Where a link says neither, it predicts as the example does,
if it has as many layers and is as wide at its end; `w_u=none` takes that away.

All layers and W_U share the room of a link.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from mha_core.changing.layers import as_stack
from mha_core.checks.errors import MhaError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_limit, check_tokens
from mha_core.examples import load_example, load_stack
from mha_core.io.scenario.link_names import (
    NO_CONTEXT,
    OF_LAYERS,
    PARAMETERS,
    is_parameter,
    layer_of_name,
)
from mha_core.io.scenario.link_query import names_and_values
from mha_core.io.scenario.link_reading import (
    blank_scenario,
    cells_of,
    check_cells,
    scenario_before_arrays,
    with_mask_and_arrays,
)
from mha_core.io.scenario.link_values import (
    FORMS,
    NONE,
    SMALLER,
    blank,
    read_array,
    read_labels,
    read_whole,
    refused,
    write_array,
    write_labels,
)
from mha_core.io.scenario.link_writing import LinkStart, link_start, write_link
from mha_core.language import say
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer
from mha_core.stack.stack import W_U, Stack, errors_of_layer

__all__ = ["decode_stack", "encode_stack", "is_parameter", "stack_parameters"]

Prediction = tuple[tuple[str, ...], FloatArray | None]  # words and W_U

SWITCH: Final = {"on": True, "off": False}


def encode_stack(stack: Stack | Scenario) -> str:
    """The layers, or the one, as a query string, without its question mark.

    >>> from mha_core.changing.layers import with_layer_count
    >>> encode_stack(with_layer_count(as_stack(load_example("two-tokens")), 2))
    'example=two-tokens&layers=2&2.example=two-tokens'
    """
    query = urlencode(stack_parameters(as_stack(stack)), errors="surrogatepass")
    check_limit(say("The link's length"), len(query), LIMITS.link_chars, SMALLER)
    return query


def stack_parameters(
    stack: Stack, most_chars: int = LIMITS.link_chars, start: LinkStart | None = None
) -> dict[str, str]:
    """The link as names and values, not yet quoted.

    An array that takes more than `most_chars` is refused as soon as this is known. `start` is
    `link_start` of the first layer with its own origin, if it is known already.
    """
    given = _parameters_of_first(stack.first, most_chars, start)
    example = given.get("example")
    usual, count = _stack_of(example), len(stack.layers)
    if count != len(usual.layers):
        given["layers"] = str(count)
    if stack.residual != _usual_residual(usual, count):
        given["residual"] = "on" if stack.residual else "off"
    used = cells_of(stack.first)
    for number, s in enumerate(stack.on_zeros[1:], 1):
        starts_from = _example_of_layer(example, number)
        said = _parameters_of_layer(s, number, used, starts_from, most_chars)
        given |= {f"{number + 1}.{name}": text for name, text in said.items()}
        used += cells_of(s)
    return given | _parameters_of_prediction(stack, usual, used, most_chars)


def _parameters_of_prediction(
    stack: Stack, usual: Stack, used: int, most_chars: int
) -> dict[str, str]:
    words, w_u = _usual_prediction(usual, len(stack.layers), stack.on_zeros[-1])
    if stack.w_u is None:
        return {} if w_u is None else {"w_u": NONE}
    check_cells(used + stack.w_u.size)
    is_usual = words == stack.words
    way = write_array(stack.w_u, w_u if is_usual else None, most_chars)
    named = {} if is_usual else {"words": write_labels(stack.words)}
    return named if way is None else {**named, f"w_u.{way[0]}": way[1]}


def _usual_prediction(usual: Stack, count: int, last: Scenario) -> Prediction:
    """The words and W_U where a link does not say them."""
    if usual.w_u is None or (len(usual.layers), len(usual.w_u)) != (count, last.d_out):
        return (), None
    return usual.words, usual.w_u.astype(last.dtype)


def _parameters_of_first(s: Scenario, most_chars: int, start: LinkStart | None) -> dict[str, str]:
    try:
        return write_link(s, start or link_start(s, s.origin), most_chars)
    except MhaError:  # the recipes in origin do not give this scenario: write all numbers
        return write_link(s, link_start(s, Origin()), most_chars)


def _parameters_of_layer(
    s: Scenario, number: int, used: int, example: str | None, most_chars: int
) -> dict[str, str]:
    """Without its words, its X and its width: these follow from the layers below.

    If it says nothing else, it starts from this example.
    """

    def written(hints: Origin) -> dict[str, str]:
        start = link_start(s, hints, number, used)
        on_its_x = replace(s, x=start.scenario.x)
        said = write_link(on_its_x, start, most_chars, number, used)
        return {name: text for name, text in said.items() if name in OF_LAYERS}

    plain = Origin(example=example or "")
    try:
        hints = replace(s.origin, x="", x_seed=0)
        said = written(hints if hints.example else replace(hints, example=plain.example))
    except MhaError:  # the recipes in origin do not give this layer: write all numbers
        said = written(plain)
    if said.get("example") == example:
        said.pop("example", None)
    return said


def _stack_of(example: str | None) -> Stack:
    """The layers that a link starts from."""
    return Stack((blank_scenario(),), residual=False) if example is None else load_stack(example)


def _usual_residual(usual: Stack, count: int) -> bool:
    """Where a link does not say it. A changed number of layers has the stream if it is above 1."""
    return usual.residual if count == len(usual.layers) else count > 1


def _example_of_layer(example: str | None, number: int) -> str | None:
    """What a layer starts from where it does not say it: the example of all, if it has so many."""
    return example if number < len(_stack_of(example).layers) else None


def decode_stack(link: str | Mapping[str, str]) -> Stack:
    """The layers of a link: of a whole address, a query string, or names and values.

    >>> stack = decode_stack("tokens=a+b&d_model=4&heads=2&layers=2&2.heads=4")
    >>> [layer.n_heads for layer in stack.layers], stack.residual
    ([2, 4], True)
    """
    given = names_and_values(link)
    example = given.get("example")
    usual = _stack_of(example)
    if given.keys() == {"example"}:
        return usual
    first = {name: text for name, text in given.items() if name in PARAMETERS}
    of_stack = {name: text for name, text in given.items() if name not in PARAMETERS}
    count = _layer_count(of_stack, len(usual.layers))
    layers: list[Scenario | Layer] = [_scenario(first)]
    stack = Stack((layers[0],), residual=False)
    used = cells_of(stack.first)
    for number in range(1, count):
        said = _said_of(of_stack, number)
        if starts_from := _example_of_layer(example, number):
            said = {"example": starts_from, **said}
        with errors_of_layer(number):
            said = _on_stream(said, stack.first, stack.on_zeros[-1].d_out)
            layers.append(Layer.of(_scenario(said, number, used)))
        stack = Stack(tuple(layers), residual=False)
        used += cells_of(stack.on_zeros[-1])
    residual = _residual(of_stack, _usual_residual(usual, count))
    by_default = _usual_prediction(usual, count, stack.on_zeros[-1])
    words, w_u = _prediction(of_stack, by_default, stack.on_zeros[-1], used)
    return Stack(tuple(layers), residual, w_u, words)


def _scenario(given: Mapping[str, str], number: int = 0, used: int = 0) -> Scenario:
    return with_mask_and_arrays(scenario_before_arrays(given, number, used), given)


def _layer_count(given: Mapping[str, str], usual: int) -> int:
    count = read_whole("layers", given["layers"]) if "layers" in given else usual
    if count < 1:
        raise refused("layers", say("must be 1 or more"), str(count))
    check_limit("layers", count, LIMITS.layers, say("Take fewer."))
    for name in given:
        number = layer_of_name(name)
        if number is not None and number >= count:
            raise refused(
                name,
                say("must be of a layer that there is"),
                say("a link with layers={count}").format(count=count),
                say("Say layers={count}.").format(count=number + 1),
            )
    return count


def _said_of(given: Mapping[str, str], number: int) -> dict[str, str]:
    """What a link says of a layer, counted from 0."""
    return {
        name.partition(".")[2]: text
        for name, text in given.items()
        if layer_of_name(name) == number
    }


def _on_stream(said: Mapping[str, str], first: Scenario, width: int) -> dict[str, str]:
    """With the words and the width that the stream has there."""
    is_crossed = load_example(said["example"]).context is not None if "example" in said else False
    alone = {"context": NO_CONTEXT} if is_crossed else {}
    of_stream = {"tokens": write_labels(first.tokens), "d_model": str(width)}
    return {"dtype": first.dtype.name, **said, **of_stream, **alone}


def _residual(given: Mapping[str, str], usual: bool) -> bool:
    if "residual" not in given:
        return usual
    text = given["residual"]
    if text not in SWITCH:
        raise refused("residual", say("must be on or off"), repr(text[:40]))
    return SWITCH[text]


def _prediction(
    given: Mapping[str, str], usual: Prediction, last: Scenario, used: int
) -> Prediction:
    words, now = usual
    forms = [form for form in FORMS if f"w_u.{form}" in given]
    if "w_u" in given:
        if given["w_u"] != NONE or forms or "words" in given:
            raise refused("w_u", say("must be none, and alone"), repr(given["w_u"][:40]))
        return (), None
    if "words" in given:
        words = check_tokens(read_labels("words", given["words"]))
        now = None
    elif not forms:
        return words, now
    if not words or len(forms) != 1:
        raise refused(
            W_U,
            say("must come with words, and once"),
            ", ".join(name for name in given if name == "words" or name.startswith("w_u.")),
            say("Give words= and one of w_u.cells=, w_u.rows= and w_u.zip=."),
        )
    shape = (last.d_out, len(words))
    check_cells(used + math.prod(shape))
    so_far: Any = blank(shape, last.dtype) if now is None else now
    name = f"w_u.{forms[0]}"
    return words, read_array(name, forms[0], given[name], so_far)
