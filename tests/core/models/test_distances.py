"""What T5's heads add to their scores, by the distance of query and key."""

from __future__ import annotations

import math

import numpy as np

from mha_core import attend
from mha_core.models import open_model
from mha_core.models.distances import kinds_of_distances
from tests.core.models.recorded_models import IDS, Recorded


def test_a_kind_is_counted_as_the_paper_says_it() -> None:
    kinds = kinds_of_distances(300, 32, 128)
    for distance in range(1, 300):
        far = 8 + math.log(distance / 8) / math.log(128 / 8) * 8
        expected = distance if distance < 8 else min(int(far + 1e-6), 15)
        assert kinds[distance, 0] == expected
        assert kinds[0, distance] == 16 + expected


def test_a_decoder_has_all_kinds_for_what_is_behind() -> None:
    kinds = kinds_of_distances(300, 32, 128, sees_ahead=False)
    for distance in range(1, 300):
        far = 16 + math.log(distance / 16) / math.log(128 / 16) * 16
        assert kinds[distance, 0] == (distance if distance < 16 else min(int(far + 1e-6), 31))
        assert kinds[0, distance] == 0


def test_some_heads_take_their_columns_of_the_table_along() -> None:
    recorded = Recorded("t5")
    model = open_model(recorded.file)
    x = model.run(IDS).inputs[1]
    some = attend(model.weights(1).only([2, 0]).scenario(x)).weights
    np.testing.assert_allclose(some, recorded.expected["weights1"][[2, 0]], atol=1e-5)


def test_a_model_with_distances_says_so() -> None:
    says = open_model(Recorded("t5").file).says
    assert "Scores are not scaled. Each head adds a number for each kind of distance" in says
