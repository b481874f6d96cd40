"""Decoders that read an encoder, while they run: their own words, and those of the encoder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from mha_core import Mask, Rule, attend, capture
from mha_core.checks.errors import OptionError, ShapeError
from tests.core.models.capturing.small_modules import BART, WIDTH, Bart, filled, rows

X, OWN = rows(2, 5, WIDTH), rows(2, 3, WIDTH, seed=1)
CAUSAL = Rule("causal")
NAMES = [
    "Encoder, layer 1",
    *("Decoder, layer 1", "Decoder, layer 1, cross"),
    *("Decoder, layer 2", "Decoder, layer 2, cross"),
]


def test_each_layer_of_both_gives_what_the_module_gives() -> None:
    layers = capture(filled(Bart()), X, OWN, row=1)
    assert [layer.layer for layer in layers] == [0, 1, 2, 3, 4]
    assert [layer.name for layer in layers] == NAMES
    assert [layer.scenario.mask.rules for layer in layers] == [(), (CAUSAL,), (), (CAUSAL,), ()]
    assert [layer.scenario.n_heads for layer in layers] == [3, 2, 2, 2, 2]
    assert max(layer.difference for layer in layers) < 1e-6


def test_a_cross_attention_reads_what_the_encoder_made() -> None:
    module = filled(Bart())
    layers = capture(module, X, OWN)
    encoded = module.encoder(X)[0].detach()
    assert [layer.scenario.context is None for layer in layers] == [True, True, False, True, False]
    for cross in (layers[2], layers[4]):
        np.testing.assert_array_equal(cross.scenario.context, encoded)
        assert attend(cross.scenario).weights.shape == (2, 3, 5)


def test_both_texts_have_their_words() -> None:
    words = {"tokens": "abc", "context_tokens": "12345"}
    encoder, own, cross, *_ = capture(filled(Bart()), X, OWN, **words)
    assert encoder.scenario.tokens == cross.scenario.context_tokens == tuple("12345")
    assert own.scenario.tokens == cross.scenario.tokens == tuple("abc")
    assert str(cross).startswith("Layer 2 (Decoder, layer 1, cross): 2 heads, 3 tokens; agrees to")


def test_one_layer_by_its_number() -> None:
    (layer,) = capture(filled(Bart()), X, OWN, layers=[4])
    assert layer.name == NAMES[4]
    assert layer.agrees
    with pytest.raises(OptionError, match="of those that run: 0, 1, 2, 3, 4, got 5"):
        capture(filled(Bart()), X, OWN, layers=[5])


def test_each_text_has_its_own_padding() -> None:
    """Rows of padding are compared where they are queries: in the cross-attention."""
    masks = {
        "attention_mask": torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]),
        "decoder_attention_mask": torch.tensor([[1, 1, 1], [1, 1, 0]]),
    }
    layers = capture(filled(Bart()), X, OWN, row=1, **masks)
    of_encoder, of_own = Rule("padding", hidden=[3, 4]), Rule("padding", hidden=[2])
    rules = [layer.scenario.mask.rules for layer in layers]
    assert rules == [
        (of_encoder,),
        (CAUSAL, of_own),
        (of_encoder,),
        (CAUSAL, of_own),
        (of_encoder,),
    ]
    assert all(layer.agrees for layer in layers)


def test_a_mask_of_other_length_says_which_it_is() -> None:
    short = {"decoder_attention_mask": torch.ones(2, 1)}
    with pytest.raises(ShapeError, match=r"^decoder_attention_mask must .* each of the 3 tokens"):
        capture(filled(Bart()), X, OWN, **short)


def test_the_encoder_alone_and_the_decoder_alone() -> None:
    module = filled(Bart())
    encoded = module.encoder(X)
    (encoder,) = capture(module.encoder, X, tokens="12345")
    assert (encoder.name, encoder.scenario.tokens) == ("", tuple("12345"))
    assert encoder.agrees
    mask = torch.tensor([[1, 1, 0, 1, 1], [1, 1, 1, 1, 1]])
    layers = capture(module.decoder, OWN, encoded, encoder_attention_mask=mask)
    assert [layer.name for layer in layers] == NAMES[1:]
    assert all(layer.agrees for layer in layers)
    assert layers[1].scenario.mask == Mask((Rule("padding", hidden=[2]),))
    assert layers[0].scenario.mask == Mask((CAUSAL,))


def test_attention_alone_that_reads_other_rows_is_across() -> None:
    part = filled(Bart()).decoder.layers[0]["encoder_attn"]  # type: ignore[index]
    config = {"encoder_attention_heads": 2}
    (layer,) = capture(part, OWN, key_value_states=X, config=config)
    assert layer.agrees
    np.testing.assert_array_equal(layer.scenario.context, X[0])


def test_a_matrix_for_the_decoder_stands_in_the_place_of_its_rule() -> None:
    layers = capture(filled(Seen()), X, OWN, decoder_attention_mask=torch.ones(1, 1, 3, 3) > 0)
    assert layers[1].scenario.mask == Mask()
    assert all(layer.agrees for layer in layers)


class Seen(Bart):
    """Its decoder sees later words too."""

    def forward(
        self, x: Any, own: Any, attention_mask: Any = None, decoder_attention_mask: Any = None
    ) -> Any:
        encoded = self.encoder(x)
        for layer in self.decoder.layers:
            own = own + layer["self_attn"](own)  # type: ignore[index]
            own = own + layer["encoder_attn"](own, encoded)  # type: ignore[index]
        return own


def test_a_mask_of_sound_is_not_one_of_tokens() -> None:
    layers = capture(filled(Whisper()), X, OWN, attention_mask=torch.ones(2, 40))
    assert [layer.scenario.mask.rules for layer in layers] == [(), (CAUSAL,), (), (CAUSAL,), ()]
    assert all(layer.agrees for layer in layers)


class Whisper(Bart):
    """Its encoder sees all sound, whatever mask the model is given."""

    def __init__(self) -> None:
        super().__init__()
        self.config = {**BART, "model_type": "whisper"}
        self.encoder.conv1 = nn.Linear(1, 1)

    def forward(
        self, x: Any, own: Any, attention_mask: Any = None, decoder_attention_mask: Any = None
    ) -> Any:
        return super().forward(x, own, None, decoder_attention_mask)


def test_keys_of_an_earlier_run_are_not_known() -> None:
    module = filled(Bart())
    with pytest.raises(OptionError, match="must run layer 2, got a run in which its projections"):
        capture(Cached(module), X, OWN, layers=[2])


class Cached(nn.Module):
    """A decoder whose keys of the encoder were made before."""

    def __init__(self, inside: Bart) -> None:
        super().__init__()
        self.inside = inside

    def forward(self, x: Any, own: Any) -> Any:
        part = self.inside.decoder.layers[0]["encoder_attn"]  # type: ignore[index]
        return part.out_proj(part.q_proj(own))
