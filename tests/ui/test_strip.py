"""The strip names every stage of the data with its true shape."""

from __future__ import annotations

import re
from base64 import b64decode
from colorsys import rgb_to_hls
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from mha_core import Trace, attend
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.layer.made_of import Input
from mha_core.layer.steps import step
from ui.figures.strip import STAGES, Stage, strip, thumbnail
from ui.theme import PALETTES


def test_every_stage_has_its_symbol_and_shape() -> None:
    html = strip(attend(load_example("pizza")))
    stops = re.findall(r"<strong>(.*?)</strong><small>(.*?)</small>", html)
    assert stops == [
        ("Input", "4×8"),
        ("Q<sub>i</sub> K<sub>i</sub> V<sub>i</sub>", "3·2×4×4"),
        ("Scaled scores", "2×4×4"),
        ("Mask", "4×4"),
        ("Weights", "2×4×4"),
        ("Head outputs", "2×4×4"),
        ("Concatenation", "4×8"),
        ("Output", "4×8"),
    ]
    assert [f'href="#{stage.anchor}"' in html for stage in STAGES] == [True] * len(STAGES)


def test_head_outputs_lead_to_their_matrices_in_the_picture_of_one_head() -> None:
    html = strip(attend(load_example("pizza")), places={"one-head": "one-head-place"})
    place = 'href="#one-head" data-place="one-head-place" data-step="head_outputs"'
    (link,) = re.findall(rf"<a {place}[^>]*>.*?</a>", html)
    assert "<strong>Head outputs</strong>" in link
    assert html.count("data-step") == 1


def test_shapes_that_differ_are_not_summed_up() -> None:
    html = strip(attend(load_example("translation")))
    assert "</strong><small>2×3×4, 2×4×4, 2×4×4</small>" in html


class WithDoubled(Trace):
    """A trace with one more step, as a newcomer adds it."""

    @step("D", "n_q d_out", r"2 \, \mathrm{output}", Input())
    def doubled(self) -> FloatArray:
        """Doubled <output>: twice the output."""
        return 2 * self.output


def test_a_step_that_is_added_stands_in_the_strip_without_another_entry() -> None:
    trace = WithDoubled(load_example("pizza"))
    html = strip(trace, [*STAGES, Stage(("doubled",), "together")])
    assert html.endswith(
        "<strong>Doubled &lt;output&gt;</strong><small>4×8</small></a></li></ol></nav>"
    )
    assert 'title="Doubled &lt;output&gt;: twice the output."' in html


def test_shares_have_a_colour_of_their_own() -> None:
    signed, share = (decoded(thumbnail(np.eye(2), "x", is_share=which)) for which in (False, True))
    assert signed[0, 0].tolist() != share[0, 0].tolist()


@pytest.mark.parametrize("palette", PALETTES)
def test_a_picture_has_the_hues_of_the_palette(palette: str) -> None:
    trace = attend(load_example("pizza"))
    said = re.findall(r'data-colors="(\S+) (\S+)"', strip(trace, palette=palette))
    (minus, plus), share = said[0], said[4][0]  # of X, and of the weights
    scales = PALETTES[palette]
    (_, low), *_, (_, high) = scales["diverging"]["light"]
    *_, (_, most) = scales["sequential"]["light"]
    for color, of_scale in ((minus, low), (plus, high), (share, most)):
        assert hue(color) == pytest.approx(hue(of_scale), abs=0.06)


def hue(color: str) -> float:
    """From 0 to 1; -1 of a grey."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    found, _, _ = rgb_to_hls(red, green, blue)
    return -1 if red == green == blue else found


def test_each_picture_says_what_it_shows_so_that_a_browser_can_paint_it_live() -> None:
    html = strip(attend(load_example("pizza")), group="b")
    assert 'class="strip" data-group="b"' in html
    shown = " ".join(re.findall(r'data-matrix="([^"]*)"', html))
    assert shown == "x q_heads/0 scaled_scores/0 mask weights/0 head_outputs/0 concat output"
    assert len(re.findall(r'data-colors="#[0-9a-f]{6} #[0-9a-f]{6}"', html)) == len(STAGES)


def test_a_picture_has_at_most_twelve_cells_a_side() -> None:
    pixels = decoded(thumbnail(np.ones((40, 3)), "x"))
    assert pixels.shape == (12, 3, 4)


def test_a_picture_shows_sign_by_colour_and_size_by_opacity() -> None:
    pixels = decoded(thumbnail(np.array([[1.0, -2.0], [0.0, 2.0]]), "x"))
    assert pixels[..., 3].tolist() == [[128, 255], [0, 255]]
    assert pixels[0, 0, :3].tolist() == pixels[1, 1, :3].tolist() != pixels[0, 1, :3].tolist()


def decoded(image: str) -> np.ndarray:
    """The pixels of an <img>, read by a library that knows PNG."""
    (data,) = re.findall(r"base64,([^\"]+)", image)
    return np.asarray(Image.open(BytesIO(b64decode(data))))


def test_what_is_no_number_is_clear() -> None:
    picture = thumbnail(np.array([[np.nan, np.inf, -2.0]]), "weights")
    assert decoded(picture)[0, :, 3].tolist() == [0, 0, 255]
