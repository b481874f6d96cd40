"""Which of several processes on one machine this one is: `tools/serve.py` tells each of them.

EXPLORER_REPLICA=2/4 is the second of four. A process that was told nothing is the only one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from mha_core.checks.errors import OptionError

VARIABLE: Final = "EXPLORER_REPLICA"


class Replica(NamedTuple):
    """The number of this process, counted from 1, and how many there are."""

    number: int
    of: int


def replica(environment: Mapping[str, str]) -> Replica | None:
    """None where this process is the only one.

    >>> replica({"EXPLORER_REPLICA": "2/4"})
    Replica(number=2, of=4)
    """
    said = environment.get(VARIABLE)
    if not said:
        return None
    found = re.fullmatch(r"([1-9]\d{0,4})/([1-9]\d{0,4})", said)
    if not found or int(found[1]) > int(found[2]):
        need = "must be a number and how many there are, as 2/4"
        raise OptionError(VARIABLE, need, repr(said[:40]), "Leave it out: make serve says it.")
    return Replica(int(found[1]), int(found[2]))
