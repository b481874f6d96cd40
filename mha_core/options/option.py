"""What an option of the scores is: everything about it is told once, and all read it."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mha_core.checks.shapes import FloatArray
from mha_core.options.kinds import Kind, Real
from mha_core.terms.terms import Term

Options = Any  # a ScoreOptions, which is made of these declarations
Used = Literal["often", "sometimes", "seldom"]  # in sight at first, behind "More", folded there


@dataclass(frozen=True)
class Slider:
    """Where a slider begins and ends; with `by_factors`, its steps multiply and do not add."""

    least: float
    most: float
    by_factors: bool = False
    may_be_none: bool = False


@dataclass(frozen=True)
class ScoreStep:
    """A step between the scores and the softmax in which each score becomes another.

    `change` does it to an array, in place; `term` says it of one score. `slope` takes the new
    scores, and gives how much they move with the old ones. `latex` and `numpy` take the scores
    before it, and write it as a formula. `happens` says it in a few letters.
    """

    idle: float | None  # the number that changes nothing
    change: Callable[[FloatArray, float], None]  # with the number that the option stands for
    slope: Callable[[FloatArray, float], Any]
    term: Callable[[Term, Any], Term]  # with the value of the option
    latex: Callable[[str, Any], str]
    numpy: Callable[[str, Any], str]
    happens: Callable[[Any, float], str]  # with its value and its number
    is_after_mask: bool = False


@dataclass(frozen=True)
class Wavelengths:
    """How many positions each pair of columns takes for a turn by one radian, under RoPE.

    A pair is known by its number, twice, as a share of the columns that turn. All three get the
    value of the option; `numpy` writes them as a formula of a variable `share`.
    """

    of: Callable[[FloatArray, Any], FloatArray]
    term: Callable[[Term, Any], Term]
    numpy: Callable[[Any], str]


def is_always_there(_: Options) -> bool:
    return True


def itself(value: Any, _: int) -> Any:
    return value


def as_float(number: Any, _: int) -> float:
    return float(number)  # NumPy's numbers would set the type of what they multiply


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen for the scores.

    Files, links, the sidebar, comparisons, mistakes and the tests read this. Only its equation is
    left to be written, here and in the browser (`ui/plot/js/numbers/forward.js`).
    """

    name: str  # in a Scenario, a link and a file
    order: int  # its place among the others, in links and files
    sidebar_order: int  # the same in the sidebar
    thing: str  # what a refusal calls it
    title: str  # in a comparison
    kind: Kind
    default: Any
    in_a_link: str  # what the parameter may be, in words
    help: str  # what it does, and may be
    drawn: Sequence[Any]  # values that a random test may give it, the default among them
    label: str = ""  # of its field, if it is not the title; {first} is the first token or query
    in_its_field: str = ""  # how it may be written there, and nowhere in Python
    placeholder: str = ""  # of its empty field; {s} is the scenario
    used: Used = "sometimes"
    slider: Callable[[int], Slider] | None = None  # of d_k
    number: Callable[[Any, int], Any] = itself  # what it stands for, of its value and d_k
    applies: Callable[[Options], bool] = is_always_there  # to a layer with these options
    needs: tuple[str, ...] = ()  # given arrays: without one of them it does nothing, as a gate
    note: Callable[[Any], str] = lambda value: ""  # a sentence, unless it has its default
    effect: Callable[[Options, int], str] = lambda scores, d_k: ""  # what it does; of all, and d_k
    mistake: str = ""  # a sentence, if somebody left it out
    is_in_every_file: bool = False  # as the first version; others only where they change it
    step: ScoreStep | None = None
    wavelengths: Wavelengths | None = None

    @property
    def help_at_its_field(self) -> str:
        return f"{self.help} {self.in_its_field}".rstrip()

    def is_asked(self, scores: Options) -> bool:
        """Whether it applies, or may keep another one from being chosen: then it can be mended."""
        return self.applies(scores) or getattr(scores, self.name) != self.default

    def has_what_it_needs(self, given: Container[str]) -> bool:
        """Whether a layer with these arrays has what it acts on."""
        return not self.needs or any(name in given for name in self.needs)

    def check(self, value: Any) -> None:
        """Refuse a value that it may not have."""
        self.kind.check(self.thing, value)

    def check_number(self, value: Any) -> None:
        """Refuse anything but a number that it may stand for."""
        assert isinstance(self.kind, Real)
        if value is not None or self.step is None or self.step.idle is not None:
            self.kind.check_number(self.thing, value)
