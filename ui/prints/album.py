"""The pictures of a scenario that can be saved, by name, each with its title and its caption."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from mha_core import STEPS, Scenario, Trace
from mha_core.language import say
from mha_core.layer.steps import Step
from mha_core.layer.unchanged import is_unused, without_gate, without_second_sequence
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.into_heads import gated_figure, into_heads_figure
from ui.figures.one_head import one_head_figure
from ui.figures.pictures import (
    HEADS_A_PAGE,
    heads_figure,
    mask_figure,
    step_figure,
    together_figure,
)
from ui.prints.slides import in_words

# These have no matrix that a picture could show, or another picture shows them.
_NOT_ALONE: Final = ("blind_queries", "mask", "x", "output")


@dataclass(frozen=True)
class AlbumPicture:
    """One picture: the name of its file, its title, what it shows in a sentence or two.

    `meaning` is the sentence alone; the caption also has the title and the scenario.
    """

    name: str
    title: str
    meaning: str
    caption: str
    figure: Callable[[Look], Figure]
    is_step: bool  # one step by itself, which the page shows among others


def album_of(
    trace: Trace, steps: Sequence[str], called: str, layer: int | None = None
) -> dict[str, AlbumPicture]:
    """Every picture that the page may show, in its order.

    `steps` are the rows of the heads' picture; `called` is the title of the scenario. Where there
    are several layers, captions and the names of files say which `layer` it is, counted from 0.
    """
    number = 0 if layer is None else layer + 1
    if number:
        called = say("{title}, layer {layer}").format(title=called, layer=number)
    of = f"{called}: {in_words(trace.scenario)}."
    found = {}
    pictures = [(entry, False) for entry in _of_the_page(trace, steps)]
    pictures += [(entry, True) for entry in _single_steps(trace)]
    for (name, title, meaning, figure), is_step in pictures:
        sentence = meaning[:1].upper() + meaning[1:]
        caption = " ".join(filter(None, [f"{title}.", sentence, of]))
        file = f"layer-{number}-{name}" if number else name
        found[name] = AlbumPicture(file, title, sentence, caption, figure, is_step)
    return found


_Entry = tuple[str, str, str, Callable[[Look], Figure]]


def _of_the_page(trace: Trace, steps: Sequence[str]) -> Iterator[_Entry]:
    yield (
        "into-the-heads",
        say("Into the heads"),
        say("Each projection makes Q, K or V of the rows of the input."),
        partial(into_heads_figure, trace),
    )
    yield from _heads(trace, steps)
    if not without_gate(trace.scenario):
        yield (
            "gate",
            say("Gate"),
            say("What each head gives, its gate, and what that lets through."),
            _of_gate(trace),
        )
    yield (
        "together",
        say("Together"),
        say("What the heads have found stands side by side; W_O mixes it."),
        partial(together_figure, trace),
    )
    if not trace.scenario.mask.hides_nothing:
        yield (
            "mask",
            say("Mask"),
            say("A query may attend where a cell is filled."),
            partial(mask_figure, trace),
        )
    for head in range(trace.scenario.n_heads):
        yield (
            f"head-{head + 1}",
            say("Head {head}").format(head=head + 1),
            say("From its queries, keys and values to its output."),
            partial(one_head_figure, trace, head),
        )


def _heads(trace: Trace, steps: Sequence[str]) -> Iterator[_Entry]:
    """All heads; those of a large layer in several pictures, as on the page."""
    n_heads = trace.scenario.n_heads
    for start in range(0, n_heads, HEADS_A_PAGE):
        heads = range(start, min(start + HEADS_A_PAGE, n_heads))
        is_all = len(heads) == n_heads
        first, last = heads[0] + 1, heads[-1] + 1
        title = say("The heads") if is_all else say("The heads {first} to {last}")
        yield (
            "heads" if is_all else f"heads-{first}-to-{last}",
            title.format(first=first, last=last),
            say("Each row of weights says how a query shares its attention among the keys."),
            partial(heads_figure, trace, heads, tuple(steps)),
        )


def _of_gate(trace: Trace) -> Callable[[Look], Figure]:
    heads = range(min(trace.scenario.n_heads, HEADS_A_PAGE))

    def make(look: Look) -> Figure:
        figure = gated_figure(trace, heads, look)
        assert figure is not None
        return figure

    return make


def steps_in_use(s: Scenario) -> list[Step[Any]]:
    """The steps that do something in a scenario, and have rows and columns."""
    return [
        step
        for step in STEPS
        if step.computed_by(s).name == step.name
        and len(step.dims.axes) > 1
        and not is_unused(step.name, s)
        and not (step.name == "context" and without_second_sequence(s))
    ]


def _single_steps(trace: Trace) -> Iterator[_Entry]:
    heads = range(min(trace.scenario.n_heads, HEADS_A_PAGE))
    for step in steps_in_use(trace.scenario):
        if step.name not in _NOT_ALONE:
            name, title = step.name.replace("_", "-"), f"{step.title}, {step.symbol}"
            yield (
                name,
                title,
                step.meaning_in(trace.scenario),
                partial(step_figure, trace, step.name, heads),
            )
