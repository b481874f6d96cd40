"""Every family gives what its models' own code gave: X, weights, output of each layer, the end."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core import attend
from mha_core.models import open_model
from tests.core.models.recorded_models import IDS, IDS_OF_DECODER, NAMES, Recorded

CLOSE = 1e-5  # float32


@pytest.mark.parametrize("name", NAMES)
def test_it_gives_what_its_own_code_gave(name: str) -> None:
    recorded = Recorded(name)
    model = open_model(recorded.file)
    start = recorded.expected.get("start0")  # of a model that reads images
    own = IDS_OF_DECODER if model.has_decoder else ()
    run = model.run(IDS, own) if start is None else model.run_from(start, own)
    for layer in range(model.n_layers):
        trace = attend(run.scenario(layer))
        made = {"inputs": run.inputs[layer], "weights": trace.weights, "outputs": trace.output}
        for what, array in made.items():
            expected = recorded.expected[f"{what}{layer}"]
            assert array.dtype == np.float32
            np.testing.assert_allclose(array, expected, atol=CLOSE, rtol=CLOSE, err_msg=what)
        np.testing.assert_array_equal(run.outputs[layer], trace.output)
    np.testing.assert_allclose(run.result, recorded.expected["result0"], atol=CLOSE, rtol=CLOSE)
