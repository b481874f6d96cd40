"""What each side is called: its title names the change that made it, until somebody edits it.

A title is found by making the change again. So it needs no memory, and a link has it too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from weakref import ref

from mha_core import Scenario, Stack
from mha_core.checks.errors import MhaError
from mha_core.comparing.differences import differences
from mha_core.comparing.questions import READY_QUESTIONS
from mha_core.guide.field_guide import entry_of
from mha_core.language import say
from ui.blocks.top import title_of
from ui.state import Session
from ui.state.x_of_model import is_of_model, model_of


def title_of_a(a: Session) -> str:
    """From a ready question, from a pattern of the field guide, or as on the first page."""
    known = a.view.title or a.make_once("title", lambda: _known_a(a))
    return known or _layer_of_model(a.scenario) or title_of(a)


def title_of_b(a: Session, b: Session) -> str:
    """The change in a few words, if it has a name."""
    change = b.keep_last("title", ref(a.trace), lambda: _known_change(a, b))
    return b.view.title or change or _layer_of_model(b.scenario) or title_of(b)


def _layer_of_model(s: Scenario) -> str:
    """Which layer of a trained model it is, as two of them may stand side by side."""
    if not is_of_model(s):
        return ""
    model, layer = model_of(s.origin), s.origin.model_layer
    if model and model.has_decoder:
        return model.layer_name(layer)
    return say("Layer {number} of the model").format(number=layer + 1)


def _known_a(a: Session) -> str:
    for ready in READY_QUESTIONS.values():
        if ready.title_of_a and ready.sides[0] == a.stack:
            return ready.title_of_a
    stack = a.stack
    entry = None if stack.first.origin.example else entry_of(stack)
    return entry.title if entry and entry.on(stack.tokens) == stack else ""


def _known_change(a: Session, b: Session) -> str:
    for title, change in _changes_with_a_name(a, b):
        with suppress(MhaError):  # this A cannot be changed so
            if change() == b.stack:
                return title
    return ""


def _changes_with_a_name(a: Session, b: Session) -> Iterator[tuple[str, Callable[[], Stack]]]:
    """Changes that may have made B. Questions count only if they change the same things."""
    layers, shown = a.stack, a.scenario
    entry = entry_of(layers)
    for breaker in entry.breakers if entry else ():
        yield breaker.title, partial(breaker.of, layers)
    changed = _things_that_differ(shown, b.scenario)
    for ready in READY_QUESTIONS.values():
        if changed == _things_that_change(ready.name):
            yield ready.title_of_b, partial(ready.b_of, layers, a.layer, shown)


@cache
def _things_that_change(question: str) -> frozenset[str]:
    return _things_that_differ(*READY_QUESTIONS[question].shown)


def _things_that_differ(a: Scenario, b: Scenario) -> frozenset[str]:
    return frozenset(each.what for each in differences(a, b))
