"""One line for a layer of a file, with or without a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mha_core.checks.values import check_head_groups, check_whole
from mha_core.io.tensors.opening import open_tensors
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models.model import open_model
from mha_core.models.plan import Attention
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames
from mha_core.models.weights import LayerWeights, read_weights
from mha_core.scenario.masks import Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions


def read_layer(
    source: TensorFile | Path | str,
    layer: int = 0,
    *,
    names: LayerNames | None = None,
    n_heads: int = 0,
    n_kv_heads: int = 0,
    scores: ScoreOptions | None = None,
    rules: Sequence[Rule] = (),
) -> LayerWeights:
    """The weights of one attention layer. Only its tensors are read.

    A file that is not recognised is mapped by hand: `names` says which tensor is which, `n_heads`
    how many heads stand side by side, `scores` and `rules` what else the layer does.
    """
    if names is None:
        return open_model(source).weights(layer)
    file = open_tensors(source) if isinstance(source, str | Path) else source
    check_whole("n_heads", n_heads, 1)
    mapped = names.of_layer(layer)
    width, d_k, d_v = _sizes(file, mapped, n_heads, n_kv_heads or n_heads)
    attention = Attention(
        mapped,
        n_heads,
        n_kv_heads or n_heads,
        d_k,
        d_v,
        scores or ScoreOptions(),
        tuple(rules),
    )
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


def _sizes(
    file: TensorFile, names: LayerNames, n_heads: int, n_kv_heads: int
) -> tuple[int, int, int]:
    """The width, d_k and d_v, as the shapes of the matrices say them."""
    check_head_groups(n_heads, n_kv_heads)
    width, q = names.w_q.shape_in(file.shapes, 2)
    _, v = names.w_v.shape_in(file.shapes, 2)
    return width, width_a_head(q, n_heads), width_a_head(v, n_kv_heads)
