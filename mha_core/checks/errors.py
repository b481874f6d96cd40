"""The errors that the package raises when an input is wrong.

    MhaError                 (a ValueError)
    ├── ShapeError           wrong rank, wrong shape, sizes that do not fit together
    │   └── HeadsError       a head count that does not divide what it must
    ├── NumberError          NaN, infinity, a number outside its range, an overflow
    ├── LimitError           larger than the stated limits
    ├── OptionError          a name or an option that does not exist
    ├── ParseError           text that is not a matrix (knows its line and column)
    ├── FileError            a file that is not what its name says
    └── FormatError          a saved scenario or a link that cannot be read

Every message has the same four parts: the thing, what it must be, what was given, and a way to
correct it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mha_core.language import say

LONGEST_GOT: Final = 400  # characters: of a longer list or number, its beginning says enough


class MhaError(ValueError):
    """A wrong input. Its message has four parts.

    >>> raise ShapeError("W_Q", "must have shape (8, 8)", "(8, 6)", "Paste 8 rows of 8.")
    Traceback (most recent call last):
    ...
    mha_core.checks.errors.ShapeError: W_Q must have shape (8, 8), got (8, 6). Paste 8 rows of 8.
    """

    def __init__(self, thing: str, need: str, got: str, way_out: str) -> None:
        self.thing = thing
        self.need = need
        self.got = got if len(got) <= LONGEST_GOT else f"{got[:LONGEST_GOT]}…"
        self.way_out = way_out
        says = say("{thing} {need}, got {got}. {way_out}")
        super().__init__(says.format(thing=thing, need=need, got=self.got, way_out=way_out))

    def __reduce__(self) -> tuple[Callable[..., MhaError], tuple[Any, ...], dict[str, Any]]:
        """As it is: another process, which may have computed it, hands it on whole."""
        return _made_again, (type(self), self.args), vars(self)


def _made_again(kind: type[MhaError], args: tuple[Any, ...]) -> MhaError:
    return kind.__new__(kind, *args)


class ShapeError(MhaError):
    """Wrong rank, wrong shape, or sizes that do not fit together."""


class HeadsError(ShapeError):
    """A head count that does not divide what it must divide."""


class NumberError(MhaError):
    """NaN, infinity, a number outside its range, or a result that overflowed."""


class LimitError(MhaError):
    """Larger than the limits stated in `mha_core.checks.limits.LIMITS`."""


class OptionError(MhaError):
    """A name or an option that does not exist."""


class ParseError(MhaError):
    """Text that is not a matrix. `line` and `column` say where, counted from 1."""

    def __init__(
        self, thing: str, need: str, got: str, way_out: str, *, line: int, column: int
    ) -> None:
        self.line = line
        self.column = column
        says = say("Line {line}, column {column}: {thing}")
        super().__init__(says.format(line=line, column=column, thing=thing), need, got, way_out)


class FileError(MhaError):
    """A file that is not what its name says, or that is harmful."""


class FormatError(MhaError):
    """A saved scenario or a link that cannot be read."""
