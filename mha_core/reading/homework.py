"""Somebody's own numbers for a computed matrix: which of them are wrong, and by what mistake.

To find a mistake, we make it. Each entry of MISTAKES computes the layer wrongly in one way. If that
gives somebody's numbers, it is the likely reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.layer.attending import attend, attend_changed, attend_from
from mha_core.layer.attention import divisors_of_rows
from mha_core.layer.matrices import labelled_matrix, numbers_of_matrix
from mha_core.layer.on_scores import sinks_of
from mha_core.layer.steps import Step
from mha_core.layer.trace import STEPS, Trace
from mha_core.options.option import Option
from mha_core.options.r_places import axes_of_distances
from mha_core.options.registry import OPTIONS
from mha_core.options.scale import BY_ROOT_D_K
from mha_core.options.sinusoids_for import EVERYTHING
from mha_core.scenario.given_arrays import GIVEN, OF_FACTORS
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario

NEAR: Final = 5  # units of the last decimal
ALL_NEAR: Final = say("All numbers are near: some may have been rounded on the way.")

Mistake = Callable[[Trace], Trace | None]

LEAST_HIDING: Final = -1e4  # a score of this or less stands for minus infinity
MOST_CELLS: Final = 2**19  # of scores, in a layer that is computed some forty times
ON_THE_WAY: Final = (1, 2, 3, 4)  # decimals that people write down, beside those of the page


@dataclass(frozen=True, eq=False)
class Checked:
    """What a comparison has shown: `wrong` is True for each cell that differs beyond rounding.

    It is None where the numbers have another shape. `mistake` says in a sentence what was likely
    done; "" where no known mistake gives these numbers.
    """

    right: FloatArray
    given: FloatArray
    wrong: BoolArray | None
    mistake: str = ""

    @property
    def is_right(self) -> bool:
        return self.wrong is not None and not self.wrong.any()


def check_numbers(
    trace: Trace, step: str, head: int | None, given: FloatArray, decimals: int
) -> Checked:
    """Compare somebody's numbers with a matrix of the trace, to so many decimals.

    A number is right within half a unit of the last decimal, however many digits it was given with.

    >>> from mha_core.examples import load_example
    >>> trace = attend(load_example("pizza"))
    >>> checked = check_numbers(trace, "scaled_scores", 0, trace.raw_scores[0], decimals=2)
    >>> int(checked.wrong.sum()), checked.mistake
    (9, 'The scale was forgotten.')
    """
    right = _matrix(trace, step, head)
    is_comparable = given.shape == right.shape
    wrong = ~_are_equal(given, right, decimals) if is_comparable else None
    if wrong is not None and not wrong.any():
        return Checked(right, given, wrong)
    for sentence, numbers in _wrong_versions(trace, step, head, decimals):
        if _all_equal(given, numbers, decimals) and not _all_equal(numbers, right, decimals):
            return Checked(right, given, wrong, sentence)
    is_near = is_comparable and _all_equal(given, right, decimals, NEAR)
    return Checked(right, given, wrong, ALL_NEAR if is_near else "")


def _matrix(trace: Trace, step: str, head: int | None) -> FloatArray:
    return numbers_of_matrix(trace, step, head).astype(np.float64)


def _are_equal(
    given: FloatArray, right: FloatArray, decimals: int, within: float = 0.5
) -> BoolArray:
    """Where numbers differ by at most `within` units of the last decimal.

    A very small score is a hidden one.
    """
    most = within * 10.0**-decimals * (1 + 1e-6)
    size = np.where(np.isfinite(right), np.abs(right), 0)
    with np.errstate(invalid="ignore"):
        are_near = np.abs(given - right) <= most + 1e-9 * size
    are_hidden = np.isneginf(right) & (given <= LEAST_HIDING)
    equal: BoolArray = are_near | (given == right) | are_hidden
    return equal


def _all_equal(one: FloatArray, other: FloatArray, decimals: int, within: float = 0.5) -> bool:
    return one.shape == other.shape and bool(_are_equal(one, other, decimals, within).all())


def _wrong_versions(
    trace: Trace, step: str, head: int | None, decimals: int
) -> Iterator[tuple[str, FloatArray]]:
    """A sentence and the numbers of each known mistake that can be made here, the likeliest first.

    After the mistake, the layer goes on without another.
    """
    s = trace.scenario
    if s.n_heads * s.n_q * s.n_k > MOST_CELLS:
        return
    yield from with_mistakes(trace, step, head)
    yield (
        say("The matrix is transposed: rows and columns are exchanged."),
        _matrix(trace, step, head).T,
    )
    yield from _other_matrices(trace, step, head)
    too_early = say("Numbers were rounded too early: round only the last ones.")
    for digits in dict.fromkeys((decimals, *ON_THE_WAY)):
        for rounds in (_rounded_by_hand, _rounded):
            rounded = partial(rounds, decimals=digits, last=step)
            yield from _as_made(too_early, rounded, trace, step, head)


def with_mistakes(
    trace: Trace, step: str, head: int | None, mistakes: Mapping[str, Mistake] | None = None
) -> Iterator[tuple[str, FloatArray]]:
    """A matrix as each of these mistakes gives it, with its sentence; by default all of MISTAKES.

    >>> from mha_core.examples import load_example
    >>> next(with_mistakes(attend(load_example("pizza")), "weights", 0))[0]
    'The scale was forgotten.'
    """
    for sentence, make in (MISTAKES if mistakes is None else mistakes).items():
        yield from _as_made(sentence, make, trace, step, head)


def _as_made(
    sentence: str, make: Mistake, trace: Trace, step: str, head: int | None
) -> Iterator[tuple[str, FloatArray]]:
    """The numbers of one mistake; none if it cannot be made, or leads beyond all numbers."""
    with np.errstate(all="ignore"):
        try:
            made = make(trace)
            numbers = None if made is None else _matrix(made, step, head)
        except MhaError:
            return
    if numbers is not None:
        yield sentence, numbers


def _other_matrices(trace: Trace, step: str, head: int | None) -> Iterator[tuple[str, FloatArray]]:
    """The same step of other heads, and all other steps."""
    for each in STEPS:
        has_heads = len(each.dims.axes) == 3
        heads = range(len(getattr(trace, each.name))) if has_heads else (None,)
        for other in heads:
            if (each.name, other) != (step, head) and (each.name == step or other in (head, None)):
                numbers = _matrix(trace, each.name, other)
                if numbers.min() != numbers.max():  # zeros may stand for anything
                    title = labelled_matrix(trace, each.name, other).title
                    yield say("These are other numbers: {matrix}.").format(matrix=title), numbers


def _rounded(
    trace: Trace, decimals: int, last: str, instead: Mapping[str, FloatArray] | None = None
) -> Trace:
    """The layer of a person who writes down each step with so many decimals.

    The `last` step, which is handed in, is not rounded. `instead` has what is written down for some
    steps.
    """
    s = trace.scenario
    whole = {"x", "context", getattr(Trace, last).computed_by(s).name}

    def change(step: Step[Any], array: Any) -> Any:
        if instead and step.name in instead:
            return instead[step.name]
        is_whole = step.computed_by(s).name in whole
        return array if is_whole or array.dtype.kind != "f" else np.round(array, decimals)

    return attend_changed(s, change)


def _rounded_by_hand(trace: Trace, decimals: int, last: str) -> Trace:
    """The same on paper, where nobody subtracts the largest score of a row."""

    def written(step: str, array: FloatArray) -> FloatArray:
        return array if step == last else np.round(array, decimals)

    scores = _rounded(trace, decimals, last).tempered_scores
    exponentials = written("exponentials", np.exp(scores))
    of_keys = exponentials.sum(axis=-1, keepdims=True)
    sinks = sinks_of(trace.scenario)
    totals = written("row_sums", of_keys if sinks is None else of_keys + np.exp(sinks))
    sums = divisors_of_rows(totals, trace.blind_queries[:, None])
    weights = written("weights", exponentials / sums)
    on_paper = {"exponentials": exponentials, "row_sums": sums, "weights": weights}
    return _rounded(trace, decimals, last, on_paper)


# ---- each mistake gives the layer with it, or None where it cannot be made ----------------------


def _without_scale(trace: Trace) -> Trace:
    return _scored(trace, scale="none")


def _by_d_k(trace: Trace) -> Trace | None:
    s = trace.scenario
    return _scored(trace, scale=1 / s.d_k) if s.scores.scale == BY_ROOT_D_K else None


def _by_root_d_model(trace: Trace) -> Trace | None:
    s = trace.scenario
    is_usual = s.scores.scale == BY_ROOT_D_K
    return _scored(trace, scale=s.d_model**-0.5) if is_usual else None


def _scaled_twice(trace: Trace) -> Trace:
    s = trace.scenario
    return _scored(trace, scale=s.scores.factor(s.d_k) ** 2)


def _without_mask(trace: Trace) -> Trace:
    return _projected(trace, _all_open(trace))


def _mask_of_zeros(trace: Trace) -> Trace:
    scores = np.where(trace.mask, trace.masked_scores, 0)
    return _projected(trace, trace.scenario, masked_scores=scores)


def _mask_after_softmax(trace: Trace) -> Trace:
    everything = _projected(trace, _all_open(trace)).weights
    return _projected(trace, trace.scenario, weights=np.where(trace.mask, everything, 0))


def _mask_transposed(trace: Trace) -> Trace | None:
    if not _is_square(trace):
        return None
    mask = replace(_open_mask(trace), custom=trace.mask.T)
    return _projected(trace, replace(trace.scenario, mask=mask))


def _softmax_by_columns(trace: Trace) -> Trace:
    scores = trace.tempered_scores
    largest = scores.max(axis=1, keepdims=True)
    exponentials = np.exp(scores - np.where(np.isfinite(largest), largest, 0))
    sums = exponentials.sum(axis=1, keepdims=True)
    return _projected(trace, trace.scenario, weights=exponentials / np.where(sums == 0, 1, sums))


def _without_division(trace: Trace) -> Trace:
    return _projected(trace, trace.scenario, weights=np.exp(trace.tempered_scores))


def _without_exponential(trace: Trace) -> Trace:
    scores = np.where(trace.mask, trace.tempered_scores, 0)
    sums = scores.sum(axis=-1, keepdims=True)
    return _projected(trace, trace.scenario, weights=scores / np.where(sums == 0, 1, sums))


def _keys_not_transposed(trace: Trace) -> Trace | None:
    s = trace.scenario
    if not s.n_k == s.d_k == s.n_q:
        return None
    keys = np.repeat(trace.k_rotated, s.n_heads // s.n_kv_heads, axis=0)
    return attend_from(s, raw_scores=trace.q_rotated @ keys)


def _queries_and_keys_exchanged(trace: Trace) -> Trace | None:
    return (
        attend_from(trace.scenario, raw_scores=trace.raw_scores.mT) if _is_square(trace) else None
    )


def _heads_cut_by_rows(trace: Trace) -> Trace:
    """As a reshape gives them, if nobody exchanges the axes."""
    s = trace.scenario
    names = {"q_heads": trace.q, "k_heads": trace.k, "v_heads": trace.v}
    return attend_from(
        s, **{name: whole.reshape(getattr(trace, name).shape) for name, whole in names.items()}
    )


def _heads_joined_by_rows(trace: Trace) -> Trace:
    return attend_from(trace.scenario, concat=trace.heads_bent.reshape(trace.concat.shape))


def _weights_transposed(trace: Trace, names: Sequence[str]) -> Trace | None:
    """Transpose those of these projections that are square."""
    s = trace.scenario
    squares = {
        name: array.T for name in names if (array := getattr(s, name)).shape[0] == array.shape[1]
    }
    return attend(replace(s, **squares)) if squares else None


def _without_biases(trace: Trace) -> Trace:
    return attend(_without(trace.scenario, "b_q", "b_k", "b_v", "b_o", "b_f", "b_g"))


def _without_positions(trace: Trace) -> Trace:
    s = trace.scenario
    return attend(replace(s, scores=replace(s.scores, positions="none")))


def _positions_in_values(trace: Trace) -> Trace:
    s = trace.scenario
    return attend(replace(s, scores=replace(s.scores, sinusoids_for=EVERYTHING)))


def _values_of_keys_rows(trace: Trace) -> Trace | None:
    """Values of the rows that keys are made from, where these are as wide as their own."""
    s = trace.scenario
    if s.context_v is None or s.d_model_v != s.d_model_kv:
        return None
    return attend(replace(s, context_v=None))


def _without_own_additions(trace: Trace) -> Trace | None:
    s = trace.scenario
    return None if s.b_s is None else _projected(trace, _without(s, "b_s", *OF_FACTORS))


def _additions_of_the_first(trace: Trace) -> Trace | None:
    """Every head with the numbers of the first, as if they were an additive mask."""
    s = trace.scenario
    if s.b_s is None:
        return None
    return _projected(trace, replace(s, b_s=np.tile(s.b_s[: s.n_q], (s.n_heads, 1))))


def _without_factors(trace: Trace) -> Trace | None:
    """What each head adds to its scores, as it is given."""
    s = trace.scenario
    return None if s.w_f is None else _projected(trace, _without(s, *OF_FACTORS))


def _without_distances(trace: Trace) -> Trace | None:
    s = trace.scenario
    return attend(replace(s, r_k=None, r_q=None)) if s.n_distances else None


def _distances_from_keys(trace: Trace) -> Trace | None:
    """What is before a query counts as after it."""
    s = trace.scenario
    axes = axes_of_distances(s.scores)
    turned: dict[str, Any] = {
        name: np.concatenate([table[::-1] for table in np.split(r, axes)])
        for name in ("r_k", "r_q")
        if (r := getattr(s, name)) is not None
    }
    return attend(replace(s, **turned)) if turned else None


def _axes_exchanged(trace: Trace) -> Trace | None:
    """The last axis of the places taken for the first."""
    s = trace.scenario
    if not s.n_distances or axes_of_distances(s.scores) == 1:
        return None
    backwards = tuple(place[::-1] for place in s.scores.r_places)
    return _scored(trace, r_places=backwards)


def _without_gate(trace: Trace) -> Trace | None:
    s = trace.scenario
    return None if s.w_g is None else attend(replace(s, w_g=None, b_g=None))


def _without_option(trace: Trace, option: Option) -> Trace:
    return _scored(trace, **{option.name: option.default})


def _keys_without_second_sequence(trace: Trace) -> Trace | None:
    """Keys and values of the tokens themselves, and not of the second sequence."""
    s = trace.scenario
    if s.context is None or s.context.shape != s.x.shape or s.context_v is not None:
        return None
    return attend(replace(s, context=s.x))


OWN_FORGOTTEN: Final = say("What each head adds to its own scores was forgotten.")
OWN_OF_THE_FIRST: Final = say("What the first head adds to its scores was added in every head.")
FACTORS_FORGOTTEN: Final = say("The gate of b_S was forgotten.")
GATE_FORGOTTEN: Final = say("The gate was forgotten.")
PROJECTIONS: Final = ("w_q", "w_k", "w_v", "w_o")
MISTAKES: Final[Mapping[str, Mistake]] = {
    say("The scale was forgotten."): _without_scale,
    say("The scores were divided by d_k, not by its root."): _by_d_k,
    say("The scores were divided by the root of d_model, not of d_k."): _by_root_d_model,
    say("The scores were scaled twice."): _scaled_twice,
    say("The mask was forgotten."): _without_mask,
    say("The mask was applied after the softmax: rows no longer sum to 1."): _mask_after_softmax,
    say("Hidden scores were set to 0, not to minus infinity."): _mask_of_zeros,
    say("The mask was transposed."): _mask_transposed,
    say("The softmax was taken along columns, not along rows."): _softmax_by_columns,
    say("The exponentials were not divided by the sum of their row."): _without_division,
    say("The scores were divided by their sum without the exponential."): _without_exponential,
    say("K was not transposed."): _keys_not_transposed,
    say("Q and K were exchanged."): _queries_and_keys_exchanged,
    say(
        "The heads were cut out by rows: reshape first, then exchange the axes."
    ): _heads_cut_by_rows,
    say(
        "The heads were joined by rows: exchange the axes first, then reshape."
    ): _heads_joined_by_rows,
    **{
        say("{matrix} was transposed.").format(matrix=GIVEN[name].symbol): partial(
            _weights_transposed, names=(name,)
        )
        for name in PROJECTIONS
    },
    say("All projections were transposed."): partial(_weights_transposed, names=PROJECTIONS),
    say("The biases were forgotten."): _without_biases,
    say("The positions were forgotten."): _without_positions,
    say("The vectors of distances were forgotten."): _without_distances,
    say("Distances were counted from the key to the query."): _distances_from_keys,
    say("The axes of the distances were exchanged."): _axes_exchanged,
    say("The positions were added for the values too."): _positions_in_values,
    say("The values were made from the rows of the keys, not from their own."): (
        _values_of_keys_rows
    ),
    OWN_FORGOTTEN: _without_own_additions,
    OWN_OF_THE_FIRST: _additions_of_the_first,
    FACTORS_FORGOTTEN: _without_factors,
    GATE_FORGOTTEN: _without_gate,
    **{o.mistake: partial(_without_option, option=o) for o in OPTIONS.values() if o.mistake},
    say("Keys and values were made from X, not from the second sequence."): (
        _keys_without_second_sequence
    ),
}


def _without(s: Scenario, *names: str) -> Scenario:
    left_out: dict[str, Any] = dict.fromkeys(names)
    return replace(s, **left_out)


def _scored(trace: Trace, **options: Any) -> Trace:
    """The layer with other score options, and the same Q, K and V."""
    s = trace.scenario
    return _projected(trace, replace(s, scores=replace(s.scores, **options)))


def _projected(trace: Trace, scenario: Scenario, **arrays: FloatArray) -> Trace:
    """The layer from this Q, K and V on."""
    return attend_from(scenario, q=trace.q, k=trace.k, v=trace.v, **arrays)


def _all_open(trace: Trace) -> Scenario:
    """The scenario without what hides; numbers that are added stay."""
    return replace(trace.scenario, mask=_open_mask(trace))


def _open_mask(trace: Trace) -> Mask:
    return Mask(additive=trace.scenario.mask.added())


def _is_square(trace: Trace) -> bool:
    return trace.scenario.n_q == trace.scenario.n_k
