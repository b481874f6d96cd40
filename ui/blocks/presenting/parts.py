"""The parts of a page that are presented: each with its title, its formula and its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from mha_core import Scenario, Trace
from mha_core.guide.screens import SCREENS, Screen, nearest_screen, screens_of
from mha_core.language import say
from mha_core.layer.equations import Equation, equation_of
from mha_core.layer.steps import Step
from mha_core.layer.trace import HEAD_STEPS
from ui import plot
from ui.blocks.heads_shown import heads_in_sight
from ui.blocks.picture import picture
from ui.figures.into_heads import projected
from ui.figures.one_head import head_steps_in_use
from ui.figures.presented import (
    into_heads_on_screen,
    operation_figure,
    short_equation_figure,
    step_on_screen,
    together_on_screen,
)
from ui.figures.walkthrough import is_of_one_head
from ui.mathml import mathml
from ui.state import Session

Of = Literal["heads", "head", ""]  # the matrices of several heads, those of one, or neither
INTO: Final = say("Into the heads")
ONE_HEAD: Final = say("One head, from Q, K, V to its output")
TOGETHER: Final = say("The heads together")
SEEN_AT_STOPS: Final = "weights"  # what a stop of a tour is about, unless its link names a part
PROJECTIONS: Final = ("queries", "keys", "values")  # screens that say how the heads begin


class Shown(NamedTuple):
    """A picture of a part, and whose numbers it shows. Where there are others, it has a caption."""

    picture: plot.Picture
    whose: Session
    caption: str = ""


@dataclass(frozen=True)
class Part:
    """What is on the screen at once. `draw` makes its pictures; `sentence` says why it is there."""

    name: str
    title: str
    equations: Sequence[Equation]
    of: Of
    draw: Callable[[Session], Sequence[Shown]]
    sentence: str = ""

    @property
    def formula(self) -> str:
        """As MathML, an equation each."""
        return "".join(f"<span>{mathml(each.latex)}</span> " for each in self.equations)


@dataclass(frozen=True)
class Parts:
    """All parts of a page, in their order; `field` of the view says which one is presented.

    A stop of a tour whose link names no part is about `at_stops`.
    """

    field: Literal["part", "screen"]
    all: Sequence[Part]
    now: Part
    at_stops: Part

    def is_about(self, part: str) -> bool:
        """Whether the part on the screen is the one of a stop with this part in its link."""
        names = [each.name for each in self.all]
        its = self.all[nearest(part, names)] if part else self.at_stops
        return self.now is its


def parts_of_explorer(session: Session) -> Parts:
    """From the input to the output: how the heads begin, each step of all heads, one head, all."""
    trace, view = session.trace, session.view
    parts = session.make_once("parts", lambda: _parts(trace))
    names = [part.name for part in parts]
    at_stops = parts[nearest(SEEN_AT_STOPS, names)]
    first = at_stops.name if view.tour else ""
    return Parts("part", parts, parts[nearest(view.part or first, names)], at_stops)


def parts_of_walkthrough(session: Session) -> Parts:
    """The screens."""
    screens = screens_of(session.scenario)
    parts = [_of_screen(session.trace, screen, screen.why) for screen in screens]
    now = screens.index(nearest_screen(session.view.screen, session.scenario))
    return Parts("screen", parts, parts[now], parts[now])


def nearest(name: str, names: Sequence[str]) -> int:
    """The place of a part; if that does nothing here, the place of the step before it."""
    if name in names:
        return names.index(name)
    steps = [step.name for step in HEAD_STEPS]
    before = steps[: steps.index(name)] if name in steps else []
    return next((names.index(each) for each in reversed(before) if each in names), 0)


def _parts(trace: Trace) -> list[Part]:
    s = trace.scenario
    into = Part(
        "into",
        INTO,
        [_equation(s, name) for name in projected(s)],
        "",
        lambda session: _picture(session, "into", INTO, into_heads_on_screen),
    )
    projections = [_of_screen(trace, SCREENS[name]) for name in PROJECTIONS]
    steps = [_of_step(s, step) for step in head_steps_in_use(s)]
    head = Part(
        "head",
        ONE_HEAD,
        [_equation(s, name) for name in ("weights", "head_outputs")],
        "head",
        lambda session: _picture(
            session, "head", ONE_HEAD, short_equation_figure, shown_head(session)
        ),
    )
    together = Part(
        "together",
        TOGETHER,
        [_equation(s, name) for name in ("concat", "output")],
        "",
        lambda session: _picture(session, "together", TOGETHER, together_on_screen),
    )
    way_in = [into] if into_heads_on_screen(trace) else []
    return [*way_in, *projections, *steps, head, together]


def _of_step(s: Scenario, step: Step[Any]) -> Part:
    """One step of all heads, or of the head that was chosen."""

    def draw(session: Session) -> Sequence[Shown]:
        alt = say("{step} of the heads").format(step=step.title)
        return _picture(session, step.name, alt, step_on_screen, step.name, _heads(session))

    return Part(step.name, step.title, [_equation(s, step.name)], "heads", draw)


def _of_screen(trace: Trace, screen: Screen, sentence: str = "") -> Part:
    """An operation of the walkthrough."""
    equations = screen.equations(trace.scenario, lambda _, latex: latex)
    is_of_head = trace.scenario.n_heads > 1 and is_of_one_head(trace, screen)

    def draw(session: Session) -> Sequence[Shown]:
        of = (screen, shown_head(session))
        return _picture(session, f"screen {screen.name}", screen.title, operation_figure, *of)

    of: Of = "head" if is_of_head else ""
    return Part(screen.name, screen.title, equations, of, draw, sentence)


def _picture(
    session: Session, name: str, alt: str, make: Callable[..., Any], *of: Any
) -> Sequence[Shown]:
    shown = picture(session, f"presented {name}", alt, make, *of)
    return [Shown(shown, session)] if shown else []


def _heads(session: Session) -> tuple[int, ...]:
    """The chosen head, or the heads of the present page."""
    if session.view.head is not None:
        return (session.view.head,)
    return tuple(heads_in_sight(session))


def shown_head(session: Session) -> int:
    return session.view.head or 0


def _equation(s: Scenario, name: str) -> Equation:
    return equation_of(getattr(Trace, name), s)
