"""pdfLaTeX reads what is written, whatever it holds, and nothing leaves its page.

Takes long: each document is compiled by pdfLaTeX, a second or two of the processor.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from mha_core import Mask, Rule, ScoreOptions, attend
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.examples import load_example
from mha_core.io.latex import LATEX_FILES, derivation_as_align, latex_file, matrix_as_bmatrix
from mha_core.io.latex.lesson import Lesson
from mha_core.io.latex.words import _SIGNS
from mha_core.layer.cells import Cell
from mha_core.layer.trace import Trace
from mha_core.scenario.scenario import Scenario
from tests.core.strategies import RARE, scenario_of_distinct_sizes, self_attention
from tools.programs import program_of

pytestmark = pytest.mark.usefixtures("pdflatex")

PIZZA = load_example("pizza")
PICTURE = r"""\begin{tikzpicture}
\foreach \i in {0, 10, ..., 40} \fill[blue!\i] (\i, 0) rectangle ++(1, 30);
\end{tikzpicture}% wider and higher than any page"""
TITLE = r"\input{/etc/passwd} 50% $ # & _ ^ ~ 🍕 É"
WRITES = r"\immediate\write18{touch run-by-a-label}"
HOSTILE = (
    WRITES + r"\input{/etc/passwd}",
    "}$$\\end{document}^^5c{#&%_~",
    "\n\n\t\x00\u202e<b>|\"'`--",
    "🍕 比萨 بيتزا Ångström ßœ αΩ ≤ “x” … ć ł ą",
)
LONG = ("W" * 200, "比" * 200, " ", "a b{" * 50)
DECIMALS = {"all at once": 5}
# The documents have them; slides would show no more, and LaTeX takes four times as long for them.
NOT_ON_SLIDES = ("sinusoids", "second sequence", "lost weights", "every sign")
EVERY_SIGN = ("".join(_SIGNS)[:60], "".join(_SIGNS)[60:], "ÀÁÂÃÄĀĂȦÅŐŘẠÇîĵ", "")


def scenarios() -> Mapping[str, Scenario]:
    added = np.where(np.eye(5, 7) > 0, -np.inf, 0.3)
    every_option = ScoreOptions(positions="rope", softcap=5.0, temperature=0.5, query_start=3)
    alibi = ScoreOptions(positions="alibi", growth=0.5, growth_every=2)
    sinusoids = ScoreOptions(positions="sinusoidal")
    lost = ScoreOptions(softmax="naive")
    all_hidden = Mask((Rule("padding", hidden=[0, 1, 2, 3, 4]),))
    return {
        "worked example": PIZZA,
        "all at once": scenario_of_distinct_sizes(
            **RARE, mask=Mask((Rule("causal"),), additive=added), scores=every_option, heads_off={1}
        ),
        "blind queries": replace(load_example("grouped-query"), scores=alibi, mask=all_hidden),
        "sinusoids": replace(load_example("positions"), scores=sinusoids),
        "second sequence": load_example("translation"),
        "lost weights": replace(PIZZA, x=1000 * PIZZA.x, w_q=1000 * PIZZA.w_q, scores=lost),
        "large numbers": replace(PIZZA, x=1e60 * PIZZA.x, w_q=1e30 * PIZZA.w_q),
        "one number": self_attention(1, 1, 1, tokens=("ONLY",)),
        "128 tokens": load_example("long"),
        "hostile labels": replace(PIZZA, tokens=HOSTILE),
        "long labels": replace(PIZZA, tokens=LONG),
        "every sign": replace(PIZZA, tokens=EVERY_SIGN),
    }


@dataclass(frozen=True)
class Compiled:
    """What pdfLaTeX made of a file: how it ended, what it said, and its folder."""

    status: int
    said: str
    folder: Path

    @property
    def pages(self) -> int:
        written = re.search(r"Output written on \S+ \((\d+) pages?,", self.said)
        assert written, self.said[-2000:]
        return int(written[1])

    @property
    def overfull(self) -> list[str]:
        boxes = re.findall(r"Overfull \\[hv]box \(([\d.]+)pt[^\n]*", self.said)
        return [points for points in boxes if float(points) > 1]


def compiled(tex: str, folder: Path) -> Compiled:
    """What pdfLaTeX makes of a file. It may run no command; tests check that no label tries to."""
    pdflatex = program_of("pdflatex")
    (folder / "file.tex").write_text(tex, "ascii")
    flags = ["-no-shell-escape", "-halt-on-error", "-interaction=batchmode"]
    done = subprocess.run(
        [pdflatex, *flags, "file.tex"],
        cwd=folder,
        env={**os.environ, "max_print_line": "1000"},
        stdout=subprocess.DEVNULL,
        timeout=300,
        check=False,
    )
    said = (folder / "file.log").read_text("utf-8", "replace")
    return Compiled(done.returncode, said, folder)


def assert_good(found: Compiled) -> None:
    assert found.status == 0, found.said[-3000:]
    assert not found.overfull
    assert "Missing character" not in found.said
    assert "/pk/" not in found.said  # a font made of dots, which few machines have
    assert "/etc/passwd" not in found.said
    assert "runsystem" not in found.said


def bodies(texts: list[str]) -> str:
    """Several files as one. They differ only in their bodies."""
    begin, end = "\\begin{document}\n", "\\end{document}\n"
    preambles = {text.partition(begin)[0] for text in texts}
    assert len(preambles) == 1
    pages = [text.partition(begin)[2].removesuffix(end) for text in texts]
    return preambles.pop() + begin + "\n\\clearpage\n".join(pages) + end


def written(traces: Mapping[str, Trace], file: str) -> str:
    """The files of all scenarios, and of two layers, as one; with pictures and a hostile title."""
    pictures = {"weights": PICTURE, "x": PICTURE}
    two = with_prediction(with_layer_count(as_stack(replace(PIZZA, tokens=HOSTILE)), 2), True)
    layers = attend(replace(two, words=(*HOSTILE, *LONG)[: len(two.words)]))
    texts = [
        latex_file(trace, file, title=TITLE, pictures=pictures, decimals=DECIMALS.get(name, 2))
        for name, trace in traces.items()
    ]
    of_layers = {"weights": PICTURE, "2.weights": PICTURE}
    return bodies([*texts, latex_file(layers, file, title=TITLE, pictures=of_layers)])


def test_documents_compile_and_nothing_leaves_its_page(tmp_path: Path) -> None:
    traces = {name: attend(s) for name, s in scenarios().items()}
    found = compiled(written(traces, "steps.tex"), tmp_path)
    assert_good(found)
    steps = [len(Lesson(trace, "", 2, None, {}).steps) for trace in traces.values()]
    assert sum(steps) / 3 < found.pages < 2 * sum(steps)


def test_slides_compile_and_each_step_has_one(tmp_path: Path) -> None:
    traces = {name: attend(s) for name, s in scenarios().items() if name not in NOT_ON_SLIDES}
    slides = written(traces, "slides.tex")
    found = compiled(slides, tmp_path)
    assert_good(found)
    steps = [len(Lesson(trace, "", 2, None, {}).steps) for trace in traces.values()]
    assert found.pages == slides.count(r"\begin{frame}") >= sum(steps) + len(traces)


@pytest.mark.parametrize("file", LATEX_FILES)
def test_a_file_without_pictures_compiles(file: str, tmp_path: Path) -> None:
    assert_good(compiled(latex_file(attend(PIZZA), file), tmp_path))


def test_pieces_compile_where_amsmath_alone_is_loaded(tmp_path: Path) -> None:
    trace = attend(self_attention(4, 12, 2, tokens=HOSTILE))
    pasted = [rf"\[{matrix_as_bmatrix(trace, name)}\]" for name in ("x", "w_q", "concat")]
    cells = [Cell("weights", 0, 3, 1), Cell("output", None, 3, 2), Cell("raw_scores", 1, 1, 0)]
    pasted += [derivation_as_align(trace, cell) for cell in cells]
    head = "\\documentclass{article}\\usepackage[margin=22mm]{geometry}\\usepackage{amsmath}"
    text = "\n".join([head, r"\begin{document}", *pasted, "\\end{document}\n"])
    assert_good(compiled(text, tmp_path))


def test_a_label_that_would_be_run_is_seen(tmp_path: Path) -> None:
    tex = rf"\documentclass{{article}}\begin{{document}}{WRITES} x\end{{document}}"
    assert "runsystem" in compiled(tex, tmp_path).said
    assert not (tmp_path / "run-by-a-label").exists()
