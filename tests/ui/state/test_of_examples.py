"""What follows from an unchanged example is made once for all who open it, and for nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example, load_stack
from tests.ui.state.working import at_pizza, scale
from ui.state import Session
from ui.state.of_examples import MOST_BYTES, MOST_KEPT, OF_EXAMPLES, OfExamples, example_as_it_is


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    OF_EXAMPLES.forget()
    yield
    OF_EXAMPLES.forget()


def spread(session: Session, asked: list[Session]) -> float:
    def make() -> float:
        asked.append(session)
        return float(session.trace.weights.std())

    return session.make_once_for_all("the spread of the weights", make)


def test_two_who_open_an_example_share_what_is_made_of_it() -> None:
    first, second, asked = at_pizza(), at_pizza(), list[Session]()
    assert spread(first, asked) == spread(second, asked)
    assert asked == [first]


def test_who_changes_a_number_has_what_follows_from_it_alone() -> None:
    first, second, asked = at_pizza(), at_pizza(), list[Session]()
    scale(second, 3.0)
    assert spread(first, asked) != spread(second, asked)
    assert asked == [first, second]
    scale(second, 1.0)
    second.reset()
    assert spread(second, asked) == spread(first, asked)
    assert asked == [first, second]


def test_an_example_that_was_changed_by_one_bit_is_none() -> None:
    pizza = load_example("pizza")
    assert example_as_it_is(load_stack("pizza")) == "pizza"
    x = pizza.x.copy()
    x[0, 0] = np.nextafter(x[0, 0], 9)
    assert example_as_it_is(Session(with_matrix(pizza, "x", x)).stack) == ""


def test_only_the_last_things_are_kept_and_no_large_picture() -> None:
    kept, made = OfExamples(), list[int]()

    def ask(number: int, size: int = 0) -> None:
        class Picture:
            data = bytes(size)

        def make() -> Picture:
            made.append(number)
            return Picture()

        kept.once("pizza", number, make)

    for number in range(MOST_KEPT + 1):
        ask(number)
    ask(1)
    assert len(made) == MOST_KEPT + 1
    ask(0)
    assert made[-1] == 0
    for _ in range(2):
        ask(-1, MOST_BYTES + 1)
    assert made[-2:] == [-1, -1]
