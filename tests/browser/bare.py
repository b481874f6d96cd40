"""Pictures without an app: the modules that the server sends, in a page of a few lines.

For what only a picture decides: places, colours, labels, keys, drags, menus, files. To open the app
takes half a second of the processor, and this a tenth. What a page does with a report needs it.
"""

from __future__ import annotations

import base64
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.serving import ROOT
from ui.figures.figure import Figure
from ui.plot import SCRIPT
from ui.plot.pictures import Picture
from ui.plot.wire import pack, stamped

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The theme is told as Streamlit tells it.
PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title>
<meta name="viewport" content="width=device-width">
<style>
  :root {{ {light} }}
  @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
  body {{ margin: 16px; font-family: sans-serif; }}
  [data-testid=stApp] {{ background: var(--st-background-color); color: var(--st-text-color); }}
</style>
<main data-testid="stApp"><h1>Pictures</h1></main>"""
# As Streamlit does, it tells a picture of a new theme by showing it once more.
START: Final = """async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { plot, told } = await import(address);
  const components = new Map(); // by key
  window.reports = [];
  window.show = (key, data) => {
    if (!components.has(key)) {
      const parentElement = document.createElement("div");
      document.querySelector("main").append(parentElement);
      const setTriggerValue = (event, said) => window.reports.push([key, event, said]);
      components.set(key, { parentElement, setTriggerValue, setStateValue() {} });
    }
    const component = Object.assign(components.get(key), { data });
    component.leave = plot(component);
  };
  window.tell = (data) => told({ data });
  window.bringAnew = (key) => {
    const { parentElement, leave, data } = components.get(key);
    parentElement.remove();
    components.delete(key);
    window.show(key, data);
    leave();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const component of components.values()) plot(component);
  });
}"""
SHOW: Final = """([key, packed]) =>
  show(key, Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)))"""
TELL: Final = "packed => tell(Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)))"


def open_bare(page: Page, folder: Path) -> None:
    """Open the page, with no picture yet. It is a file, so that it may use the clipboard."""
    file = folder / "pictures.html"
    file.write_text(PAGE.format(**{name: _colors(name) for name in ("light", "dark")}), "utf-8")
    page.goto(file.as_uri())
    page.evaluate(START, SCRIPT.decode("utf-8"))


def show(page: Page, figure: Figure, key: str, *, alt: str = "") -> None:
    """Show a figure, in the place of the one with the same key, and wait until it is painted."""
    picture = Picture.of(figure, key, alt)
    page.evaluate(SHOW, [key, base64.b64encode(stamped(picture.data, 0)).decode()])
    page.locator(".plot[data-painted]").last.wait_for()


def let_edit(page: Page) -> None:
    """Let given numbers be edited in the pictures of no group."""
    said = {"group": "", "history": {}, "taken": 0, "refused": [], "is_open": True}
    page.evaluate(TELL, base64.b64encode(pack(said)).decode())


def bring_anew(page: Page, key: str) -> None:
    """Take a picture out of the page and bring it again, as Streamlit may. It cleans up late."""
    page.evaluate("key => bringAnew(key)", key)


def reports(page: Page) -> list[list[Any]]:
    """What the pictures have reported: the key of each, the event and what it says."""
    said: list[list[Any]] = page.evaluate("window.reports")
    return said


def _colors(scheme: str) -> str:
    """The variables with which Streamlit tells its theme."""
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    colors = {
        "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name): value
        for name, value in settings["theme"][scheme].items()
        if isinstance(value, str)
    }
    return " ".join(
        f"--st-{name}: {value};" for name, value in {**colors, "font": "sans-serif"}.items()
    )
