"""Strokes of the pen that draws the mask in the pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from mha_core.changing.changes import with_mask_cells_toggled
from mha_core.scenario.scenario import Scenario

STROKE: Final = "mask.stroke"  # the matrix of such an entry
_CELLS: Final = re.compile(r"[0-9]{1,5}\.[0-9]{1,5}( [0-9]{1,5}\.[0-9]{1,5})*")


@dataclass(frozen=True)
class MaskStroke:
    """The cells that a stroke went over, counted from 0. The first says whether they are hidden."""

    cells: tuple[tuple[int, int], ...]

    @classmethod
    def of_text(cls, text: str) -> MaskStroke | None:
        """The stroke that a browser sends; None if it is none.

        >>> MaskStroke.of_text("0.1 0.2")
        MaskStroke(cells=((0, 1), (0, 2)))
        """
        if not _CELLS.fullmatch(text):
            return None
        places = (place.split(".") for place in text.split(" "))
        return cls(tuple((int(row), int(column)) for row, column in places))

    @property
    def text(self) -> str:
        return " ".join(f"{row}.{column}" for row, column in self.cells)

    def put(self, s: Scenario) -> Scenario:
        return with_mask_cells_toggled(s, self.cells)
