"""Layers on one stream, as frozen plain data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from mha_core.checks.errors import LimitError, MhaError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import (
    ComparedByValue,
    Dims,
    FloatArray,
    as_float_array,
    check_finite,
    check_shape,
    frozen,
)
from mha_core.checks.values import check_label, short_repr
from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer

W_U: Final = "W_U"
UNEMBEDDING: Final = Dims("d_model n_words")


@dataclass(frozen=True, eq=False)
class Stack(ComparedByValue):
    """One to four layers. The first is a Scenario, which holds X; the others are Layers.

    With `residual`, each layer adds its output to its X, and the sum is the X of the next one. Else
    its output alone is. `w_u` makes a logit for each of the `words` of each row at the end.

    There is no layer norm: it would divide each row by its own length, and then no score would be
    a sum of what words, places and earlier heads have added.

    >>> I = np.eye(2)
    >>> first = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> stack = Stack(layers=(first, Layer(w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2)))
    >>> len(stack.layers), stack.tokens
    (2, ('t1', 't2'))
    """

    layers: tuple[Scenario | Layer, ...]
    residual: bool = True
    w_u: FloatArray | None = None
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._check_kinds()
        self._set("layers", (self.first, *map(Layer.of, self.on_zeros[1:])))
        self._take_unembedding(self.on_zeros[-1])

    @property
    def first(self) -> Scenario:
        first = self.layers[0]
        assert isinstance(first, Scenario)
        return first

    @property
    def above(self) -> tuple[Layer, ...]:
        """All layers but the first."""
        return tuple(layer for layer in self.layers if isinstance(layer, Layer))

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.first.tokens

    @property
    def sizes(self) -> tuple[dict[str, int], ...]:
        """The sizes of each layer."""
        return tuple(layer.sizes for layer in self.on_zeros)

    @property
    def is_one_layer(self) -> bool:
        """Whether it is no more than its first scenario."""
        return len(self.layers) == 1 and not self.residual and self.w_u is None

    @cached_property
    def on_zeros(self) -> tuple[Scenario, ...]:
        """Each layer as a scenario; above the first, with an X of zeros as wide as theirs.

        Layers that do not fit are refused.
        """
        return tuple(self._on_zeros())

    def scenario_on(self, number: int, x: FloatArray) -> Scenario:
        """A layer, counted from 0, with the X that the stream has there."""
        layer = self.layers[number]
        if isinstance(layer, Scenario):
            return layer
        with errors_of_layer(number):
            return layer.on(x, self.tokens)

    # The checks when a stack is made, in order.

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_kinds(self) -> None:
        layers: object = self.layers
        if not isinstance(layers, tuple | list) or not layers:
            raise OptionError(
                say("The layers of a stack"),
                say("must be one layer or more"),
                short_repr(layers),
                say("Write Stack(layers=(scenario,))."),
            )
        if len(layers) > LIMITS.layers:
            raise LimitError(
                say("A stack"),
                say("must have at most {count} layers").format(count=LIMITS.layers),
                str(len(layers)),
                say("Take fewer."),
            )
        self._set("layers", tuple(layers))
        for number, layer in enumerate(layers):
            kind = Layer if number else Scenario
            if not isinstance(layer, kind):
                raise OptionError(
                    _layer(number),
                    say("must be a {type}").format(type=kind.__name__),
                    short_repr(layer),
                    say("The first layer is a Scenario, which holds X. The others are Layers."),
                )
        if not isinstance(self.residual, bool):
            raise OptionError(
                "residual",
                say("must be True or False"),
                short_repr(self.residual),
                say("Write residual=False to leave it out."),
            )

    def _on_zeros(self) -> Iterator[Scenario]:
        width, n_rows, dtype = self.first.d_model, self.first.n_q, self.first.dtype
        for number in range(len(self.layers)):
            layer = self.scenario_on(number, np.zeros((n_rows, width), dtype))
            if self.residual and layer.d_out != width:
                raise ShapeError(
                    say("{layer}: the output").format(layer=_layer(number)),
                    say("must be {width} wide, as X is, to be added to it").format(width=width),
                    str(layer.d_out),
                    say("Take a W_O with {width} columns, or residual=False.").format(width=width),
                )
            yield layer
            width, dtype = layer.d_out, layer.dtype

    def _take_unembedding(self, last: Scenario) -> None:
        if self.w_u is None:
            if self.words:
                raise ShapeError(
                    "words",
                    say("must be empty where there is no W_U"),
                    short_repr(self.words),
                    say("Give w_u too."),
                )
            return
        with np.errstate(over="ignore"):
            w_u = as_float_array(W_U, self.w_u).astype(last.dtype)
        if w_u.ndim != len(UNEMBEDDING.axes) or not w_u.size:
            raise ShapeError(
                W_U,
                say("must have shape {shape}").format(shape=UNEMBEDDING),
                str(w_u.shape),
                say("Give a column for each word."),
            )
        sizes = {"d_model": last.d_out, "n_words": w_u.shape[1]}
        check_shape(W_U, w_u, UNEMBEDDING, sizes)
        check_finite(W_U, w_u)
        self._set("w_u", frozen(w_u.copy()))
        words = tuple(self.words) or tuple(f"w{i + 1}" for i in range(w_u.shape[1]))
        if len(words) != w_u.shape[1]:
            raise ShapeError(
                "words",
                say("must be {count}, one for each column of W_U").format(count=w_u.shape[1]),
                str(len(words)),
                say("Give every column one word."),
            )
        for word in words:
            check_label("words", word)
        self._set("words", words)


@contextmanager
def errors_of_layer(number: int) -> Iterator[None]:
    """What is wrong there says in which layer it is. Of the first layer a Scenario has said it."""
    try:
        yield
    except MhaError as error:
        if number == 0:
            raise
        thing = say("{layer}: {thing}").format(layer=_layer(number), thing=error.thing)
        raise type(error)(thing, error.need, error.got, error.way_out) from error


def _layer(number: int) -> str:
    return say("Layer {number}").format(number=number + 1)
