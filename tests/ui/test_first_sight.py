"""What is seen before the live page has come: what the HTML has, and what it can never hold."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from mha_core.examples import EXAMPLES
from tests.coroutines import run
from ui.blocks import first_sight
from ui.blocks.first_words import A_ROW, A_ROW_ON_C
from ui.blocks.heads_picture import heads_picture
from ui.blocks.top import title_of
from ui.guards.headers import security_headers
from ui.served_page import KINDS, SCRIPT_OF_SIGHT, inline_scripts, page
from ui.served_scripts import NAMES, SCRIPTS
from ui.state.params import opened_at

HOSTILE = '</p><script>alert(1)</script><img/src=x/onerror="alert(2)">'


class Read(HTMLParser):
    """The elements of a text of HTML, each with its attributes; and its words by class."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.classes: list[str] = []
        self.attributes: dict[str, str] = {}
        self.said: dict[str, str] = {}
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes[name] = value
            if name == "class":
                self._inside = value
                self.classes.append(value)

    def handle_data(self, data: str) -> None:
        self.said[self._inside] = self.said.get(self._inside, "") + data


def seen(params: dict[str, str], of_page: str = "") -> Read:
    return Read(run(first_sight.first_sight(of_page, params)))


@pytest.mark.parametrize(
    "params",
    [
        {"example": "causal"},
        {"example": "pizza", "heads": "8"},
        {"example": "pizza", "heads": "8", "page": "1"},
    ],
    ids=["few heads", "many heads", "many heads, large"],
)
def test_it_has_the_title_the_sentence_and_the_picture_that_the_live_page_is_sent(
    params: dict[str, str],
) -> None:
    first, session = seen(params), opened_at(params)
    live = heads_picture(session)
    assert live
    assert first.said["title"] == title_of(session)
    assert first.said["sentence"] == " ".join(session.scenario.tokens)
    assert first.said["a-row"].startswith(A_ROW)
    assert base64.b64decode(first.attributes["data-picture"]) == live.data


def test_the_first_sentence_says_whether_a_word_looks_at_itself_too() -> None:
    assert "looks at itself and all others" in seen({"example": "pizza"}).said["a-row"]
    assert seen({"example": "translation"}).said["a-row"].startswith(A_ROW_ON_C)


@pytest.mark.parametrize(
    "params",
    [
        {"example": "pizza", "tokens": f'"{HOSTILE}" b'},
        {"example": "pizza", "title": HOSTILE},
        {"example": "pizza", "utm_source": HOSTILE, "embed": "true"},
        {HOSTILE: HOSTILE},
    ],
    ids=["token", "title", "of others", "name"],
)
def test_what_people_type_is_text(params: dict[str, str]) -> None:
    usual = seen({"example": "pizza"})
    typed = seen(params)
    assert set(typed.tags) <= set(usual.tags)
    assert set(typed.classes) <= set(usual.classes)
    assert set(typed.attributes) <= set(usual.attributes)


def test_a_token_is_shown_as_it_was_typed() -> None:
    assert seen({"example": "pizza", "tokens": "<b> &amp;"}).said["sentence"] == "<b> &amp;"


@pytest.mark.parametrize(
    "params",
    [
        {"heads": "3"},  # refused
        {"example": "no such example"},
        {"example": "pizza", "cell": "weights/0:1.1"},  # explained below the picture
        {"example": "pizza", "fold": "heads"},
        {"example": "pizza", "layers": "2", "2.example": "pizza"},  # all layers stand first
        {"tokens": "+".join("abcdefghijklmnopq"), "heads": "32", "d_model": "64", "x": "random"},
    ],
    ids=lambda params: " ".join(params),
)
def test_where_the_picture_is_another_one_or_large_only_the_title_is_there(
    params: dict[str, str],
) -> None:
    assert {"picture", "sentence"}.isdisjoint(seen(params).classes)
    assert "title" in seen(params).classes
    assert run(first_sight.first_picture(params)) is None


@pytest.mark.parametrize(
    "params",
    [
        {"present": "1"},
        {"tour": "scaling"},
        {"hide": "input"},
        {"d_model": "1024", "x": "random"},
        {"title": "a" * 3000},
    ],
    ids=lambda params: " ".join(params),
)
def test_a_page_that_begins_in_another_way_or_is_dear_to_make_is_as_it_was(
    params: dict[str, str],
) -> None:
    assert run(first_sight.first_sight("", params)) == ""


def test_other_pages_have_their_title_alone() -> None:
    assert seen({"example": "pizza"}, "walkthrough").said["title"] == EXAMPLES["pizza"].title
    assert seen({"a.example": "pizza"}, "compare").said["title"] == "Compare"
    assert "picture" not in seen({"example": "pizza"}, "walkthrough").classes
    assert run(first_sight.first_sight("exercise", {})) == ""


def test_what_is_embedded_has_no_sidebar() -> None:
    assert "side" in seen({}).classes
    assert "side" not in seen({"embed": "true"}).classes
    assert "picture" in seen({"embed": "true"}).classes


def test_only_the_last_addresses_are_kept() -> None:
    for number in range(first_sight.MOST_KEPT + 6):
        run(first_sight.first_sight("walkthrough", {"title": f"{number}"}))
    assert len(first_sight._kept) == first_sight.MOST_KEPT


def test_nobody_waits_long_for_what_others_have_made() -> None:
    with first_sight._making:
        assert run(first_sight.first_sight("", {"title": "of somebody else"})) == ""
    assert run(first_sight.first_sight("", {"title": "of somebody else"}))


def test_without_javascript_there_is_a_picture_with_the_same_tokens() -> None:
    params = {"example": "pizza", "tokens": "<b> & c"}
    assert seen(params).attributes["src"] == (
        "./first_picture.svg?example=pizza&tokens=%3Cb%3E+%26+c"
    )
    file = run(first_sight.first_picture(params))
    assert file
    texts = {text.text for text in ElementTree.fromstring(file).iterfind(".//{*}text")}
    assert {"<b>", "&", "c"} <= texts


def test_it_stands_before_the_live_page_and_its_script_may_run() -> None:
    sight = run(first_sight.first_sight("", {}))
    html = page(sight)
    assert html.index('id="first-sight"') < html.index('id="root"')
    assert html.count("<noscript>") == sight.count("<noscript>")  # and no other sentence
    policy = security_headers()["Content-Security-Policy"]
    for script in inline_scripts():
        assert f"<script>{script}</script>" in html
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_the_page_says_beforehand_which_scripts_it_will_need() -> None:
    html = page(scripts=("plot/7/plot.js",))
    told = re.findall(r'<link rel="modulepreload"[^>]* href="\./([^"]+)"', html)
    assert told[-1] == "plot/7/plot.js"
    own = [name.removeprefix("static/js/") for name in told[:-1]]
    assert len(set(own)) == len(own)
    assert set(own) <= NAMES
    for kind in KINDS:
        assert any(name.startswith(f"{kind}.") for name in own)
    for name in own:  # with all that they import
        imported = re.findall(r'(?:from|import)"\./([^"]+)"', (SCRIPTS / name).read_text("utf-8"))
        assert {*imported} <= {*own, *re.findall(r'src="\./static/js/([^"]+)"', html)}


def test_no_style_makes_the_script_of_what_is_seen_wait() -> None:
    html = page(sight=" ")
    assert html.count('rel="stylesheet"') == page().count('rel="stylesheet"') > 0
    assert html.index(SCRIPT_OF_SIGHT) < html.index('rel="stylesheet"')
