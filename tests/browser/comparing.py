"""Tell a changed picture from one that was only drawn a little differently."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # height x width x 3: red, green, blue
Marks = NDArray[np.bool_]  # height x width

# Measured on the page of test_comparing.py, in the busiest patch: letters drawn half a pixel aside
# leave no mark; a faint line that goes missing leaves 16, the smallest label 53. One digit for
# another may pass: what the numbers are, other tests prove.
LEVELS: Final = 12  # of 255: a colour this far off still counts as the same
PATCH: Final = 16  # pixels: as wide as two letters
FORGIVEN: Final = 8  # marks in a patch
SOFTENINGS: Final = 2
NINTHS: Final = 9**SOFTENINGS


class Busiest(NamedTuple):
    """The patch with the most marks."""

    marks: int
    left: int
    top: int


def differences(old: Picture, new: Picture) -> Marks:
    """The pixels, of either picture, whose like is not within one pixel in the other picture.

    Both pictures are softened first. That levels out antialiasing; the one pixel forgives a text
    that has moved by that much; and on a plain ground, where neither excuse holds, a colour is
    compared to within LEVELS. Looking both ways finds what has gone as well as what has come.
    """
    soft_old, soft_new = softened(old), softened(new)
    return without_like(soft_old, soft_new) | without_like(soft_new, soft_old)


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


def softened(picture: Picture) -> NDArray[np.int16]:
    """The mean of each pixel and its neighbours, and of these means again, times 81: whole."""
    soft = picture.astype(np.int16)
    for _ in range(SOFTENINGS):
        for axis in (0, 1):
            soft = np.add.reduce(shifted(soft, axis))
    return soft


def without_like(here: NDArray[np.int16], there: NDArray[np.int16]) -> Marks:
    """The pixels here that are darker or lighter than all around the same place there."""
    darkest, lightest = there, there
    for axis in (0, 1):
        darkest = np.minimum.reduce(shifted(darkest, axis))
        lightest = np.maximum.reduce(shifted(lightest, axis))
    enough = NINTHS * LEVELS
    too_far = (here < darkest - enough) | (here > lightest + enough)
    return np.asarray(too_far.any(axis=2))


def shifted(array: NDArray[np.int16], axis: int) -> list[NDArray[np.int16]]:
    """Each pixel's neighbour before, itself, its neighbour behind; at the edge, the edge again.

    >>> [row.tolist() for row in shifted(np.array([5, 7, 2], np.int16), axis=0)]
    [[5, 5, 7], [5, 7, 2], [7, 2, 2]]
    """
    last = array.shape[axis] - 1
    places = np.arange(last + 1)
    return [array.take((places + by).clip(0, last), axis) for by in (-1, 0, 1)]


def marked(picture: Picture, marks: Marks) -> Picture:
    """The picture, pale and grey, with the marks in red and the busiest patch framed."""
    grey = picture.mean(axis=2, dtype=np.float32)[..., None]
    seen = np.repeat((160 + grey * 95 / 255).astype(np.uint8), 3, axis=2)
    seen[marks] = (220, 0, 0)
    _, left, top = busiest(marks)
    frame = np.zeros_like(marks)
    frame[max(top - 4, 0) : top + PATCH + 4, max(left - 4, 0) : left + PATCH + 4] = True
    frame[max(top - 2, 0) : top + PATCH + 2, max(left - 2, 0) : left + PATCH + 2] = False
    seen[frame] = (0, 90, 220)
    return seen
