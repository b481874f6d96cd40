"""A program in passages: a script has each below a comment, a notebook has each in a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.io.matrix.matrix_text import format_matrix
from mha_core.layer.trace import Trace
from mha_core.mask_rules.places import ALL_ROWS
from mha_core.scenario.scenario import Scenario

Array = FloatArray | BoolArray
CLOSE: Final = {"float64": "1e-9", "float32": "1e-4"}  # of the largest number


class Passage(NamedTuple):
    """Some lines of Python and what they do, in words."""

    title: str
    code: str


def given(s: Scenario, also: Mapping[str, Array], *, is_first: bool = True) -> Passage:
    """Every array that the layer is given, and its sizes.

    One that is not the first has the tokens of the first, and the X that the layers below make.
    """
    named = {**s.given(), **also}
    if not is_first:
        del named["x"]
    arrays = [f"{name} = {literal(array)}" for name, array in named.items()]
    sizes = [f"n_heads, n_kv_heads = {s.n_heads}, {s.n_kv_heads}", f"d_k, d_v = {s.d_k}, {s.d_v}"]
    labels = [f"tokens = {[*s.tokens]!a}"] if is_first else []
    if s.context is not None:
        labels.append(f"context_tokens = {[*s.context_tokens]!a}")
    return Passage("What the layer is given", "\n".join([*labels, *sizes, *arrays]))


def mask_and_additions(s: Scenario) -> dict[str, Array]:
    """The mask and the additive mask as arrays, by name; neither where there is none."""
    arrays: dict[str, Array] = {}
    if not s.mask.hides_nothing:
        arrays["mask"] = s.mask.allowed(s.n_q, s.n_k)
    added = s.mask.added(ALL_ROWS)
    if added is not None:
        arrays["additive_mask"] = np.broadcast_to(added, (s.n_q, s.n_k)).astype(s.dtype)
    return arrays


def expected(trace: Trace, names: Sequence[str]) -> Passage:
    """What the program must find, by the names of the trace."""
    arrays = {name: getattr(trace, name) for name in names}
    code = [f"expected_{name} = {literal(array)}" for name, array in arrays.items()]
    return Passage("What the explorer has computed", "\n".join(code))


def comparison(s: Scenario, names: Sequence[str]) -> Passage:
    """Ends the program if a number differs."""
    code = [how_compared(s).code, "", "", compared(names), said_same(names)]
    return Passage("The same numbers", "\n".join(code))


def how_compared(s: Scenario) -> Passage:
    close = CLOSE[s.dtype.name]
    code = [
        "def assert_same(found, expected):",
        "    finite = np.abs(expected[np.isfinite(expected)])",
        f"    close = {close} * finite.max(initial=0)",
        "    np.testing.assert_allclose(found, expected, rtol=0, atol=close)",
    ]
    return Passage("How numbers are compared", "\n".join(code))


def compared(names: Sequence[str]) -> str:
    return "\n".join(f"assert_same({name}, expected_{name})" for name in names)


def said_same(names: Sequence[str]) -> str:
    return f'print("Same as in the explorer: {" and ".join(names)}.")'


def literal(array: Array) -> str:
    """An array as Python text, to the last bit: a row a line."""
    if array.ndim == 1:
        return f"{literal(array[None])}[0]"
    if array.ndim == 3:
        return "np.array([\n" + ",\n".join(map(literal, array)) + ",\n])"
    if array.dtype == np.bool_:
        rows, kind = [str(row) for row in array.astype(int).tolist()], ", dtype=bool"
    else:
        rows = [format_matrix(row[None], "python")[1:-1] for row in array]
        kind = ", dtype=np.float32" if array.dtype == np.float32 else ""
    return "np.array([\n" + "".join(f"    {row},\n" for row in rows) + f"]{kind})"


def as_script(passages: Sequence[Passage]) -> str:
    """All parts below one another, each below its title."""
    return "\n\n".join(f"# {each.title}\n{each.code}" for each in passages) + "\n"
