"""The matrices of an attention layer out of the names that a family's files have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from mha_core.models.family import Tensors
from mha_core.models.plan import Linear
from mha_core.models.stored import LayerNames


def of_linears(q: Linear, k: Linear, v: Linear, o: Linear) -> LayerNames:
    """Four linear layers, with the biases that they have."""
    return LayerNames(q.weight, k.weight, v.weight, o.weight, q.bias, k.bias, v.bias, o.bias)


def separate(names: Tensors, place: str, four: Sequence[str], **of_q_and_k: Any) -> LayerNames:
    """Four torch.nn.Linear of these names in one place."""
    q, k, v, o = (f"{place}.{name}" for name in four)
    return of_linears(
        names.linear(q, **of_q_and_k.get("q", {})),
        names.linear(k, **of_q_and_k.get("k", {})),
        names.linear(v),
        names.linear(o),
    )


def fused(
    names: Tensors,
    qkv: str,
    o: str,
    widths: tuple[int, int, int],
    *,
    groups: int = 1,
    are_apart: bool = False,
    is_transposed: bool = True,
) -> LayerNames:
    """Q, K and V side by side in one matrix, or in each of `groups` of it, with these widths.

    GGUF has those of all groups together: `are_apart`.
    """
    if are_apart:
        q_width, k_width, v_width = (width * groups for width in widths)
        groups, widths = 1, (q_width, k_width, v_width)
    ends = tuple(accumulate(widths))
    q, k, v = (
        names.linear(qkv, is_transposed=is_transposed, groups=groups, begin=end - width, end=end)
        for width, end in zip(widths, ends, strict=True)
    )
    return of_linears(q, k, v, names.linear(o, is_transposed=is_transposed))
