"""The one owner of session state: the scenario with its history, the view, and refused input.

A widget never holds the truth. `bound` shows it what the scenario says and hands what a person
enters to a change. A change that the core refuses leaves everything as it was and keeps what was
typed, beside the reason, until the next entry is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import streamlit as st

from mha_core import Scenario, Trace, attend
from mha_core.errors import MhaError
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, load_example
from mha_core.io.link import PARAMETERS, decode_link, link_parameters
from ui.state.view import PARAMS, View

HISTORY: Final = 200  # steps that undo can go back; scenarios share the arrays they have in common
LONGEST_LINK: Final = 6_000  # characters; proxies and mail programs cut off much beyond
KEY: Final = "explorer"

T = TypeVar("T")


@dataclass(frozen=True)
class Moment:
    """One step of the history: what was computed and how it was shown."""

    scenario: Scenario
    view: View

    @cached_property
    def params(self) -> Mapping[str, str]:
        """What the address says of this moment."""
        return {**link_parameters(self.scenario), **self.view.to_params()}

    @property
    def link(self) -> str:
        return urlencode(self.params)

    @property
    def fits_a_link(self) -> bool:
        return len(self.link) <= LONGEST_LINK


@dataclass(frozen=True)
class Refusal:
    """What a person entered that was not taken, and why."""

    entered: Any
    reason: str


@dataclass
class Explorer:
    """One visitor's session: every moment it has been through, and where in them it stands."""

    history: list[Moment]
    at: int = 0
    refusals: dict[str, Refusal] = field(default_factory=dict)
    _made: dict[str, Any] = field(default_factory=dict)
    _made_of: Scenario | None = None

    @property
    def now(self) -> Moment:
        return self.history[self.at]

    @property
    def scenario(self) -> Scenario:
        return self.now.scenario

    @property
    def view(self) -> View:
        return self.now.view

    @property
    def trace(self) -> Trace:
        """The trace of the present scenario, made once, however often the page runs."""
        return self.once("trace", lambda: attend(self.scenario))

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` makes of the present scenario, made when first asked for and then kept."""
        if self._made_of is not self.scenario:
            self._made, self._made_of = {}, self.scenario
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made

    @property
    def example(self) -> str:
        """The example that the present scenario began as."""
        name = self.scenario.origin.example
        return name if name in EXAMPLES else DEFAULT_EXAMPLE

    @property
    def is_changed(self) -> bool:
        return self.scenario != load_example(self.example)

    @property
    def can_undo(self) -> bool:
        return self.at > 0

    @property
    def can_redo(self) -> bool:
        return self.at < len(self.history) - 1

    def go_to(self, scenario: Scenario | None = None, view: View | None = None) -> None:
        """Take a step. What had been undone is forgotten; standing still is no step."""
        new = Moment(scenario or self.scenario, view or self.view)
        if new != self.now:
            self.history = [*self.history[: self.at + 1], new][-HISTORY:]
            self.at = len(self.history) - 1

    def look_at(self, **fields: Any) -> None:
        """Pick a head or a cell: a glance, which undo does not count as a step."""
        self.history[self.at] = replace(self.now, view=replace(self.view, **fields))

    def attempt(self, key: str, entered: Any, change: Callable[[Scenario], Scenario]) -> None:
        """Change the scenario, or remember under `key` why not."""
        try:
            scenario = change(self.scenario)
            _ = attend(scenario).output
        except MhaError as error:
            self.refusals[key] = Refusal(entered, str(error))
        else:
            self.refusals.pop(key, None)
            self.go_to(scenario=scenario)

    def undo(self) -> None:
        self.at = max(0, self.at - 1)
        self.refusals.clear()

    def redo(self) -> None:
        self.at = min(len(self.history) - 1, self.at + 1)
        self.refusals.clear()

    def reset(self) -> None:
        """Back to the example; undo leads back here."""
        self.refusals.clear()
        self.go_to(scenario=load_example(self.example))


def explorer() -> Explorer:
    """This visitor's session; the first time, what the address describes."""
    if KEY not in st.session_state:
        st.session_state[KEY] = _opened(st.query_params.to_dict())
    session: Explorer = st.session_state[KEY]
    return session


def bound(key: str, shown: Any, change: Callable[[Scenario, Any], Scenario]) -> dict[str, Any]:
    """Arguments that tie a widget to the scenario: it shows `shown`, an entry goes to `change`.

    st.number_input("Heads", **bound("heads", scenario.n_heads, with_heads))
    """
    widget = f"enter-{key}"

    def enter() -> None:
        entered = st.session_state[widget]
        explorer().attempt(key, entered, lambda scenario: change(scenario, entered))

    refusal = explorer().refusals.get(key)
    st.session_state[widget] = refusal.entered if refusal else shown
    return {"key": widget, "on_change": enter}


def bound_to_view(
    name: str,
    enter_as: Callable[[Any], Any] = lambda x: x,
    show_as: Callable[[Any], Any] = lambda x: x,
) -> dict[str, Any]:
    """The same for a field of the view."""
    widget = f"view-{name}"

    def enter() -> None:
        session = explorer()
        entered = enter_as(st.session_state[widget])
        session.go_to(view=replace(session.view, **{name: entered}))

    st.session_state[widget] = show_as(getattr(explorer().view, name))
    return {"key": widget, "on_change": enter}


def write_address() -> None:
    """Let the address say what the page shows, so that it can be copied at any moment."""
    now = explorer().now
    params = dict(now.params) if now.fits_a_link else now.view.to_params()
    if params != st.query_params.to_dict():
        st.query_params.from_dict(params)


def _opened(params: Mapping[str, str]) -> Explorer:
    """A session at what the address describes, or at the first example with the reason why not."""
    scenario, view, refusals = load_example(DEFAULT_EXAMPLE), View(), {}
    try:
        view = View.from_params(params)
        if any(name in PARAMETERS for name in params):
            scenario = decode_link(params, ignore=PARAMS)
        _ = attend(scenario).output
    except MhaError as error:
        refusals["address"] = Refusal(dict(params), str(error))
    return Explorer([Moment(scenario, view)], refusals=refusals)
