"""An example: a scenario with its question, its claims, and the numbers of its document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import make_x
from mha_core.making.presets import LayerSizes, make_projections
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack

OF_DOCUMENTS: Final = say("From the source documents")
# What people ask first. Each has a tour, too.
WHY_DIVIDE: Final = say("Why divide by √d_k?")
WHAT_THE_MASK_DOES: Final = say("What does the causal mask do?")
WHAT_HEADS_SEE: Final = say("What do several heads see?")
WHAT_W_O_DOES: Final = say("What does W_O do?")
WHAT_TWO_LAYERS_DO: Final = say("What can two layers do?")
QUESTIONS: Final = (
    say("What is attention?"),
    WHY_DIVIDE,
    WHAT_THE_MASK_DOES,
    WHAT_HEADS_SEE,
    WHAT_W_O_DOES,
    say("Does order matter?"),
    say("What is cross-attention?"),
    say("My own numbers"),
    WHAT_TWO_LAYERS_DO,
    OF_DOCUMENTS,
)  # in the order in which the page shows them

CAUSAL: Final = Mask((Rule("causal"),))

Rows = Sequence[Sequence[float]] | Sequence[float]


@dataclass(frozen=True)
class Erratum:
    """A mistake in a document: where it is, what it says, and what is true.

    >>> erratum = Erratum("section 1", "2 + 2 = 5.", "It is 4.")
    >>> erratum.title, erratum.sentences
    ('Erratum, section 1.', 'The source document says “2 + 2 = 5”. In truth: It is 4.')
    """

    where: str
    says: str
    truth: str

    @property
    def title(self) -> str:
        return say("Erratum, {place}.").format(place=self.where)

    @property
    def sentences(self) -> str:
        says = say("The source document says “{claim}”. In truth: {truth}")
        return says.format(claim=self.says.rstrip("."), truth=self.truth)


@dataclass(frozen=True)
class Printed:
    """Known numbers: the field `step` of the trace has `values` at `index`.

    They are equal to `digits` decimals; with 0 digits, exactly. If `in_document` is False, the
    document does not print them, and they were computed without this package.
    """

    what: str
    step: str
    index: tuple[int, ...]
    values: Rows
    digits: int
    in_document: bool = True

    def matches(self, trace: Trace) -> bool:
        """True if the trace has these numbers, to their printed digits."""
        found = self.computed(trace)
        half_of_last_digit = 0.5000005 * 10.0**-self.digits if self.digits else 0.0
        return found is not None and nearly_equal(found, self.values, within=half_of_last_digit)

    def computed(self, trace: Trace) -> FloatArray | None:
        """The numbers that the trace has in their place; None if its sizes have no such place."""
        found: FloatArray = getattr(trace, self.step)
        if any(i >= n for i, n in zip(self.index, found.shape, strict=False)):
            return None
        part: FloatArray = found[self.index]
        return part


@dataclass(frozen=True)
class Example:
    """A worked example.

    `question` is one of QUESTIONS. `sentence` says in one line what the example shows; it is true
    if `holds` is. `notes` say more. Each has a check, so that after a change the page shows only
    those that are still true. An example of several layers builds a stack too, of which the
    scenario is the first: all this is about it. `claims_of_layers` are about the others, by their
    numbers from 0. `document` is the number of its source, or "".
    """

    name: str
    title: str
    question: str
    sentence: str
    holds: Callable[[Trace], bool]
    build: Callable[[], Scenario]
    claims: tuple[Claim, ...]
    document: str = ""
    printed: tuple[Printed, ...] = ()
    errata: tuple[Erratum, ...] = ()
    notes: tuple[Claim, ...] = ()
    build_stack: Callable[[], Stack] | None = None
    claims_of_layers: Mapping[int, tuple[Claim, ...]] = field(default_factory=dict, hash=False)

    def claims_of(self, layer: int) -> tuple[Claim, ...]:
        """Its claims about a layer, counted from 0. One that was added is asked as the first is."""
        return self.claims_of_layers.get(layer, self.claims)

    def notes_that_hold(self, trace: Trace) -> list[str]:
        """The notes that are still true of a scenario that began as this example."""
        return [note.sentence for note in self.notes if note.holds(trace)]


def true_of_any_trace(_trace: Trace) -> bool:
    """The check of a note about the source document, or about attention in general."""
    return True


def has_sizes(trace: Trace, **sizes: int) -> bool:
    """Does the scenario have these sizes?"""
    return all(trace.scenario.sizes[name] == size for name, size in sizes.items())


def output_is_concatenation(trace: Trace) -> bool:
    """The output is the outputs of the heads side by side: W_O changes nothing."""
    w_o, found = trace.scenario.w_o, np.hstack(list(trace.head_outputs))
    return nearly_equal(w_o, np.eye(*w_o.shape)) and nearly_equal(trace.output, found)


def from_recipes(
    example: str,
    tokens: Sequence[str],
    *,
    d_model: int,
    n_heads: int,
    x: str = "word_vectors",
    weights: str = "random",
    seed: int = 0,
    mask: Mask | None = None,
    **sizes: int,
) -> Scenario:
    """A scenario whose X and projections are made by name; `sizes` are those of LayerSizes."""
    head = d_model // n_heads
    usual: Mapping[str, int] = {
        "d_model_kv": d_model,
        "n_kv_heads": n_heads,
        "d_k": head,
        "d_v": head,
        "d_out": d_model,
    }
    layer = LayerSizes(d_model=d_model, n_heads=n_heads, **{**usual, **sizes})
    arrays: dict[str, Any] = vars(make_projections(weights, layer, tokens, seed))
    return Scenario(
        x=make_x(x, tokens, d_model, seed),
        **arrays,
        n_heads=n_heads,
        n_kv_heads=layer.n_kv_heads,
        tokens=tuple(tokens),
        mask=mask or Mask(),
        origin=Origin(example, x, seed, weights, seed),
    )


def side_by_side(*heads: Rows | FloatArray) -> FloatArray:
    """One projection for all heads, from one matrix for each head."""
    return np.hstack([np.asarray(head, dtype=np.float64) for head in heads])
