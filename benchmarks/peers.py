"""The same weights as a page of each tool that is installed, and the scripts that it asks for."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mha_core import Trace
from ui.notebook import show

# Where the npm packages lie that BertViz asks a host for, below the folder of packages.
OF_BERTVIZ: Final = {
    "require.js": "requirejs/require.js",
    "/d3/": "d3/dist/d3.min.js",
    "/jquery/": "jquery/dist/jquery.min.js",
}


@dataclass(frozen=True)
class Page:
    """A page, and the scripts that it asks for, by a part of their addresses."""

    html: str
    scripts: Mapping[str, str] = field(default_factory=dict)


def ours(trace: Trace, _: Path | None) -> Page:
    return Page(show(trace, "Random").page.decode())


def plotly(trace: Trace, _: Path | None) -> Page:
    """The subplots that a person makes by hand."""
    from plotly.graph_objects import Heatmap
    from plotly.subplots import make_subplots

    heads = trace.weights
    figure = make_subplots(rows=2, cols=(len(heads) + 1) // 2)
    for head, weights in enumerate(heads):
        figure.add_trace(Heatmap(z=weights, showscale=False), row=1 + head % 2, col=1 + head // 2)
    return Page(figure.to_html(include_plotlyjs=True))


def bertviz(trace: Trace, packages: Path | None) -> Page:
    import torch
    from bertviz import head_view

    weights = torch.tensor(trace.weights[None], dtype=torch.float32)
    made = head_view([weights], list(trace.scenario.tokens), html_action="return").data
    if packages is None:
        raise FileNotFoundError("its page asks a host for scripts: name a folder with --packages")
    scripts = {part: (packages / file).read_text("utf-8") for part, file in OF_BERTVIZ.items()}
    return Page(f"<!doctype html><meta charset=utf-8>{made}", scripts)


def circuitsvis(trace: Trace, _: Path | None) -> Page:
    """Its package has the script that its page asks a host for, in another form."""
    import circuitsvis as package
    from circuitsvis.attention import attention_heads

    script = Path(package.__file__).parent / "dist" / "cdn" / "iife.js"
    made = str(attention_heads(trace.weights, list(trace.scenario.tokens)))
    asked = script.read_text("utf-8") + "\nexport const { render, AttentionHeads } = CircuitsVis;"
    return Page(f"<!doctype html><meta charset=utf-8>{made}", {"unpkg.com": asked})


def inspectus(trace: Trace, _: Path | None) -> Page:
    """It gives its page to a notebook alone, so it is heard what it gives: first its script."""
    import torch
    from IPython import display

    given: list[str] = []
    before, display.display = display.display, lambda shown: given.append(shown.data)
    try:
        import inspectus as package
        from inspectus.utils import init_inline_viz

        with contextlib.redirect_stdout(io.StringIO()):
            given.clear()
            init_inline_viz()
            weights = torch.tensor(trace.weights, dtype=torch.float32)
            package.attention(weights, list(trace.scenario.tokens))
    finally:
        display.display = before
    return Page(f"<!doctype html><meta charset=utf-8>{''.join(given)}")


PEERS: Final[Mapping[str, Callable[[Trace, Path | None], Page]]] = {
    "explorer": ours,
    "plotly": plotly,
    "bertviz": bertviz,
    "circuitsvis": circuitsvis,
    "inspectus": inspectus,
}


def installed() -> list[str]:
    return [name for name in PEERS if name == "explorer" or find_spec(name)]


def page_of(name: str, trace: Trace, packages: Path | None) -> Page:
    return PEERS[name](trace, packages)
