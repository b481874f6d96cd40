"""How the page shows a scenario: what the address holds beside the scenario itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from mha_core import Scenario, Stack
from mha_core.checks.errors import MhaError
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.trace import HEAD_STEPS
from mha_core.layer.unchanged import without_sinks
from ui.state.view_params import (
    BOARDS,
    EVERY_BOARD,
    FIRST_PUZZLE,
    FOLDED_PARTS,
    OPEN_PARTS,
    PARAMS,
    STEP_OF_ROW,
    stop_of,
    wrong_param,
)

# What a person picks only to look at it.
GLANCES: Final = (
    *("layer", "head", "cell", "influence", "page", "unfolded", "folded", "step", "screen"),
    *("tour", "stop", "present", "part", "hints"),
)
# An address says those of them that its page shows.
OF_ONE_PAGE: Final = ("step", "screen", "present", "part", "puzzle", "hints")
# What two sessions side by side show alike.
SHOWN_ALIKE: Final = ("decimals", "shared_scale", "values", "palette", "drawn", "hide")


@dataclass(frozen=True)
class View:
    """What is shown and how; never what is computed.

    `layer` is the one that is shown, `head` the head that was picked and `cell` the cell, all
    counted from 0. `influence` names
    an array: the page shows how much that cell moves with its numbers. `page` is that of the
    heads, counted from 1; 0 while none is picked. `unfolded` names the parts of the page that a
    person has opened, `folded` those that a person has folded, `hide` those that a teacher has put
    away. `title` stands above the page, instead of the example's. `moved` says from what pictures
    show the difference. `drawn` names the boards that Plotly draws. `step` is the array in which
    two sessions are compared, `order` that of the heads. `screen` is that of the walkthrough.
    `tour` is the name of a tour, or a whole one packed into a word, and `stop` says where in it the
    page is, counted from 1. With `present` the page is shown as a lecturer presents it: one `part`
    at a time, "" being the first. `puzzle` is the one whose head is built, and `hints` how many of
    its hints are shown.

    >>> View(decimals=3, head=1).to_params()
    {'decimals': '3', 'head': '2'}
    >>> View.from_params({"decimals": "3", "head": "2"}) == (View(decimals=3, head=1), [])
    True
    """

    decimals: int = 2
    shared_scale: bool = True
    values: bool = True
    palette: str = "indigo"
    moved: str = "off"
    drawn: tuple[str, ...] = ()
    scores: str = "masked"
    rows: tuple[str, ...] = ("scores", "weights")
    layer: int = 0
    head: int | None = None
    cell: Cell | None = None
    influence: str | None = None
    page: int = 0
    step: str = "weights"
    order: str = "number"
    screen: str = "input"
    puzzle: str = FIRST_PUZZLE
    hints: int = 0
    tour: str = ""
    stop: int = 1
    present: bool = False
    part: str = ""
    unfolded: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    title: str = ""

    def to_params(self) -> dict[str, str]:
        """The parameters of what differs from the first view."""
        first = View()
        return {
            param: written.write(getattr(self, written.field))
            for param, written in PARAMS.items()
            if getattr(self, written.field) != getattr(first, written.field)
        }

    @classmethod
    def from_params(cls, params: Mapping[str, str]) -> tuple[View, list[MhaError]]:
        """The view that an address describes, and an error for each wrong parameter.

        A wrong parameter gets its default. If a tour does not have the stop, the view has no tour.
        Parameters that are not the view's are left alone.
        """
        fields, wrong = {}, []
        for param, written in {**PARAMS, "stop": stop_of(params.get("tour", ""))}.items():
            try:
                if param in params:
                    fields[written.field] = written.read(param, params[param])
            except MhaError as error:
                wrong.append(error)
        if "stop" in params and "stop" not in fields:
            fields.pop("tour", None)
        return cls(**fields), wrong

    @property
    def glances(self) -> dict[str, Any]:
        """What was picked only to look at it."""
        return {name: getattr(self, name) for name in GLANCES}

    def without_glances(self) -> View:
        return replace(self, **View().glances)

    @property
    def presented(self) -> dict[str, Any]:
        """Whether the page is presented, and which part of it."""
        return {"present": self.present, "part": self.part}

    def without_presenting(self) -> View:
        return replace(self, **View().presented)

    def without_step(self) -> View:
        """The view on a page that compares nothing."""
        return replace(self, step=View().step)

    def shows(self, part: str) -> bool:
        """Whether a part that folds is open.

        >>> View().shows("heads"), View().shows("into"), View(unfolded=("into",)).shows("into")
        (True, False, True)
        """
        return part in self.unfolded if part in FOLDED_PARTS else part not in self.folded

    def folds(self, part: str, *, is_open: bool) -> dict[str, tuple[str, ...]]:
        """The field of the view that changes when a part is opened or folded.

        >>> View().folds("into", is_open=True)
        {'unfolded': ('into',)}
        >>> View().folds("heads", is_open=False)
        {'folded': ('heads',)}
        """
        is_first = part in FOLDED_PARTS
        field, parts = ("unfolded", FOLDED_PARTS) if is_first else ("folded", OPEN_PARTS)
        others = [name for name in getattr(self, field) if name != part]
        named = [*others, part] if is_open == is_first else others
        return {field: tuple(name for name in parts if name in named)}

    def is_by_plotly(self, board: str) -> bool:
        return board in self.drawn or EVERY_BOARD in self.drawn

    def drawing(self, board: str, *, by_plotly: bool) -> tuple[str, ...]:
        """The boards that Plotly draws, once this one is drawn by it, or live.

        >>> View().drawing("heads", by_plotly=True)
        ('heads',)
        >>> "heads" in View(drawn=(EVERY_BOARD,)).drawing("heads", by_plotly=False)
        False
        """
        others = [each for each in BOARDS if each != board and self.is_by_plotly(each)]
        if by_plotly and len(others) == len(BOARDS) - 1:
            return (EVERY_BOARD,)
        named = [*others, board] if by_plotly else others
        return tuple(each for each in BOARDS if each in named)

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that the rows of the heads' picture show, in the order of the lesson.

        >>> View(scores="raw", rows=("scores", "weights", "exponentials")).steps
        ('raw_scores', 'exponentials', 'weights')
        """
        of_row = {"scores": f"{self.scores}_scores", **STEP_OF_ROW}
        chosen = {of_row.get(row, row) for row in self.rows}
        return tuple(step.name for step in HEAD_STEPS if step.name in chosen)

    def steps_of(self, s: Scenario) -> tuple[str, ...]:
        """The same for a layer: where heads have sinks, their shares stand with the weights."""
        is_shown = "weights" in self.steps and not without_sinks(s)
        shown = {*self.steps, *(["sink_weights"] if is_shown else [])}
        return tuple(step.name for step in HEAD_STEPS if step.name in shown)

    def check_head(self, stack: Stack) -> None:
        """Refuse a view that picks a layer or a head which there is not."""
        if self.layer >= len(stack.layers):
            need = say("must be one of the layers, 1 to {count}").format(count=len(stack.layers))
            raise wrong_param("layer", need, str(self.layer + 1))
        n_heads = stack.layers[self.layer].n_heads
        if self.head is not None and self.head >= n_heads:
            need = say("must be one of the heads, 1 to {count}").format(count=n_heads)
            raise wrong_param("head", need, str(self.head + 1))

    def without_what_is_gone(self, stack: Stack) -> View:
        """The view as other sizes leave it: cells have moved, and a picked head may be gone."""
        layer = min(self.layer, len(stack.layers) - 1)
        gone = self.head is not None and self.head >= stack.layers[layer].n_heads
        return replace(self, layer=layer, cell=None, page=0, head=None if gone else self.head)
