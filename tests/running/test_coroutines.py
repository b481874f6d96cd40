"""What a test runs asynchronously, after any test that has used a browser."""

from __future__ import annotations

from tests.coroutines import run


def test_a_coroutine_runs_where_a_loop_is_running_already() -> None:
    async def answer() -> int:
        return 42

    async def ask() -> int:
        return run(answer())

    assert run(ask()) == 42
