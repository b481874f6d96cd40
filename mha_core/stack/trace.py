"""All that a stack computes: a trace for each layer, the stream between them, and the logits."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from functools import cached_property

import numpy as np

from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray, frozen
from mha_core.checks.values import short_repr
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.attention import check_within_range, quiet, softmax
from mha_core.layer.trace import Trace
from mha_core.scenario.x_columns import column_names
from mha_core.stack.stack import Stack, errors_of_layer


class StackTrace:
    """Every array of a stack. It is frozen, and each array is computed when it is first used.

    >>> import numpy as np
    >>> from mha_core import Layer, Scenario, attend
    >>> I, zeros = np.eye(2), np.zeros((2, 2))
    >>> first = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=zeros, n_heads=1)
    >>> trace = attend(Stack(layers=(first, Layer(w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1))))
    >>> trace.stream[1]
    array([[1., 0.],
           [0., 1.]])
    >>> trace.layers[1].scenario.x is trace.stream[1]
    True
    """

    stack: Stack

    def __init__(self, stack: Stack) -> None:
        self.__dict__["stack"] = stack

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}: a trace is frozen")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}: a trace is frozen")

    @cached_property
    def layers(self) -> tuple[Trace, ...]:
        """The trace of each layer: that of a scenario, whose X is what the stream has there."""
        made: list[Trace] = []
        for number in range(len(self.stack.layers)):
            x = self._after(number - 1, made[-1]) if made else self.stack.first.x
            scenario = self.stack.scenario_on(number, x)
            with errors_of_layer(number):
                made.append(attend(scenario, self._columns))
        return tuple(made)

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        """What the columns of X are called, for all layers: each adds its output to them."""
        first = self.stack.first
        if not self.stack.residual:
            return ()
        return column_names(first.x, first.origin.x, first.tokens)

    @cached_property
    def stream(self) -> tuple[FloatArray, ...]:
        """X, then the same after each layer. Shape of each: (n_q, d_model)"""
        *_, last = self.layers
        between = [trace.scenario.x for trace in self.layers]
        return (*between, self._after(len(between) - 1, last))

    @cached_property
    def logits(self) -> FloatArray | None:
        """How much each word is in front, for each row; None without W_U. Shape: (n_q, n_words)"""
        w_u = self.stack.w_u
        if w_u is None:
            return None
        end = self.stream[-1]
        with quiet():
            logits = end @ w_u
        check_within_range(say("The logits"), logits[np.isfinite(end).all(axis=-1)])
        return frozen(logits)

    @cached_property
    def probabilities(self) -> FloatArray | None:
        """The softmax of the logits: of each word to be the next one.

        A row that the last layer has lost, with a naive softmax, is lost here too.
        """
        if self.logits is None:
            return None
        is_lost = np.isnan(self.logits)
        return frozen(np.where(is_lost, np.nan, softmax(np.where(is_lost, 0, self.logits))))

    def _after(self, number: int, trace: Trace) -> FloatArray:
        """What the stream has after a layer."""
        with errors_of_layer(number):
            added = trace.output
        return frozen(trace.scenario.x + added) if self.stack.residual else added


def layers_of(trace: Trace | StackTrace) -> tuple[Trace, ...]:
    """The traces of all layers; of a layer alone, its own."""
    if isinstance(trace, StackTrace):
        return trace.layers
    if not isinstance(trace, Trace):
        raise OptionError(
            say("What is written"),
            say("must be a trace"),
            short_repr(trace),
            say("Write attend(scenario)."),
        )
    return (trace,)
