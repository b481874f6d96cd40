"""Which part of an array belongs to one head.

It follows from the array's `Dims`: an axis such as `n_heads*d_k` holds the heads side by side, and
`n_heads` alone one number of each.
"""

from __future__ import annotations

from mha_core.checks.shapes import Dims, Sizes


def heads_in(dims: Dims) -> str:
    """Which heads an array has: "n_heads", "n_kv_heads", or "" for none.

    >>> heads_in(Dims("d_model n_kv_heads*d_k")), heads_in(Dims("n_q d_model"))
    ('n_kv_heads', '')
    """
    first_names = (axis.partition("*")[0] for axis in dims.axes)
    return next((name for name in first_names if name in ("n_heads", "n_kv_heads")), "")


def dims_of_one_head(dims: Dims) -> Dims:
    """The shape of one head's part of an array whose heads stand side by side.

    >>> str(dims_of_one_head(Dims("d_model n_heads*d_k")))
    '(d_model, d_k)'
    """
    return Dims(" ".join(_width_in(axis) or axis for axis in dims.axes))


def place_of_head(dims: Dims, sizes: Sizes, head: int) -> tuple[slice, ...]:
    """Where one head's part stands in an array whose heads stand side by side.

    `head` counts the heads that the array has, from 0.

    >>> place_of_head(Dims("n_heads*d_v d_out"), {"d_v": 3}, head=1)
    (slice(3, 6, None), slice(None, None, None))
    """
    place = []
    for axis in dims.axes:
        width = _width_in(axis)
        (size,) = Dims(width).shape(sizes) if width else (0,)
        place.append(slice(head * size, (head + 1) * size) if width else slice(None))
    return tuple(place)


def _width_in(axis: str) -> str:
    """How much of an axis belongs to one head; "" where it has no heads."""
    heads, _, width = axis.partition("*")
    return (width or "1") if heads in ("n_heads", "n_kv_heads") else ""


def head_used_by(dims: Dims, sizes: Sizes, query_head: int) -> int:
    """Which of an array's heads a query head uses. Under grouped queries several share one.

    >>> keys = Dims("n_kv_heads n_k d_k")
    >>> [head_used_by(keys, {"n_heads": 4, "n_kv_heads": 2}, head) for head in range(4)]
    [0, 0, 1, 1]
    """
    return query_head * sizes[heads_in(dims)] // sizes["n_heads"]
