"""A script of the browser behind the words that it says in another language."""

from __future__ import annotations

from pathlib import Path


def in_language(script: bytes, language: str, languages: Path) -> bytes:
    """English stands in the script itself, and stays where there is nothing else."""
    if not language:
        return script
    file = languages / language / "LC_MESSAGES" / "browser.json"
    words = file.read_text("utf-8") if file.is_file() else "{}"
    return f"globalThis.explorerWords = {words};\n".encode() + script
