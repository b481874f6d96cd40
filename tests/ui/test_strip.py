"""The strip names every stage of the data with its true shape."""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO

import numpy as np
from PIL import Image

from mha_core import attend
from mha_core.examples import load_example
from ui.figures.strip import STAGES, picture, strip


def test_every_stage_has_its_symbol_and_shape() -> None:
    html = strip(attend(load_example("pizza")))
    stops = re.findall(r"<strong>(.*?)</strong><small>(.*?)</small>", html)
    assert stops == [
        ("X", "4×8"),
        ("Q K V", "3·2×4×4"),
        ("scores", "2×4×4"),
        ("mask", "4×4"),
        ("weights", "2×4×4"),
        ("heads", "2×4×4"),
        ("concat", "4×8"),
        ("output", "4×8"),
    ]
    assert [f'href="#{stage.anchor}"' in html for stage in STAGES] == [True] * len(STAGES)


def test_shapes_that_differ_are_not_summed_up() -> None:
    html = strip(attend(load_example("translation")))
    assert "<strong>Q K V</strong><small>2×3×4, 2×4×4, 2×4×4</small>" in html


def test_a_picture_has_at_most_twelve_cells_a_side() -> None:
    pixels = decoded(picture(np.ones((40, 3)), "x"))
    assert pixels.shape == (12, 3, 4)


def test_a_picture_shows_sign_by_colour_and_size_by_opacity() -> None:
    pixels = decoded(picture(np.array([[1.0, -2.0], [0.0, 2.0]]), "x"))
    assert pixels[..., 3].tolist() == [[128, 255], [0, 255]]
    assert pixels[0, 0, :3].tolist() == pixels[1, 1, :3].tolist() != pixels[0, 1, :3].tolist()


def decoded(image: str) -> np.ndarray:
    """The pixels of an <img>, read by a library that knows PNG."""
    (data,) = re.findall(r"base64,([^\"]+)", image)
    return np.asarray(Image.open(BytesIO(b64decode(data))))
