"""What .streamlit/config.toml promises: nothing goes out, nothing too large comes in."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from streamlit import config

from mha_core.checks.limits import LIMITS

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))


def by_full_name(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        full_name = f"{before}{name}"
        flat |= (
            by_full_name(value, f"{full_name}.") if isinstance(value, dict) else {full_name: value}
        )
    return flat


@pytest.mark.parametrize("name", by_full_name(SETTINGS))
def test_streamlit_knows_the_setting(name: str) -> None:
    assert name in config.get_config_options()


def test_no_usage_statistics_are_sent() -> None:
    assert SETTINGS["browser"]["gatherUsageStats"] is False


def test_an_upload_may_be_as_large_as_the_core_takes_and_no_larger() -> None:
    assert SETTINGS["server"]["maxUploadSize"] * 1024 * 1024 == LIMITS.file_bytes


def test_no_setting_names_an_address_outside() -> None:
    """But for whose page may speak to this one: nothing is asked there, and by default more may."""
    named = [name for name, value in by_full_name(SETTINGS).items() if "://" in str(value)]
    assert named == ["client.allowedOrigins"]
    by_default = config.get_config_options()["client.allowedOrigins"].default_val
    assert set(SETTINGS["client"]["allowedOrigins"]) < set(by_default)
