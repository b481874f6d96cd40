"""A number that is typed into W_U, which belongs to no layer, or a block that is pasted there."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mha_core.checks.errors import ShapeError
from mha_core.checks.number_text import parse_number
from mha_core.language import say
from mha_core.stack.stack import W_U, Stack
from ui.edits.typed_cells import EntryInCell

CELL: Final = say("W_U, row {row}, column {column}")


class WUEntry(EntryInCell):
    """A text for a cell of W_U."""

    def is_there(self, stack: Stack) -> bool:
        """Whether the stack has the cell."""
        w_u = stack.w_u
        if w_u is None:
            return False
        return self.row in range(w_u.shape[0]) and self.column in range(w_u.shape[1])

    def has_array(self, stack: Stack) -> bool:
        return stack.w_u is not None

    def present(self, stack: Stack) -> float:
        """The number that the cell holds."""
        assert stack.w_u is not None
        return float(stack.w_u[self.row, self.column])

    def put(self, stack: Stack) -> Stack:
        """The stack with what was typed or pasted."""
        if not self.is_there(stack):
            raise self.gone(W_U)
        assert stack.w_u is not None
        numbers = stack.w_u.copy()
        if not self.block.fits(*numbers.shape):
            raise ShapeError(
                W_U,
                say("must have a cell for each number that is pasted"),
                say("more rows or columns"),
                say("Paste a smaller block, or one farther up and left."),
            )
        for (row, column), text in self.block.cells.items():
            where = CELL.format(row=row + 1, column=column + 1)
            numbers[row, column] = parse_number(text, where)
        return replace(stack, w_u=numbers)
