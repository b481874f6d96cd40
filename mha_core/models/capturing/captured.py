"""The attention of a PyTorch module while it runs: each layer as a Scenario, and what it gave.

layers = capture(model, **tokenizer("the cat sat", return_tensors="pt"), layers=[3])
print(layers[0])
weights = attend(layers[0].scenario).weights
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import BoolArray, FloatArray, frozen
from mha_core.checks.sizes import check_size
from mha_core.checks.values import check_kind, check_whole
from mha_core.language import say, say_number
from mha_core.layer.attending import attend
from mha_core.layer.head_matrices import added_by_b_o
from mha_core.models.capturing.called import CalledLayers
from mha_core.models.capturing.in_images import ImageLayers, image_attention_in
from mha_core.models.capturing.in_torch import TorchLayers, torch_attention_in
from mha_core.models.capturing.parts_that_attend import LeftOut
from mha_core.models.capturing.run import RanLayer, Run, check_layers, check_module
from mha_core.models.capturing.towers import Towers
from mha_core.models.renamed import check_config
from mha_core.scenario.one_text import reads_one_text
from mha_core.scenario.scenario import Scenario

if TYPE_CHECKING:
    import torch

MOST_BYTES: Final = 2**30  # of the scenarios of one call together
MOST_TOLD: Final = 5  # rows, by their numbers
HEADS_SHOW: Final = 10  # bounds: less of an output than so many tells nothing of its heads


@dataclass(frozen=True, eq=False, repr=False)
class Captured:
    """One layer: `scenario` computes its attention again, `output` is what the layer itself gave.

    `difference` is the largest between the two, as a part of the largest number of the output.
    Rows of padding, and rows that see no key, mean nothing and are not compared: `compared` is True
    for the others. A difference up to `bound` is rounding. `name` tells a layer of an encoder from
    one of a decoder.
    """

    layer: int
    scenario: Scenario
    output: FloatArray
    difference: float
    bound: float
    name: str = ""

    @property
    def agrees(self) -> bool:
        """Whether all rows that are compared do, and there are any in which the heads show."""
        return self._shows_heads and self.difference <= self.bound

    @property
    def _shows_heads(self) -> bool:
        """Whether the heads add more to the output than the bound, so that others would differ.

        Behind a W_O of zeros all heads give the same.
        """
        rows = self.output[self.compared]
        bias = added_by_b_o(self.scenario)
        of_heads = np.abs(rows if bias is None else rows - bias).max(initial=0)
        return bool(of_heads > HEADS_SHOW * self.bound * np.abs(rows).max(initial=0))

    @property
    def compared(self) -> BoolArray:
        return _compared(self.scenario)

    @property
    def blind_rows(self) -> tuple[int, ...]:
        """Those that see no key."""
        return tuple(np.flatnonzero(~_allowed(self.scenario).any(axis=1)).tolist())

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        n_heads, n_q = self.scenario.n_heads, self.scenario.n_q
        says = say("Layer {layer}: {heads}, {tokens}; {difference}")
        named = say("{layer} ({name})").format(layer=self.layer, name=self.name)
        said = says.format(
            layer=named if self.name else self.layer,
            heads=say_number("{count} head", "{count} heads", n_heads).format(count=n_heads),
            tokens=say_number("{count} token", "{count} tokens", n_q).format(count=n_q),
            difference=self._difference_in_words(),
        )
        return said + self._blind_in_words()

    def _difference_in_words(self) -> str:
        count, of = int(self.compared.sum()), self.scenario.n_q
        if not count:
            return say("no row is compared")
        if not self._shows_heads and self.difference <= self.bound:
            return say("its heads add next to nothing to the output: nothing can be compared")
        says = say("agrees to {difference:.0e}{rows}")
        if not self.agrees:
            says = say(
                "differs by {difference:.2g}{rows}: the layer does something that is not known here"
            )
        rows = say(" in {count} of {of} rows").format(count=count, of=of)
        return says.format(difference=self.difference, rows="" if count == of else rows)

    def _blind_in_words(self) -> str:
        rows = self.blind_rows
        if not rows:
            return ""
        told = ", ".join(map(str, rows[:MOST_TOLD])) + ", ..." * (len(rows) > MOST_TOLD)
        says = say_number(
            ". Row {rows} sees no key, and is not compared",
            ". Rows {rows} see no key, and are not compared",
            len(rows),
        )
        if np.isnan(self.output[list(rows)]).all():
            says = say_number(
                ". Row {rows} sees no key: the module gives NaN there; here its weights are 0",
                ". Rows {rows} see no key: the module gives NaN there; here their weights are 0",
                len(rows),
            )
        return says.format(rows=told)


def capture(
    module: torch.nn.Module,
    *inputs: Any,
    layers: Sequence[int] | None = None,
    tokens: Sequence[str] = (),
    context_tokens: Sequence[str] = (),
    row: int = 0,
    config: Mapping[str, Any] | None = None,
    **more: Any,
) -> tuple[Captured, ...]:
    """Call the module with these inputs, and give its attention layers: all, or those asked for.

    The module is a model of a family that is recognised, or a part of one, such as its attention
    alone; or it has torch.nn.MultiheadAttention in it, or attention between patches of an image as
    SAM's encoder has, whose calls are numbered as they run. Of a batch the text, the image or the
    window of one in `row` is taken. `config` adds to what the module's own config says.

    Parts of several families, as the text and the image of CLIP, follow each other. What attends
    and is of no kind that is known is told in a warning.

    A decoder that reads an encoder has two layers for each of its own: its words among themselves,
    then those of the encoder; they are numbered behind those of the encoder. There `tokens` are
    what the decoder reads, and `context_tokens` what the encoder does.
    """
    check_module(module)
    check_layers(layers)
    check_whole("row", row, 0)
    fields = check_config(config)
    for name, given in (("tokens", tokens), ("context_tokens", context_tokens)):
        check_kind(name, given, Sequence, say("Write ['I', 'LOVE']."))
    with Run(row, layers) as run:
        found = _layers_in(module, run, fields)
        left_out = LeftOut(run, module, found.taken)
        run.call(module, inputs, more)
    left_out.warn()
    size = 0
    captured = []
    for ran in found.ran():
        size += sum(array.nbytes for array in ran.scenario.given().values())
        way_out = say("Name fewer, as in layers=[3].")
        check_size(say("The layers that are asked for"), size, MOST_BYTES, way_out)
        captured.append(_captured(ran, tuple(tokens), tuple(context_tokens)))
    return tuple(captured)


def _layers_in(
    module: torch.nn.Module, run: Run, config: Mapping[str, Any]
) -> CalledLayers | Towers:
    """The layers of the first kind that the module has."""
    if parts := [*torch_attention_in(module)]:
        return TorchLayers(run, parts)
    if images := [*image_attention_in(module)]:
        return ImageLayers(run, images)
    return Towers(run, module, config)


def _captured(ran: RanLayer, tokens: tuple[str, ...], context_tokens: tuple[str, ...]) -> Captured:
    is_across = ran.scenario.context is not None and not ran.scenario.origin.has_latents
    of_context = context_tokens if is_across else ()
    own = context_tokens if ran.is_of_encoder else tokens if ran.has_tokens else ()
    scenario = replace(ran.scenario, tokens=own, context_tokens=of_context)
    if scenario.origin.has_latents:  # of one text
        scenario = replace(scenario, context_tokens=scenario.tokens)
    difference = _difference(scenario, ran.output)
    return Captured(ran.number, scenario, frozen(ran.output), difference, ran.bound, ran.name)


def _difference(scenario: Scenario, output: FloatArray) -> float:
    ours = attend(scenario).output
    if ours.shape != output.shape:
        raise ShapeError(
            say("What the layer gave"),
            say("must have shape {shape}").format(shape=ours.shape),
            say("shape {shape}").format(shape=output.shape),
            say("Give a layer that makes a row for each token."),
        )
    compared = _compared(scenario)
    theirs = output[compared]
    furthest = np.abs(ours[compared] - theirs).max(initial=0)
    return float(furthest / np.abs(theirs).max(initial=np.finfo(np.float32).tiny))


def _compared(scenario: Scenario) -> BoolArray:
    """Which rows mean something: they see a key, and are no padding."""
    allowed = _allowed(scenario)
    means: BoolArray = np.asarray(allowed.any(axis=1))
    return np.asarray(means & allowed.any(axis=0)) if reads_one_text(scenario) else means


def _allowed(scenario: Scenario) -> BoolArray:
    return scenario.mask.allowed(scenario.n_q, scenario.n_k)
