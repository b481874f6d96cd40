"""What is said where there is no nginx."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import find_nginx


def test_without_nginx_the_command_that_installs_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_nginx, "PLACES", (str(tmp_path / "nginx"),))
    with pytest.raises(SystemExit) as stopped:
        find_nginx.get_nginx()
    assert "sudo apt-get install nginx-light" in str(stopped.value)


def test_an_nginx_that_does_not_start_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    for path, status in ((broken, 1), (whole, 0)):
        path.write_text(f"#!/bin/sh\nexit {status}\n")
        path.chmod(0o755)
    monkeypatch.setattr(find_nginx, "PLACES", (str(broken), str(whole)))
    assert find_nginx.get_nginx() == whole
