"""A number that is typed into its cell in a picture, or a block that is pasted from there on."""

from __future__ import annotations

from mha_core.language import say
from mha_core.scenario.scenario import Scenario
from ui.edits.editable_array import EDITABLE, Editable
from ui.edits.typed_cells import EntryInCell, with_cells


class CellEntry(EntryInCell):
    """A text for the cell of an array of EDITABLE."""

    def is_there(self, s: Scenario) -> bool:
        """Whether the scenario has the cell: another control may have taken it away."""
        if self.array not in EDITABLE or not Editable(self.array).is_there(s):
            return False
        rows, columns = Editable(self.array).numbers(s).shape
        return self.row in range(rows) and self.column in range(columns)

    def has_array(self, s: Scenario) -> bool:
        """Whether the scenario has the array, which may have lost the cell."""
        return CellEntry(self.array, 0, 0, "").is_there(s)

    def present(self, s: Scenario) -> float:
        """The number that the cell holds."""
        return float(Editable(self.array).numbers(s)[self.row, self.column])

    def fits(self, s: Scenario) -> bool:
        """Whether the array has a cell for each number of the block."""
        return self.block.fits(*Editable(self.array).numbers(s).shape)

    def put(self, s: Scenario) -> Scenario:
        """The scenario with what was typed or pasted."""
        if not self.is_there(s):
            symbol = EDITABLE[self.array].symbol if self.array in EDITABLE else say("The matrix")
            raise self.gone(symbol)
        return with_cells(s, Editable(self.array), self.block.cells)
