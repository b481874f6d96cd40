"""What one machine gives to all its visitors together, and to each. Only this file says it.

Each limit is a field, and may be set by an environment variable with its name in capitals:
EXPLORER_HISTORY_MB=1024 gives 1 GiB to all histories together. A value that is no such number is
refused when the server starts. Where several processes serve on one machine, they share what it
gives.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from mha_core.checks.errors import OptionError
from mha_core.checks.limits import LIMITS
from ui.machine.replica import replica

PREFIX: Final = "EXPLORER_"
MEGABYTE: Final = 2**20
LARGEST_UPLOAD_MB: Final = LIMITS.file_bytes / MEGABYTE + 1  # 1 for what a browser sends beside it


def cores() -> int:
    """How many this process may use, which may be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # a Mac tells nothing else


CORES: Final = cores()


@dataclass(frozen=True)
class MachineLimits:
    """The limits of one machine, or the share of one of several processes on it.

    >>> MachineLimits.from_environment({"EXPLORER_HISTORY_MB": "64"}).history_mb
    64.0
    """

    history_mb: float = 512  # of all moments that undo and redo lead to, of all visitors together
    session_history_mb: float = 128  # of those of one visitor
    arrays_mb: float = 1024  # of what is computed and shown now, for all visitors together
    uploads_mb: float = 512  # of files that no page has read yet, of all visitors together
    session_uploads_mb: float = 96  # of those of one visitor
    heavy_at_once: float = max(1, CORES // 2)  # large layers that are computed at the same time
    seconds_a_minute: float = 20  # of computing, for one visitor, before the others go first

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> MachineLimits:
        """The limits of this process."""
        asked = {field.name: PREFIX + field.name.upper() for field in fields(cls)}
        given = {
            name: _number(variable, environment[variable])
            for name, variable in asked.items()
            if environment.get(variable)
        }
        this = replica(environment)
        return cls(**given).shared_by(this.of if this else 1)

    def shared_by(self, processes: int) -> MachineLimits:
        """The share of each of so many processes.

        Each needs at least one large layer at a time, and room for one large file.

        >>> share = MachineLimits(history_mb=200, uploads_mb=400, heavy_at_once=8).shared_by(4)
        >>> share.history_mb, share.session_history_mb, share.uploads_mb, share.heavy_at_once
        (50.0, 50.0, 100.0, 2)
        >>> MachineLimits().shared_by(64).session_uploads_mb
        49.0
        """
        history = self.history_mb / processes
        uploads = max(self.uploads_mb / processes, min(self.uploads_mb, LARGEST_UPLOAD_MB))
        return replace(
            self,
            history_mb=history,
            session_history_mb=min(self.session_history_mb, history),
            arrays_mb=self.arrays_mb / processes,
            uploads_mb=uploads,
            session_uploads_mb=min(self.session_uploads_mb, uploads),
            heavy_at_once=max(1, self.heavy_at_once // processes),
        )


def _number(variable: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 1 <= number < 1e9:
        need = "must be a number of at least 1"
        raise OptionError(variable, need, repr(text[:40]), "Leave it out for the default.")
    return number


def limits_or_end() -> MachineLimits:
    """The limits from the environment. If one is wrong, the server does not start, and says why."""
    try:
        return MachineLimits.from_environment()
    except OptionError as error:
        sys.exit(f"The server cannot start: {error}")


MACHINE: Final = limits_or_end()
