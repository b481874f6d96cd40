"""The measurements as lines of a table for the terminal and as plain data for a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from benchmarks.aims import Judged, aim_against_floor, aim_against_torch
from benchmarks.layers import Size
from benchmarks.timing import Spread, Times

COLUMNS: Final = (
    *(("n", 5), ("d_model", 7), ("heads", 5), ("type", 7)),
    *(("ours ms", 9), ("torch ms", 9), ("fused ms", 9), ("floor ms", 9)),
    *(("ours/torch", 18), ("aim", 11), ("ours/fused", 11)),
    *(("ours/floor", 20), ("aim", 11)),
)
NO_RATIO: Final = "no ratio"  # the other took no time by the clock
TIMED: Final = ("ours", "torch", "fused", "floor")
HEADING: Final = " ".join(f"{title:>{width}}" for title, width in COLUMNS)


@dataclass(frozen=True)
class Row:
    """What was measured at one size."""

    size: Size
    times: Times

    @property
    def against_torch(self) -> Judged:
        return Judged(self.times.ratio("ours", "torch"), aim_against_torch(self.size))

    @property
    def against_fused(self) -> Spread | None:
        return self.times.ratio("ours", "fused")

    @property
    def against_floor(self) -> Judged:
        return Judged(self.times.ratio("ours", "floor"), aim_against_floor(self.size))

    def line(self) -> str:
        size, times = self.size, self.times
        cells = (
            *(str(size.n), str(size.d_model), str(size.n_heads), size.dtype),
            *(f"{times.milliseconds(name):.3f}" for name in TIMED),
            *ratio_and_aim(self.against_torch),
            f"{self.against_fused.median:.2f}" if self.against_fused else NO_RATIO,
            *ratio_and_aim(self.against_floor),
        )
        pairs = zip(cells, COLUMNS, strict=True)
        return " ".join(f"{cell:>{width}}" for cell, (_, width) in pairs)

    def data(self) -> dict[str, Any]:
        return {
            **asdict(self.size),
            "rounds": len(self.times.seconds["ours"]),
            "milliseconds": {name: self.times.milliseconds(name) for name in TIMED},
            "ours_to_torch": judged_data(self.against_torch),
            "ours_to_fused": self.against_fused and asdict(self.against_fused),
            "ours_to_floor": judged_data(self.against_floor),
        }


def ratio_and_aim(judged: Judged) -> tuple[str, str]:
    ratio = judged.ratio
    spread = f"{ratio.median:.2f} ({ratio.lower:.2f}-{ratio.upper:.2f})" if ratio else NO_RATIO
    if judged.aim is None:
        return spread, "-"
    verdict = {True: "met", False: "missed", None: "unknown"}[judged.met]
    return spread, f"{judged.aim} {verdict}"


def judged_data(judged: Judged) -> dict[str, Any]:
    ratio = asdict(judged.ratio) if judged.ratio else {}
    return {**ratio, "aim": judged.aim, "met": judged.met}


def long_line(long: dict[str, Any]) -> str:
    """One sentence on the path that never holds all weights."""
    return (
        f"attend_rows, {long['n']} tokens, {long['n_heads']} heads of"
        f" {long['d_model'] // long['n_heads']}, {long['dtype']}: {long['seconds']:.1f} s"
        f" ({long['processor_seconds']:.1f} s of the processor),"
        f" peak memory of the process {long['peak_mib']:.0f} MiB"
        f" (all weights would be {long['all_weights_mib']:.0f} MiB)"
    )
