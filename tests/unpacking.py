"""Read what was packed for a plot, as the browser does."""

from __future__ import annotations

import json
from typing import Any

import numpy as np


def unpacked(data: bytes) -> Any:
    """What `ui.plot.wire.pack` packed; arrays where arrays were."""
    length = int.from_bytes(data[:4], "little")
    numbers = data[-(-(4 + length) // 8) * 8 :]

    def with_array(part: dict[str, Any]) -> Any:
        if "wire" not in part:
            return part
        count = int(np.prod(part["shape"]))
        return np.frombuffer(numbers, part["wire"], count, part["at"]).reshape(part["shape"])

    return json.loads(data[4 : 4 + length], object_hook=with_array)
