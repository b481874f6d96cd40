"""What `capture` tells, what it refuses, and that it leaves a module as it was."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import torch
from torch import nn

from mha_core import capture
from mha_core.checks.errors import LimitError, OptionError, ShapeError
from mha_core.models import Captured
from mha_core.models.capturing import captured
from tests.core.models.capturing.small_modules import (
    BERT,
    LLAMA,
    WIDTH,
    Bert,
    Llama,
    LlamaAttention,
    Vit,
    filled,
    rows,
)

X = rows(1, 5, WIDTH)


class Short(LlamaAttention):
    """It gives a row for the last token alone."""

    def forward(self, hidden_states: Any, attention_mask: Any = None) -> Any:
        return (self.o_proj(self.q_proj(hidden_states)[:, -1:]),)


def test_a_layer_says_whether_it_agrees() -> None:
    layer, _ = capture(filled(Llama()), X)
    says = r"Layer 0: 2 heads, 5 tokens; agrees to \de-0[78]"
    assert re.fullmatch(says, str(layer))
    assert re.fullmatch(f"<{says}>", repr(layer))


def test_a_layer_that_does_something_else_says_by_how_much() -> None:
    module = filled(Llama())
    layer = next(iter(capture(module, X)))
    told = Captured(0, layer.scenario, layer.output, 0.2, layer.bound)
    beginning, end = str(told).split(": ", 1)[1].split(": ")
    assert beginning == "2 heads, 5 tokens; differs by 0.2"
    assert end == "the layer does something that is not known here"


def test_what_a_layer_does_beside_is_seen() -> None:
    module = filled(LlamaAttention(0))
    for fault in (lambda made: made * 1.001, lambda made: made * torch.nan):
        handle = module.o_proj.register_forward_hook(lambda _, __, made, f=fault: f(made))
        (layer,) = capture(module, X)
        handle.remove()
        assert not layer.agrees


@pytest.mark.parametrize("size", [0, 1e-9])
def test_an_output_that_tells_nothing_of_its_heads_does_not_agree(size: float) -> None:
    """Other weights would give the same there."""
    module = filled(Bert())
    with torch.no_grad():
        module.get_parameter("encoder.layer.0.attention.output.dense.weight").mul_(size)
    zero, full = capture(module, X)
    assert not zero.agrees
    assert str(zero).endswith(
        "its heads add next to nothing to the output: nothing can be compared"
    )
    assert full.agrees


def test_a_layer_that_gives_other_rows_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"must have shape \(5, 12\), got shape \(1, 12\)"):
        capture(filled(Short(0)), X)


@pytest.mark.parametrize("fails", [False, True])
def test_a_module_is_left_as_it_was(fails: bool) -> None:
    module = filled(Bert()).requires_grad_()
    module.encoder.train()
    was = {name: tensor.clone() for name, tensor in module.state_dict().items()}
    if fails:
        with pytest.raises(RuntimeError):
            capture(module, X, torch.ones(1, 3))
    else:
        capture(module, X)
    assert not any(part._forward_hooks for part in module.modules())
    assert torch.is_grad_enabled()
    assert all(p.grad is None for p in module.parameters())
    assert module.encoder.training
    assert not module.training
    assert all((tensor == was[name]).all() for name, tensor in module.state_dict().items())


@pytest.mark.parametrize(
    ("module", "where"),
    [
        (nn.Sequential(Bert(), nn.Dropout(0.25)), "0.25 in training, in 1"),
        (nn.MultiheadAttention(12, 3, dropout=0.1), "0.1 in training, in MultiheadAttention"),
    ],
)
def test_chance_is_refused_until_the_module_is_at_rest(module: nn.Module, where: str) -> None:
    inputs = (X, X, X) if isinstance(module, nn.MultiheadAttention) else (X,)
    with pytest.raises(
        OptionError, match=rf"got a dropout of {where}. Write module.eval\(\) first"
    ):
        capture(module, *inputs)
    assert module.training
    assert capture(module.eval(), *inputs)


def test_what_is_no_module_is_refused() -> None:
    given: Any = "model.safetensors"
    with pytest.raises(OptionError, match=r"must be a torch.nn.Module, got 'model.*open_model."):
        capture(given)


def test_a_module_without_its_numbers_is_refused() -> None:
    with pytest.raises(OptionError, match=r"must hold its numbers, got embeddings\.word_emb"):
        capture(Bert().to("meta"), X)


@pytest.mark.parametrize("layers", [3, "0", ["0"], [True], {0}])
def test_layers_are_a_list_of_numbers(layers: Any) -> None:
    with pytest.raises(OptionError, match=r"layers must be a list of whole numbers, got .*=\[3\]"):
        capture(filled(Bert()), X, layers=layers)


def test_more_layers_than_there_is_room_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captured, "MOST_BYTES", 2_000)
    assert len(capture(filled(Llama()), X, layers=[1])) == 1
    with pytest.raises(LimitError, match=r"at most 2 kB, got .* Name fewer, as in layers=\[3\]"):
        capture(filled(Llama()), X)


def test_importing_the_package_imports_no_pytorch() -> None:
    code = "import sys, mha_core; mha_core.capture; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class OddAttention(nn.Module):
    """Of a kind that nobody knows."""

    def __init__(self) -> None:
        super().__init__()
        self.both = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = self.both(x)
        return made


class BesideOthers(nn.Module):
    """A head that is known, behind odd parts; the last of these does not run."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.encoder = nn.ModuleList(OddAttention() for _ in range(count + 1))
        self.head = nn.MultiheadAttention(WIDTH, 2, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for part in [*self.encoder[:-1], self.encoder[0]]:
            x = part(x)
        made: torch.Tensor = self.head(x, x, x)[0]
        return made


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (1, r"^1 part of the module attends and is left out: encoder\.0 \(OddAttention\)\. Its"),
        (2, r"^2 parts .* out: encoder\.0 \(OddAttention\), encoder\.1 \(OddAttention\)\. Their"),
        (4, r"^4 parts .* encoder\.2 \(OddAttention\), \.\.\. Their kind is not known here, or"),
    ],
)
def test_parts_that_are_left_out_are_told(count: int, says: str) -> None:
    module = filled(BesideOthers(count))
    with pytest.warns(UserWarning, match=says) as told:
        (layer,) = capture(module, X)
    assert told[0].filename == __file__
    assert layer.agrees


