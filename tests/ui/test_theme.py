"""The palettes keep what they promise to readers who see no hue."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.colors import color_at, ink_on, luminance
from ui import theme

THEMES = ("light", "dark")
IN_LIGHTNESS = "print"  # the palette that tells signs apart without hue
DIVERGING = [
    theme.DIFFERENCE,
    *(each["diverging"] for name, each in theme.PALETTES.items() if name != IN_LIGHTNESS),
]
PALETTES = pytest.mark.parametrize("palette", theme.PALETTES)


@PALETTES
@pytest.mark.parametrize("mode", THEMES)
def test_a_larger_weight_is_always_further_from_the_page(palette: str, mode: str) -> None:
    scale = theme.PALETTES[palette]["sequential"][mode]
    bright = [luminance(color_at(scale, i / 20)) for i in range(21)]
    steps = [after - before for before, after in pairwise(bright)]
    assert all(step < 0 for step in steps) or all(step > 0 for step in steps)


@pytest.mark.parametrize("mode", THEMES)
def test_signs_survive_a_print_without_colours(mode: str) -> None:
    """Of any two scores that differ by a twentieth of the range, one is clearly darker."""
    scale = theme.PALETTES[IN_LIGHTNESS]["diverging"][mode]
    bright = [luminance(color_at(scale, i / 20)) for i in range(21)]
    ratios = [(after + 0.05) / (before + 0.05) for before, after in pairwise(bright)]
    assert all(ratio < 0.97 for ratio in ratios) or all(ratio > 1.03 for ratio in ratios)


@pytest.mark.parametrize("colors", DIVERGING)
@pytest.mark.parametrize("mode", THEMES)
def test_scores_of_one_size_look_equally_strong_on_both_sides_of_zero(
    colors: theme.Themed, mode: str
) -> None:
    scale = colors[mode]
    for share in (0.1, 0.25, 0.5):
        below, above = (luminance(color_at(scale, x)) for x in (0.5 - share, 0.5 + share))
        assert below == pytest.approx(above, abs=0.1)


@PALETTES
@pytest.mark.parametrize("mode", THEMES)
@pytest.mark.parametrize("name", ["diverging", "sequential"])
def test_every_value_can_be_read_on_its_cell(palette: str, name: theme.Scale, mode: str) -> None:
    assert_can_be_read_on(theme.PALETTES[palette][name][mode])


@pytest.mark.parametrize("mode", THEMES)
def test_every_difference_can_be_read_on_its_cell(mode: str) -> None:
    assert_can_be_read_on(theme.DIFFERENCE[mode])


def assert_can_be_read_on(scale: theme.ColorScale) -> None:
    for i in range(101):
        cell = color_at(scale, i / 100)
        assert contrast(cell, ink_on(cell)) >= 4.5


def test_eight_heads_have_eight_colours_that_stand_out_from_white() -> None:
    assert len({theme.head_color(head) for head in range(8)}) == 8
    assert all(contrast(color, "#ffffff") > 2 for color in theme.HEAD_COLORS)


def test_the_ninth_head_begins_the_colours_again() -> None:
    assert theme.head_color(8) == theme.head_color(0)


def contrast(one: str, other: str) -> float:
    darker, brighter = sorted((luminance(one), luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)
