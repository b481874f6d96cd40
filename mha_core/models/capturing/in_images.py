"""The attention of image encoders while it runs: SAM's, ViTDet's, SegGPT's and those made of them.

They read patches in rows and columns. To a score they add the query times a vector for the distance
of the rows, and times one for that of the columns: rows of two tables that all heads share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_whole
from mha_core.layer.relative import one_below_the_other
from mha_core.models.capturing.called import CalledLayers
from mha_core.models.capturing.run import Given, RanLayer, as_array, bound_of
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

if TYPE_CHECKING:
    import torch

TABLES: Final = ("rel_pos_h", "rel_pos_w")  # of the rows of patches, and of their columns
PARTS: Final = ("qkv", "proj", *TABLES)
OF_HEADS: Final = ("num_attention_heads", "num_heads")


def image_attention_in(module: torch.nn.Module) -> Iterator[torch.nn.Module]:
    return (
        part
        for part in module.modules()
        if all(hasattr(part, name) for name in PARTS)
        and any(hasattr(part, name) for name in OF_HEADS)
    )


class ImageLayers(CalledLayers):
    """Of several images, or of the windows of one, that in `row` is taken."""

    def _layer(self, number: int, part: Any, given: Given, made: Any) -> RanLayer:
        images, output = next(iter(given.values())), made[0] if isinstance(made, tuple) else made
        rows, columns = images.shape[1:3]
        n_heads = next(getattr(part, name) for name in OF_HEADS if hasattr(part, name))
        scenario = Scenario(
            x=self._patches(images),
            n_heads=n_heads,
            r_k=_vectors(part, (rows, columns), n_heads),
            scores=ScoreOptions(r_places=tuple(product(range(rows), range(columns)))),
            **_arrays(part),
        )
        return RanLayer(number, scenario, self._patches(output), bound_of(output))

    def _patches(self, images: torch.Tensor) -> FloatArray:
        """The patches of one image, a row each."""
        check_whole("row", self._run.row, 0, len(images) - 1)
        return as_array(images[self._run.row].flatten(0, 1))


def _vectors(part: Any, sizes: tuple[int, int], n_heads: int) -> FloatArray:
    """R_K, of tables that count from key to query, and that are met without the scale of scores.

    Made for another size of image, they are resized, as the module itself does.
    """
    from torch.nn.functional import interpolate

    tables = []
    for name, size in zip(TABLES, sizes, strict=True):
        table: torch.Tensor = getattr(part, name)
        resized = interpolate(table.T[None], size=2 * size - 1, mode="linear")[0].T
        tables.append(as_array(resized)[::-1] * math.sqrt(table.shape[1]))
    return np.tile(one_below_the_other(tables, max(sizes) - 1), n_heads)


def _arrays(part: Any) -> dict[str, Any]:
    arrays = {
        name: as_array(weight).T
        for name, weight in zip(("w_q", "w_k", "w_v"), part.qkv.weight.chunk(3), strict=True)
    }
    if part.qkv.bias is not None:
        biases = part.qkv.bias.chunk(3)
        arrays |= {name: as_array(b) for name, b in zip(("b_q", "b_k", "b_v"), biases, strict=True)}
    return {**arrays, "w_o": as_array(part.proj.weight).T, "b_o": as_array(part.proj.bias)}
