"""The one owner of session state: the scenario with its history, the view, and refused input.

A widget never holds the truth. `bound` shows it what the scenario says and hands what a person
enters to a change. A change that the core refuses leaves everything as it was and keeps what was
typed, beside the reason, until the next entry is taken.

Several threads may use a session at once: on each event Streamlit asks the running one to stop and
starts another, while the first may still compute. So changes wait for each other, and what is made
is kept with the scenario that it was made of.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import numpy.typing as npt
import streamlit as st

from mha_core import Scenario, Trace, attend
from mha_core.checks.errors import FormatError, LimitError, MhaError
from mha_core.checks.shapes import check_limit
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, Example, load_example
from mha_core.io.scenario.link import PARAMETERS, decode_link, link_parameters
from ui.state.view import GLANCES, PARAMS, View

HISTORY: Final = 200  # steps that undo can go back
HISTORY_BYTES: Final = 2**27  # of all arrays in it; moments share the arrays they have in common
LONGEST_LINK: Final = 6_000  # characters; proxies and mail programs cut off much beyond
MOST_SCORES: Final = 2**19  # of all heads: as many as 32 heads have on 128 tokens
HALF_A_CHARACTER: Final = re.compile("[\ud800-\udfff]")
KEY: Final = "explorer"
STRANGERS: Final = ("utm_", "fbclid", "gclid")  # beginnings of parameters that others add to links
HISTORY_KEY: Final = "history"  # of the component that steps through it

T = TypeVar("T")
Array = npt.NDArray[Any]
Address = tuple[tuple[str, str], ...]  # its parameters, sorted


@dataclass(frozen=True)
class Moment:
    """One step of the history: what was computed and how it was shown."""

    scenario: Scenario
    view: View


@dataclass(frozen=True)
class Refusal:
    """What a person entered that was not taken, why, and what the field had shown before."""

    entered: Any
    reason: str
    instead_of: Any = None


@dataclass
class Explorer:
    """One visitor's session: every moment it has been through, and where in them it stands."""

    history: list[Moment]
    at: int = 0
    refusals: dict[str, Refusal] = field(default_factory=dict)
    _shown_at: dict[Address, Moment] = field(default_factory=dict)
    _made: tuple[Scenario | None, dict[Hashable, Any]] = (None, {})
    _entries: dict[str, object] = field(default_factory=dict)  # the newest under each key
    _changing: threading.RLock = field(default_factory=threading.RLock, repr=False, compare=False)

    @property
    def now(self) -> Moment:
        history = self.history  # which another thread may shorten, and move `at` a moment later
        return history[min(self.at, len(history) - 1)]

    @property
    def scenario(self) -> Scenario:
        return self.now.scenario

    @property
    def view(self) -> View:
        return self.now.view

    @property
    def trace(self) -> Trace:
        """The trace of the present scenario, made once, however often the page runs."""
        return self.once("trace", lambda: trace_to_show(self.scenario))

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes of the present scenario, made when first asked for and then kept."""
        of, made = self._made
        if of is not (scenario := self.scenario):
            made = {}
            self._made = scenario, made
        if name not in made:
            made[name] = make()
        thing: T = made[name]
        return thing

    @property
    def params(self) -> dict[str, str]:
        """What the address says of the present moment: of one too large for a link, its view."""
        scenario = self.once("link", lambda: _link_of(self.scenario))
        return {**(scenario or {}), **self.view.to_params()}

    @property
    def link(self) -> str:
        return urlencode(self.params)

    @property
    def fits_a_link(self) -> bool:
        return self.once("link", lambda: _link_of(self.scenario)) is not None

    @property
    def example(self) -> str:
        """The example that the present scenario began as."""
        name = self.scenario.origin.example
        return name if name in EXAMPLES else DEFAULT_EXAMPLE

    @property
    def example_shown(self) -> Example | None:
        """The example that the page is about: what is told of its tokens is told of no others."""
        s = self.scenario
        if s.origin.example not in EXAMPLES:
            return None
        own = load_example(s.origin.example)
        its, ours = ((each.tokens, each.context_tokens, each.x.shape) for each in (own, s))
        return EXAMPLES[s.origin.example] if its == ours else None

    @property
    def is_changed(self) -> bool:
        return self.once("changed", lambda: not _same(self.scenario, load_example(self.example)))

    def go_to(self, scenario: Scenario | None = None, view: View | None = None) -> None:
        """Take a step. What had been undone is forgotten; standing still is no step."""
        with self._changing:
            self.refusals.pop("address", None)
            new_scenario = scenario or self.scenario
            new_view = view or self.view
            if new_scenario.sizes != self.scenario.sizes:
                new_view = new_view.without_what_is_gone(new_scenario)
            if new_view != self.view or not _same(new_scenario, self.scenario):
                new = Moment(new_scenario, new_view)
                history = _latest([*self.history[: self.at + 1], new])
                self.history, self.at = history, len(history) - 1

    def look_at(self, **fields: Any) -> None:
        """Pick a head or a cell: a glance, which undo does not count as a step."""
        with self._changing:
            self.refusals.pop("address", None)
            self.history[self.at] = replace(self.now, view=replace(self.view, **fields))

    def attempt(
        self,
        key: str,
        entered: Any,
        change: Callable[[Scenario], Scenario],
        instead_of: Any = None,
    ) -> None:
        """Change the scenario, or remember under `key` why not.

        Of entries under one key that wait for each other, the newest alone is made.
        """
        entry = self._entries[key] = object()
        with self._changing:
            if self._entries[key] is not entry:
                return
            try:
                scenario = change(self.scenario)
                trace = trace_to_show(scenario)
            except MhaError as error:
                self.refusals[key] = Refusal(entered, str(error), instead_of)
                return
            for passed in (key, "mask-cell"):  # a click was refused for the mask that was
                self.refusals.pop(passed, None)
            self.go_to(scenario=scenario)
            if self.scenario is scenario:
                self.once("trace", lambda: trace)

    def open(self, scenario: Scenario, view: View | None = None) -> None:
        """Go to another scenario altogether: nothing that was refused belongs to it."""
        self.refusals.clear()
        self.go_to(scenario, view)

    def step_to(self, place: int) -> None:
        """Stand at another moment of the history, or at the end that is nearest to it."""
        with self._changing:
            self.at = min(max(place, 0), len(self.history) - 1)
            self.refusals.clear()

    def undo(self) -> None:
        self.step_to(self.at - 1)

    def redo(self) -> None:
        self.step_to(self.at + 1)

    def reset(self) -> None:
        """Back to the example; undo leads back here."""
        self.open(load_example(self.example))

    def visit(self, params: Mapping[str, str]) -> None:
        """Go to what the page showed at an address: where the browser's Back and Forward lead."""
        if dict(params) != self.params:
            self._go_back_to(params)
        if dict(params) == self.params:  # where the browser is, nothing has to be written
            self.remember_address(params)

    def _go_back_to(self, params: Mapping[str, str]) -> None:
        moment = self._shown_at.get(_address(params))
        if moment is None:  # from before this session, or forgotten
            opened = opened_at(params)
            self.open(opened.scenario, opened.view)
            self.refusals = opened.refusals
            return
        places = [i for i, other in enumerate(self.history) if _looks_like(other, moment)]
        if not places:
            self.open(moment.scenario, moment.view)
            return
        self.step_to(min(places, key=lambda place: abs(place - self.at)))
        self.look_at(**{glance: getattr(moment.view, glance) for glance in GLANCES})

    @property
    def has_an_address(self) -> bool:
        return bool(self._shown_at)

    def has_just_shown(self, params: Mapping[str, str]) -> bool:
        """Whether this address was the last to be remembered."""
        return bool(self._shown_at) and next(reversed(self._shown_at)) == _address(params)

    def remember_address(self, params: Mapping[str, str]) -> None:
        """Remember the address of the present moment."""
        address = _address(params)
        kept = {id(moment.scenario) for moment in self.history}
        self._shown_at = {
            old: moment
            for old, moment in self._shown_at.items()
            if old != address and id(moment.scenario) in kept
        }
        self._shown_at[address] = self.now


