"""gpt-oss with experts as its files have them, in 4 bits; and the same model with plain numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tests.core.models.held import Held, made_model
from tests.core.models.recorded_models import Recorded

# What each 4 bits mean, by hand.
MEANS: Final = (0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6)
EXPERTS: Final = ("gate_up_proj", "down_proj")


def wide(width: int) -> tuple[Held, dict[str, tuple[int, ...]]]:
    """The recorded model so wide, without its experts, and their shapes."""
    recorded = Recorded("gpt-oss")
    config = {**recorded.config, "hidden_size": width, "intermediate_size": width}
    wider = {12: width, 20: width, 40: 2 * width}
    shapes = {
        name: tuple(wider.get(side, side) for side in shape)
        for name, shape in recorded.shapes.items()
    }
    of_experts = {name: shape for name, shape in shapes.items() if name.endswith(EXPERTS)}
    others = {name: shape for name, shape in shapes.items() if name not in of_experts}
    return made_model(others, config), of_experts


def drawn(name: str, shape: tuple[int, int, int]) -> tuple[Any, Any]:
    """4 bits for each number of a matrix of all experts, a row an output; the scales of blocks."""
    rng = np.random.default_rng(len(name))
    experts, rows, columns = shape
    nibbles = rng.integers(0, 16, (experts, rows, columns // 32, 32))
    return nibbles, rng.integers(122, 126, nibbles.shape[:3])


def plain_numbers(nibbles: Any, scales: Any) -> Any:
    numbers = np.array(MEANS, np.float32)[nibbles] * 2.0 ** (scales[..., None] - 127)
    return numbers.reshape(*nibbles.shape[:2], -1).astype(np.float32)


def both_ways(width: int = 32) -> tuple[Held, Held]:
    """Packed and plain. A row has whole blocks of 32."""
    others, of_experts = wide(width)
    plain, packed = dict(others.tensors), dict(others.tensors)
    for name, (experts, columns, rows) in of_experts.items():
        nibbles, scales = drawn(name, (experts, rows, columns))
        plain[name] = plain_numbers(nibbles, scales).swapaxes(1, 2)
        packed[f"{name}_blocks"] = nibbles[..., ::2] | nibbles[..., 1::2] << 4
        packed[f"{name}_scales"] = scales
    return Held(packed, others.config), Held(plain, others.config)
