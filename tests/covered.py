"""Each line of `mha_core`, and each way on from a branch, that no test runs.

    .venv/bin/python -m pytest -p tests.covered tests/core

A run that leaves one fails, and says which. SlipCover counts: it takes its marks out of the code
once they are met, so counting costs almost nothing.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any, Final

import pytest
import slipcover
from slipcover.importer import SlipcoverLoader
from slipcover.slipcover import format_missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PACKAGE: Final = "mha_core"
NEVER_RUN: Final = "if TYPE_CHECKING:"
Coverage = dict[str, Any]


class Counting(MetaPathFinder):
    """Marks each module of one package as it is imported; nobody may have imported it before."""

    def __init__(self, package: str, folder: Path) -> None:
        if package in sys.modules:
            raise ImportError(f"{package} was imported before its lines were counted.")
        self._package = package
        self._counter = slipcover.Slipcover(
            branch=True, source=[str(folder / package)], exclude_also=[NEVER_RUN]
        )

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != self._package:
            return None
        found = PathFinder.find_spec(fullname, path, target)
        if found and found.loader and found.origin:
            found.loader = SlipcoverLoader(self._counter, found.loader, found.origin)
        return found

    def coverage(self) -> Coverage:
        return self._counter.get_coverage()


class Covered:
    """Adds up what the processes that run tests have met."""

    def __init__(self, config: pytest.Config, counting: Counting | None) -> None:
        self._config = config
        self._counting = counting
        self._met: Coverage | None = None

    def pytest_testnodedown(self, node: Any) -> None:
        """A process that ran tests for this one has ended; one that died has told nothing."""
        if met := getattr(node, "workeroutput", {}).get(PACKAGE):
            self._add(json.loads(met))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._counting:
            here = self._counting.coverage()
            if hasattr(self._config, "workeroutput"):
                self._config.workeroutput[PACKAGE] = json.dumps(here)
                return
            self._add(here)
        if (self._met is None or any(self._left())) and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._met is None:
            return
        for left in self._left():
            terminalreporter.write_line(left, red=True)
        summary = self._met["summary"]
        terminalreporter.write_line(
            f"{PACKAGE}: {summary['covered_lines']} of {_all(summary, 'lines')} lines "
            f"and {summary['covered_branches']} of {_all(summary, 'branches')} branches were run."
        )

    def _add(self, met: Coverage) -> None:
        self._met = slipcover.merge_coverage(self._met, met) if self._met else met

    def _left(self) -> Iterator[str]:
        assert self._met is not None
        for file, lines in sorted(self._met["files"].items()):
            left = lines["missing_lines"], lines["executed_lines"], lines["missing_branches"]
            if missing := format_missing(*left):
                yield f"{file} is not run by any test: {missing}"


def _all(summary: dict[str, int], kind: str) -> int:
    return summary[f"covered_{kind}"] + summary[f"missing_{kind}"]


def start(package: str, folder: Path) -> Counting:
    counting = Counting(package, folder)
    sys.meta_path.insert(0, counting)
    # pytest itself would look for a package's own file in a way that our finders do not see.
    list(walk_packages(import_module(package).__path__, f"{package}."))
    return counting


def runs_tests(config: pytest.Config) -> bool:
    """Not if it gives them to others: it would mark all modules and run nothing of them."""
    others = getattr(config.known_args_namespace, "numprocesses", None)
    return not others or "PYTEST_XDIST_WORKER" in os.environ


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before any file of the tests is imported, which would import the core."""
    counting = start(PACKAGE, Path.cwd()) if runs_tests(early_config) else None
    early_config.pluginmanager.register(Covered(early_config, counting))
