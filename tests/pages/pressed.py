"""What can be pressed or filled in anywhere in the product, by its name; and all keys."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np

from mha_core.changing.layers import as_stack
from mha_core.checks.errors import FileError
from mha_core.examples import load_example
from mha_core.io.scenario.stack_link import stack_parameters
from mha_core.io.tensors.opening import tensors_of
from mha_core.models import open_model
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.own import pack_puzzle
from mha_core.puzzles.puzzle import Arrays
from mha_core.scenario.origin import Origin
from tests.core.models.recorded_models import Recorded
from tests.form_fields import fields_on, forms_on
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import MENUS, OPENED, unmarked
from tests.serving import ROOT
from tools.javascript import NODE
from ui.edits.own_puzzle_form import FIRST, MAKE
from ui.edits.puzzle_entries import puzzle_named
from ui.state.layer_to_map import LayerToMap
from ui.state.models_here import MODELS, OpenedModel
from ui.state.real_layers import KEY as REAL_LAYERS
from ui.state.real_layers import RealLayers

SCRIPTS: Final = (
    *(ROOT / "ui" / "plot" / "js").rglob("*.js"),
    *(ROOT / "ui" / "controls").glob("*.js"),
)
OPEN: Final = dict.fromkeys(  # else it is not sent
    (
        *OPENED,
        *MENUS,
        "to-tour",
        "to-compare",
        "editors",
        "check-heads",
        "parts-heads",
        "looks-for",
    ),
    True,
)


def _own_puzzle_solved() -> str:
    places = np.vstack([np.zeros((3, 5)), 6 * np.eye(5)])
    before = np.vstack([np.zeros((3, 5)), 6 * np.eye(5, k=-1)])
    return _answered(pack_puzzle(FIRST), {"w_q": before, "w_k": places})


NOT_KNOWN: Final = FileError("The file", "must be known", "another", "Map it.")


def with_a_file_to_map() -> RealLayers:
    """A visitor whose file is not recognised."""
    names = {name: np.zeros((4, 4)) for name in ("a.0.wq", "a.0.wk", "a.0.wv", "a.0.wo")}
    file = io.BytesIO()
    np.savez(
        file,
        **names,
        **{name.replace("0", "1"): array for name, array in names.items()},
        b=np.zeros(4),
    )
    shown = RealLayers(next(iter(MODELS)))
    layer = LayerToMap.of("odd.npz", tensors_of("odd.npz", file.getvalue()), NOT_KNOWN)
    layer.choose(replace(layer.choice, n_heads=2))
    shown.to_map = layer
    return shown


def with_a_model_alone() -> RealLayers:
    """A visitor whose model came without its tokenizer."""
    shown = RealLayers(next(iter(MODELS)))
    shown.take_own(OpenedModel("alone", open_model(Recorded("llama").file), "0 1 2"), 0)
    return shown


def _answered(name: str, arrays: Arrays) -> str:
    said = {**stack_parameters(puzzle_named(name).on_all_seen(arrays)), "puzzle": name}
    return urlencode({f"h.{param}": text for param, text in said.items()})


def _said_to_be_of_our_model() -> str:
    layer = replace(load_example("causal"), origin=Origin(model="ours", model_text="a b c"))
    said = stack_parameters(as_stack(layer))
    return urlencode({f"{side}.{param}": text for side in "ab" for param, text in said.items()})


OFFERS: Final = ("Pictures", "Slides", "Handout", "Page", "Worksheets", "Lecture pack")
# Pages, their addresses, and what a person has opened or chosen there.
VISITED: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("explore.py", "", OPEN),
    ("explore.py", "example=pizza&cell=weights/0:1.1&open=into", OPEN),
    ("explore.py", "example=the-cat&head=2&cell=weights/0:1.1", OPEN),
    ("explore.py", "heads=8&d_model=64&tokens=a+b+c&x=random&weights=random&head=2", OPEN),
    ("explore.py", "example=the-cat&layers=2&2.example=the-cat", OPEN | {"reads": True}),
    ("explore.py", "b_o.cells=1~2", OPEN | {"edit-which": "b_o"}),
    ("walkthrough.py", "example=pizza&screen=weights&tour=000&stop=11", {"to-tour": True}),
    ("compare.py", "", {"a-share": True, "a-view": True}),
    ("compare.py", _said_to_be_of_our_model(), {}),
    ("patterns.py", "", {}),
    ("build.py", "", {"h-to-keep": True}),
    ("build.py", f"h.puzzle={MAKE}", {}),
    ("build.py", _own_puzzle_solved(), {"h-to-keep": True}),
    ("build.py", _answered("first", PUZZLES["first"].solution()), {}),
    ("tours.py", "", {}),
    ("exercise.py", "", {}),
    ("real_layers.py", "", {}),
    ("real_layers.py", "", {REAL_LAYERS: with_a_file_to_map()}),
    ("real_layers.py", "", {REAL_LAYERS: with_a_model_alone()}),
    *(("for_class.py", "", {"offer": kind}) for kind in OFFERS),
)
MADE_BY_SCRIPTS: Final = (
    re.compile(r'\b(?:button|opener|named|item)\((?:say\()?"([^"]+)"'),
    re.compile(r'\bnamed\((?:say\()?"[^"]+"\)?, (?:say\()?"([^"]+)"'),
    re.compile(r'\bhtml\("(?:button|label)", \{[^}]*\},[^"]*"([^"]+?) ?"'),
)
IN_JSON: Final = re.compile(r'"label": "([^"]+)"')
IN_HTML: Final = re.compile(r"<(?:button|summary|label)\b[^>]*>(?:<input[^>]*>)?\s*([^<]+)")
PAGES: Final = re.compile(r'st\.Page\("\w+\.py", title=say\("([^"]+)"')
NAMING: Final = ("label", "options", "content")  # fields of what Streamlit sends


@cache
def all_names() -> frozenset[str]:
    """The names of pages in the navigation, in what the server sends, and in what scripts make."""
    pages = PAGES.findall((ROOT / "pages" / "navigation.py").read_text("utf-8"))
    scripts = [script.read_text("utf-8") for script in SCRIPTS]
    by_scripts = (
        name for made in MADE_BY_SCRIPTS for each in scripts for name in made.findall(each)
    )
    seen = (name for at in VISITED for name in names_at(*at))
    return frozenset({in_help("TITLE"), *pages, *by_scripts, *seen})


def names_at(page: str, address: str, state: dict[str, Any]) -> Iterator[str]:
    visitor = PageVisitor(page, address, **state)
    for text in _sent(visitor.at._tree):
        yield (name := re.sub(r"\s*:small\[.*|\*\*", "", unmarked(text)).strip())
        yield re.sub(r": \d+ stops$", "", name)  # of a tour
    for form in forms_on(visitor.at):
        yield from (section["title"] for section in form["sections"])
    for field in fields_on(visitor.at).values():
        yield field["label"]
        yield from (title for _, title in field.get("choices", ()))


def _sent(block: Any) -> Iterator[str]:
    for node in block.children.values():
        yield from _named_in(node.proto)
        if hasattr(node, "children"):
            yield from _sent(node)


def _named_in(message: Any) -> Iterator[str]:
    """The names in what was sent, whatever kind of element it is; also in HTML of ours."""
    if not hasattr(message, "ListFields"):
        return
    for field, value in message.ListFields():
        for each in value if isinstance(value, MutableSequence) else [value]:
            if isinstance(each, str) and field.name in NAMING:
                yield each
            elif isinstance(each, str):
                yield from (*IN_HTML.findall(each), *IN_JSON.findall(each))
            else:
                yield from _named_in(each)


# ---- keys ---------------------------------------------------------------------------------------

WORDS: Final = ROOT / "ui" / "plot" / "js" / "help" / "words.js"
SEVERAL: Final = {"arrow keys": "←→↑↓", "1 to 9": "123456789"}


def in_help(name: str) -> Any:
    """What Help says under this name."""
    script = (
        f"import('{WORDS.as_uri()}').then((words) => console.log(JSON.stringify(words.{name})))"
    )
    done = subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@cache
def all_keys() -> frozenset[str]:
    """Those that Help names, which help.test.js holds to what the scripts listen to."""
    return keys_in(row for _, rows in in_help("KEYS") for row in rows)


def keys_in(rows: Iterable[Sequence[str]]) -> frozenset[str]:
    """Each key by itself, of rows that begin with keys as in "Shift + arrow keys, Tab"."""
    named = {name for keys, _ in rows for name in re.split(r", | \+ ", keys)}
    return frozenset(key for name in named for key in SEVERAL.get(name.lower(), [name]))
