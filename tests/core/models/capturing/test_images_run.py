"""The attention of image encoders while it runs, as SAM and ViTDet have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from mha_core import attend, capture
from tests.core.models.capturing.small_modules import filled, rows

WIDTH = 12


class ImageAttention(nn.Module):
    """Heads whose scores know rows and columns: pair by pair, with a table for each."""

    def __init__(self, height: int, width: int, n_heads: int = 3, *, bias: bool = True) -> None:
        super().__init__()
        self.num_heads = n_heads
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=bias)
        self.proj = nn.Linear(WIDTH, WIDTH)
        self.rel_pos_h = nn.Parameter(torch.zeros(2 * height - 1, WIDTH // n_heads))
        self.rel_pos_w = nn.Parameter(torch.zeros(2 * width - 1, WIDTH // n_heads))

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        many, height, width, _ = images.shape
        patches = [(row, column) for row in range(height) for column in range(width)]
        cut = self.qkv(images).reshape(many, len(patches), 3, self.num_heads, -1)
        q, k, v = cut.permute(2, 0, 3, 1, 4)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        of_rows, of_columns = fitted(self.rel_pos_h, height), fitted(self.rel_pos_w, width)
        for i, (row, column) in enumerate(patches):
            for j, (of_key, column_of_key) in enumerate(patches):
                down, right = row - of_key + height - 1, column - column_of_key + width - 1
                scores[:, :, i, j] += q[:, :, i] @ (of_rows[down] + of_columns[right])
        weights = scores.softmax(-1)
        blended = (weights @ v).transpose(1, 2).reshape(images.shape)
        return self.proj(blended), weights


class Encoder(nn.Module):
    """Two layers, of which the first gives no weights."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = ImageAttention(2, 3), ImageAttention(2, 3)

    def forward(self, images: Tensor) -> Tensor:
        made: Tensor = self.two(images=self.one(images)[0])[0]
        return made


def fitted(table: Tensor, size: int) -> Tensor:
    """Rows between those of the table, at even steps, where there are too few or too many."""
    have, want = len(table), 2 * size - 1
    at = ((torch.arange(want) + 0.5) * have / want - 0.5).clamp(0, have - 1)
    below = at.floor().long()
    share = (at - below)[:, None]
    return table[below] * (1 - share) + table[(below + 1).clamp(max=have - 1)] * share


@pytest.mark.parametrize(("height", "width"), [(3, 3), (2, 4), (4, 2), (5, 3), (1, 2)])
def test_weights_and_output_are_those_of_the_module(height: int, width: int) -> None:
    """Its tables are made for 3 rows and 3 columns, and resized for other images."""
    module, images = filled(ImageAttention(3, 3)), rows(2, height, width, WIDTH)
    (layer,) = capture(module, images)
    with torch.no_grad():
        output, weights = module(images)
    trace = attend(layer.scenario)
    np.testing.assert_allclose(trace.weights, weights[0], atol=1e-6)
    np.testing.assert_array_equal(layer.output, output[0].flatten(0, 1))
    assert layer.agrees
    assert layer.difference < 1e-6
    places = [(row, column) for row in range(height) for column in range(width)]
    assert layer.scenario.scores.r_places == tuple(places)
    assert layer.scenario.reach == max(height, width) - 1


def test_of_many_windows_one_is_taken_without_biases_too() -> None:
    module, windows = filled(ImageAttention(2, 2, bias=False)), rows(3, 2, 2, WIDTH)
    (last,) = capture(module, windows, row=2, tokens="abcd")
    assert last.agrees
    np.testing.assert_array_equal(last.scenario.x, windows[2].flatten(0, 1))
    assert (last.scenario.b_q, last.scenario.tokens) == (None, tuple("abcd"))
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 2, got 3"):
        capture(module, windows, row=3)


def test_double_precision_is_kept_and_layers_are_numbered_as_they_run() -> None:
    encoder, images = filled(Encoder().double()), rows(1, 2, 3, WIDTH).double()
    one, two = capture(encoder, images)
    assert max(one.difference, two.difference) < 1e-14
    (alone,) = capture(encoder, images, layers=[1])
    assert (alone.layer, alone.scenario) == (1, two.scenario)
    assert one.scenario != two.scenario


@pytest.mark.parametrize("lacks", ["rel_pos_w", "num_heads"])
def test_a_part_without_all_of_it_is_another(lacks: str) -> None:
    module: Any = filled(ImageAttention(2, 2))
    delattr(module, lacks)
    with pytest.raises(ValueError, match="config"):
        capture(module, rows(1, 2, 2, WIDTH))
