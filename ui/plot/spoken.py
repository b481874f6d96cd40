"""A script of the browser behind the words that it says in another language."""

from __future__ import annotations

from pathlib import Path


def in_language(script: bytes, language: str, languages: Path) -> bytes:
    """English stands in the script itself."""
    if not language:
        return script
    words = (languages / language / "LC_MESSAGES" / "browser.json").read_text("utf-8")
    return f"globalThis.explorerWords = {words};\n".encode() + script