class OddMixer(OddAttention):
    """What it is says only the module around it."""

    def __init__(self) -> None:
        super().__init__()
        self.attn_norm = nn.LayerNorm(WIDTH)  # attends to nothing


def test_parts_that_are_called_so_by_the_module_around_them_are_told() -> None:
    module = filled(nn.Sequential())
    module.add_module("self_attn", filled(OddMixer()))
    module.add_module("head", filled(Llama()))
    module.config = LLAMA  # type: ignore[assignment] # any attribute may be set
    with pytest.warns(UserWarning, match=r"^1 part .* left out: self_attn \(OddMixer\)\. Its"):
        assert len(capture(module, X)) == 2


class BothTowers(nn.Module):
    """A text and an image, each with a family and a config of its own; and another image."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.image, self.never = Llama(), Vit(), Vit()

    def forward(self, text: torch.Tensor, image: torch.Tensor) -> None:
        self.text(text)
        self.image(image)


def both_towers() -> BothTowers:
    module = filled(BothTowers())
    module.config = LLAMA
    return module


def test_families_that_stand_side_by_side_follow_each_other() -> None:
    image = rows(1, 3, WIDTH)
    layers = capture(both_towers(), X, image, tokens="abcde")
    assert [(layer.layer, layer.name) for layer in layers] == [
        *[(0, ""), (1, "")],
        *[(2, "image"), (3, "image")],
    ]
    assert all(layer.agrees for layer in layers)
    assert [layer.scenario.n_q for layer in layers] == [5, 5, 3, 3]
    assert layers[0].scenario.tokens == tuple("abcde")
    (same,) = capture(both_towers(), X, image, layers=[3])
    assert same.output.tolist() == layers[3].output.tolist()
    with pytest.raises(OptionError, match="of those that run: 0, 1, 2, 3, 4, 5, got 6"):
        capture(both_towers(), X, image, layers=[6])
    with pytest.raises(OptionError, match="The module must run layer 4"):
        capture(both_towers(), X, image, layers=[4])


def test_no_layer_may_be_asked_for() -> None:
    assert capture(filled(Llama()), X, layers=[]) == ()


class OddBert(nn.Module):
    """It says a family, and has other names."""

    def __init__(self) -> None:
        super().__init__()
        self.config = BERT
        self.odd = OddAttention()


def test_a_part_that_is_not_what_its_config_says_is_left_out() -> None:
    module = both_towers()
    module.image.add_module("beside", filled(OddBert()))
    module.image.register_forward_hook(lambda part, read, made: part.beside.odd(made))
    with pytest.warns(UserWarning, match=r"1 part .* image\.beside\.odd \(OddAttention\)"):
        assert len(capture(module, X, X)) == 4
