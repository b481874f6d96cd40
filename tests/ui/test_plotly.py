"""A figure as Plotly takes it: complete, and with the numbers themselves."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from mha_core import attend
from mha_core.changing.changes import with_scores, with_tokens
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import MhaError
from mha_core.examples import load_example
from tests.serving import ROOT
from ui.figures import Look, figure
from ui.figures.grounds import GROUNDS
from ui.figures.into_heads import into_heads_figure
from ui.figures.moved import BEFORE, moved_figure
from ui.figures.one_head import one_head_figure
from ui.figures.pictures import heads_figure
from ui.figures.plotly import plotly_figure
from ui.figures.whole import whole_figure

CAUSAL = load_example("causal")
TRACE = attend(CAUSAL)
HIDDEN = ~TRACE.mask


def numbers_in(shown: go.Figure) -> list[Any]:
    """The traces with the numbers of matrices; the others lie over them."""
    return [each for each in shown.data if len({color for _, color in each.colorscale}) > 1]


def test_each_head_is_a_heatmap_with_axes_of_its_own_and_the_numbers_themselves() -> None:
    shown = figure(TRACE, "weights")
    assert isinstance(shown, go.Figure)
    first, second = numbers_in(shown)
    for head, trace in enumerate((first, second)):
        expected = np.where(HIDDEN, np.nan, TRACE.weights[head])
        np.testing.assert_array_equal(trace.z, expected)
        assert (trace.zmin, trace.zmax) == (0, 1)
    assert (first.xaxis, second.xaxis) == ("x", "x2")
    left, right = shown.layout.xaxis.domain, shown.layout.xaxis2.domain
    assert left[1] < right[0]
    assert shown.layout.yaxis.ticktext == CAUSAL.tokens
    assert shown.layout.xaxis2.matches == "x"  # they zoom as one


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"step": "wieghts"}, "A matrix must be a step .* got 'wieghts'. Take one of x, .*weights"),
        ({"step": None}, "A matrix must be a step of the trace or a given array, got None"),
        ({"theme": "blue"}, "The theme must be one of light, dark, .* got 'blue'"),
        ({"heads": 0}, r"heads must be a list of heads, got 0. Write heads=\[0\]"),
        ({"heads": []}, r"heads must be a list of heads, got \[\]"),
        ({"heads": [2]}, "heads must name heads from 0 to 1, got 2. The first head is number 0"),
        ({"heads": "0"}, "heads must name heads from 0 to 1, got '0'"),
        (
            {"trace": attend(as_stack(CAUSAL))},
            r"The trace must be that of one layer, got StackTrace. .* take trace.layers\[0\]",
        ),
    ],
)
def test_what_is_no_figure_is_refused_with_a_way_out(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(MhaError, match=says):
        figure(**{"trace": TRACE, "step": "weights", **asked})


def test_some_heads_and_any_step_or_given_array() -> None:
    (trace,) = numbers_in(figure(TRACE, "scaled_scores", [1]))
    np.testing.assert_array_equal(trace.z, TRACE.scaled_scores[1])
    for name, array in {"x": CAUSAL.x, "w_o": CAUSAL.w_o, "output": TRACE.output}.items():
        (trace,) = numbers_in(figure(TRACE, name))
        np.testing.assert_array_equal(trace.z, array)


def test_what_is_hidden_has_a_colour_hatching_and_word_of_its_own() -> None:
    shown = plotly_figure(heads_figure(TRACE, [0], ["weights"]))
    over = next(each for each in shown.data if "masked" in (each.hovertemplate or ""))
    np.testing.assert_array_equal(np.isnan(np.array(over.z, float)), ~HIDDEN)
    lines = [each for each in shown.layout.shapes if each.xref == "x"]
    assert len(lines) == 1
    assert not [each for each in figure(attend(load_example("pizza")), "x").layout.shapes]


def test_numbers_are_written_where_they_fit_in_an_ink_that_is_read() -> None:
    shown = figure(TRACE, "weights", [0])
    written = [each for each in shown.data if each.texttemplate]
    assert {each.textfont.color for each in written} == {"#000000", "#ffffff"}
    texts = np.concatenate([np.ravel(np.array(each.text)) for each in written])
    expected = [f"{number:.2f}" for number in TRACE.weights[0][~HIDDEN]]
    assert sorted(text for text in texts if text) == sorted(expected)
    many = attend(load_example("long"))
    assert not [each for each in figure(many, "weights", [0], width=300).data if each.texttemplate]


def test_hovering_says_names_and_six_digits() -> None:
    (trace,) = numbers_in(figure(TRACE, "scaled_scores", [0]))
    assert trace.hovertext[0][1] == f"{TRACE.scaled_scores[0, 0, 1]:.6g}".replace("-", "−")
    assert "query %{y}, key %{x}" in trace.hovertemplate
    now = with_scores(CAUSAL, scale=2.0)
    heads = heads_figure(attend(now), [0], ["weights"])
    trace, *_ = numbers_in(plotly_figure(moved_figure(heads, now, TRACE, BEFORE, 2)))
    assert ", before 1<b>" in trace.hovertext[0][0]
    assert trace.zmin == -trace.zmax


def test_what_is_no_number_is_told_from_what_is_hidden() -> None:
    large = replace(CAUSAL, x=CAUSAL.x * 1e60, scores=replace(CAUSAL.scores, softmax="naive"))
    with np.errstate(all="ignore"):
        shown = plotly_figure(heads_figure(attend(large), [0]))
    lost = [
        each for each in shown.data if {c for _, c in each.colorscale} == {GROUNDS["light"].lost}
    ]
    assert lost
    assert "NaN" in np.ravel(np.array(lost[-1].hovertext))


def test_words_that_look_like_html_are_written_as_they_are() -> None:
    tokens = ("<b>a</b>", "b & c", "d", "e", "f")
    shown = figure(attend(with_tokens(CAUSAL, tokens)), "weights", [0])
    assert shown.layout.yaxis.ticktext[:2] == ("&lt;b>a&lt;/b>", "b &amp; c")
    assert shown.data[0].y[0] == "&lt;b>a&lt;/b>"


def test_headings_captions_and_bars_are_there_in_their_colours() -> None:
    shown = plotly_figure(one_head_figure(TRACE, 0), ground=GROUNDS["dark"])
    words = {each.text for each in shown.layout.annotations}
    assert {"<b>Weights A₁</b>", "÷ √d_k"} <= words
    assert shown.layout.paper_bgcolor == GROUNDS["dark"].paper
    bars = [each.colorbar for each in shown.data if each.showscale]
    assert [bar.ticktext[-1] for bar in bars]
    bands = [
        each for each in plotly_figure(into_heads_figure(TRACE)).layout.shapes if each.fillcolor
    ]
    assert bands


def test_plotlys_buttons_cover_no_heading() -> None:
    """They stand at the right top, above all that is drawn."""
    lower_edge = 26  # pixels, of Plotly's buttons
    layout = plotly_figure(whole_figure(TRACE, [0, 1], ["", ""])).layout
    area = layout.height - layout.margin.t - layout.margin.b
    words = [each for each in layout.annotations if each.yref == "paper"]
    assert words
    tops = [layout.margin.t + (1 - each.y) * area for each in words if each.yanchor == "top"]
    assert min(tops) >= lower_edge


def test_a_figure_says_how_it_looks_whatever_template_the_machine_has() -> None:
    assert figure(TRACE, "weights").layout.template == pio.templates["none"]


def test_it_is_saved_as_a_page_and_as_json(tmp_path: Path) -> None:
    shown = figure(TRACE, "weights", look=Look(decimals=3))
    shown.write_html(tmp_path / "weights.html", include_plotlyjs=False)
    assert "READS" in (tmp_path / "weights.html").read_text("utf-8")
    again = go.Figure(**{k: v for k, v in shown.to_dict().items()})
    assert again.to_json() == shown.to_json()


@pytest.mark.parametrize("missing", ["streamlit", "plotly"])
def test_the_door_opens_without_streamlit_and_plotly_is_needed_only_for_its_figures(
    missing: str,
) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; import ui.figures"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