def explorer() -> Explorer:
    """This visitor's session; the first time, what the address describes."""
    session: Explorer | None = st.session_state.get(KEY)
    if session is None:
        session = st.session_state[KEY] = opened_at(st.query_params.to_dict())
    return session


def trace_to_show(scenario: Scenario) -> Trace:
    """The trace with its output; refused where the page cannot show it."""
    scores = scenario.n_heads * scenario.n_q * scenario.n_k
    way_out = "Take fewer tokens or heads; mha_core itself takes more."
    check_limit("The number of scores on this page", scores, MOST_SCORES, way_out)
    for text in (*scenario.tokens, *scenario.context_tokens, *map(str, astuple(scenario.origin))):
        if HALF_A_CHARACTER.search(text):  # Streamlit sends UTF-8, which has no halves
            need = "must be of whole characters, to be shown on a page"
            raise FormatError("A label", need, ascii(text)[:60], "Write it without them.")
    trace = attend(scenario)
    _ = trace.output  # where an overflow would show
    return trace


def bound(key: str, shown: Any, change: Callable[[Scenario, Any], Scenario]) -> dict[str, Any]:
    """Arguments that tie a widget to the scenario: it shows `shown`, an entry goes to `change`.

    st.text_input("Tokens", **bound("tokens", " ".join(scenario.tokens), with_text))
    """
    widget = f"enter-{key}"
    of = explorer().scenario

    def enter() -> None:
        if is_stepping():
            return
        entered = st.session_state[widget]
        is_still_shown = explorer().scenario is of  # a run may be stopped before it gets here
        if entered is None or (entered == shown and is_still_shown):
            explorer().refusals.pop(key, None)  # emptied, or back at what there is
        else:
            explorer().attempt(key, entered, lambda scenario: change(scenario, entered), shown)

    refusal = explorer().refusals.get(key)
    if refusal and refusal.instead_of != shown:  # another control has changed it since
        del explorer().refusals[key]
        refusal = None
    _let_show(widget, refusal.entered if refusal else shown)
    return {"key": widget, "on_change": enter}


