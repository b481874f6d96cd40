"""Which tokens the layers of a model see, as the fields of a config say it."""

from __future__ import annotations

from typing import Any

import pytest

from mha_core import Rule
from mha_core.models import open_model
from mha_core.models.fields import Fields
from mha_core.models.windows import window_rules
from tests.core.models.recorded_models import Recorded


@pytest.mark.parametrize(
    ("name", "is_causal"), [("mistral", True), ("llama", True), ("gemma3-sees-all", False)]
)
def test_a_window_on_both_sides_is_not_causal(name: str, is_causal: bool) -> None:
    assert open_model(Recorded(name).file).is_causal == is_causal


BOTH_SIDES: dict[str, Any] = {"use_bidirectional_attention": True}


@pytest.mark.parametrize("window", [4, 5])
def test_half_of_a_window_on_both_sides_is_before_the_token(window: int) -> None:
    config = Fields({**BOTH_SIDES, "sliding_window": window})
    assert window_rules(config, 0) == (Rule("sliding_window", left=2, right=2),)


def test_without_a_window_all_tokens_are_seen() -> None:
    assert window_rules(Fields(BOTH_SIDES), 0) == ()


@pytest.mark.parametrize(
    ("model", "slide"),
    [("mistral", [True, True]), ("llama", [False, False]), ("ministral", [False, True])],
)
def test_what_the_code_of_a_model_does_not_look_at_says_nothing(
    model: str, slide: list[bool]
) -> None:
    kinds = ["full_attention", "sliding_attention"]
    config = Fields({"model_type": model, "sliding_window": 3, "layer_types": kinds})
    rules = [window_rules(config, layer)[0].name for layer in range(2)]
    assert rules == ["sliding_window" if each else "causal" for each in slide]
