"""A model runs over a text, layer by layer, as far as somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, overload

import numpy as np

from mha_core.checks.errors import NumberError
from mha_core.checks.shapes import FloatArray, frozen
from mha_core.language import say
from mha_core.layer.attention import quiet
from mha_core.layer.chosen_rows import attend_rows
from mha_core.models.block import BlockWeights
from mha_core.models.embedding import Embedded
from mha_core.models.experts import ExpertsWeights
from mha_core.models.mlp_and_norm import MlpWeights, NormWeights, with_norm
from mha_core.scenario.scenario import Scenario


class Runnable(Protocol):
    """What a run asks of a model."""

    @property
    def n_layers(self) -> int: ...
    @property
    def n_of_encoder(self) -> int: ...
    @property
    def norm_of_encoder(self) -> NormWeights | None: ...
    @property
    def last_norm(self) -> NormWeights | None: ...
    def block(self, layer: int) -> BlockWeights: ...


class OfLayers(Sequence[FloatArray]):
    """An array of each layer, made when it is asked for."""

    def __init__(self, make: Callable[[int], FloatArray], count: int) -> None:
        self._make = make
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> FloatArray: ...
    @overload
    def __getitem__(self, place: slice) -> list[FloatArray]: ...
    def __getitem__(self, place: int | slice) -> FloatArray | list[FloatArray]:
        chosen = range(self._count)[place]
        if isinstance(chosen, int):
            return self._make(chosen)
        return [self._make(each) for each in chosen]

    def __iter__(self) -> Iterator[FloatArray]:
        return (self._make(layer) for layer in range(self._count))


class ModelRun:
    """What the layers of a model make of one text. Each is run once, and only if it is needed.

    `inputs[layer]`: X of the attention of that layer, after the norm before it. `outputs[layer]`:
    what that attention gives. `streams[layer]`: the stream before that layer; one more is after
    the last. `stream`: that last one. `result`: the same after the model's last norm. A decoder has
    a stream of its own, which begins at the first of its layers. `start` and `start_of_decoder`:
    what the two begin with. `heads_off` are left out, each told by its layer and its number.
    """

    def __init__(
        self,
        model: Runnable,
        start: Embedded,
        start_of_decoder: Embedded | None = None,
        heads_off: Collection[tuple[int, int]] = (),
    ) -> None:
        self._model = model
        self._heads_off = heads_off
        self.start, self.start_of_decoder = start, start_of_decoder
        with quiet():
            begins = start.rows
        _check_rows(say("What the first layer reads"), begins)
        self._streams = [frozen(begins)]
        self._outputs: list[FloatArray] = []
        self._encoded: FloatArray | None = None

    @property
    def inputs(self) -> Sequence[FloatArray]:
        return OfLayers(self._input, self._model.n_layers)

    @property
    def outputs(self) -> Sequence[FloatArray]:
        return OfLayers(self._output, self._model.n_layers)

    @property
    def streams(self) -> Sequence[FloatArray]:
        return OfLayers(self._stream, self._model.n_layers + 1)

    @property
    def stream(self) -> FloatArray:
        return self._stream(self._model.n_layers)

    @property
    def result(self) -> FloatArray:
        return frozen(with_norm(self.stream, self._model.last_norm))

    def scenario(
        self, layer: int, tokens: Sequence[str] = (), context_tokens: Sequence[str] = ()
    ) -> Scenario:
        """The attention of a layer with what it reads."""
        x = self._input(layer)
        return self._model.block(layer).attention.scenario(
            x, tokens, self.context(layer), context_tokens
        )

    def as_run(self, layer: int) -> Scenario:
        """The same, without the heads that are left out."""
        off = frozenset(head for there, head in self._heads_off if there == layer)
        return replace(self.scenario(layer), heads_off=off)

    def context(self, layer: int) -> FloatArray | None:
        """What the encoder made, if the layer takes its keys and values from it."""
        self._stream(layer)
        return self._encoded if self._model.block(layer).attention.is_cross else None

    def _input(self, layer: int) -> FloatArray:
        stream = self._stream(layer)
        with quiet():
            x = with_norm(stream, self._model.block(layer).norms["attention_in"])
        _check_rows(say("X of layer {layer}").format(layer=layer), x)
        return frozen(x)

    def _output(self, layer: int) -> FloatArray:
        self._stream(layer + 1)
        return self._outputs[layer]

    def _stream(self, layer: int) -> FloatArray:
        while len(self._streams) <= layer:
            self._run_next()
        return self._streams[layer]

    def _run_next(self) -> None:
        layer = len(self._outputs)
        block, stream = self._model.block(layer), self._streams[-1]
        # The weights of all heads are not needed here, and never there at once.
        output = attend_rows(self.as_run(layer)).output
        self._outputs.append(frozen(output))
        with quiet():
            after = after_block(block, stream, output)
        _check_rows(say("The stream behind layer {layer}").format(layer=layer), after)
        if layer + 1 == self._model.n_of_encoder and self.start_of_decoder is not None:
            self._encoded = frozen(with_norm(after, self._model.norm_of_encoder))
            after = self.start_of_decoder.rows
        self._streams.append(frozen(after))


def _check_rows(thing: str, rows: FloatArray) -> None:
    """Refuse what a broken file makes: it would be told as a wrong X of some later layer."""
    broken = ~np.isfinite(rows)
    if broken.any():
        raise NumberError(
            thing,
            say("must hold finite numbers"),
            str(rows[broken][0]),
            say("Look for NaN, infinity, or huge numbers in the tensors that it is made of."),
        )


def after_block(block: BlockWeights, stream: FloatArray, output: FloatArray) -> FloatArray:
    """The stream after a block: attention's output is added, then that of the MLP."""
    norms, factor = block.norms, stream.dtype.type(block.factor)
    added = stream + factor * with_norm(output, norms["attention_out"])
    before_mlp = with_norm(added, norms["after_attention"])
    if block.mlp is None:
        return before_mlp
    read = stream if block.is_parallel else before_mlp
    made = with_mlp(with_norm(read, norms["mlp_in"]), block.mlp)
    return with_norm(before_mlp + factor * with_norm(made, norms["mlp_out"]), norms["after_mlp"])


def with_mlp(x: FloatArray, mlp: MlpWeights | ExpertsWeights) -> FloatArray:
    """What the MLP makes of each row."""
    with np.errstate(under="ignore"):
        return mlp(x)
