"""One visitor's work: the scenario with its history, how it is shown, and what was refused.

A page may hold several sessions side by side. Each has a name, which keeps its widgets and its part
of the address apart from those of the others. The first has no name.

Several threads may use a session at once: on each event Streamlit asks the running one to stop and
starts another, while the first may still compute. So changes wait for each other, and what is made
of a scenario is kept together with it.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol, TypeVar
from weakref import WeakValueDictionary

from mha_core import Scenario, Stack, StackTrace, Trace
from mha_core.changing.layers import as_stack, with_layer
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, Example, load_example, load_stack
from mha_core.layer.cells import Cell
from mha_core.layer.naming import name_of
from mha_core.stack.attending import layer_on_x
from mha_core.stack.cells import in_layer, layer_named, without_layer
from mha_core.stack.derivation import AT_THE_END, NO_STEPS, has_number
from ui.edits.page_limits import trace_to_show
from ui.edits.typed_cells import PastedBlock
from ui.machine.budget import TURNS, Use, is_heavy, pause_if_share_is_used
from ui.machine.measures import MEASURES
from ui.state.conversation import Conversation
from ui.state.history import History, Moment
from ui.state.made import MadeOnce
from ui.state.of_examples import is_same
from ui.state.packed import BeganAs, Kept
from ui.state.refusals import REFUSES, Refusals, StackChange
from ui.state.view import SHOWN_ALIKE, View

T = TypeVar("T")
Change = Callable[[Scenario], Scenario]
TRACES: Final = "traces"  # of all layers, among what was made


class Asked(NamedTuple):
    """Where a person asks for the picked cell: the place of its picture, and what came before it.

    An empty place is that of the first picture that shows the cell.
    """

    place: str = ""
    trail: tuple[Cell, ...] = ()


NOT_ASKED: Final = Asked()


class AskedFile(Protocol):
    """A file of which a person has to say what to take. It may be large."""

    @property
    def data(self) -> bytes: ...


class Session:
    """The work of one visitor, or one of several sessions that a page shows side by side."""

    def __init__(
        self, document: Scenario | Stack, view: View | None = None, name: str = ""
    ) -> None:
        self.name = name
        self.id = uuid.uuid4().hex  # which no session before it had, and nobody can guess
        _OPEN[self.id] = self
        self.conversation = Conversation(self.id)
        self.history = History(Moment.of(document, view or View()))
        self.refusals = Refusals()
        self.blocks: dict[str, PastedBlock] = {}  # too large for their array: what to do is asked
        self.offers: dict[str, Any] = {}  # matrices of another size: the same; see whole_matrix.py
        self.asked_files: dict[str, AskedFile] = {}  # by the key of a field: a person is asked more
        self.version = 0  # how often the scenario has changed
        self.arrivals = 0  # how often another page has opened something here
        self.asked = NOT_ASKED
        self.let_go = ""  # the name of the picked number that other sizes have taken away just now
        self.rooms: dict[str, float] = {}  # pixels across, of boards whose width a browser has told
        self.picked_at = time.time()  # when the outlined cell was picked, or the session opened
        self._entries: dict[str, object] = {}  # the newest under each key
        self.use = Use()  # of the processor
        self._made = MadeOnce(self.use)
        self.is_left = False
        self.run_began = time.monotonic()
        self.size = 0  # of what was made in the last whole run, in bytes
        self.changing = threading.RLock()
        self.explaining = threading.Lock()  # a cell: who asks for it second waits for the first

    def key(self, name: str) -> str:
        """The key of a widget or a container of this session, which no other session has.

        >>> from mha_core.examples import load_example
        >>> pizza = load_example("pizza")
        >>> Session(pizza).key("tools"), Session(pizza, name="b").key("tools")
        ('tools', 'b-tools')
        """
        return f"{self.name}-{name}" if self.name else name

    @property
    def now(self) -> Moment:
        return self.history.now

    @property
    def stack(self) -> Stack:
        """All that is computed. Nearly always it is one layer."""
        return self.now.stack

    @property
    def layer(self) -> int:
        """Which of the layers the page shows, counted from 0."""
        return self._layer_in(self.stack) if self.view.layer else 0  # a stack may be packed

    def _layer_in(self, stack: Stack) -> int:
        return min(self.view.layer, len(stack.layers) - 1)

    @property
    def scenario(self) -> Scenario:
        """The layer that the page shows, with its X."""
        return self.stack.first if self.layer == 0 else self.trace.scenario

    @property
    def view(self) -> View:
        return self.now.view

    @property
    def trace(self) -> Trace:
        """The trace of the layer that the page shows."""
        return self.traces.layers[self.layer]

    @property
    def traces(self) -> StackTrace:
        """The traces of all layers, made once, however often the page runs."""
        return self._made.once(self.now.kept, TRACES, lambda: trace_to_show(self.stack))

    def compared_with(self, choice: str) -> Trace | None:
        """The trace from which pictures show the difference; None if they show their numbers.

        `choice` is one of COMPARISONS.
        """
        if choice == "off":
            return None
        is_example = choice == "example"
        other = self._example_as_stack if is_example else self.history.stack_before
        if is_same(other, self.stack):
            return self.trace
        # A trace keeps its stack, so that no other one gets the same id.
        traces = self.make_once(("traces of", id(other)), lambda: trace_to_show(other))
        return traces.layers[self._layer_in(other)]

    def make_once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes of the present scenario, made when first asked for and then kept."""
        return self._made.once(self.now.kept, (self.layer, name), make)

    def make_once_for_all(self, name: Hashable, make: Callable[[], T]) -> T:
        """The same. Visitors who look at an unchanged example share what is made.

        So `make` may read the layers, which of them is shown, and the session's name: no more.
        """
        kept, asked = self.now.kept, (self.name, self.layer, name)
        return self._made.for_all(kept, asked, make, lambda: self._made.once(kept, asked, make))

    def share(self, name: Hashable, make: Callable[[], T]) -> T:
        """The same, but of what is no unchanged example nothing is kept."""
        return self._made.for_all(self.now.kept, (self.name, self.layer, name), make, make)

    @property
    def _example_as_stack(self) -> Stack:
        return load_stack(self.example)

    def keep_last(self, name: str, asked: Hashable, make: Callable[[], T]) -> T:
        """What was last made of the present scenario under a name, or what `make` makes now."""
        return self._made.last(self.now.kept, (self.layer, name), asked, make)

    @property
    def _has_company(self) -> bool:
        """Whether others are at this server too; a visitor alone leaves room for nobody."""
        others = (each for each in open_sessions_of_all() if not each.is_left)
        return any(each.conversation.connection != self.conversation.connection for each in others)

    def rest(self) -> None:
        """Nobody looks: keep what a person did, in little memory, and nothing made of it."""
        self._made.forget()
        self.history.rest()
        self.asked_files.clear()
        self.weigh()

    def leave(self) -> None:
        """The connection of the visitor has ended: what waits goes on, to its end."""
        self.is_left = True
        self.use.ends_pause.set()

    def come_back(self) -> None:
        self.is_left = False
        self.use.ends_pause.clear()

    @property
    def is_awake(self) -> bool:
        """Whether something is kept that can be made again."""
        return bool(self._made or self.asked_files) or not self.now.kept.is_at_rest

    def weigh(self) -> None:
        """Count what the present moment takes, with what was made of it."""
        asked = sum(len(file.data) for file in self.asked_files.values())
        self.size = sum(self.now.kept.memory.values()) + self._made.bytes + asked

    @property
    def example(self) -> str:
        """The name of the example that the present scenario began as."""
        name = self.stack.first.origin.example
        return name if name in EXAMPLES else DEFAULT_EXAMPLE

    @property
    def example_shown(self) -> Example | None:
        """The example that the page is about; None where the tokens are no longer its own."""
        s = self.stack.first
        if s.origin.example not in EXAMPLES:
            return None
        own = load_example(s.origin.example)
        its, ours = ((each.tokens, each.context_tokens, each.x.shape) for each in (own, s))
        return EXAMPLES[s.origin.example] if its == ours else None

    @property
    def is_changed(self) -> bool:
        return self.make_once("changed", lambda: not is_same(self.stack, self._example_as_stack))

    def go_to(
        self,
        document: Scenario | Stack | None = None,
        view: View | None = None,
        shared: object = None,
        *,
        made_by: str = "",
        goes_on: bool = False,
    ) -> None:
        """Add a step to the history, unless nothing changes. Undone moments are forgotten.

        Without `view` the present view stays. If the sizes change, it loses its picked cell, its
        page, and a picked head or layer that no longer exists. What `goes_on` from a step that the
        same entry has made, by its key, is no step of its own.
        """
        with self.changing:
            self.refusals.pop("address", None)
            new_stack = as_stack(document) if document else self.stack
            new_view = view or self.view
            is_another = not is_same(new_stack, self.stack)
            self.version += is_another
            if is_another:
                MEASURES.count("changes")
                self.let_go = ""
            if view is None and new_stack.sizes != self.stack.sizes:
                cell = self.view.cell
                is_of_layer = cell and cell.step not in NO_STEPS
                self.let_go = name_of(self.trace, cell, "text") if cell and is_of_layer else ""
                new_view = new_view.without_what_is_gone(new_stack)
            if new_view != self.view or is_another:
                kept = Kept(new_stack) if is_another else self.now.kept
                moment = Moment(kept, new_view, self.now.opened, shared, made_by)
                is_one_with_last = goes_on and self.now.made_by == made_by
                (self.history.go_on if is_one_with_last else self.history.add)(moment)

    def change_view(self, **fields: Any) -> None:
        """Show the present scenario in another way."""
        with self.changing:
            self.go_to(view=replace(self.view, **fields))

    def look_at(self, **fields: Any) -> None:
        """Pick a head or a cell: a glance, which undo does not count as a step.

        A head that is gone by now is none.
        """
        with self.changing:
            self.refusals.pop("address", None)
            self._go_to_layer(fields.pop("layer", self.layer))
            view = replace(self.view, **fields)
            if view.head is not None and view.head >= self.scenario.n_heads:
                view = replace(view, head=None)
            if view.head != self.view.head:  # its picture may be the place
                self.asked = self.asked._replace(place="")
            self.history.replace_now(replace(self.now, view=view))

    def show_as(self, other: View) -> None:
        """Show numbers with the decimals, the colours and the rest of another view."""
        alike = {name: getattr(other, name) for name in SHOWN_ALIKE}
        if any(getattr(self.view, name) != shown for name, shown in alike.items()):
            self.look_at(**alike)

    def _go_to_layer(self, layer: int) -> None:
        """Show another layer, counted from 0. Nothing is picked in it yet."""
        if layer == self.layer or layer not in range(len(self.stack.layers)):
            return
        self.version += 1  # what a browser computes with are other arrays
        self._forget_entries()
        view = replace(self.view, layer=layer, cell=None, influence=None, page=0)
        self.history.replace_now(replace(self.now, view=view))

    def pick(self, cell: Cell | None, asked: Asked = NOT_ASKED) -> None:
        """Outline this cell, and no other; None outlines none.

        A cell of another layer leads to that layer.
        """
        with self.changing:
            named = layer_named(cell) if cell else None
            if named is not None and cell is not None:
                self._go_to_layer(named)
                cell = without_layer(cell)
            self.picked_at = time.time()
            self.let_go = ""
            self.asked = asked
            self.look_at(cell=cell)

    def ask_on(self, cell: Cell) -> None:
        """Go on to another cell from the one that is picked; back, if it was asked for before."""
        if cell != self.view.cell:
            self.pick(cell, self.asked._replace(trail=self.trail_to(cell)))

    def trail_to(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells that were asked for before this one, if a person goes on to it from here.

        Where there are several layers, each says in which it is.
        """
        trail, here = self.asked.trail, self.view.cell
        way = (*trail, self.named(here)) if here else trail
        there = self.named(cell)
        return way[: way.index(there)] if there in way else way

    def named(self, cell: Cell) -> Cell:
        """The cell with its layer, where there are several."""
        is_said = layer_named(cell) is not None or cell.step in AT_THE_END
        is_clear = is_said or len(self.stack.layers) == 1
        return cell if is_clear else in_layer(cell, self.layer)

    def has(self, cell: Cell) -> bool:
        """Whether there is such a number: of this layer, of another one, or after the last."""
        return has_number(self.traces, cell, self.layer)

    def trace_of(self, cell: Cell) -> Trace:
        """The trace of the layer that a cell is in."""
        named = layer_named(cell)
        if named is None or named >= len(self.stack.layers):
            return self.trace
        return self.traces.layers[named]

    def attempt(
        self,
        key: str,
        entered: Any,
        change: Change,
        instead_of: Any = None,
        *,
        layer: int | None = None,
        goes_on: bool = False,
    ) -> None:
        """Change a layer, as a rule the one that is shown, or remember under `key` why not.

        Of entries under one key that wait for each other, only the newest is made. One that
        `goes_on` from the last under its key is one step with it.
        """
        layer = self.layer if layer is None else layer
        self.attempt_on_stack(
            key,
            entered,
            lambda stack: self._with(change, stack, layer),
            instead_of,
            goes_on=goes_on,
        )

    def attempt_on_stack(
        self,
        key: str,
        entered: Any,
        change: StackChange,
        instead_of: Any = None,
        *,
        goes_on: bool = False,
    ) -> None:
        """Change the layers, or remember under `key` why not."""
        entry = self._entries[key] = object()
        with self.changing:
            if self._entries[key] is not entry:
                return
            if is_heavy(self.stack) and self._has_company:
                pause_if_share_is_used(self.use)
            try:
                stack, traces = self._changed(change)
            except REFUSES as error:
                how = {"instead_of": instead_of, "change": change, "since": self.conversation.run}
                self.refusals.note(key, error, entered, **how)
                return
            self.refusals.pop(key, None)
            self.go_to(stack, made_by=key, goes_on=goes_on)
            if self.stack is stack:
                self._made.once(self.now.kept, TRACES, lambda: traces)
            self.refusals.try_again(self._changed)

    def _with(self, change: Change, stack: Stack, layer: int) -> Stack:
        """The stack with one of its layers changed. The others follow where tokens change."""
        if len(stack.layers) == 1:
            return replace(stack, layers=(change(stack.first),))
        before = (
            self.traces.layers[layer].scenario if stack is self.stack else layer_on_x(stack, layer)
        )
        after = change(before)
        if after.tokens != before.tokens:  # tokens are those of the first layer
            return with_layer(stack, 0, stack.first, change(stack.first))
        return with_layer(stack, layer, before, after)

    def _changed(self, change: StackChange) -> tuple[Stack, StackTrace]:
        """What a change makes of the present stack, with its traces."""
        with self._made.in_turn(self.stack):
            stack = change(self.stack)
        with self._made.in_turn(stack):
            return stack, trace_to_show(stack)

    def attempt_to_open(
        self, key: str, entered: Any, read: Callable[[], Scenario | Stack], shared: object = None
    ) -> None:
        """Open another scenario, or remember under `key` why not."""
        try:
            with TURNS.turn(self.use):
                document = read()
                trace_to_show(document)
        except REFUSES as error:
            self.refusals.note(key, error, entered)
        else:
            self.open(document, shared=shared)

    def open(
        self, document: Scenario | Stack, view: View | None = None, shared: object = None
    ) -> None:
        """Go to another scenario altogether: no refusal of the state before belongs to it."""
        with self.changing:
            self._forget_entries()
            self.go_to(document, view, shared)
            self.let_go = ""
            self.history.replace_now(replace(self.now, opened=self.now.kept))

    def put_right(self, document: Scenario | Stack) -> None:
        """What the page is about, in the place of a scenario that it cannot show. It is no step."""
        with self.changing:
            self.version += 1
            stack = as_stack(document)
            kept, view = Kept(stack), self.view.without_what_is_gone(stack)
            self.history.replace_now(replace(self.now, kept=kept, opened=kept, view=view))

    def step_to(self, place: int) -> None:
        """Go to another moment of the history, or to the end that is nearest to it.

        The parts of the page that are open stay open, what is presented stays on the screen, and
        the head that is looked at stays the same: they may have been chosen since.
        """
        with self.changing:
            stays = {"unfolded": self.view.unfolded, "folded": self.view.folded}
            stays |= self.view.presented
            head = self.view.head
            self.history.step_to(place)
            self.version += 1
            has_head = head is not None and head < self.scenario.n_heads
            self.look_at(**stays, head=head if has_head else self.view.head)
            self._forget_entries()

    def go_on_from(self, before: Session, *, steps: int = 0) -> None:
        """Let undo reach what it reached in a session before: a browser has loaded its page anew.

        It does so only if its visitor has gone, both show the same, and nothing was done here but
        the `steps` that brought it back. With a second tab on the same page, nobody has gone.
        """
        with self.changing:
            is_same_page = before.is_left and before.name == self.name
            if is_same_page and self.history.last == steps and is_same(before.stack, self.stack):
                self.history.go_on_from(before.history)

    def take_part_in(self, shared: object) -> None:
        """Take a step without a change, for what another session has changed just now.

        Undoing the last change, in either session, then undoes that one and no other.
        """
        with self.changing:
            if self.now.shared is not shared:
                now = self.now
                self.history.add(Moment(now.kept, now.view, now.opened, shared))

    def follow(self, shared: object, *, is_undone: bool) -> bool:
        """Undo or redo here what another session undoes or redoes, if that was one change of both.

        Where the scenario was changed since, it stays: the answer is no. How numbers are shown
        stays in any case.
        """
        with self.changing:
            find = self.history.before_last_change if is_undone else self.history.after_next_step
            place = find(shared)
            if place is None:
                return False
            shown = self.view
            self.step_to(place)
            self.show_as(shown)
            self.conversation.is_stepping = True
            return True

    def _forget_entries(self) -> None:
        """What was refused, or is asked about, belongs to the scenario before."""
        self.asked = NOT_ASKED
        self.let_go = ""
        self.refusals.clear()
        self.blocks.clear()

    @property
    def example_of_its_size(self) -> Example | None:
        """The example that the page began as, while tokens and width of X keep their number."""
        return self.now.kept.began_as.example_of_its_size

    @property
    def example_opened(self) -> Example | None:
        """The same of what was opened, whatever has become of it. Nothing is unpacked for it."""
        opened = self.now.opened
        began_as = opened.began_as if opened else BeganAs.of(self._example_as_stack)
        return began_as.example_of_its_size

    @property
    def opened(self) -> Stack:
        """What this work began with: an example, a link or a file."""
        opened = self.now.opened
        return opened.stack if opened else self._example_as_stack

    @property
    def before_last_entry(self) -> Scenario:
        """What the last step changed; the present scenario, where that step opened it."""
        if self.now.opened is self.now.kept:
            return self.scenario
        before = self.history.before.stack
        return layer_on_x(before, self._layer_in(before))

    def reset(self) -> None:
        """Back to what was opened. Undo leads back here."""
        self.open(self.opened)

    def return_to(self, moment: Moment) -> None:
        """Show a moment again: by a step back or on if the history has it, else by a new step."""
        with self.changing:
            place = self.history.nearest(moment)
            if place is None:
                self.open(moment.stack, moment.view)
                self.history.replace_now(replace(moment, shared=None))
                return
            self.step_to(place)
            self.look_at(**moment.view.glances)


def open_as_one_change(*opened: tuple[Session, Scenario | Stack]) -> None:
    """Open another scenario in each session, or leave it its own. Undo in one is undo in all."""
    shared = object()
    for session, document in opened:
        if document is not session.stack and document is not session.stack.first:
            session.open(document, shared=shared)
    if any(session.now.shared is shared for session, _ in opened):
        for session, _ in opened:
            session.take_part_in(shared)


_OPEN: Final[WeakValueDictionary[str, Session]] = WeakValueDictionary()


def session_with(id: str) -> Session | None:
    """The session of this process with this id, as long as its visitor is there."""
    return _OPEN.get(id)


def open_sessions_of_all() -> Sequence[Session]:
    return list(_OPEN.values())
