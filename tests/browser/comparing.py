"""Tell a changed picture from one that was only drawn a little differently.

Libraries such as pixelmatch compare each pixel with the one at the same place. To them a text that
stands one pixel aside is a change; here it is none. So the rule is our own, and Pillow does the
work.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter  # they come with Streamlit

Picture = NDArray[np.uint8]  # height x width x 3: red, green, blue
Marks = NDArray[np.bool_]  # height x width

# Measured on the page of test_comparing.py, in the busiest patch: letters drawn half a pixel aside
# leave no mark; a faint line that goes missing leaves 16, the smallest label 53. One digit for
# another may pass: other tests prove the numbers.
LEVELS: Final = 12  # of 255: a colour this far off still counts as the same
PATCH: Final = 16  # pixels: as wide as two letters
FORGIVEN: Final = 8  # marks in a patch
SOFTENINGS: Final = 2
REACH: Final = 2 * (SOFTENINGS + 1)  # pixels: as far as one reaches, and as an edge reaches back


class Busiest(NamedTuple):
    """The patch with the most marks."""

    marks: int
    left: int
    top: int


def differences(old: Picture, new: Picture) -> Marks:
    """The pixels of either picture that have no match within one pixel in the other picture.

    Both pictures are softened first. That levels out antialiasing; the one pixel forgives a text
    that has moved by that much; and on a plain ground, where neither excuse holds, a colour is
    compared to within LEVELS. Looking both ways finds what has gone as well as what has come.
    """
    marks = np.zeros(old.shape[:2], bool)
    part = where_unlike(old, new)
    soft_old, soft_new = softened(old[part]), softened(new[part])
    marks[part] = without_like(soft_old, soft_new) | without_like(soft_new, soft_old)
    return marks


def where_unlike(old: Picture, new: Picture) -> tuple[slice, slice]:
    """A part outside of which no pixel can be marked: a whole picture takes a third of a second.

    To soften rounds by one level at most, and never sets two pictures further apart beside that.
    """
    apart = np.asarray(np.maximum(old, new) - np.minimum(old, new) > LEVELS - SOFTENINGS)
    if not apart.any():
        return slice(1), slice(1)
    return around(apart, 0), around(apart, 1)


def around(apart: NDArray[np.bool_], axis: int) -> slice:
    """From the first to the last that are apart, with all that they reach."""
    _, places, _ = np.nonzero(np.moveaxis(apart, axis, 1))
    return slice(max(places.min() - REACH, 0), places.max() + REACH + 1)


def are_alike(marks: Marks) -> bool:
    """Whether no patch has more marks than is forgiven: noise is scattered, changes are not."""
    return busiest(marks).marks <= FORGIVEN


def busiest(marks: Marks) -> Busiest:
    """The patch with the most marks, the first of them by rows.

    >>> marks = np.zeros((40, 60), bool)
    >>> marks[20:23, 30:34] = True
    >>> busiest(marks)
    Busiest(marks=12, left=18, top=7)
    """
    before = np.pad(marks.cumsum(0).cumsum(1), ((1, 0), (1, 0)))  # marks above and to the left
    height, width = (min(PATCH, size) for size in marks.shape)
    taller = before[height:] - before[:-height]
    counts = taller[:, width:] - taller[:, :-width]
    top, left = np.unravel_index(counts.argmax(), counts.shape)
    return Busiest(int(counts.max()), int(left), int(top))


def softened(picture: Picture) -> Image.Image:
    """The mean of each pixel and its neighbours, and of these means again."""
    soft = Image.fromarray(picture)
    for _ in range(SOFTENINGS):
        soft = soft.filter(ImageFilter.BoxBlur(1))
    return soft


def without_like(here: Image.Image, there: Image.Image) -> Marks:
    """The pixels here that are darker or lighter than all around the same place there."""
    darker = ImageChops.subtract(there.filter(ImageFilter.MinFilter(3)), here)
    lighter = ImageChops.subtract(here, there.filter(ImageFilter.MaxFilter(3)))
    too_far = np.asarray(ImageChops.lighter(darker, lighter)) > LEVELS
    return np.asarray(too_far.any(axis=2))


def marked(picture: Picture, marks: Marks) -> Picture:
    """The picture, pale and grey, with the marks in red and the busiest patch framed."""
    grey = picture.mean(axis=2, dtype=np.float32)[..., None]
    seen = np.repeat((160 + grey * 95 / 255).astype(np.uint8), 3, axis=2)
    seen[marks] = (220, 0, 0)
    _, left, top = busiest(marks)
    frame = np.zeros_like(marks)
    frame[max(top - 4, 0) : top + PATCH + 4, max(left - 4, 0) : left + PATCH + 4] = True
    frame[max(top - REACH, 0) : top + PATCH + 2, max(left - 2, 0) : left + PATCH + 2] = False
    seen[frame] = (0, 90, 220)
    return seen