def bound_to_view(
    name: str,
    enter_as: Callable[[Any], Any] = lambda x: x,
    show_as: Callable[[Any], Any] = lambda x: x,
) -> dict[str, Any]:
    """The same for a field of the view."""
    widget = f"view-{name}"

    def enter() -> None:
        if is_stepping():
            return
        session = explorer()
        entered = enter_as(st.session_state[widget])
        if name in GLANCES:
            session.look_at(**{name: entered})
        else:
            session.go_to(view=replace(session.view, **{name: entered}))

    _let_show(widget, show_as(getattr(explorer().view, name)))
    return {"key": widget, "on_change": enter}


def is_stepping() -> bool:
    """True where this run was asked for by undo or redo, Back or Forward.

    Somebody who clicks them fast is ahead of the page: along with the click the browser then sends
    what its fields showed some steps ago, which nobody has entered.
    """
    asked = st.session_state.get(HISTORY_KEY, {})
    return any(asked.get(event) is not None for event in ("go", "visit"))


def write_address() -> None:
    """Let the address say what the page shows, so that it can be copied at any moment.

    Only where that has changed: Back and Forward change the address first, and the page follows. An
    address that was refused stays, to be mended, until the next change. Writing may end the run, if
    the next one waits: what was not written is not remembered, so that the next one writes it.
    """
    session = explorer()
    params = session.params
    if "address" in session.refusals or session.has_just_shown(params):
        return
    is_opening = not session.has_an_address
    if not is_opening or params != st.query_params.to_dict():
        st.query_params.from_dict(params)
    session.remember_address(params)


def _let_show(widget: str, value: Any) -> None:
    """Set a widget, but only to something new: each setting undoes what is just being typed.

    Not so after undo and the like: what the browser says that the field shows may be a step behind.
    """
    if is_stepping() or widget not in st.session_state or st.session_state[widget] != value:
        st.session_state[widget] = value


def opened_at(params: Mapping[str, str]) -> Explorer:
    """A session at what the address describes; what it describes wrongly is as usual, and said."""
    scenario, wrong = load_example(DEFAULT_EXAMPLE), list[MhaError]()
    try:
        if described := {name: params[name] for name in params if name in PARAMETERS}:
            asked_for = decode_link(described)
            _ = trace_to_show(asked_for)
            scenario = asked_for
    except MhaError as error:
        wrong.append(error)
    view, wrong_of_view = View.from_params(params)
    try:
        if not wrong:
            view.check_head(scenario)
    except MhaError as error:
        wrong_of_view.append(error)
    wrong += wrong_of_view + _unknown(params)
    if wrong:
        view = view.without_what_is_gone(scenario)
    reason = " ".join(map(str, wrong))
    return Explorer(
        [Moment(scenario, view)],
        refusals={"address": Refusal(dict(params), reason)} if wrong else {},
    )


def _unknown(params: Mapping[str, str]) -> list[MhaError]:
    """What an address says and this page does not know, but for what mailings add to any link."""
    names = [name for name in params if name not in PARAMETERS and name not in PARAMS]
    said = [name[:40] for name in names if not name.startswith(STRANGERS)]
    if not said:
        return []
    need = "must be made of the page's own parameters"
    way_out = "The rest is taken; check the spelling."
    return [FormatError("The address", need, ", ".join(map(repr, said[:5])), way_out)]


def _link_of(scenario: Scenario) -> dict[str, str] | None:
    """A scenario's parameters; None where they are too long."""
    try:
        params = link_parameters(scenario, LONGEST_LINK)
    except LimitError:
        return None
    params = params or {"tokens": scenario.tokens[0]}  # no parameters would mean the first example
    return params if len(urlencode(params)) <= LONGEST_LINK else None


def _address(params: Mapping[str, str]) -> Address:
    return tuple(sorted(params.items()))


def _looks_like(one: Moment, other: Moment) -> bool:
    """The same scenario, shown in the same way, but for what was picked."""
    first = View()
    usual = {glance: getattr(first, glance) for glance in GLANCES}
    looks = [replace(moment.view, **usual) for moment in (one, other)]
    return one.scenario is other.scenario and looks[0] == looks[1]


def _same(one: Scenario, other: Scenario) -> bool:
    return one is other or one == other


def _latest(history: Sequence[Moment]) -> list[Moment]:
    """As many of the last moments as undo may go back to and memory may hold; always two."""
    kept: list[Moment] = []
    bytes_of: dict[int, int] = {}
    for moment in reversed(history[-HISTORY:]):
        bytes_of |= {id(array): array.nbytes for array in _arrays(moment.scenario)}
        if len(kept) >= 2 and sum(bytes_of.values()) > HISTORY_BYTES:
            break
        kept.append(moment)
    return kept[::-1]


def _arrays(s: Scenario) -> Iterable[Array]:
    drawn = (s.mask.custom, s.mask.additive)
    return [*s.given().values(), *(array for array in drawn if array is not None)]
