"""What to see in the models of packages, on their first text and on others."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest

from mha_core.models import PACKAGES, open_installed
from mha_core.models.model import ModelOnText
from mha_core.survey.head_map import HeadsOfLayer, first_share, heads_on
from mha_core.survey.measures import NAMES
from mha_core.survey.sights import SIGHTS, Seen, sum_in

HERE = ("mathformer-add", "glassllm-en", "glassllm-pt")  # the tests install these


def seen(name: str, text: str = "", *, has_first: bool = True) -> Seen:
    model = open_installed(name)
    read = model.read_text(text or PACKAGES[name].example)

    def next_token(heads_off: Collection[tuple[int, int]]) -> str:
        return model.next_token(read, heads_off)

    heads = [*heads_on(ModelOnText(model, read, model.run_on(read)), has_first=has_first)]
    return Seen(read.tokens, heads, next_token)


def held(**shares: float) -> Seen:
    """What a run would have shown in which every head does these things so much."""
    scores = np.full((12, len(NAMES)), np.nan)
    for name, share in shares.items():
        scores[:, NAMES.index(name)] = share
    return Seen(
        ("a", "b"), [HeadsOfLayer("Layer 1", scores, np.zeros((12, 2, 2)))] * 30, lambda _: "a"
    )


def test_each_is_of_a_model_that_there_is() -> None:
    assert SIGHTS.keys() <= PACKAGES.keys()


@pytest.mark.parametrize("name", HERE)
def test_all_is_to_be_seen_on_the_first_text(name: str) -> None:
    run = seen(name)
    assert [sight.sentence for sight in SIGHTS[name] if sight.check(run) is not True] == []


@pytest.mark.parametrize("text", ["9+9=", "1+2=", "0+0=", "5+5="])
def test_the_first_digit_of_any_sum_is_written(text: str) -> None:
    assert SIGHTS["mathformer-add"][0].check(seen("mathformer-add", text))


def test_a_text_that_asks_for_no_sum_cannot_tell() -> None:
    run = seen("mathformer-add", "7+5")
    writes, _, needs, does_without = (sight.check(run) for sight in SIGHTS["mathformer-add"])
    assert (writes, needs, does_without) == (None, None, None)
    assert sum_in(("a", "+", "b", "=")) is None


def test_what_is_not_true_is_told_as_not_true() -> None:
    wrong = Seen(("7", "+", "5", "="), seen("mathformer-add").heads, lambda off: "9")
    assert [sight.check(wrong) for sight in SIGHTS["mathformer-add"]] == [False, True, False, True]


def test_without_the_first_token_nobody_can_tell_what_rests_on_it() -> None:
    run = seen("glassllm-en", has_first=False)
    assert np.isnan(first_share(run.heads))
    assert SIGHTS["smollm2"][-1].check(run) is None


def test_heads_are_told_by_what_they_do() -> None:
    """Of the models that are too large for the tests."""
    does = held(previous=0.96, next=0.6, induction=0.4, first=0.55, entropy=0.5)
    does_not = held(previous=0.3, next=0.1, induction=0.1, first=0.2, entropy=0.5)
    for name in ("minilm", "smollm2"):
        assert {sight.check(does) for sight in SIGHTS[name]} == {True}
        assert {sight.check(does_not) for sight in SIGHTS[name]} == {False}
