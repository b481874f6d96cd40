"""The browser, as every test and every picture has it: with flags and fonts of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.serving import ROOT
from tools.find_browser import LAUNCH_FLAGS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FONTS = ROOT / "tests" / "browser" / "fonts.conf"


@contextmanager
def chromium(executable: Path) -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable,
            args=LAUNCH_FLAGS,
            env={**os.environ, "FONTCONFIG_FILE": str(FONTS)},
        )
        yield browser
        browser.close()
