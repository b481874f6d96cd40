"""`/healthz` and `/metrics`: how the server is, in words and in numbers. Nothing is about a person.

Metrics are in the text format of Prometheus. They say how busy the server is, which is nobody
else's business: a front that faces the world does not pass `/metrics` on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from ui.machine.budget import TURNS
from ui.machine.line import LINE
from ui.machine.measures import MEASURES
from ui.state.history import bytes_of_all
from ui.state.presence import visitors
from ui.state.session import open_sessions_of_all
from ui.state.uploads import bytes_uploaded

STATUS: Final = Path("/proc/self/status")
PREFIX: Final = "explorer_"
TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"
NEVER_KEPT: Final = {"Cache-Control": "no-store"}


class Metric(NamedTuple):
    """One measure: its name, whether it only grows, what it says, and its values by label."""

    name: str
    kind: str
    help: str
    values: dict[str, float]

    @property
    def lines(self) -> Iterator[str]:
        name = PREFIX + self.name
        yield f"# HELP {name} {self.help}"
        yield f"# TYPE {name} {self.kind}"
        for label, value in self.values.items():
            yield f"{name}{label} {value:.10g}"


def routes() -> list[BaseRoute]:
    """At the root and below the base path: below any path they would hide Streamlit's metrics."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return [
        Route(below + path, answer)
        for path, answer in (("/healthz", _health), ("/metrics", _metrics))
        for below in dict.fromkeys(("", f"/{base}".rstrip("/")))
    ]


async def _health(_: Request) -> Response:
    """The server answers: its loop is not held up, and it takes visitors."""
    return JSONResponse({"status": "ok"}, headers=NEVER_KEPT)


async def _metrics(_: Request) -> Response:
    lines = [line for metric in metrics() for line in metric.lines]
    return PlainTextResponse("\n".join(lines) + "\n", media_type=TEXT, headers=NEVER_KEPT)


def metrics() -> Iterator[Metric]:
    half, most = MEASURES.shares(0.5, 0.95)
    m = MEASURES
    yield _counter("changes_total", "Changes of a layer that were taken.", m.changes)
    yield _counter("refused_total", "Entries that were refused, with the reason.", m.refused)
    yield _counter("out_of_memory_total", "Changes for which memory ran out.", m.out_of_memory)
    yield _counter("failed_runs_total", "Runs of a page that met an error.", m.failed)
    yield Metric(
        "run_seconds",
        "summary",
        "From when a page's run is due to its end; shares of the newest 1000.",
        {'{quantile="0.5"}': half, '{quantile="0.95"}': most, "_sum": m.seconds, "_count": m.runs},
    )
    sessions = open_sessions_of_all()
    shown = sum(session.size for session in sessions)
    yield _gauge("visitors", "Visitors who are connected.", visitors())
    yield _gauge("sessions", "Sessions in memory, of visitors who left lately too.", len(sessions))
    yield _gauge("runs_waiting", "Runs of pages that wait for their turn.", LINE.waiting)
    yield _gauge("heavy_waiting", "Heavy computations that wait for their turn.", TURNS.waiting)
    yield _gauge("history_bytes", "What all histories take.", bytes_of_all())
    yield _gauge("shown_bytes", "What the present moments of all sessions take.", shown)
    yield _gauge("uploads_bytes", "What files take that no page has read yet.", bytes_uploaded())
    yield _gauge("memory_bytes", "Memory of the process, resident.", resident_bytes())
    yield _counter("processor_seconds_total", "Time that the process computed.", _computed())


def _counter(name: str, help: str, value: float) -> Metric:
    return Metric(name, "counter", help, {"": value})


def _gauge(name: str, help: str, value: float) -> Metric:
    return Metric(name, "gauge", help, {"": value})


def resident_bytes() -> int:
    """Memory of this process that is not on disk; 0 where the system does not say it as Linux does.

    >>> resident_bytes() >= 0
    True
    """
    if not STATUS.exists():
        return 0
    lines = STATUS.read_text("utf-8").splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def _computed() -> float:
    spent = os.times()
    return spent.user + spent.system
