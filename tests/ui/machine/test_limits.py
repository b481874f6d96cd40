"""What one machine gives: from the environment, or as it is by default."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mha_core.checks.errors import OptionError
from ui.machine.limits import MachineLimits, cores


@pytest.mark.parametrize("name", [field.name for field in fields(MachineLimits)])
def test_each_limit_is_a_variable(name: str) -> None:
    limits = MachineLimits.from_environment({f"EXPLORER_{name.upper()}": "7"})
    assert getattr(limits, name) == 7.0
    assert MachineLimits.from_environment({f"EXPLORER_{name.upper()}": ""}) == MachineLimits()


@pytest.mark.parametrize("text", ["many", "0", "-1", "nan", "inf", "1e30"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="EXPLORER_HISTORY_MB must be a number of at least 1"):
        MachineLimits.from_environment({"EXPLORER_HISTORY_MB": text})


@pytest.mark.parametrize("processes", [1, 2, 3, 16])
def test_processes_share_what_the_machine_gives(processes: int) -> None:
    machine = MachineLimits.from_environment({"EXPLORER_HEAVY_AT_ONCE": "16"})
    shares = [
        MachineLimits.from_environment(
            {"EXPLORER_HEAVY_AT_ONCE": "16", "EXPLORER_REPLICA": f"{number}/{processes}"}
        )
        for number in range(1, processes + 1)
    ]
    for limit in ("history_mb", "arrays_mb"):
        total = sum(getattr(share, limit) for share in shares)
        assert total == pytest.approx(getattr(machine, limit))
    assert sum(share.heavy_at_once for share in shares) <= 16
    assert all(share.session_history_mb <= share.history_mb for share in shares)
    assert {share.seconds_a_minute for share in shares} == {machine.seconds_a_minute}


def test_each_process_may_compute_one_large_layer() -> None:
    share = MachineLimits(heavy_at_once=1).shared_by(8)
    assert share.heavy_at_once == 1


def test_a_limit_that_was_set_is_shared_too() -> None:
    share = MachineLimits.from_environment({"EXPLORER_HISTORY_MB": "64", "EXPLORER_REPLICA": "1/4"})
    assert share.history_mb == share.session_history_mb == 16


def test_cores_that_the_process_may_not_use_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3}, raising=False)
    assert cores() == 1


@pytest.mark.parametrize("said", ["2", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1/999999"])
def test_a_wrong_word_about_the_replica_is_refused(said: str) -> None:
    with pytest.raises(OptionError, match="EXPLORER_REPLICA must be a number and how many"):
        MachineLimits.from_environment({"EXPLORER_REPLICA": said})
