"""Layers on one stream as a text for a link, and back, to the last bit.

    example=the-cat&layers=2&2.heads=2&2.mask=causal

The first layer is written as a scenario alone is (`link.py`). `layers` says how many there are.
What a link says of a higher layer begins with its number; it starts with no weights, or from an
example, and has the words and the width of the stream. `residual` is `on` or `off`; by default the
stream is there where there are several layers. `words` and the numbers of `w_u` are for a
prediction.

A link that says no more than an example which has several layers means all of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from mha_core.checks.errors import MhaError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_limit, check_tokens
from mha_core.examples import EXAMPLES, load_example, load_stack
from mha_core.io.scenario.link import link_parameters
from mha_core.io.scenario.link_names import (
    NO_CONTEXT,
    OF_A_STACK,
    OF_LAYERS,
    PARAMETERS,
    is_parameter,
    layer_of_name,
)
from mha_core.io.scenario.link_query import names_and_values
from mha_core.io.scenario.link_reading import scenario_before_arrays, with_mask_and_arrays
from mha_core.io.scenario.link_values import (
    FORMS,
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

SWITCH: Final = {"on": True, "off": False}


def encode_stack(stack: Stack) -> str:
    """The layers as a query string, without its question mark.

    >>> from mha_core.changing.layers import as_stack, with_layer_count
    >>> encode_stack(with_layer_count(as_stack(load_example("two-tokens")), 2))
    'example=two-tokens&layers=2&2.example=two-tokens'
    """
    query = urlencode(stack_parameters(stack), errors="surrogatepass")
    check_limit(say("The link's length"), len(query), LIMITS.link_chars, SMALLER)
    return query


def stack_parameters(
    stack: Stack, most_chars: int = LIMITS.link_chars, start: LinkStart | None = None
) -> dict[str, str]:
    """The link as names and values, not yet quoted; see `link_parameters`."""
    example = stack.first.origin.example
    is_several = example in EXAMPLES and not load_stack(example).is_one_layer
    if is_several and stack == load_stack(example):
        return {"example": example}
    given = link_parameters(stack.first, most_chars, start)
    count = len(stack.layers)
    if count > 1 or is_several:
        given["layers"] = str(count)
    if stack.residual != (count > 1):
        given["residual"] = "on" if stack.residual else "off"
    for number, s in enumerate(stack.on_zeros[1:], 2):
        said = _parameters_of_layer(s, most_chars)
        given |= {f"{number}.{name}": text for name, text in said.items()}
    if stack.w_u is not None:
        form, text = write_array(stack.w_u, None, most_chars) or ("rows", "")
        given |= {"words": write_labels(stack.words), f"w_u.{form}": text}
    return given


def _parameters_of_layer(s: Scenario, most_chars: int) -> dict[str, str]:
    """Without its words, its X and its width: these follow from the layers below."""
    try:
        said = _written(s, link_start(s, replace(s.origin, x="", x_seed=0)), most_chars)
    except MhaError:  # the recipes in origin do not give this layer: write all numbers
        said = _written(s, link_start(s, Origin()), most_chars)
    return {name: text for name, text in said.items() if name in OF_LAYERS}


def _written(s: Scenario, start: LinkStart, most_chars: int) -> dict[str, str]:
    return write_link(replace(s, x=start.scenario.x), start, most_chars)


def decode_stack(link: str | Mapping[str, str]) -> Stack:
    """The layers of a link: of a whole address, a query string, or names and values.

    >>> stack = decode_stack("tokens=a+b&d_model=4&heads=2&layers=2&2.heads=4")
    >>> [layer.n_heads for layer in stack.layers], stack.residual
    ([2, 4], True)
    """
    given = names_and_values(link, is_parameter)
    first = {name: text for name, text in given.items() if name in PARAMETERS}
    of_stack = {name: text for name, text in given.items() if name not in PARAMETERS}
    if not of_stack and given.get("example") in EXAMPLES and len(first) == 1:
        return load_stack(given["example"])
    count = _layer_count(of_stack)
    room = LIMITS.link_cells // count
    layers: list[Scenario | Layer] = [_scenario(first, room)]
    stack = Stack((layers[0],), residual=False)
    for number in range(1, count):
        below = stack.on_zeros[-1]
        said = _said_of(of_stack, number)
        with errors_of_layer(number):
            layers.append(Layer.of(_scenario(_on_stream(said, stack.first, below.d_out), room)))
        stack = Stack(tuple(layers), residual=False)
    residual = _residual(of_stack, count)
    words, w_u = _prediction(of_stack, stack)
    return Stack(tuple(layers), residual, w_u, words)


def _scenario(given: Mapping[str, str], room: int) -> Scenario:
    return with_mask_and_arrays(scenario_before_arrays(given, room), given)


def _layer_count(given: Mapping[str, str]) -> int:
    count = read_whole("layers", given.get("layers", "1"))
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


def _residual(given: Mapping[str, str], count: int) -> bool:
    text = given.get("residual", "on" if count > 1 else "off")
    if text not in SWITCH:
        raise refused("residual", say("must be on or off"), repr(text[:40]))
    return SWITCH[text]


def _prediction(
    given: Mapping[str, str], stack: Stack
) -> tuple[tuple[str, ...], FloatArray | None]:
    forms = [form for form in FORMS if f"w_u.{form}" in given]
    if not forms and "words" not in given:
        return (), None
    if "words" not in given or len(forms) != 1:
        raise refused(
            W_U,
            say("must come with words, and once"),
            ", ".join(name for name in given if name in OF_A_STACK),
            say("Give words= and one of w_u.cells=, w_u.rows= and w_u.zip=."),
        )
    words = check_tokens(read_labels("words", given["words"]))
    last = stack.on_zeros[-1]
    shape = (last.d_out, len(words))
    check_limit(say("The number of cells of W_U"), shape[0] * shape[1], LIMITS.link_cells, SMALLER)
    zeros: Any = blank(shape, last.dtype)
    name = f"w_u.{forms[0]}"
    return words, read_array(name, forms[0], given[name], zeros)
