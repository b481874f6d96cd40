"""The forward pass of layers on one stream: the passages of each, and the stream between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from mha_core.io.program.passages import Passage, compared, how_compared, literal, said_same
from mha_core.layer.trace import Trace
from mha_core.stack.trace import StackTrace


class OfLayer(Protocol):
    """The passages of one layer, from the imports to the comparison."""

    def __call__(self, trace: Trace, *, is_first: bool = True) -> Sequence[Passage]: ...


IN_WORDS: Final = ("the layers", "the end of the stream")


def stack_passages(traces: StackTrace, of_layer: OfLayer, names: Sequence[str]) -> list[Passage]:
    """`of_layer` gives the passages of one layer; `names` are its arrays that are compared."""
    first = traces.stack.first
    imports, *_ = of_layer(traces.layers[0])
    return [
        imports,
        how_compared(first),
        *_layers(traces, of_layer, names),
        *_end(traces),
        Passage("The same numbers", said_same(IN_WORDS)),
    ]


def _layers(traces: StackTrace, of_layer: OfLayer, names: Sequence[str]) -> Iterator[Passage]:
    for number in range(len(traces.layers)):
        yield from _layer(traces, number, of_layer, names)


def _layer(
    traces: StackTrace, number: int, of_layer: OfLayer, names: Sequence[str]
) -> Iterator[Passage]:
    """The passages between the imports and the comparison, each with the layer in its title."""
    _, *passages, _ = of_layer(traces.layers[number], is_first=number == 0)
    for passage in (*passages, Passage("The same numbers", compared(names))):
        yield passage._replace(title=f"Layer {number + 1}. {passage.title}")
    added = "x = x + output" if traces.stack.residual else "x = output"
    yield Passage(f"The stream after layer {number + 1}", added)


def _end(traces: StackTrace) -> Iterator[Passage]:
    stack = traces.stack
    code = [f"expected_x = {literal(traces.stream[-1])}", "assert_same(x, expected_x)"]
    yield Passage("The end of the stream", "\n".join(code))
    if stack.w_u is None or traces.logits is None or traces.probabilities is None:
        return
    code = [
        f"words = {[*stack.words]!a}",
        f"w_u = {literal(stack.w_u)}",
        "logits = x @ w_u",
        "powers = np.exp(logits - logits.max(axis=-1, keepdims=True))",
        "probabilities = powers / powers.sum(axis=-1, keepdims=True)",
        f"expected_logits = {literal(traces.logits)}",
        f"expected_probabilities = {literal(traces.probabilities)}",
        compared(("logits", "probabilities")),
    ]
    yield Passage("What is predicted", "\n".join(code))
