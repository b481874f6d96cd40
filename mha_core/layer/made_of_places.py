"""What one number is made of in the steps that look at places of tokens: positions, the mask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.expressions import Expression, Given
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import NOTHING_ADDED, MadeOf, SamePlace
from mha_core.layer.positions import BASE, alibi_slopes
from mha_core.layer.unchanged import (
    without_alibi,
    without_gate_of_additions,
    without_rotations,
    without_sinusoids,
)
from mha_core.layer.where import ADDITIVE, computed, is_given, number_in
from mha_core.options.growth import factor_term
from mha_core.options.registry import WAVELENGTHS
from mha_core.scenario.rotation import Rotation, rotation_of
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import COLUMN, HEAD, ROW, Below, Count, CountLike, OneOf, Unsigned, Width
from mha_core.terms.letters import D_K, PAIR
from mha_core.terms.terms import At, If, Letter, Number, Term, ZeroBecause, applied, total

IS_EVEN: Final = Below(COLUMN % 2, 1)


def _place(start: int) -> Term:
    its = Letter("p", say("the position of the token, counted from 0"))
    return Number(ROW + start, "p", letters=(its,))


def _chosen_place(start: int, rotation: Rotation, pair: Count) -> Term:
    """The place of the row on the axis that its pair of columns follows."""
    if rotation.places is None:
        return _place(start)
    on_axes = [*zip(*rotation.places, strict=True)]
    if len(on_axes) == 1:
        its = Letter("p", say("the place of the token"))
        return Number(OneOf(on_axes[0], ROW + start), "p", letters=(its,))
    axis = OneOf(rotation.axes, pair)
    *others, place = [_place_on(i, numbers, start) for i, numbers in enumerate(on_axes)]
    for i in reversed(range(len(others))):
        place = If(Below(axis, i + 1), others[i], place)
    return place


def _place_on(axis: int, numbers: tuple[float, ...], start: int) -> Term:
    says = say("the token's place on axis {axis}, counted from 0").format(axis=axis)
    symbol = f"p_{axis}"
    return Number(OneOf(numbers, ROW + start), symbol, letters=(Letter(symbol, says),))


def _angle(place: Term, number: CountLike, wavelength: Term) -> Term:
    """A place over the wavelength of the pair with this number, which is 1 for the first."""
    return If(Below(number, 1), place, place / wavelength)


@dataclass(frozen=True)
class Rotated(MadeOf):
    """Two columns, turned by the angle of their position; those that do not turn stay."""

    name: str
    start: Callable[[Any], int]  # the place of the first row, of a scenario

    def term(self, s: Scenario) -> Term:
        if without_rotations(s):
            return At(self.name)
        rotation = rotation_of(s.scores, s.d_k)
        pairs = Pairs.of(rotation)
        angle = self._turn(s, rotation, pairs.turning)
        cos, sin = applied("cos", angle), applied("sin", angle)
        first, second = At(self.name, column=pairs.first), At(self.name, column=pairs.second)
        turned = If(pairs.is_first, first * cos - second * sin, total([first * sin, second * cos]))
        if rotation.columns == s.d_k:
            return turned
        return If(Below(COLUMN, rotation.columns), turned, At(self.name))

    def _turn(self, s: Scenario, rotation: Rotation, pair: Count) -> Term:
        """The angle of a pair at the place of the row."""
        its = replace(PAIR, count=pair)
        if rotation.crossed is not None:
            its = replace(its, words=say("the pair whose angle the column has, counted from 0"))
        place = _chosen_place(self.start(s), rotation, pair)
        if rotation.frequencies is not None:
            speed = Letter("f_c", say("how far the pair turns from one position to the next"))
            frequency = Number(OneOf(rotation.frequencies, pair), "f_c", letters=(speed, its))
            return place * frequency
        name, wavelengths = WAVELENGTHS
        assert wavelengths is not None
        value = getattr(s.scores, name)
        if rotation.has_series_of_axes:
            number, exponent = _share_of_axis(rotation, pair)
            return _angle(place, number, wavelengths.term(exponent, value))
        width = D_K
        if rotation.columns != s.d_k:
            width = Letter("r", say("the number of columns that turn"), rotation.columns)
        columns = Width(self.name) if width is D_K else rotation.columns
        share = pair * 2 / columns
        exponent = Number(share, f"2c/{width.text}", letters=(its, width))
        return _angle(place, pair, wavelengths.term(exponent, value))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step != computed(t, self.name):
            return
        rotation = rotation_of(t.scenario.scores, t.scenario.d_k)
        for column in rotation.pair_of(source.column):
            yield Cell(step, source.head, source.row, column)


def _share_of_axis(rotation: Rotation, pair: Count) -> tuple[Count, Number]:
    """The number of a pair among those of its axis, and its share of their columns."""
    number = OneOf(tuple(each.number for each in rotation.series), pair)
    columns = OneOf(tuple(2 * each.among for each in rotation.series), pair)
    letters = (
        Letter("c", say("the pair among those of its axis, counted from 0"), number),
        Letter("r", say("the number of columns that follow this axis"), columns),
    )
    return number, Number(number * 2 / columns, "2c/r", letters=letters)


class Pairs(NamedTuple):
    """Where the columns of a pair stand, of the column that is looked at."""

    turning: Count  # the number of the pair that turns by the same angle
    first: CountLike
    second: CountLike
    is_first: Below

    @classmethod
    def of(cls, rotation: Rotation) -> Pairs:
        half = rotation.columns // 2
        if rotation.in_halves:
            number = COLUMN % half
            return cls(number, number, number + half, Below(COLUMN, half))
        even = COLUMN - COLUMN % 2
        turning = COLUMN // 2 if rotation.crossed is None else OneOf(rotation.crossed, COLUMN)
        return cls(turning, even, even + 1, IS_EVEN)


@dataclass(frozen=True)
class Waves(MadeOf):
    """Sinusoids: they read no number, only the place of the row and of the column."""

    name: str  # of the array that they are added to
    start: Callable[[Any], int]

    def term(self, s: Scenario) -> Term:
        if without_sinusoids(s):
            return ZeroBecause(say("no sinusoids are chosen"))
        pair = COLUMN // 2
        share = pair * 2 / Width(self.name)
        letters = (PAIR, Letter("d_model", say("the width of a row"), Width(self.name)))
        exponent = Number(share, r"2c/d_{\mathrm{model}}", "2c/d_model", letters)
        angle = _angle(_place(self.start(s)), pair, Number(BASE) ** exponent)
        return If(IS_EVEN, applied("sin", angle), applied("cos", angle))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


class Grown(SamePlace):
    """Scores times what the position of their query makes of them."""

    @property
    def read(self) -> tuple[str, ...]:
        return ("summed_scores",)

    def term(self, s: Scenario) -> Term:
        return At("summed_scores") * factor_term(s.scores, ROW + s.query_start)


class Added(MadeOf):
    """ALiBi's slope times the distance, what the head has of its own, and the additive mask.

    A gate may multiply what the head has of its own.
    """

    def term(self, s: Scenario) -> Term:
        terms: list[Term] = []
        if not without_alibi(s):
            slopes = tuple(float(slope) for slope in alibi_slopes(s.n_heads))
            distance = Unsigned(ROW + (s.query_start - s.key_start) - COLUMN)
            slope = Number(
                OneOf(slopes, HEAD), "a_i", letters=(Letter("a_i", say("the slope of the head")),)
            )
            places = (
                Letter("p_q", say("the position of the query"), ROW + s.query_start),
                Letter("p_k", say("the position of the key"), COLUMN + s.key_start),
            )
            terms.append(slope * Number(distance * -1, "-|p_q - p_k|", letters=places))
        if s.b_s is not None:
            own = At("b_s", row=HEAD * s.n_q + ROW)
            terms.append(own if without_gate_of_additions(s) else At("factors") * own)
        without = total(terms) if terms else ZeroBecause(NOTHING_ADDED)
        if s.mask.additive is None:
            return without
        return If("adding", total([*terms, At(ADDITIVE)]), without)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == "b_s":
            head, row = divmod(source.row, t.scenario.n_q)
            yield Cell(step, head, row, source.column)
        if source.step == "factors" and not without_gate_of_additions(t.scenario):
            keys = range(t.scenario.n_k)
            yield from (Cell(step, source.head, source.row, key) for key in keys)
        if source.step == ADDITIVE and is_given(t, ADDITIVE):
            heads = range(t.scenario.n_heads)
            yield from (Cell(step, head, source.row, source.column) for head in heads)


class Allowed(MadeOf):
    """True where every part of the mask allows it."""

    def at(self, t: ForwardPass, cell: Cell) -> Expression:
        parts = _parts_that_hide(t, cell.row, cell.column)
        because = say("no part of the mask hides it")
        if parts:
            because = say("hidden by {parts}").format(parts=say(" and ").join(parts))
        return Given(number_in(t, cell), because)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


class Blind(MadeOf):
    """True for a query from which the mask hides every key."""

    def at(self, t: ForwardPass, cell: Cell) -> Expression:
        is_blind = number_in(t, cell)
        because = say("the mask hides every key from it") if is_blind else say("it sees a key")
        return Given(is_blind, because)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == "mask":
            yield Cell(step, None, source.row, 0)


def _parts_that_hide(t: ForwardPass, query: int, key: int) -> list[str]:
    """The parts of the mask that hide a key from a query, in words."""
    s = t.scenario
    row = slice(query, query + 1)
    parts = [
        rule.name.replace("_", " ")
        for rule in s.mask.rules
        if not rule.allowed(s.n_q, s.n_k, row)[0, key]
    ]
    if s.mask.custom is not None and not s.mask.custom[query, key]:
        parts.append(say("the drawn mask"))
    if s.mask.additive is not None and np.isneginf(s.mask.additive[query, key]):
        parts.append(say("-inf in the additive mask"))
    return parts
