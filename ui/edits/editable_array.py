"""The tables of numbers that can be edited: an array of the scenario, or one head's part of it.

Every array has two axes here, a bias too. Edited numbers go through the checks of the core.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from mha_core.changing.changes import with_mask, with_matrix, with_weights, with_x
from mha_core.changing.distances import FIRST_REACH, OF_DISTANCES
from mha_core.changing.recipes import WEIGHTS
from mha_core.changing.resizing import resized_array, resized_mask
from mha_core.checks.errors import MhaError, NumberError, OptionError, ShapeError
from mha_core.checks.number_text import parse_number
from mha_core.checks.shapes import BoolArray, Dims, FloatArray, check_finite, check_shape
from mha_core.examples import EXAMPLES, load_example
from mha_core.language import say
from mha_core.layer.matrices import axis_of
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.options.r_places import axes_of_distances
from mha_core.scenario.given_arrays import GIVEN, OF_FACTORS, OF_TOKENS, GivenArray
from mha_core.scenario.head_parts import dims_of_one_head, head_used_by, heads_in, place_of_head
from mha_core.scenario.scenario import Scenario
from ui.edits.new_names import new_names

EDITABLE: Final[Mapping[str, GivenArray]] = {
    **GIVEN,
    "mask.custom": GivenArray(say("The drawn mask"), Dims("n_q n_k")),
    "mask.additive": GivenArray(say("The additive mask"), Dims("n_q n_k")),
}
SHORT_TITLES: Final = {"mask.custom": say("Drawn mask"), "mask.additive": say("Additive mask")}
OPEN_OR_HIDDEN: Final = say("must hold 1 (may attend) and 0 (hidden)")
ZERO_OR_ONE: Final = say("Write 0 or 1.")
NEEDED_FIRST: Final = {  # before an array can be edited
    "context": (say("needs a second sequence first"), say("Add its tokens.")),
    "context_v": (
        say("needs values from rows of their own first"),
        say("Switch them on in the sidebar."),
    ),
}


@dataclass(frozen=True)
class Editable:
    """One array of EDITABLE, or the part of it that belongs to one head, counted from 0.

    >>> Editable("w_q", head=1).title
    'W_Q of head 2'
    """

    name: str
    head: int | None = None

    @property
    def title(self) -> str:
        symbol = EDITABLE[self.name].symbol
        if self.head is None:
            return symbol
        return say("{matrix} of head {head}").format(matrix=symbol, head=self.head + 1)

    @property
    def short_title(self) -> str:
        """A title for places with little room."""
        return SHORT_TITLES.get(self.name, self.title)

    @property
    def file_name(self) -> str:
        """A name without an ending, as in w_q_head_2."""
        name = self.name.replace(".", "_")
        return name if self.head is None else f"{name}_head_{self.head + 1}"

    @property
    def dims(self) -> Dims:
        dims = self._whole_dims if self.head is None else dims_of_one_head(self._whole_dims)
        return dims if len(dims.axes) == 2 else Dims(f"1 {dims.names}")

    @property
    def may_be_left_out(self) -> bool:
        return EDITABLE[self.name].optional or self.name.startswith("mask.")

    @property
    def may_have_more_rows(self) -> bool:
        """Whether its rows are tokens: then there may be more or fewer of them."""
        return self.name in ("x", "context")

    def is_there(self, s: Scenario) -> bool:
        """Whether it can be edited: rows of tokens must be given first, others count as zeros."""
        return self.name not in OF_TOKENS or getattr(s, self.name) is not None

    def is_offered(self, s: Scenario) -> bool:
        """Whether it may change something: not the gate of b_S where there is no b_S.

        Distances and the gate before W_O are switched on in the sidebar.
        """
        belongs_to_none = (
            (self.name in OF_FACTORS and s.b_s is None)
            or (self.name in OF_DISTANCES and not s.n_distances)
            or (self.name in ("w_g", "b_g") and s.w_g is None)
        )
        return self.is_there(s) and not belongs_to_none

    @property
    def minus_infinity(self) -> bool:
        """Whether it may hold -inf, which hides a key."""
        return self.name == "mask.additive"

    def heads(self, s: Scenario) -> range:
        """The heads, from 0, that have a part of their own; none if all have the same."""
        heads = heads_in(self._whole_dims)
        return range(s.n_heads if heads and s.sizes[heads] > 1 else 0)

    def numbers(self, s: Scenario) -> FloatArray:
        """The present numbers. An array that was left out counts as zeros, or as ones.

        A mask that was left out counts as all open.
        """
        s = self._filled(s)
        whole = self._whole(s)
        return whole if self.head is None else whole[self._place(s, self.head)]

    def put(self, s: Scenario, numbers: FloatArray) -> Scenario:
        """The scenario with these numbers.

        A sequence may get more or fewer rows. The first tokens keep their names. New ones are
        called as `new_names` says. The mask keeps the cells that still exist.
        """
        numbers, s = self._turned(numbers), self._filled(s)
        if self.may_have_more_rows and len(numbers) != len(self._whole(s)):
            return self._put_rows(s, numbers)
        sizes = s.sizes
        if self.name in OF_DISTANCES and self.head is None:
            sizes["n_distances"] = len(numbers)  # there may be more distances, or fewer
        check_shape(self.title, numbers, self.dims, sizes)
        if self.name == "mask.custom":
            return with_mask(s, replace(s.mask, custom=_open(numbers)))
        if self.name == "mask.additive":
            return with_mask(s, replace(s.mask, additive=self._in_its_type(s, numbers)))
        whole = numbers
        if self.head is not None:
            whole = self._whole(s).astype(np.float64)
            whole[self._place(s, self.head)] = numbers
        return with_matrix(s, self.name, whole.reshape(self._whole_dims.shape(sizes)))

    def left_out(self, s: Scenario) -> Scenario:
        """The scenario without the bias or the mask."""
        if self.name.startswith("mask."):
            part: Any = {self.name.removeprefix("mask."): None}
            return with_mask(s, replace(s.mask, **part))
        return with_matrix(s, self.name, None)

    def source(self, s: Scenario) -> str:
        """What made the numbers, in words after "as"; "" if nothing can make them again."""
        if self.name in ("x", "context"):
            recipe = INPUTS[s.origin.x].title if s.origin.x in INPUTS else ""
        elif self.name in WEIGHTS:
            recipe = PRESETS[s.origin.weights].title if s.origin.weights in PRESETS else ""
        else:
            return ""
        if recipe:
            return say("made by {recipe}").format(recipe=recipe)
        return say("in the example") if s.origin.example in EXAMPLES else ""

    def made_again(self, s: Scenario) -> Scenario:
        """The scenario with these numbers as their source makes them."""
        origin = s.origin
        if self.name in ("x", "context") and origin.x:
            fresh = with_x(s, origin.x, origin.x_seed)
        elif self.name in WEIGHTS and origin.weights:
            fresh = with_weights(s, origin.weights, origin.weights_seed)
        else:
            fresh = load_example(origin.example)
        numbers = self.numbers(fresh)
        check_shape(self.title, numbers, self.dims, s.sizes)
        return self.put(s, numbers)

    def read_cell(self, text: str, where: str) -> float:
        """The number in one cell, as a person wrote it."""
        try:
            number = parse_number(text, where, minus_infinity=self.minus_infinity)
        except MhaError as error:  # without the line and column of the text, which say nothing here
            raise NumberError(where, error.need, error.got, error.way_out) from error
        if self.name == "mask.custom" and number not in (0, 1):
            raise NumberError(where, OPEN_OR_HIDDEN, repr(text.strip()[:40]), ZERO_OR_ONE)
        return number

    def labels(self, s: Scenario, axis: int) -> tuple[str, ...]:
        """What the rows (axis 0) or the columns (axis 1) are called, as in the pictures."""
        symbol = EDITABLE[self.name].symbol
        return axis_of(self._filled(s), self.dims.axes[axis], symbol).labels

    def shared_by(self, s: Scenario) -> range:
        """The query heads, from 0, that share this part, under grouped queries."""
        if heads_in(self._whole_dims) != "n_kv_heads":
            return range(0)
        if self.head is None:
            return range(s.n_heads if s.n_kv_heads == 1 else 0)
        size = s.n_heads // s.n_kv_heads
        first = self.head // size * size
        return range(first, first + size)

    def _filled(self, s: Scenario) -> Scenario:
        """The scenario, for an array whose height nobody has said: with zeros for a few rows."""
        if self.name not in OF_DISTANCES or s.n_distances:
            return s
        rows = axes_of_distances(s.scores) * (2 * FIRST_REACH + 1)
        sizes = {**s.sizes, "n_distances": rows}
        return with_matrix(s, self.name, np.zeros(self._whole_dims.shape(sizes)))

    def _whole(self, s: Scenario) -> FloatArray:
        if self.name == "mask.custom":
            custom = s.mask.custom
            return np.ones((s.n_q, s.n_k)) if custom is None else custom.astype(np.float64)
        if self.name == "mask.additive":
            return np.zeros((s.n_q, s.n_k)) if s.mask.additive is None else s.mask.additive
        array: FloatArray | None = getattr(s, self.name)
        if array is None:
            if self.name in NEEDED_FIRST:
                need, way_out = NEEDED_FIRST[self.name]
                raise OptionError(EDITABLE[self.name].symbol, need, say("none"), way_out)
            left_out = EDITABLE[self.name].left_out
            array = np.full(self._whole_dims.shape(s.sizes), left_out, s.dtype)
        return np.atleast_2d(array)

    @property
    def _whole_dims(self) -> Dims:
        return EDITABLE[self.name].dims

    def _place(self, s: Scenario, head: int) -> tuple[Any, ...]:
        """Where the numbers of a query head are in the whole array."""
        if not 0 <= head < s.n_heads:
            raise OptionError(
                say("The head"),
                say("must be from 1 to {count}").format(count=s.n_heads),
                self.title,
                say("Pick another head."),
            )
        heads_own_parts = heads_in(self._whole_dims)
        own = head_used_by(self._whole_dims, s.sizes, head) if heads_own_parts else 0
        return (..., *place_of_head(self._whole_dims, s.sizes, own))

    def _turned(self, numbers: FloatArray) -> FloatArray:
        """A bias may come as a column too."""
        is_column = self.dims.axes[0] == "1" and numbers.shape[1] == 1
        return numbers.T if is_column else numbers

    def _in_its_type(self, s: Scenario, numbers: FloatArray) -> FloatArray:
        """The numbers in the number type that the additive mask has."""
        dtype = s.dtype if s.mask.additive is None else s.mask.additive.dtype
        with np.errstate(over="ignore"):
            rounded = numbers.astype(dtype)
        check_finite(
            say("{matrix} (where it is not -inf)").format(matrix=self.title),
            np.where(np.isneginf(numbers), 0, rounded),
        )
        return rounded

    def _put_rows(self, s: Scenario, numbers: FloatArray) -> Scenario:
        width = self.dims.axes[1]
        if numbers.shape[1] != s.sizes[width]:
            need = say("must have {width} = {count} columns")
            way_out = say("Give rows of {count} numbers, or change {width} first.")
            count = s.sizes[width]
            raise ShapeError(
                self.title,
                need.format(width=width, count=count),
                str(numbers.shape),
                way_out.format(width=width, count=count),
            )
        field = "tokens" if self.name == "x" else "context_tokens"
        labels = getattr(s, field)[: len(numbers)]
        labels += new_names(field, labels, len(numbers) - len(labels))
        n_q = len(numbers) if self.name == "x" else s.n_q
        n_k = len(numbers) if self.name == "context" or s.context is None else s.n_k
        with np.errstate(over="ignore"):  # larger than float32 becomes inf, which is refused later
            numbers = numbers.astype(s.dtype)
        changed = {self.name: numbers, field: labels, "mask": resized_mask(s.mask, n_q, n_k)}
        after = {**s.sizes, "n_q": n_q, "n_k": n_k}
        for name in ("context_v", "b_s"):
            if (array := getattr(s, name)) is not None:
                changed[name] = resized_array(name, array, s.sizes, after)
        return replace(s, **changed)


def _open(numbers: FloatArray) -> BoolArray:
    """Ones as True and zeros as False; any other number is refused."""
    wrong = np.argwhere((numbers != 0) & (numbers != 1))
    if len(wrong):
        row, column = (int(i) for i in wrong[0])
        says = say("{number:g} in row {row}, column {column}")
        got = says.format(number=numbers[row, column], row=row + 1, column=column + 1)
        raise NumberError(EDITABLE["mask.custom"].symbol, OPEN_OR_HIDDEN, got, ZERO_OR_ONE)
    is_open: BoolArray = numbers == 1
    return is_open
