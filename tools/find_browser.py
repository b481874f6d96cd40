"""Find a Chromium or Chrome for the browser tests.

    .venv/bin/python -m tools.find_browser

Where there is none, Playwright's own is downloaded into the user's cache. Nothing is ever installed
into the system: the command for that is printed.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.npm_chromium import npm_chromium
from tools.shell import say, succeeds

# Where npm has brought none. The first has no windows, menus and services around the page: the
# tests take a fifth less with it than with the others.
NAMES = (
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "chrome",
)
MAC_APPS = ("Google Chrome", "Chromium")

# Without a sandbox, because containers run as root; only our own pages are ever opened. The rest
# keeps the browser from calling home.
LAUNCH_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=slight",  # as a desktop draws letters; asked for by the first name alone
    "--process-per-site",  # pages of one site share what is compiled: see tests/visitors.py
    # Only this machine has a name: a page that asks for anything outside gets nothing.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
WAY_OUT = """\
There is no Chromium or Chrome that runs here. Do one of these, then try again:

    sudo apt-get install chromium-headless-shell                     on Debian
    sudo .venv/bin/python -m playwright install --with-deps chromium on Ubuntu
    brew install --cask chromium                                     on a Mac

or put the path of a browser that runs into the environment variable CHROME_PATH.
"""


def find_browser() -> Path | None:
    """The first browser that starts; CHROME_PATH, where it is set, is the only one tried."""
    return next(filter(runs, candidates()), None)


def candidates() -> Iterator[Path]:
    if chosen := os.environ.get("CHROME_PATH"):
        yield Path(chosen)
        return
    if of_npm := npm_chromium():
        yield of_npm
    for name in NAMES:
        if found := shutil.which(name):
            yield Path(found)
    for app in MAC_APPS:
        yield Path(f"/Applications/{app}.app/Contents/MacOS/{app}")
    yield playwrights_own()


def playwrights_own() -> Path:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def runs(browser: Path) -> bool:
    # A snap sees neither the profile nor the pipes that Playwright makes for it.
    if browser.resolve().name == "snap":
        return False
    return succeeds([browser, "--version"], timeout=30)


def get_browser() -> Path:
    """Find a browser; where there is none, download Playwright's own; else say the way out."""
    if found := find_browser():
        return found
    if "CHROME_PATH" not in os.environ:
        say("No Chromium or Chrome here: downloading Playwright's own (150 MB) into your cache")
        if succeeds([sys.executable, "-m", "playwright", "install", "chromium"]) and (
            found := find_browser()
        ):
            return found
    sys.exit(WAY_OUT)


if __name__ == "__main__":
    say(f"Browser for the tests: {get_browser()}")
