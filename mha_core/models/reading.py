"""One line for a layer of a file, with or without a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mha_core.checks.values import check_kind, check_whole
from mha_core.io.tensors.opening import tensors_in
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.by_hand.layer_by_hand import LayerByHand
from mha_core.models.model import open_model
from mha_core.models.stored import LayerNames
from mha_core.models.weights import LayerWeights, read_weights
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions


def read_layer(
    source: TensorFile | Path | str,
    layer: int = 0,
    *,
    names: LayerNames | LayerByHand | Path | str | None = None,
    n_heads: int = 0,
    n_kv_heads: int = 0,
    scores: ScoreOptions | None = None,
    rules: Sequence[Rule] | None = None,
) -> LayerWeights:
    """The weights of one attention layer. Only its tensors are read.

    A file that is not recognised is mapped by hand: `names` says which tensor is which, `n_heads`
    how many heads stand side by side, `scores` and `rules` what else the layer does. A mapping that
    was kept, or the path of its file, says these too; what is given beside it counts more.
    """
    if names is None:
        return open_model(source).weights(layer)
    check_whole(say("The layer"), layer, 0)
    file = tensors_in(source)
    if isinstance(names, LayerNames):
        names = LayerByHand(names)
    mapped = LayerByHand.from_file(names) if isinstance(names, str | Path) else names
    check_kind(
        say("The mapping"), mapped, LayerByHand, say("Give LayerNames, or the path of its file.")
    )
    if scores is not None:
        check_kind("scores", scores, ScoreOptions, say("Write ScoreOptions(positions='rope')."))
    mapped = replace(
        mapped,
        n_heads=n_heads or mapped.n_heads,
        n_kv_heads=n_kv_heads or mapped.n_kv_heads,
        scores=mapped.scores if scores is None else scores,
        rules=mapped.rules if rules is None else Mask(tuple(rules)).rules,
    )
    attention, width = mapped.plan(file.shapes, layer)
    return read_weights(file, attention, width)


def scenario_from_layer(
    source: TensorFile | Path | str,
    layer: int,
    text: str,
    heads: Sequence[int] | None = None,
    config: dict[str, Any] | None = None,
    of_decoder: str = "",
) -> Scenario:
    """A layer of a model on a text, as a Scenario: with all heads, or with these.

    `of_decoder` is what the decoder reads, if the model has one: else the same text.
    """
    model = open_model(source, config)
    whole = model.scenario(layer, model.read_text(text, of_decoder))
    if heads is None:
        return whole
    return model.weights(layer).only(heads).of(whole)
