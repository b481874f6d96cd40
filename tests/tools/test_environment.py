"""The oldest versions that the app allows are read from its requirements."""

from __future__ import annotations

from pathlib import Path

from tools.environment import lower_ends

ROOT = Path(__file__).resolve().parents[2]


def test_a_range_becomes_its_lower_end() -> None:
    assert lower_ends("numpy>=2.3,<2.5\nplotly>=7.1.2,<8") == "numpy==2.3\nplotly==7.1.2"


def test_every_requirement_of_the_app_has_a_range() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    oldest = [lower_ends(line) for line in lines if not line.startswith("#")]
    assert {line.partition("==")[0] for line in oldest} == {
        "streamlit",
        "numpy",
        "plotly",
        "pandas",
    }
    assert all("==" in line and "<" not in line for line in oldest)
