"""torch.nn.MultiheadAttention while it runs: what it computed is computed again."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from mha_core import Mask, Rule, attend, capture
from mha_core.checks.errors import OptionError, ShapeError
from tests.core.models.capturing.small_modules import filled, rows

X = rows(2, 5, 12)
LATER = torch.ones(5, 5).triu(1).bool()


def attention(**options: Any) -> nn.MultiheadAttention:
    return filled(nn.MultiheadAttention(12, 3, **{"batch_first": True, **options}))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("averages", [True, False])
def test_its_weights_and_its_output_are_those_of_the_module(bias: bool, averages: bool) -> None:
    module = attention(bias=bias)
    (layer,) = capture(module, X, X, X, average_attn_weights=averages, tokens="abcde")
    output, weights = module(X, X, X, average_attn_weights=False)
    trace = attend(layer.scenario)
    np.testing.assert_allclose(trace.weights, weights[0].detach(), atol=1e-6)
    np.testing.assert_array_equal(layer.output, output[0].detach())
    assert layer.agrees
    assert layer.difference < 1e-6
    assert layer.scenario.tokens == tuple("abcde")


def test_of_a_batch_one_text_is_taken_whichever_axis_it_is() -> None:
    first, second = (capture(attention(), X, X, X, row=row)[0] for row in (0, 1))
    turned = X.transpose(0, 1)
    (same,) = capture(attention(batch_first=False), turned, turned, turned, row=1)
    (alone,) = capture(attention(), X[1], X[1], X[1])
    assert first.scenario.x.tolist() == X[0].tolist()
    assert same.scenario == second.scenario == alone.scenario
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 1, got 2"):
        capture(attention(), X, X, X, row=2)


def test_another_second_sequence_is_the_context_with_its_own_width() -> None:
    module, keys = attention(kdim=7, vdim=7), rows(2, 3, 7)
    (layer,) = capture(module, X, keys, keys, context_tokens="abc")
    assert layer.agrees
    assert layer.scenario.context_tokens == ("a", "b", "c")
    assert layer.scenario.context is not None
    assert layer.scenario.context.shape == (3, 7)


@pytest.mark.parametrize(
    ("masks", "expected"),
    [
        ({"attn_mask": LATER}, Mask((Rule("causal"),))),
        ({"attn_mask": LATER, "is_causal": True}, Mask((Rule("causal"),))),
        ({"attn_mask": LATER.expand(6, 5, 5)}, Mask((Rule("causal"),))),
        ({"attn_mask": nn.Transformer.generate_square_subsequent_mask(5)}, Mask((Rule("causal"),))),
        (
            {"key_padding_mask": torch.tensor([[False] * 4 + [True]] * 2)},
            Mask((Rule("padding", hidden=[4]),)),
        ),
        (
            {
                "key_padding_mask": torch.tensor([[0.0] * 4 + [-torch.inf]] * 2),
                "attn_mask": torch.zeros(5, 5).masked_fill(LATER, -torch.inf),
            },
            Mask((Rule("causal"), Rule("padding", hidden=[4]))),
        ),
        ({"attn_mask": torch.eye(5)}, Mask(additive=np.eye(5))),
        ({"attn_mask": LATER.T}, Mask(custom=~LATER.T.numpy())),
    ],
)
def test_masks_are_rules_where_rules_say_the_same(masks: Any, expected: Mask) -> None:
    (layer,) = capture(attention(), X, X, X, **masks)
    assert layer.scenario.mask == expected
    assert layer.agrees


def test_padding_of_a_text_alone() -> None:
    hidden = torch.tensor([True, False, False, False, False])
    (layer,) = capture(attention(), X[0], X[0], X[0], key_padding_mask=hidden)
    assert layer.scenario.mask == Mask((Rule("padding", hidden=[0]),))
    assert layer.agrees


def test_rows_that_see_nothing_are_not_compared() -> None:
    """PyTorch gives NaN for them."""
    (layer,) = capture(attention(), X, X, X, attn_mask=LATER.T | torch.eye(5).bool())
    assert np.isnan(layer.output[4]).all()
    assert layer.agrees
    assert layer.blind_rows == (4,)


def test_of_a_row_that_sees_no_key_the_layer_says_what_the_module_gives() -> None:
    """The first token is padding, and the mask is causal."""
    hidden = torch.tensor([[True, False, False, False, False]])
    module, x = attention(), X[:1]
    (layer,) = capture(module, x, x, x, attn_mask=LATER, key_padding_mask=hidden)
    assert layer.compared.tolist() == [False, True, True, True, True]
    assert re.search(
        r"agrees to \de-0[78] in 4 of 5 rows\. Row 0 sees no key: the module gives NaN there; "
        "here its weights are 0$",
        str(layer),
    )


def test_where_no_row_sees_a_key_nothing_is_said_to_agree() -> None:
    x = rows(1, 7, 12)
    (layer,) = capture(attention(), x, x, x, attn_mask=torch.ones(7, 7).bool())
    assert not layer.agrees
    assert str(layer) == (
        "Layer 0: 3 heads, 7 tokens; no row is compared. Rows 0, 1, 2, 3, 4, ... see no key: the "
        "module gives NaN there; here their weights are 0"
    )


def test_a_row_of_numbers_that_sees_no_key_is_not_compared() -> None:
    """Some modules give it the mean of all values."""
    (layer,) = capture(attention(), X, X, X, attn_mask=LATER.T | torch.eye(5).bool())
    told = replace(layer, output=np.zeros_like(layer.output))
    assert str(told).endswith("Row 4 sees no key, and is not compared")


def test_a_mask_for_each_head_is_refused() -> None:
    masks = LATER.expand(6, 5, 5).clone()
    masks[1, 0, 1] = False
    with pytest.raises(OptionError, match="The mask must be the same for all heads"):
        capture(attention(), X, X, X, attn_mask=masks)
    assert capture(attention(), X, X, X, attn_mask=masks, row=1)[0].agrees


@pytest.mark.parametrize("option", ["add_bias_kv", "add_zero_attn"])
def test_keys_that_are_no_tokens_are_refused(option: str) -> None:
    with pytest.raises(OptionError, match=f"no keys but those of its tokens, got {option}. It"):
        capture(attention(**{option: True}), X, X, X)


def test_values_of_other_rows_have_these_rows_as_their_source() -> None:
    """As in DETR: positions are added to what queries and keys are made from."""
    placed = X + rows(1, 5, 12)
    (layer,) = capture(attention(), placed, placed, X, tokens="abcde")
    assert layer.agrees
    assert layer.scenario.context is None
    assert layer.scenario.context_v is not None
    assert layer.scenario.context_v.tolist() == X[0].tolist()
    same = capture(attention(), X, X.clone(), X.clone())[0].scenario
    assert (same.context, same.context_v) == (None, None)


def test_values_may_have_another_width_than_keys() -> None:
    module, keys, values = attention(kdim=7, vdim=5), rows(2, 3, 7), rows(2, 3, 5)
    (layer,) = capture(module, X, keys, values, context_tokens="abc", row=1)
    assert layer.agrees
    assert (layer.scenario.d_model_kv, layer.scenario.d_model_v) == (7, 5)
    assert layer.scenario.context_v is not None
    assert layer.scenario.context_v.tolist() == values[1].tolist()


def whole_transformer() -> nn.Transformer:
    return filled(nn.Transformer(12, 2, 1, 2, 20, batch_first=True))


def test_all_that_stand_in_a_module_are_numbered_as_they_run() -> None:
    source, target = rows(1, 4, 12), rows(1, 3, 12)
    layers = capture(whole_transformer(), source, target)
    assert [layer.layer for layer in layers] == [0, 1, 2, 3, 4]
    assert [layer.scenario.context is None for layer in layers] == [True, True, False, True, False]
    assert all(layer.agrees for layer in layers)
    (one,) = capture(whole_transformer(), source, target, layers=[2])
    assert one.scenario == layers[2].scenario
    with pytest.raises(OptionError, match="of those that run: 0, 1, 2, 3, 4, got 5"):
        capture(whole_transformer(), source, target, layers=[5])


def test_the_fast_path_is_left_for_this_run_alone() -> None:
    """In it, nobody calls the attention of an encoder."""
    assert torch.backends.mha.get_fastpath_enabled()
    encoder = whole_transformer().encoder
    hidden = torch.tensor([[False, False, False, True]])
    (layer,) = capture(encoder, rows(1, 4, 12), src_key_padding_mask=hidden)
    assert layer.agrees
    assert torch.backends.mha.get_fastpath_enabled()


def test_what_is_compiled_runs_as_it_was_written_for_this_run_alone() -> None:
    compiled = torch.compile(attention(), backend=lambda *_: pytest.fail("it was compiled"))
    (layer,) = capture(compiled, X, X, X)
    assert layer.agrees
    with pytest.raises(BaseException, match="it was compiled"):
        compiled(X, X, X)


def test_numbers_in_bfloat16_agree_as_far_as_they_are_kept() -> None:
    module, x = attention().bfloat16(), X.bfloat16()
    (layer,) = capture(module, x, x, x)
    assert layer.agrees
    assert layer.difference > 1e-4
    assert layer.bound == 2**-5
    assert layer.scenario.dtype == layer.output.dtype == np.float32


def test_float64_stays() -> None:
    x = X.double()
    (layer,) = capture(attention().double(), x, x, x)
    assert layer.scenario.dtype == np.float64
    assert layer.difference < 1e-14


def test_images_are_not_tokens() -> None:
    class Wrong(nn.MultiheadAttention):
        def forward(self, query: Any, key: Any, value: Any, **_: Any) -> Any:
            return query, None

    image = rows(1, 2, 5, 12)
    with pytest.raises(ShapeError, match=r"rows of numbers, .*, got shape \(1, 2, 5, 12\)"):
        capture(filled(Wrong(12, 3, batch_first=True)), image, image, image)


class UsesItsNumbers(nn.Module):
    """It never calls the part whose numbers it uses."""

    def __init__(self) -> None:
        super().__init__()
        self.part = attention()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.part.out_proj.weight


def test_a_part_that_is_not_called_is_told() -> None:
    says = "must call the parts of it that attend, got a run in which MultiheadAttention is not"
    with pytest.raises(OptionError, match=says):
        capture(UsesItsNumbers(), X)
    assert capture(UsesItsNumbers(), X, layers=[]) == ()


class OfItself(nn.MultiheadAttention):
    def forward(self, x: torch.Tensor) -> Any:  # type: ignore[override] # what the test is about
        return super().forward(x, x, x)


def test_calls_of_its_own_kind_are_refused() -> None:
    with pytest.raises(
        OptionError, match="OfItself must be called with query, key and value, got x"
    ):
        capture(filled(OfItself(12, 3)), X)
