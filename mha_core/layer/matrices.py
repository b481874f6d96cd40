"""Any matrix of a forward pass with the labels of its axes: of a step, or of a given array.

Everything follows from the `Dims` of the step, so a new step needs no entry here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import BoolArray, Dims
from mha_core.checks.values import is_one_of
from mha_core.language import say
from mha_core.layer.cells import matrix_name
from mha_core.layer.steps import Step
from mha_core.layer.trace import STEPS, Trace
from mha_core.options.r_places import axes_of_distances
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.head_parts import dims_of_one_head, head_used_by, heads_in, place_of_head
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import column_names, is_of_a_puzzle

# The words of the page for the things along an axis, if they differ from its name in a shape.
AXIS_KINDS: Final = {
    "n_q": "query",
    "n_k": "key",
    "n_heads": "head",
    "d_out": "output",
    "n_heads*d_v": "concat",
    "n_heads*n_q": "head.query",
    "n_heads*d_k": "head.d_k",
    "n_distances": "distance",
    "n_heads*d_g": "head.d_g",
    "n_heads*2": "head.share",
    "2": "share",
    "n_kv_heads*d_k": "head.d_k",
    "n_kv_heads*d_v": "head.d_v",
    "1": "",
}
OTHER_AXIS: Final = "…"  # in the name of a distance, of which it says nothing
# Rows as wide as the model are tokens: only projections make queries and keys of them.
AS_WIDE_AS_THE_MODEL: Final = ("d_model", "d_model_kv", "d_model_v")


@dataclass(frozen=True)
class Axis:
    """One side of a matrix: the kind of things along it, and a label for each.

    `names` are different even if labels are equal: of two tokens THE, the first is "THE (1)".
    `source` is what a person may add to: tokens, context_tokens, a width of the model; else "".
    `word` is the name of a thing, if that is not its kind: a row of X is the row of a query, but is
    called token.
    """

    kind: str
    labels: tuple[str, ...]
    source: str = field(default="", repr=False)
    word: str = field(default="", repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        return distinct_names(self.labels)


@dataclass(frozen=True, eq=False)
class LabelledMatrix:
    """One matrix of a forward pass: its numbers, its axes and its words.

    `step` is the name of a step or of a given array. `head` counts the heads of the array: under
    grouped queries, matrix "k_rotated/1" is that of the second key/value head. `hidden` is True for
    cells that the mask hides; None if it hides no cell.
    """

    step: str
    head: int | None
    title: str
    symbol: str
    values: npt.NDArray[Any]
    rows: Axis
    columns: Axis
    from_0_to_1: bool = False
    hidden: BoolArray | None = None

    @property
    def name(self) -> str:
        return matrix_name(self.step, self.head)


def labelled_matrix(trace: Trace, step: str, head: int | None = None) -> LabelledMatrix:
    """The matrix of a step or of a given array, with its axes; or of one head, if `head` is given.

    An array with one matrix for each head needs `head`. The heads of a projection or a bias stand
    side by side: `head` cuts out one part. An array with one axis is a matrix with one row.

    >>> import numpy as np
    >>> from mha_core import Scenario, attend
    >>> I = np.eye(2)
    >>> trace = attend(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2, tokens=("I", "you")))
    >>> weights = labelled_matrix(trace, "weights", 1)
    >>> weights.name, weights.title, weights.rows.labels, weights.columns.kind
    ('weights/1', 'Weights, head 2', ('I', 'you'), 'key')
    >>> labelled_matrix(trace, "w_o").rows
    Axis(kind='concat', labels=('1.1', '2.1'))
    """
    s, source = trace.scenario, _source(trace, step, head)
    array, axes = _matrix(source, step, s, head)
    rows, columns = (axis_in(trace, axis, source.symbol) for axis in axes)
    if axes[0] in ("n_q", "n_k") and axes[1] in AS_WIDE_AS_THE_MODEL:
        rows = replace(rows, word=say("token"))
    title = source.title
    if head is not None:
        title = _of_a_head(source, s).format(title=title, head=head + 1)
    hidden = None
    if source.after_mask and not trace.mask.all():
        hidden = np.logical_not(trace.mask)
    return LabelledMatrix(
        step, head, title, source.symbol, array, rows, columns, source.from_0_to_1, hidden
    )


def numbers_of_matrix(trace: Trace, step: str, head: int | None = None) -> npt.NDArray[Any]:
    """The numbers of the same matrix, without its words."""
    return _matrix(_source(trace, step), step, trace.scenario, head)[0]


def axis_in(trace: Trace, axis: str, symbol: str = "") -> Axis:
    """An axis as `axis_of` has it. On a stream, what is added to X has the names of its columns."""
    found, names = axis_of(trace.scenario, axis, symbol), trace.columns_of_x
    is_of_x = found.kind == "d_model" or axis == "d_out"
    return replace(found, labels=names) if is_of_x and names else found


def axis_of(scenario: Scenario, axis: str, symbol: str = "") -> Axis:
    """An axis by its name in a `Dims`: the kind of thing on it, and their labels.

    Tokens have their own labels; other things are counted from 1. If heads stand side by side, 2.3
    is the third number of head 2. If there are fewer key/value heads, kv2.3 is that of key/value
    head 2. An axis of length 1 has the symbol of the array as its label.
    """
    s = scenario
    if axis == "d_model_v" and s.context_v is None:
        axis = "d_model_kv"  # values are made from what keys are made from
    if axis == "d_model_kv" and s.context is None:
        axis = "d_model"  # which is X
    kind = AXIS_KINDS.get(axis, axis)
    match axis:
        case "1":
            return Axis(kind, (symbol,))
        case "n_q":
            return Axis(kind, s.tokens, "tokens")
        case "n_k":
            source = "tokens" if s.context is None else "context_tokens"
            return Axis(kind, s.key_tokens, source)
        case "n_distances":
            return Axis(kind, _distances(s))
    sizes = s.sizes
    (size,) = Dims(axis).shape(sizes)
    heads, times, width = axis.partition("*")
    each = size // sizes[heads] if times else 0
    is_one_each = width == "d_g" and each == 1
    if not times or sizes[heads] == 1 or is_one_each:
        return _axis_of_width(s, axis, kind, size)
    prefix = "kv" if heads == "n_kv_heads" and s.n_kv_heads < s.n_heads else ""
    places = (divmod(i, each) for i in range(size))
    return Axis(kind, tuple(f"{prefix}{head + 1}.{number + 1}" for head, number in places))


def _distances(s: Scenario) -> tuple[str, ...]:
    """What the rows of R_K are called: a distance, and dots in place of that on any other axis."""
    axes, reach = axes_of_distances(s.scores), s.reach
    return tuple(
        " ".join([OTHER_AXIS] * axis + [f"{far:+d}" if far else "0"] + [OTHER_AXIS] * after)
        for axis, after in enumerate(reversed(range(axes)))
        for far in range(-reach, reach + 1)
    )


def _axis_of_width(s: Scenario, axis: str, kind: str, size: int) -> Axis:
    """An axis whose things are counted from 1, unless the recipe of X says what they mean."""
    if axis == "d_out" and size == s.d_model and is_of_a_puzzle(s.x, s.origin.x):
        return Axis(kind, column_names(s.x, s.origin.x))  # a puzzle's output is written as its X
    if axis not in AS_WIDE_AS_THE_MODEL:
        return Axis(kind, tuple(str(i + 1) for i in range(size)))
    sources = {
        "d_model": (s.x, s.tokens),
        "d_model_kv": (s.keys_from, s.key_tokens),
        "d_model_v": (s.values_from, s.key_tokens),
    }
    vectors, tokens = sources[axis]
    names = column_names(vectors, s.origin.x, tokens)
    return Axis(kind, names or tuple(str(i + 1) for i in range(size)), axis)


def head_that_serves(trace: Trace, step: str, head: int) -> int:
    """Which matrix of a step a query head uses. Under grouped queries, heads share K and V."""
    return head_used_by(_source(trace, step).dims, trace.scenario.sizes, head)


def distinct_names(labels: Sequence[str]) -> tuple[str, ...]:
    """Labels that are all different: a label that occurs twice gets its place.

    >>> distinct_names(["THE", "CAT", "THE"])
    ('THE (1)', 'CAT', 'THE (3)')
    """
    seen: dict[str, int] = {}
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
    return tuple(
        label if seen[label] == 1 else f"{label} ({place})"
        for place, label in enumerate(labels, start=1)
    )


def check_is_an_array(name: object) -> None:
    """Refuse what is neither a step of a trace nor a given array."""
    names = dict.fromkeys([*(step.name for step in STEPS), *GIVEN])
    if not is_one_of(name, names):
        raise OptionError(
            say("A matrix"),
            say("must be a step of the trace or a given array"),
            repr(name)[:40],
            say("Take one of {names}.").format(names=", ".join(names)),
        )


class _Source(NamedTuple):
    """The source of a matrix: the whole array of a step, or a given array."""

    array: npt.NDArray[Any]
    dims: Dims
    symbol: str
    title: str
    from_0_to_1: bool = False
    after_mask: bool = False


def _source(trace: Trace, name: str, head: int | None = None) -> _Source:
    step = _step(trace, name)
    if step:
        s = trace.scenario
        array, symbol = getattr(trace, name), step.computed_by(s).symbol_in(s, head)
        is_share = step.is_from_0_to_1_in(s)
        return _Source(array, step.dims, symbol, step.title, is_share, step.after_mask)
    check_is_an_array(name)
    symbol, dims = GIVEN[name].symbol, GIVEN[name].dims
    array = getattr(trace.scenario, name)
    if array is None:
        raise OptionError(
            symbol, say("must be given"), say("nothing"), say("Give the array first.")
        )
    return _Source(array, dims, symbol, symbol)


def _matrix(
    source: _Source, name: str, s: Scenario, head: int | None
) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    """The matrix of a head, or the only one, and its axes."""
    _check_head(name, source.dims, s, head)
    array, axes = source.array, source.dims.axes
    if len(axes) == 3:
        array, axes = array[head], axes[1:]
    elif head is not None:
        array = array[place_of_head(source.dims, s.sizes, head)]
        axes = dims_of_one_head(source.dims).axes
    return (array[None], ("1", *axes)) if len(axes) == 1 else (array, axes)


def _step(trace: Trace, name: str) -> Step[Any] | None:
    found = getattr(type(trace), name, None)
    return found if isinstance(found, Step) else None


def _check_head(name: str, dims: Dims, s: Scenario, head: int | None) -> None:
    if head is None and len(dims.axes) < 3:
        return
    heads = heads_in(dims)
    count = s.sizes[heads] if heads else 0
    if head is None or not 0 <= head < count:
        raise OptionError(
            say("The head of {matrix}").format(matrix=name),
            say("must be from 0 to {last}").format(last=count - 1)
            if count
            else say("must be left out: it has no heads"),
            repr(head)[:40],
            say("The first head is number 0.") if count else say("Write None."),
        )


def _of_a_head(source: _Source, s: Scenario) -> str:
    """The title of the matrix of a head: {title} is that of all heads."""
    is_shared = heads_in(source.dims) == "n_kv_heads" and s.n_kv_heads < s.n_heads
    return say("{title}, key/value head {head}") if is_shared else say("{title}, head {head}")
