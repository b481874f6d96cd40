"""Many visitors at once: when they come, what they do, and what became of it."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from typing import Final
from urllib.parse import quote

from websockets.exceptions import WebSocketException

from benchmarks.load.visitor import Event, Visitor, visiting

THINKS: Final = 1.0  # seconds between an answer and the next change, on average
ARRIVALS: Final = 10.0  # a second
PATIENCE: Final = 120.0  # seconds for an answer, before the visitor counts as lost
EXAMPLES: Final = ("pizza", "causal", "three-tokens")
PICTURE: Final = "heads"  # the key of the picture that is waited for

Act = Callable[[Visitor, random.Random, int], Awaitable[float]]


@dataclass(frozen=True)
class Picked:
    """A cell that a visitor picks."""

    matrix: str
    row: int
    column: int


CELLS: Final = [
    Picked(matrix, row, column)
    for matrix in ("weights/0", "masked_scores/0")
    for row in range(2)
    for column in range(2)
]


@dataclass
class Outcome:
    """What happened to all visitors together. Times are in seconds."""

    first: list[float] = field(default_factory=list)  # until the first picture
    changes: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)  # changes that did not come about
    errors: list[str] = field(default_factory=list)  # of visitors who were cut off
    seconds: float = 0.0  # in which all made changes


async def slide(visitor: Visitor, dice: random.Random, number: int) -> float:
    """A slider is moved and let go."""
    text = f"{dice.uniform(0.2, 0.9):.6f}"  # never 1, which the address would not say
    return await _enter(visitor, "temperature", number, text, shows=f"temperature={float(text):g}")


async def edit(visitor: Visitor, dice: random.Random, number: int) -> float:
    """A number of X is typed into its cell."""
    text = f"{dice.uniform(-2, 2):.6f}"
    return await _enter(visitor, "x", number, text, shows=f"x.cells=0_0_{float(text)}")


async def pick(visitor: Visitor, dice: random.Random, number: int) -> float:
    """A cell is picked, and asked where its number comes from."""
    others = [cell for cell in CELLS if _address_of(cell) not in visitor.query]
    cell = dice.choice(others)
    took = await visitor.tell(Event(PICTURE, "pick", asdict(cell)))
    _must_show(visitor, _address_of(cell))
    return took


def _address_of(cell: Picked) -> str:
    return f"cell={quote(f'{cell.matrix}:{cell.row + 1}.{cell.column + 1}', safe='')}"


async def take_example(visitor: Visitor, dice: random.Random, number: int) -> float:
    """Another example is taken from the list."""
    name = dice.choice([name for name in EXAMPLES if f"example={name}" not in visitor.query])
    await visitor.fold("examples", is_open=True)
    took = await visitor.press(f"example-{name}")
    await visitor.fold("examples", is_open=False)
    _must_show(visitor, f"example={name}")
    return took


ACTS: Final[dict[Act, int]] = {slide: 45, edit: 30, pick: 15, take_example: 10}  # how often


async def seed(visitor: Visitor, dice: random.Random, number: int) -> float:
    """The slider of the almost empty page is moved."""
    return await visitor.slide(float(dice.randrange(10_000)))


class LostError(Exception):
    """The server answered a change, but did not make it."""


async def crowd(
    url: str,
    n_visitors: int,
    seconds: float,
    acts: dict[Act, int],
    query: str = "",
    thinks: float = THINKS,
) -> Outcome:
    """Visitors who come one by one; once all are there, they make changes for `seconds`."""
    outcome = Outcome(seconds=seconds)
    all_there = n_visitors / ARRIVALS
    end = time.perf_counter() + all_there + seconds

    async def visit(index: int) -> None:
        dice = random.Random(index)
        await asyncio.sleep(dice.uniform(0, all_there))
        try:
            async with visiting(url) as visitor:
                outcome.first.append(await visitor.open(query, PICTURE))
                await asyncio.sleep(max(0.0, end - seconds - time.perf_counter()))
                await _make_changes(visitor, dice, acts, end, outcome, thinks)
        except (OSError, WebSocketException, TimeoutError) as error:
            outcome.errors.append(f"{type(error).__name__}: {error}")

    await asyncio.gather(*(visit(index) for index in range(n_visitors)))
    return outcome


async def _make_changes(
    visitor: Visitor,
    dice: random.Random,
    acts: dict[Act, int],
    end: float,
    outcome: Outcome,
    thinks: float,
) -> None:
    kinds, shares = list(acts), list(acts.values())
    for number in count(1):
        await asyncio.sleep(thinks and dice.expovariate(1 / thinks))
        if time.perf_counter() > end:
            return
        (act,) = dice.choices(kinds, shares)
        try:
            async with asyncio.timeout(PATIENCE):
                outcome.changes.append(await act(visitor, dice, number))
        except LostError as error:
            outcome.lost.append(str(error))


async def _enter(visitor: Visitor, matrix: str, number: int, text: str, *, shows: str) -> float:
    entry = {"number": number, "matrix": matrix, "row": 0, "column": 0, "text": text}
    took = await visitor.tell(Event("cell-entries", "entered", [entry]))
    _must_show(visitor, shows)
    return took


def _must_show(visitor: Visitor, shows: str) -> None:
    """The address says what the page shows, so what is not in it is lost."""
    if shows not in visitor.query:
        raise LostError(f"{shows} is not in {visitor.query}")


def share_of(times: Sequence[float], share: float) -> float:
    """The time within which this share of the changes was answered."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
