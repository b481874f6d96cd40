"""Chromium as npm brings it, unpacked."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from tools import npm_chromium
from tools.javascript import NODE

BROWSER: Final = b'#!/bin/sh\necho "$LD_LIBRARY_PATH" "$@"\n'
PACK: Final = "process.stdout.write(zlib.brotliCompressSync(fs.readFileSync(0)))"


def packed(content: bytes) -> bytes:
    command = [NODE, "-e", PACK]
    return subprocess.run(command, input=content, stdout=subprocess.PIPE, check=True).stdout


def libraries() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for name in ("lib/libnss3.so", "../libnspr4.so"):
            member = tarfile.TarInfo(name)
            member.size = 3
            tar.addfile(member, io.BytesIO(b"ELF"))
    return file.getvalue()


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the packages, with one that npm has brought."""
    bin = tmp_path / "packed"
    bin.mkdir()
    (bin / "chromium.br").write_bytes(packed(BROWSER))
    (bin / "al2023.tar.br").write_bytes(packed(libraries()))
    monkeypatch.setattr(npm_chromium, "PACKED", bin)
    monkeypatch.setattr(npm_chromium, "UNPACKED", tmp_path / "unpacked")
    monkeypatch.setattr(npm_chromium, "find_packages", lambda: tmp_path)
    monkeypatch.setattr(npm_chromium, "find_letters", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    return tmp_path


def test_it_starts_with_the_libraries_that_lie_beside_it(brought: Path) -> None:
    start = npm_chromium.npm_chromium()
    assert start
    link = brought / "linked"
    link.symlink_to(start)
    said = subprocess.run([link, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.split() == [str(brought / "unpacked"), "--version"]
    assert sorted(file.name for file in start.parent.iterdir()) == [
        "chromium",
        "chromium-of-npm",
        "libnspr4.so",
        "libnss3.so",
    ]


def test_several_may_unpack_it_at_once(brought: Path) -> None:
    with ThreadPoolExecutor() as several:
        begun = [several.submit(npm_chromium.npm_chromium) for _ in range(2)]
        found = [each.result() for each in begun]
    assert found == [brought / "unpacked" / "chromium"] * 2
    assert [file.name for file in brought.iterdir() if "unpacked" in file.name] == ["unpacked"]


@pytest.mark.parametrize("lacks", ["packages", "package", "letters", "system", "machine"])
def test_there_is_none_where_npm_has_not_brought_one_that_runs(
    brought: Path, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    match lacks:
        case "packages":
            monkeypatch.setattr(npm_chromium, "find_packages", lambda: None)
        case "package":
            monkeypatch.setattr(npm_chromium, "PACKED", brought / "missing")
        case "letters":
            monkeypatch.setattr(npm_chromium, "find_letters", lambda: None)
        case "system":
            monkeypatch.setattr(sys, "platform", "darwin")
        case "machine":
            monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert npm_chromium.npm_chromium() is None
    assert not (brought / "unpacked").exists()
