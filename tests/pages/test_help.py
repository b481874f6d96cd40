"""Help stands on every page, in its palette; what it leads to and names is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from streamlit.testing.v1.element_tree import Block

from tests.pages.page_visitor import PageVisitor
from tests.pages.pressed import in_help
from tests.pages.visitor import Visitor
from tests.serving import ROOT
from ui.blocks.help_button import PAGES
from ui.theme import PALETTES

NAVIGATION: Final = re.compile(r'st\.Page\("(\w+\.py)", title=say\("([^"]+)"')
OF_SCRIPTS: Final = re.compile(r'\b(?:button|opener)\((?:say\()?"([^"]+)"')
NAMED: Final = re.compile(r"\*\*(.+?)\*\*")


def sent_to_help(page: PageVisitor) -> list[Any]:
    nodes = [node.proto for node in page.at.get("bidi_component")]
    return [proto for proto in nodes if proto.component_name == "attention_help"]


def labels(block: Block) -> Iterator[str]:
    """The labels of what is pressed in a part of the page."""
    for child in block.children.values():
        proto = child.proto
        yield getattr(proto, "label", "") or getattr(getattr(proto, "popover", None), "label", "")
        if isinstance(child, Block):
            yield from labels(child)


@pytest.mark.parametrize("file", PAGES.values())
def test_every_page_has_help(file: str) -> None:
    assert len(sent_to_help(PageVisitor(file))) == 1


def test_a_page_that_is_presented_has_help_of_its_own() -> None:
    assert not sent_to_help(PageVisitor("explore.py", "present=1"))


@pytest.mark.parametrize("palette", PALETTES)
def test_help_has_the_colors_of_the_palette(palette: str) -> None:
    (sent,) = sent_to_help(PageVisitor("explore.py", f"palette={palette}"))
    said = json.loads(json.loads(sent.json)["colors"])
    for name, scale in PALETTES[palette].items():
        for theme, stops in scale.items():
            for _, color in stops:
                assert color in said[name][theme]


def test_help_leads_to_every_page_by_its_title() -> None:
    navigation = (ROOT / "pages" / "navigation.py").read_text("utf-8")
    told = [(PAGES[page], title) for page, title, _ in in_help("PAGES")]
    assert told == NAVIGATION.findall(navigation)
    assert len(told) == len(PAGES)


@pytest.mark.parametrize(
    ("wish", "leads_to"), [("for_class", "What to take away"), ("no", ""), (["tours"], "")]
)
def test_a_wish_for_a_page_leads_there(wish: object, leads_to: str) -> None:
    page = PageVisitor("exercise.py")
    (sent,) = sent_to_help(page)
    states = page.at._tree.get_widget_states()
    event = {"event": "go", "value": wish}
    states.widgets.add(
        id=f"$$STREAMLIT_INTERNAL_KEY_{sent.id}__events", json_trigger_value=json.dumps([event])
    )
    page.at._run(states)
    assert not page.at.exception
    assert (leads_to or "Choose another exercise") in labels(page.at.main)


def test_the_buttons_that_help_names_are_on_the_page() -> None:
    scripts = [
        *(ROOT / "ui" / "plot" / "js").rglob("*.js"),
        *(ROOT / "ui" / "controls").glob("*.js"),
    ]
    there = {name for each in scripts for name in OF_SCRIPTS.findall(each.read_text("utf-8"))}
    visitor = Visitor("")
    there |= {*labels(visitor.at.main), *labels(visitor.at.sidebar)}
    told = {
        name
        for _, words in [*in_help("TASKS"), *in_help("COLORS")]
        for name in NAMED.findall(words)
    }
    assert len(told) > 5
    assert told <= there
