"""Targets with a fault each: the fuzzer must find them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from mha_core.checks.errors import FormatError
from tests.fuzz.limits import MOST_SECONDS, Target

HARMLESS: Final = b"harmless"


def target(act: Callable[[], object]) -> Target:
    def read(data: bytes) -> None:
        if data != HARMLESS:
            act()

    def seeds() -> Iterator[bytes]:
        yield HARMLESS

    return Target(read, seeds, memory=64)


def refuse() -> None:
    raise FormatError("The text", "must be harmless", "another", "Write harmless.")


def spin() -> None:
    end = time.process_time() + 1.2 * MOST_SECONDS
    while time.process_time() < end:
        pass


TARGETS: Final = {
    "sound": target(refuse),
    "another error": target(lambda: {}["x"]),  # type: ignore[misc]
    "slow": target(spin),
    "large": target(lambda: bytearray(65 * 2**20)),
}
