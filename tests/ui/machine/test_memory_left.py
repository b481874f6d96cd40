"""What the server has is told before anything is taken, and what does not fit is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mha_core.checks.errors import LimitError
from ui.machine import memory
from ui.machine.limits import MACHINE, MEGABYTE


def files(monkeypatch: pytest.MonkeyPatch, folder: Path, **texts: str) -> None:
    """The files of the system and of a container, with these texts; the others are not there."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    monkeypatch.setattr(memory, "OF_THE_SYSTEM", folder / "system")
    monkeypatch.setattr(memory, "OF_THE_CONTAINER", (folder / "most", folder / "used"))


def test_it_is_what_the_server_gives_where_the_system_says_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files(monkeypatch, tmp_path)
    assert memory.room() == MACHINE.arrays_mb * MEGABYTE
    files(monkeypatch, tmp_path, system="MemTotal: 9 kB\n", most="max\n", used="1\n")
    assert memory.room() == MACHINE.arrays_mb * MEGABYTE


def test_it_is_never_more_than_the_system_or_the_container_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files(monkeypatch, tmp_path, system="MemTotal: 9 kB\nMemAvailable:  2048 kB\n")
    assert memory.room() == 2 * MEGABYTE
    files(monkeypatch, tmp_path, most="3000000\n", used="2000000\n")
    assert memory.room() == 1_000_000
    assert memory.takes(310 * MEGABYTE) == "This takes about 310 MB; the server has 977 kB."
    files(monkeypatch, tmp_path, used="4000000\n")
    assert memory.room() == 0


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files(monkeypatch, tmp_path, system="MemAvailable:  2048 kB\n")
    memory.check_room(2 * MEGABYTE, "")
    with pytest.raises(LimitError) as caught:
        memory.check_room(3 * MEGABYTE, "Take less.")
    assert str(caught.value) == (
        "This must fit into the 2 MB that the server has, got about 3 MB. Take less."
    )
