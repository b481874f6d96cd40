"""All layers in one picture, and who reads whom."""

from __future__ import annotations

import numpy as np

from mha_core import attend, load_example
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction, with_residual
from mha_core.stack.composition import composition
from ui.figures.composition import composition_figure
from ui.figures.layers import labels_of_stream, layers_figure

CAT = load_example("the-cat")
TWO = with_prediction(with_layer_count(as_stack(CAT), 2), True)
TRACES = attend(TWO)


def test_the_shown_layer_has_its_usual_names_and_is_edited() -> None:
    figure = layers_figure(TRACES, shown=0)
    names = [each.name for each in figure.heatmaps]
    assert names[:5] == ["x", "weights/0", "weights/1", "weights/2", "weights/3"]
    assert names[5:10] == ["2.x", *(f"2.weights/{head}" for head in range(4))]
    assert names[10:] == ["stream", "w_u", "logits", "probabilities"]
    assert [each.name for each in figure.heatmaps if each.matrix.is_given] == ["x", "w_u"]


def test_x_of_a_higher_layer_is_given_by_nobody() -> None:
    figure = layers_figure(TRACES, shown=1)
    assert [each.name for each in figure.heatmaps if each.matrix.is_given] == ["w_u"]
    assert not figure.named("x").matrix.row_source
    np.testing.assert_array_equal(figure.named("x").values, TRACES.stream[1])


def test_columns_keep_their_names_on_a_stream_and_lose_them_without() -> None:
    assert labels_of_stream(TRACES, 1)[0] == "noun"
    assert labels_of_stream(attend(with_residual(TWO, False)), 1)[0] == "1"


def test_what_comes_out_of_layers_without_a_stream_is_no_stream() -> None:
    figure = layers_figure(attend(with_residual(TWO, False)), shown=0)
    assert figure.named("stream").matrix.title == "What comes out"


def test_who_reads_whom_is_composition_through_each_way() -> None:
    figure = composition_figure(*TWO.on_zeros)
    assert [each.name for each in figure.heatmaps] == [f"composition/{way}" for way in "qkv"]
    for way in ("q", "k", "v"):
        values = figure.named(f"composition/{way}").values
        np.testing.assert_allclose(values, composition(*TWO.on_zeros, way))  # type: ignore[arg-type]
