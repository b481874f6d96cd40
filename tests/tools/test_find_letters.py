"""Which fonts the pictures need of the system."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools import find_letters


@pytest.mark.parametrize(
    "lacks", ["", "LiberationSans-Regular.ttf", "DejaVuSans.ttf", "fonts.conf"]
)
def test_letters_are_there_with_their_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(find_letters, "FONTS", tmp_path)
    monkeypatch.setattr(find_letters, "SETTINGS", tmp_path / "fonts.conf")
    (tmp_path / "truetype").mkdir()
    for name in ("truetype/LiberationSans-Regular.ttf", "truetype/DejaVuSans.ttf", "fonts.conf"):
        if not lacks or not name.endswith(lacks):
            (tmp_path / name).touch()
    assert find_letters.find_letters() == (None if lacks else tmp_path)


def test_a_system_that_always_has_letters_lacks_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert find_letters.find_letters() is not None
