"""The recipe of the model that copies, and what its file was measured to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from mha_core import attend
from mha_core.stack.trained_stack import stack_of
from mha_core.trained.numbers import read_trained, trained
from mha_core.trained.stories import UNKNOWN, WORDS, text
from tools.train_induction import (
    AT_ONCE,
    PLACES,
    SHORT,
    Measured,
    as_table,
    batches,
    first_numbers,
    in_order,
    logits,
    main,
    measured,
    model_of,
    numbers_of,
    rounded,
    with_a_part_twice,
)
from tools.train_induction import trained as learned

RECORD = Path(__file__).resolve().parents[2] / "docs" / "measured.md"
HEADING = "## The model that copies"


@pytest.fixture(scope="module")
def found() -> Measured:
    return measured(trained())


# The file.


def test_a_head_of_layer_1_looks_at_the_word_before_and_no_other_does(found: Measured) -> None:
    one, *others = found.looks_back[0]
    assert one > 0.8
    assert max(others) < 0.3


def test_a_head_of_layer_2_looks_at_what_followed(found: Measured) -> None:
    """Of random words, in an order that no text has."""
    assert found.looks_at_what_followed[1, 0] > 0.6
    assert found.looks_at_what_followed[0].max() < 0.1


def test_what_comes_again_is_predicted_and_what_is_new_cannot_be(found: Measured) -> None:
    by_chance = np.log(len(WORDS))
    assert found.loss_again < 0.2 < by_chance < found.loss_at_first


def test_stories_that_it_has_never_read_are_predicted_too(found: Measured) -> None:
    other = measured(trained(), seed=77, texts=10)
    assert found.loss_in_stories < 1.5
    assert other.loss_in_stories == pytest.approx(found.loss_in_stories, abs=0.15)


def test_the_page_of_measurements_has_what_was_measured(found: Measured) -> None:
    _, _, below = RECORD.read_text("utf-8").partition(HEADING)
    lines = as_table(found).splitlines()
    recorded = [line.strip() for line in below.splitlines()]
    begin = next(i for i, line in enumerate(recorded) if line.startswith("-log p"))
    for line, was in zip(lines, recorded[begin : begin + len(lines)], strict=True):
        words, numbers = parted(line)
        assert parted(was)[0] == words
        assert parted(was)[1] == pytest.approx(numbers, abs=0.0101)  # the last digit may round


def parted(line: str) -> tuple[list[str], list[float]]:
    """The words of a line, and its numbers with a point."""
    words = line.split()
    return [w for w in words if "." not in w], [float(w) for w in words if "." in w]


# The recipe.


def test_a_few_steps_make_a_file_that_reads_as_it_was_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "few.npz"
    assert main(["--steps", "3", "--seed", "5", "--file", str(path)]) == 0
    printed = capsys.readouterr().out
    assert main(["--measure", "--file", str(path)]) == 0
    assert capsys.readouterr().out == printed
    model = read_trained(path)
    numbers = rounded(in_order(learned(3, 5)))
    np.testing.assert_array_equal(model.embed, numbers["embed"])
    np.testing.assert_array_equal(model.layers[1]["w_o"], numbers["layers.1.w_o"])


def test_training_lowers_the_loss() -> None:
    before, after = (measured(model_of(learned(steps, 5)), texts=5) for steps in (1, 40))
    assert after.loss_in_stories < before.loss_in_stories


def test_what_is_trained_is_what_the_stack_computes() -> None:
    numbers = first_numbers(3)
    words = text(np.random.default_rng(4), 23)
    with torch.no_grad():
        ours = logits(numbers, torch.tensor(numbers_of(words)[None]))[0].numpy()
    model = model_of({name: each.numpy().astype(float) for name, each in numbers.items()})
    np.testing.assert_allclose(attend(stack_of(model, words)).logits, ours, atol=1e-4)


def test_the_order_of_heads_changes_nothing_but_their_order() -> None:
    numbers = {name: each.numpy().astype(float) for name, each in first_numbers(3).items()}
    words = text(np.random.default_rng(4), 23)
    before, after = (
        attend(stack_of(model_of(each), words)) for each in (numbers, in_order(numbers))
    )
    assert not np.allclose(before.layers[0].weights, after.layers[0].weights)
    np.testing.assert_allclose(before.logits, after.logits, atol=1e-9)
    scores = measured(model_of(in_order(numbers)), texts=40)
    assert (np.diff(scores.looks_back[0]) <= 0).all()
    assert (np.diff(scores.looks_at_what_followed[1]) <= 0).all()


def test_random_words_are_each_there_once_but_for_a_part_that_comes_twice() -> None:
    words, counts = with_a_part_twice(np.random.default_rng(6), count=29, length=13)
    assert words.shape == (29, 14)
    assert counts.shape == (29, 13)
    assert (words != WORDS.index(UNKNOWN)).all()
    for row, counted in zip(words, counts, strict=True):
        places = np.flatnonzero(counted)
        assert len(places) == places[-1] - places[0] + 1
        for place in places:  # the word there, and the one to predict, have stood so before
            earlier = row[:place].tolist().index(row[place])
            assert row[earlier + 1] == row[place + 1]


def test_texts_are_short_at_first_and_half_of_them_are_stories() -> None:
    first, *_, last = batches(5, seed=1)
    assert first.words.shape == (2 * AT_ONCE, SHORT + 1)
    assert last.words.shape == (AT_ONCE, PLACES + 1)
    for words, counts in (first, last):
        half = len(words) // 2
        assert counts[:half].all()
        assert not counts[half:].all(axis=1).any()
