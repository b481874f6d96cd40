"""A page in one file, without a server: its pictures, the walkthrough, and where numbers come from.

It carries what was given, the page's own modules and its forward pass in JavaScript, which makes
all other numbers. What the browser makes of them is ui/plot/js/saved/saved_page.js.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from mha_core import StackTrace, Trace
from mha_core.checks.errors import OptionError
from mha_core.checks.sizes import size_in_words
from mha_core.guide.screens import Screen
from mha_core.language import say
from ui.edits.forward_inputs import forward_inputs, inputs_from
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.layers import FOLLOWS, layers_figure
from ui.figures.walkthrough import is_of_one_head, screen_figure, shapes_of
from ui.mathml import mathml
from ui.prints.album import AlbumPicture
from ui.prints.slides import in_words
from ui.saved.facts import facts_of
from ui.saved.one_file import one_file
from ui.saved.pictures import Numbers, still, sums_of, without_numbers

MOST_BYTES: Final = 3 * 2**20  # of the file
MOST_NUMBERS: Final = 2**19  # more would take seconds
LEFT_OUT: Final = say(
    "This layer has {count} numbers, too many for a page in one file: what is shown stands still. "
    "Open it in the explorer to drag and to ask."
)
MOST: Final = say("must have at most {most}")
NUMBERS: Final = say("{count} numbers")


@dataclass(frozen=True)
class SavedStop:
    """One scenario of the page: its words, and which pictures it has.

    Of `layers`, the trace is that of one of them: a drag goes on through those above it.
    """

    title: str
    sentence: str
    trace: Trace
    look: Look
    pictures: Sequence[AlbumPicture]
    screens: Sequence[Screen] = ()
    layers: StackTrace | None = None

    @property
    def layer(self) -> int:
        """Counted from 0."""
        return self.layers.layers.index(self.trace) if self.layers else 0

    @property
    def inputs(self) -> dict[str, Any]:
        """What the page computes from."""
        if self.layers is None:
            return forward_inputs(self.trace.scenario)
        return inputs_from(self.layers, self.layer)


def stop_of_layer(stop: SavedStop, layers: StackTrace) -> SavedStop:
    """The stop of one of these layers; the first has a picture of all, X of the others is given."""
    of_layers = replace(stop, layers=layers)
    if of_layers.layer == 0:
        title = say("All layers")
        figure = partial(layers_figure, layers, 0)
        all_layers = AlbumPicture("layers", title, "", title, figure, is_step=False)
        return replace(of_layers, pictures=[*stop.pictures, all_layers])
    says = FOLLOWS[layers.stack.residual].format(layer=of_layers.layer + 1, below=of_layers.layer)
    is_given = say("{sentence} On this page it is given.")
    return replace(of_layers, sentence=is_given.format(sentence=says))


def saved_page(
    title: str,
    stops: Sequence[SavedStop],
    link: str = "",
    home: str = "",
    *,
    may_be_still: bool = False,
) -> bytes:
    """The page as HTML. Of a large layer the walkthrough shows one head, or is left out.

    A stop that alone is too large keeps its words and its small pictures, whose numbers stand
    still. A page of nothing else is refused, unless it `may_be_still`. `link` opens it in the
    explorer; `home` is the address of a list of such pages.
    """
    if not may_be_still and all(_is_too_large(stop) for stop in stops):
        most = NUMBERS.format(count=f"{MOST_NUMBERS:,}")
        raise _too_large(most, f"{_numbers_of(stops[0].trace):,}")
    for most_heads in (8, 1, 0):
        parts = [part for stop in stops for part in _in_parts(stop, most_heads)]
        titles = [{"title": stop.title, "sentence": stop.sentence} for stop in stops]
        page = {"title": title, "link": link, "home": home, "stops": titles}
        made = one_file("saved_page.js", page, parts)
        if len(made) <= MOST_BYTES:
            return made
    raise _too_large(size_in_words(MOST_BYTES), size_in_words(len(made)))


def _too_large(most: str, got: str) -> OptionError:
    return OptionError(
        say("A page in one file"),
        MOST.format(most=most),
        got,
        say("Take fewer tokens, fewer heads, a smaller width, or fewer stops."),
    )


def _is_too_large(stop: SavedStop) -> bool:
    above = stop.layers.layers[stop.layer :] if stop.layers else [stop.trace]
    return sum(map(_numbers_of, above)) > MOST_NUMBERS


def _numbers_of(trace: Trace) -> int:
    """How many were given, and how many weights, of which there are most."""
    s = trace.scenario
    return sum(int(array.size) for array in s.given().values()) + s.n_heads * s.n_q * s.n_k


def _in_parts(stop: SavedStop, most_heads: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A stop, and its walkthrough, which is unpacked later."""
    said = {"title": stop.title, "sentence": stop.sentence}
    core: Numbers = {}
    if _is_too_large(stop):
        parts = _parts(stop, core, is_still=True)
        words = LEFT_OUT.format(count=f"{_numbers_of(stop.trace):,}")
        return {**said, "left_out": words, "parts": parts, "core": core}, []
    parts = _parts(stop, core)
    screens = [_screen(stop, screen, most_heads, core) for screen in stop.screens if most_heads]
    in_walk = [picture for screen in screens for picture in screen["pictures"]]
    inputs = stop.inputs
    made = {name: numbers for name, numbers in core.items() if name not in inputs["arrays"]}
    return {
        **said,
        "configuration": in_words(stop.trace.scenario).capitalize(),
        "decimals": stop.look.decimals,
        "parts": parts,
        "has_walk": bool(screens),
        "has_given": _has_given([*parts, *in_walk]),
        "inputs": inputs,
        "facts": facts_of(stop.trace),
        "sums": sums_of(made),
    }, screens


def _has_given(pictures: Iterable[dict[str, Any]]) -> bool:
    """Whether there is a number to drag in them."""
    return any(matrix["given"] for each in pictures for matrix in each["figure"]["matrices"])


def _parts(stop: SavedStop, core: Numbers, *, is_still: bool = False) -> list[dict[str, Any]]:
    """The pictures, whose numbers go into `core`; of still ones, the small ones."""
    figures = {each: each.figure(stop.look) for each in stop.pictures}
    if is_still:
        figures = {each: still(figure) for each, figure in figures.items() if _is_small(figure)}
    return [
        {
            "title": each.title,
            "caption": each.meaning,
            **without_numbers(figure, each, core, exactly=not is_still),
        }
        for each, figure in figures.items()
    ]


def _is_small(figure: Figure) -> bool:
    return sum(heatmap.values.size for heatmap in figure.heatmaps) <= MOST_NUMBERS


def _screen(stop: SavedStop, screen: Screen, most_heads: int, core: Numbers) -> dict[str, Any]:
    """One operation, of each head where each has its own."""
    s = stop.trace.scenario
    heads = min(s.n_heads, most_heads) if is_of_one_head(stop.trace, screen) else 1
    return {
        "title": screen.title,
        "why": screen.why,
        "formulas": [
            mathml(each.latex, "block") for each in screen.equations(s, lambda _, latex: latex)
        ],
        "pictures": [
            {
                "shapes": _shapes(stop.trace, screen, head),
                **without_numbers(
                    screen_figure(stop.trace, screen, head, "when asked", stop.look), screen, core
                ),
            }
            for head in range(heads)
        ],
    }


def _shapes(trace: Trace, screen: Screen, head: int) -> str:
    taken, given = (", ".join(shapes) for shapes in shapes_of(trace, screen, head))
    return f"{taken} → {given}" if taken else given
