"""Queries and keys are of one text, though they may be made of different rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mha_core.scenario.one_text import reads_one_text
from mha_core.scenario.origin import LATENT_OF_KEYS, LATENTS, Origin
from tests.core.by_hand import plain, with_latents


def test_without_a_second_sequence_there_is_one_text() -> None:
    assert reads_one_text(plain())


@pytest.mark.parametrize("name", [LATENTS, LATENT_OF_KEYS])
def test_latents_are_of_one_text_as_long_as_their_tokens_are_the_same(name: str) -> None:
    s = with_latents(plain(), name)
    assert reads_one_text(s)
    assert not reads_one_text(replace(s, tokens=("a", "b", "c", "d")))


def test_a_second_sequence_with_the_same_tokens_may_be_another_text() -> None:
    assert not reads_one_text(replace(with_latents(plain()), origin=Origin()))
