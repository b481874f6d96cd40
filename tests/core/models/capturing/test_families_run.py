"""Modules with the names of the families while they run: their layers are computed again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from mha_core import Mask, Rule, capture
from mha_core.checks.errors import OptionError, ShapeError
from mha_core.scenario.one_text import reads_one_text
from tests.core.models.capturing.small_modules import (
    BERT,
    LLAMA,
    WIDTH,
    Albert,
    Bert,
    Deepseek,
    Gpt2,
    Llama,
    LlamaAttention,
    Vit,
    VitAttention,
    filled,
    rows,
)

X = rows(2, 5, WIDTH)
CAUSAL = Rule("causal")


@pytest.mark.parametrize(
    ("kind", "rules"), [(Bert, ()), (Llama, (CAUSAL,)), (Gpt2, (CAUSAL,)), (Albert, ()), (Vit, ())]
)
def test_each_layer_gives_what_the_module_gives(kind: Any, rules: tuple[Rule, ...]) -> None:
    first, second = capture(filled(kind()), X)
    assert (first.layer, second.layer) == (0, 1)
    assert first.scenario.mask == second.scenario.mask == Mask(rules)
    assert first.difference < 1e-6
    assert second.difference < 1e-6
    assert not np.allclose(first.scenario.x, second.scenario.x)


def test_a_layer_by_its_number_of_a_text_by_its_row() -> None:
    module = filled(Llama())
    (layer,) = capture(module, X, layers=[1], row=1, tokens=list("abcde"))
    (same,) = capture(module, X[1:], layers=[1])
    assert layer.output.tolist() == same.output.tolist()
    assert layer.scenario.tokens == tuple("abcde")
    assert not layer.output.flags.writeable
    with pytest.raises(OptionError, match="of those that run: 0, 1, got 2"):
        capture(module, X, layers=[2])


@pytest.mark.parametrize("rank", [7, None])
def test_a_layer_with_latents_is_given_with_them_as_x_and_c(rank: int | None) -> None:
    module = filled(Deepseek(q_lora_rank=rank))
    for layer in capture(module, X, tokens=list("abcde")):
        s = layer.scenario
        assert s.tokens == s.context_tokens == tuple("abcde")
        assert (s.d_model, s.d_model_kv) == (rank or WIDTH, 5 + 4)
        assert s.mask == Mask((CAUSAL,))
        assert layer.difference < 1e-6


def test_attention_with_latents_alone_and_padding_of_one_text() -> None:
    module = filled(Deepseek())
    (alone,) = capture(module.layers[1]["self_attn"], X)  # type: ignore[index]
    assert alone.layer == 1
    assert alone.agrees
    assert reads_one_text(alone.scenario)
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])  # a row that sees nothing means nothing
    for layer in capture(module, X, mask):
        assert layer.scenario.mask == Mask((CAUSAL, Rule("padding", hidden=[0, 1])))
        assert layer.agrees


def test_a_model_inside_another_module_with_a_head() -> None:
    inside = nn.Sequential(nn.Linear(WIDTH, WIDTH), filled(Bert()), nn.Linear(WIDTH, 2))
    assert all(layer.agrees for layer in capture(inside, X))


def test_padding_is_a_rule_and_its_own_rows_are_not_compared() -> None:
    module = filled(Bert())
    mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    first, second = capture(module, X, mask)
    assert first.scenario.mask == Mask((Rule("padding", hidden=[3, 4]),))
    assert first.agrees
    assert second.agrees
    (whole,) = capture(module, X, attention_mask=mask, row=1, layers=[0])
    assert whole.scenario.mask == Mask()
    assert whole.agrees


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        (torch.ones(5, 5).tril().bool(), Mask((CAUSAL,))),
        (torch.ones(5, 5).bool(), Mask()),
        (torch.ones(5, 5).triu().bool(), Mask(custom=np.triu(np.ones((5, 5), bool)))),
    ],
)
def test_a_matrix_stands_in_the_place_of_the_familys_rules(
    visible: torch.Tensor, expected: Mask
) -> None:
    module = filled(Llama())
    lowest = torch.finfo(torch.float32).min
    for mask in (visible, torch.zeros(5, 5).masked_fill(~visible, lowest)):
        for shape in ((1, 1, 5, 5), (2, 2, 5, 5)):
            layers = capture(module, X, attention_mask=mask.expand(shape), row=1)
            assert [layer.scenario.mask for layer in layers] == [expected] * 2
            assert all(layer.agrees for layer in layers)


@pytest.mark.parametrize(
    ("given", "row", "expected"),
    [
        ([[0, 1, 2, 3, 4]], 0, None),
        ([[0, 0, 1, 2, 9]], 1, ((0,), (0,), (1,), (2,), (9,))),
        ([[0, 1, 2, 3, 4], [3, 4, 5, 0, 1]], 1, ((3,), (4,), (5,), (0,), (1,))),
        ([2, 3, 4, 5, 6], 0, ((2,), (3,), (4,), (5,), (6,))),
    ],
)
def test_places_that_the_module_was_told_are_those_of_the_tokens(
    given: Any, row: int, expected: Any
) -> None:
    places = torch.tensor(given)
    for layer in capture(filled(Llama()), X, position_ids=places, row=row):
        assert layer.scenario.scores.rope_places == expected
        assert layer.difference < 1e-6


def test_places_of_other_tokens_or_on_other_axes_are_not_taken() -> None:
    class Told(Llama):
        def forward(self, x: Any, position_ids: Any = None) -> Any:  # type: ignore[override]
            return super().forward(x)

    for shape in ((1, 9), (3, 1, 5)):
        (layer, _) = capture(filled(Told()), X, position_ids=torch.zeros(shape))
        assert layer.scenario.scores.rope_places is None
        assert layer.agrees


def test_where_nothing_turns_places_say_nothing() -> None:
    class Told(Bert):
        def forward(self, x: Any, position_ids: Any = None) -> Any:  # type: ignore[override]
            return super().forward(x)

    (layer, _) = capture(filled(Told()), X, position_ids=torch.tensor([[0, 0, 1, 2, 3]]))
    assert layer.scenario.scores.rope_places is None


def test_a_mask_of_more_tokens_means_a_cache() -> None:
    with pytest.raises(ShapeError, match=r"each of the 5 tokens, got shape \(1, 9\). Give the wh"):
        capture(filled(Cached()), X[:1], attention_mask=torch.ones(1, 9))


class Cached(Bert):
    def forward(self, x: Any, attention_mask: Any = None) -> Any:
        return super().forward(x)


def test_attention_alone_is_read_as_the_layer_that_it_says_it_is() -> None:
    whole = filled(Llama())
    part = whole.layers[1]["self_attn"]  # type: ignore[index]
    (layer,) = capture(part, X)
    assert layer.layer == 1
    assert layer.agrees
    assert layer.scenario.mask == Mask((CAUSAL,))
    (all_seen,) = capture(part, hidden_states=X, attention_mask=torch.ones(1, 1, 5, 5).bool())
    assert all_seen.agrees
    assert all_seen.scenario.mask == Mask()


def test_a_part_whose_files_have_other_names() -> None:
    (layer,) = capture(filled(VitAttention()), X)
    assert layer.agrees


def test_attention_without_its_last_projection_gives_its_heads_side_by_side() -> None:
    part = filled(Bert()).encoder["layer"][0].attention["self"]  # type: ignore[index,union-attr]
    (layer,) = capture(part, X)
    assert layer.agrees
    assert layer.scenario.w_o.tolist() == np.eye(WIDTH).tolist()


def test_of_tied_layers_those_that_ran_are_told() -> None:
    module = filled(Albert())
    module.n_calls = 1
    (layer,) = capture(module, X)
    assert layer.layer == 0
    assert layer.agrees
    for n_calls, layers, missing in ((1, [0, 1], 1), (0, None, 0)):
        module.n_calls = n_calls
        with pytest.raises(OptionError, match=f"must run layer {missing}, got a run in which its"):
            capture(module, X, layers=layers)


def test_config_that_a_module_lacks_may_be_given() -> None:
    module = filled(Llama())
    module.config = None  # type: ignore[assignment]
    for layer in module.layers:
        layer["self_attn"].config = None  # type: ignore[index]
    with pytest.raises(OptionError, match="must say hidden_size, got nothing"):
        capture(module, X)
    assert all(layer.agrees for layer in capture(module, X, config=LLAMA))


def test_a_config_of_transformers_is_asked_for_its_fields() -> None:
    class Config:
        def to_dict(self) -> dict[str, Any]:
            return dict(BERT)

    module = filled(Bert())
    module.config = Config()  # type: ignore[assignment]
    assert capture(module, X)[0].agrees


@pytest.mark.parametrize(
    ("module", "got"),
    [
        (nn.Linear(WIDTH, 2), "got tensors such as 'weight'. Give the part of it"),
        (nn.Sequential(nn.Linear(WIDTH, 2)), "got tensors such as '0.weight'"),
    ],
)
def test_what_is_not_known_is_refused(module: nn.Module, got: str) -> None:
    with pytest.raises(OptionError, match=f"in it, or be of a known family: .*BERT.*, {got}"):
        capture(module, X)


def test_a_part_with_other_names_is_refused() -> None:
    with pytest.raises(OptionError, match="got a part of BERT with other names"):
        capture(nn.Sequential(nn.Linear(WIDTH, 2)), X, config=BERT)


class Config(dict[str, Any]):
    """What a model of transformers has: it also says by which code its attention runs."""

    _attn_implementation = ""


class ToldByAMask(LlamaAttention):
    """It hides what its mask hides. Without one, "sdpa" hides later tokens, and "eager" nothing."""

    def __init__(self, kind: str, *, keeps_a_mask: bool = False, **config: Any) -> None:
        super().__init__(0)
        self.config = Config({**LLAMA, **config})
        self.config._attn_implementation = kind
        self.is_causal = kind == "sdpa" or keeps_a_mask
        if keeps_a_mask:
            self.register_buffer("seen", torch.ones(5, 5).tril().bool())

    def forward(self, hidden_states: Any, attention_mask: Any = None, **told: Any) -> Any:
        if attention_mask is None and not told.get("is_causal", self.is_causal):
            attention_mask = torch.zeros(hidden_states.shape[1], hidden_states.shape[1])
        return super().forward(hidden_states, attention_mask)


WINDOW = {"model_type": "mistral", "sliding_window": 2}


@pytest.mark.parametrize(
    ("module", "rules"),
    [
        (ToldByAMask("eager"), ()),
        (ToldByAMask("eager", **WINDOW), ()),
        (ToldByAMask("eager", keeps_a_mask=True), (CAUSAL,)),  # as GPT-2 did
        (ToldByAMask("sdpa"), (CAUSAL,)),
        (ToldByAMask("sdpa", **WINDOW), (CAUSAL,)),
        (ToldByAMask("sdpa", **{**WINDOW, "sliding_window": 5}), (Rule("sliding_window", left=4),)),
    ],
)
def test_an_attention_alone_that_is_given_no_mask(
    module: ToldByAMask, rules: tuple[Rule, ...]
) -> None:
    (layer,) = capture(filled(module), X)
    assert layer.scenario.mask == Mask(rules)
    assert layer.agrees


@pytest.mark.parametrize(("is_causal", "rules"), [(True, (CAUSAL,)), (False, ())])
def test_a_call_may_say_whether_later_tokens_are_hidden(
    is_causal: bool, rules: tuple[Rule, ...]
) -> None:
    (layer,) = capture(filled(ToldByAMask("sdpa")), X, is_causal=is_causal)
    assert layer.scenario.mask == Mask(rules)
    assert layer.agrees


def test_an_attention_alone_that_is_given_a_mask() -> None:
    mask = torch.zeros(1, 1, 5, 5).masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
    (layer,) = capture(filled(ToldByAMask("eager")), X, attention_mask=mask)
    assert layer.scenario.mask == Mask((CAUSAL,))
    assert layer.agrees


class Packed(Llama):
    """It makes a mask by itself where the places begin anew: texts behind each other."""

    has_floats = False

    def forward(self, x: Any, attention_mask: Any = None, position_ids: Any = None) -> Any:
        texts = (position_ids == 0).cumsum(-1)
        mask = (texts[:, :, None] == texts[:, None]).tril()
        if self.has_floats:
            mask = torch.zeros(mask.shape).masked_fill(~mask, torch.finfo(torch.float32).min)
        return super().forward(x, mask[:, None], position_ids)


@pytest.mark.parametrize("has_floats", [False, True])
def test_texts_behind_each_other_do_not_see_each_other(has_floats: bool) -> None:
    module = filled(Packed())
    module.has_floats = has_floats
    both, alone = torch.tensor([[0, 1, 2, 0, 1], [0, 1, 2, 3, 4]])[:, None]
    for layer in capture(module, X, position_ids=both):
        allowed = layer.scenario.mask.allowed(5, 5)
        assert not allowed[3:, :3].any()
        assert allowed.sum() == 3 * 4 / 2 + 2 * 3 / 2
        assert layer.agrees
    for layer in capture(module, X, position_ids=alone):
        assert layer.scenario.mask == Mask((CAUSAL,))
        assert layer.agrees


def test_heads_that_are_told_to_see_others_are_not_guessed() -> None:
    class InOneHead(Llama):
        def forward(self, x: Any, attention_mask: Any = None, position_ids: Any = None) -> Any:
            mask = torch.ones(1, 2, 5, 5).tril().bool()
            mask[:, 1, 3:, :3] = False
            return super().forward(x, mask)

    assert not any(layer.agrees for layer in capture(filled(InOneHead()), X))
