"""A forward pass as files of LaTeX: a document to print, and slides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from mha_core.checks.errors import MhaError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.checks.values import check_label, check_one_of, check_places
from mha_core.io.latex.article import article
from mha_core.io.latex.layers import LayersTold, layers_told
from mha_core.io.latex.matrices import check_decimals
from mha_core.io.latex.slides import slides
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import index_in
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.room_for_scores import check_room_for_scores
from mha_core.stack.cells import layer_named, without_layer
from mha_core.stack.trace import StackTrace, layers_of

TITLE: Final = "Multi-head attention, step by step"


class _File(NamedTuple):
    title: str
    write: Callable[[LayersTold], str]


_FILES: Final = {
    "steps.tex": _File("LaTeX document", article),
    "slides.tex": _File("LaTeX slides", slides),
}
LATEX_FILES: Final[Mapping[str, str]] = {name: file.title for name, file in _FILES.items()}


def latex_file(
    trace: Trace | StackTrace,
    name: str,
    *,
    decimals: int = 2,
    cell: Cell | None = None,
    title: str = TITLE,
    pictures: Mapping[str, str] | None = None,
) -> str:
    r"""The text of a file of LATEX_FILES, which pdfLaTeX and LuaLaTeX read, with all layers.

    The file derives one number of each step: the one at `cell`, or with the same head, query and
    key. Without `cell`, it takes the last query and the key that this looks at most. `pictures` has
    LaTeX by the names of steps, such as a `tikzpicture`. It is not escaped: hand in nothing that a
    visitor wrote. A cell and a name may begin with a layer: "2.weights".

    >>> from mha_core.examples import load_example
    >>> from mha_core.layer.attending import attend
    >>> print(latex_file(attend(load_example("pizza")), "steps.tex").splitlines()[0])
    \documentclass[10pt,a4paper]{article}
    """
    check_one_of("The name of a LaTeX file", name, LATEX_FILES, "Choose one of them.")
    check_decimals(decimals)
    check_label("The title", title)
    layers = layers_of(trace)
    steps = [
        *(step.name for step in STEPS),
        *(f"{number}.{step.name}" for number in range(1, len(layers) + 1) for step in STEPS),
    ]
    for step in pictures or {}:
        check_one_of("A picture", step, steps, "Name the step that it shows.")
    if cell is not None:
        number = layer_named(cell) or 0
        check_places("The layer of the cell", [number], len(layers), "layer", "layers")
        index_in(layers[number], without_layer(cell))
    _check(layers)
    return _FILES[name].write(layers_told(trace, title, decimals, cell, pictures or {}))


def why_no_latex(trace: Trace | StackTrace, name: str) -> str:
    """Why there is no such file of these numbers; "" where there is one."""
    check_one_of("The name of a LaTeX file", name, LATEX_FILES, "Choose one of them.")
    try:
        _check(layers_of(trace))
    except MhaError as error:
        return str(error)
    return ""


def _check(layers: Sequence[Trace]) -> None:
    """Refuse a layer whose steps would take gigabytes: each of them is made whole."""
    way_out = say("Take fewer tokens or heads.")
    most = PAGE_LIMITS.score_cells
    for trace in layers:
        check_room_for_scores(trace.scenario, most, way_out, where=say(" in LaTeX"))
