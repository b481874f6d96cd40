"""What one machine gives: from the environment, or as it is by default."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mha_core.checks.errors import OptionError
from ui.state.limits import MachineLimits


@pytest.mark.parametrize("name", [field.name for field in fields(MachineLimits)])
def test_each_limit_is_a_variable(name: str) -> None:
    limits = MachineLimits.from_environment({f"EXPLORER_{name.upper()}": "7"})
    assert getattr(limits, name) == 7.0
    assert MachineLimits.from_environment({f"EXPLORER_{name.upper()}": ""}) == MachineLimits()


@pytest.mark.parametrize("text", ["many", "0", "-1", "nan", "inf", "1e30"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="EXPLORER_HISTORY_MB must be a number of at least 1"):
        MachineLimits.from_environment({"EXPLORER_HISTORY_MB": text})
