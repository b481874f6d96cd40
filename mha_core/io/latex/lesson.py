"""What a document and slides tell: the steps that compute something, and a number of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import Dims, FloatArray, Sizes
from mha_core.io.latex.matrices import additive_mask
from mha_core.io.latex.prose import counted, prose, tokens_in_words
from mha_core.io.latex.words import boxed
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import Derivation, cell_at, derive_cell, index_in
from mha_core.layer.equations import equation_of
from mha_core.layer.matrices import LabelledMatrix, labelled_matrix
from mha_core.layer.naming import dims_of
from mha_core.layer.steps import Step
from mha_core.layer.trace import STEPS, Trace
from mha_core.layer.unchanged import UNUSED, without_mask
from mha_core.reading.setting_notes import setting_notes
from mha_core.reading.words import listed
from mha_core.scenario.given_arrays import OF_TOKENS
from mha_core.scenario.scenario import Scenario

MOST_SIGNS: Final = 12  # in boxes, that are told one by one
GIVEN: Final = (*OF_TOKENS, "mask")  # steps whose numbers somebody chose
_IS_UNUSED: Final[Mapping[str, Callable[[Scenario], bool]]] = {**UNUSED, "mask": without_mask}


@dataclass(frozen=True)
class Lesson:
    """A trace as it is told.

    `cell` is one of its numbers. In each step, the number of the same head, query and key is
    derived. `pictures` has LaTeX for steps, by their names.
    """

    trace: Trace
    title: str
    decimals: int
    cell: Cell | None
    pictures: Mapping[str, str]

    @property
    def steps(self) -> list[Step[Any]]:
        """The steps that the scenario uses, in the order of the trace."""
        s = self.trace.scenario
        return [step for step in STEPS if step.computed_by(s) is step and self._is_used(step)]

    def matrices(self, step: Step[Any]) -> list[LabelledMatrix]:
        """The matrix of a step, or one for each head."""
        if len(step.dims.axes) < 3:
            return [labelled_matrix(self.trace, step.name)]
        heads = range(len(getattr(self.trace, step.name)))
        return [labelled_matrix(self.trace, step.name, head) for head in heads]

    def given(self) -> list[LabelledMatrix]:
        """Every array that the layer is given."""
        s = self.trace.scenario
        found = [labelled_matrix(self.trace, name) for name in s.given()]
        if not without_mask(s):
            found.append(labelled_matrix(self.trace, "mask"))
        return found if s.mask.additive is None else [*found, additive_mask(s)]

    def cell_of(self, step: str) -> Cell:
        """The number of a step that is derived; for a given array, one in the same line."""
        return cell_at(
            self.trace,
            step,
            _index(dims_of(self.trace, step), self._places, self.trace.scenario.sizes),
        )

    def derivation(self, step: Step[Any]) -> Derivation:
        return derive_cell(self.trace, self.cell_of(step.name))

    def formula(self, step: Step[Any]) -> str:
        """How a step is computed, as LaTeX; "" where somebody chose its numbers."""
        return "" if step.name in GIVEN else equation_of(step, self.trace.scenario).latex

    def meaning(self, step: Step[Any]) -> str:
        """What a step does, as one sentence of LaTeX."""
        return _sentence(step.meaning_in(self.trace.scenario))

    def shape(self, step: Step[Any]) -> str:
        """The shape of a step by the names of its axes and in numbers, as LaTeX."""
        names = r" \times ".join(map(_latex_of_axis, step.dims.axes))
        numbers = r" \times ".join(map(str, getattr(self.trace, step.name).shape))
        return f"{names} = {numbers}"

    @property
    def sentences(self) -> list[str]:
        """What the scenario is, and what its setting does, as LaTeX."""
        return [*_what_it_is(self.trace.scenario), *map(prose, setting_notes(self.trace))]

    @property
    def signs(self) -> str:
        """What stands in boxes, as a sentence of LaTeX; "" where nothing does."""
        s = self.trace.scenario
        found = boxed([self.title, *s.tokens, *s.context_tokens])
        told = [f"{code} is {prose(name)}" for code, name in found.items()][:MOST_SIGNS]
        if more := len(found) - len(told):
            told.append(f"{more} more are not told here")
        lacks = "A box holds the number in Unicode of a sign that the font here lacks"
        return f"{lacks}: {listed(told)}." if told else ""

    def _is_used(self, step: Step[Any]) -> bool:
        if step.name == "blind_queries":
            return bool(self.trace.blind_queries.any())
        return step.name not in _IS_UNUSED or not _IS_UNUSED[step.name](self.trace.scenario)

    @cached_property
    def _places(self) -> dict[str, int]:
        """The place along each axis: that of the chosen number, or else a good one.

        Good ones are a head that is on, the last query that sees a key, the key that it looks at
        most, and the columns that matter most to the score and to the output.
        """
        t, s = self.trace, self.trace.scenario
        named = {} if self.cell is None else _by_axis(t, self.cell)
        group = s.n_heads // s.n_kv_heads
        on = [head for head in range(s.n_heads) if head not in s.heads_off] or [0]
        head = named.get("n_heads", named.get("n_kv_heads", on[0] // group) * group)
        seeing = [query for query in range(s.n_q) if not t.blind_queries[query]] or [0]
        query = named.get("n_q", seeing[-1])
        key = named.get("n_k", int(t.weights[head, query].argmax()))
        group_head = head // group
        terms = t.q_rotated[head, query] * t.k_rotated[group_head, key]
        usual = {
            **{"n_heads": head, "n_kv_heads": group_head, "n_q": query, "n_k": key},
            "d_k": _largest(terms),
            "d_v": _largest(t.head_outputs[head, query]),
            "d_out": _largest(t.output[query]),
        }
        return {**usual, **named}


def _largest(row: FloatArray) -> int:
    """The place of the number farthest from 0."""
    return int(np.abs(row).argmax())


@cache
def _sentence(text: str) -> str:
    return prose(f"{text[0].upper()}{text[1:].rstrip('.')}.")


def _by_axis(trace: Trace, cell: Cell) -> dict[str, int]:
    """The places of a cell by the names of its axes; heads that stand side by side count apart."""
    sizes, places = trace.scenario.sizes, {}
    for axis, place in zip(dims_of(trace, cell.step).axes, index_in(trace, cell), strict=True):
        heads, times, width = axis.partition("*")
        if times:
            (each,) = Dims(width).shape(sizes)
            places[heads], places[width] = divmod(place, each)
        else:
            places[axis] = place
    return places


def _index(dims: Dims, places: Mapping[str, int], sizes: Sizes) -> tuple[int, ...]:
    """The index in an array of these axes; the first place where none is named."""
    index = []
    for axis in dims.axes:
        heads, times, width = axis.partition("*")
        place = places.get(heads, 0) if axis != "1" else 0
        if times:
            (each,) = Dims(width).shape(sizes)
            place = place * each + places.get(width, 0)
        index.append(place)
    return tuple(index)


def _latex_of_axis(axis: str) -> str:
    r"""The size of an axis.

    >>> _latex_of_axis("n_kv_heads*d_k"), _latex_of_axis("1")
    ('n_{\\mathrm{kv\\,heads}} d_k', '1')
    """
    return " ".join(map(_latex_of_size, axis.split("*")))


def _latex_of_size(name: str) -> str:
    letter, _, rest = name.partition("_")
    words = rest.replace("_", r"\,")
    if not rest:
        return name
    return f"{letter}_{rest}" if len(rest) == 1 else rf"{letter}_{{\mathrm{{{words}}}}}"


def _what_it_is(s: Scenario) -> list[str]:
    heads = counted(s.n_heads, "head")
    if s.context is not None:
        queries, keys = counted(s.n_q, "query"), counted(s.n_k, "key")
        who = f"{queries} ({tokens_in_words(s.tokens)}) attend in {heads} to {keys}"
        first = f"{who} ({tokens_in_words(s.context_tokens)})."
    elif s.n_q == 1:
        first = f"1 token, {tokens_in_words(s.tokens)}, attends to itself in {heads}."
    else:
        who = f"{s.n_q} tokens attend to one another in {heads}"
        first = f"{who}: {tokens_in_words(s.tokens)}."
    own = f"Each token has {counted(s.d_model, 'number')}"
    queries = f"the queries and keys of a head have {s.d_k}, its values {s.d_v}"
    return [first, f"{own}; {queries}."]
