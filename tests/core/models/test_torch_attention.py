"""torch.nn.MultiheadAttention: its saved tensors give what the module gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from mha_core import attend
from mha_core.checks.errors import FileError, OptionError
from mha_core.models import open_model, read_layer
from mha_core.models.by_hand.guess import guessed
from tests.core.models.held import Held


@pytest.mark.parametrize("bias", [True, False])
def test_it_gives_what_the_module_gives(bias: bool) -> None:
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(12, 3, bias=bias, batch_first=True)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_()
        x = torch.randn(1, 5, 12)
        hidden = torch.ones(5, 5).triu(1).bool()
        output, weights = module(x, x, x, attn_mask=hidden, average_attn_weights=False)
    tensors = {name: array.numpy() for name, array in module.state_dict().items()}
    model = open_model(Held(tensors, {}), {"num_heads": 3, "is_causal": True})
    trace = attend(model.weights(0).scenario(x[0].numpy()))
    np.testing.assert_allclose(trace.weights, weights[0].numpy(), atol=1e-5)
    np.testing.assert_allclose(trace.output, output[0].numpy(), atol=1e-5)
    assert model.says.endswith("It is a layer alone: give X.")


def test_the_number_of_heads_must_be_said() -> None:
    tensors = torch.nn.MultiheadAttention(12, 3).state_dict()
    file = Held({name: array.numpy() for name, array in tensors.items()}, {})
    with pytest.raises(OptionError, match="must say num_heads"):
        read_layer(file)


def test_the_number_of_heads_may_stand_beside_the_tensors(tmp_path: Path) -> None:
    tensors = torch.nn.MultiheadAttention(12, 3).state_dict()
    np.savez(tmp_path / "layer.npz", n_heads=3, **tensors)
    assert open_model(tmp_path / "layer.npz").n_heads == 3


@pytest.mark.parametrize("config", [{}, {"model_type": "torch.nn.MultiheadAttention"}])
def test_of_several_layers_what_stands_between_them_is_not_known(config: dict[str, str]) -> None:
    layer = torch.nn.TransformerEncoderLayer(12, 2, 5, batch_first=True)
    tensors = torch.nn.TransformerEncoder(layer, 2).state_dict()
    file = Held({name: array.numpy() for name, array in tensors.items()}, config)
    with pytest.raises(FileError, match=r"Map its tensors by hand, .* with read_layer"):
        open_model(file, {"num_heads": 3})
    mapped = replace(guessed(file), n_heads=2).mapped(file.shapes)
    for number in range(2):
        theirs = tensors[f"layers.{number}.self_attn.in_proj_weight"][12:24].T
        assert np.array_equal(read_layer(file, number, names=mapped).w_k, theirs)


def test_a_model_says_what_it_is() -> None:
    tensors = torch.nn.MultiheadAttention(12, 3).state_dict()
    file = Held({name: array.numpy() for name, array in tensors.items()}, {"num_heads": 3})
    assert repr(open_model(file)).startswith("<torch.nn.MultiheadAttention: 1 layer of width 12.")
