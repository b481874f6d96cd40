"""A layer in somebody else's file: names in many spellings, weights the other way round, no X."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import FileError, FormatError, HeadsError, MhaError, ShapeError
from mha_core.examples import load_example
from mha_core.io.scenario.array_names import meaning_of
from mha_core.io.scenario.files import open_file, read_scenario, write_scenario
from mha_core.io.scenario.layer_file import LayerInFile, layer_in_file
from mha_core.scenario.scenario import Scenario
from tests.core.array_files import npz
from tests.core.strategies import scenario_of_distinct_sizes

N, D, D_K, D_V, HEADS = 3, 10, 5, 7, 2
CHANCE = np.random.default_rng(7)
X = CHANCE.normal(size=(N, D))
W = {
    "w_q": CHANCE.normal(size=(D, HEADS * D_K)),
    "w_k": CHANCE.normal(size=(D, HEADS * D_K)),
    "w_v": CHANCE.normal(size=(D, HEADS * D_V)),
    "w_o": CHANCE.normal(size=(HEADS * D_V, D)),
}
SQUARE = {name: CHANCE.normal(size=(6, 6)) for name in W}
BIASES = {
    name: CHANCE.normal(size=size)
    for name, size in {"b_q": 10, "b_k": 10, "b_v": 14, "b_o": 10}.items()
}


def layer(**arrays: object) -> LayerInFile:
    return layer_in_file(npz(**arrays))


def renamed(names: dict[str, str], arrays: dict[str, Any]) -> dict[str, Any]:
    return {names[name]: array for name, array in arrays.items()}


def turned(arrays: dict[str, Any]) -> dict[str, Any]:
    return {name: array.T for name, array in arrays.items()}


TORCH = {
    **{f"w_{letter}": f"{letter}_proj.weight" for letter in "qkv"},
    **{f"b_{letter}": f"{letter}_proj.bias" for letter in "qkv"},
    **{"w_o": "out_proj.weight", "b_o": "out_proj.bias"},
}


# Names


@pytest.mark.parametrize(
    "spelling",
    [
        *("w_{}", "W_{}", "w{}", "W{}", "W-{}", "layer.w_{}", "w_{}.weight", "w{}.weight"),
        *("{}_proj.weight", "{}_proj_weight", "self_attn.{}_proj.weight", "{}_lin.weight"),
        *("to_{}.weight", "{}/kernel:0", "attention.{}.weight", "{}_proj"),
    ],
)
def test_many_spellings_of_the_four_projections_are_known(spelling: str) -> None:
    for letter, word in zip("qkvo", ("query", "key", "value", "output"), strict=True):
        for written in (letter, letter.upper(), word):
            meaning = meaning_of(spelling.format(written))
            assert meaning
            assert meaning.role == f"w_{letter}"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        *[("B_Q", "b_q"), ("bk", "b_k"), ("v_proj.bias", "b_v"), ("out_proj.bias", "b_o")],
        *[("in_proj_weight", "w_qkv"), ("attn.qkv.bias", "b_qkv"), ("c_attn.weight", "w_qkv")],
        *[("attn.Wqkv.weight", "w_qkv"), ("w_qkv.weight", "w_qkv"), ("W_QKV", "w_qkv")],
        *[("to_out.0.weight", "w_o"), ("attn.c_proj.weight", "w_o"), ("c_proj.bias", "b_o")],
        *[("X", "x"), ("Input", "x"), ("memory", "context"), ("num_heads", "n_heads")],
        *[("C_V", "context_v"), ("context_v", "context_v"), ("cv", "context_v")],
        *[("tokens", "tokens"), ("ln.weight", ""), ("mask", ""), ("a.x", ""), ("weights", "")],
    ],
)
def test_a_name_says_what_an_array_is(name: str, role: str) -> None:
    meaning = meaning_of(name)
    assert (meaning.role if meaning else "") == role


# Opening


@pytest.mark.parametrize("spelling", ["{}", "{}".upper(), "my_layer.{}"])
def test_x_and_four_projections_are_a_layer_once_the_heads_are_said(spelling: str) -> None:
    named = {spelling.format(name): array for name, array in W.items()}
    found = layer(X=X, **named)
    assert found.asks == ("n_heads",)
    assert found.head_counts == (1, 2)
    assert found.scenario(n_heads=2) == Scenario(x=X, **W, n_heads=2)
    assert read_scenario(npz(x=X, **W), "a.npz", n_heads=2) == Scenario(x=X, **W, n_heads=2)


@pytest.mark.parametrize("n_heads", [np.int64(2), np.float32(2), np.array([2.0])])
def test_a_file_that_says_all_opens_without_a_question(n_heads: Any) -> None:
    data = npz(x=X, **W, **BIASES, n_heads=n_heads, tokens=np.array(["a", "bb", "c"]))
    assert layer_in_file(data).asks == ()
    s = read_scenario(data, "a.npz")
    assert s == Scenario(x=X, **W, **BIASES, n_heads=2, tokens=("a", "bb", "c"))


def test_the_only_number_of_heads_that_fits_is_not_asked_for() -> None:
    narrow = {name: array[:, :1] for name, array in SQUARE.items() if name != "w_o"}
    found = layer(x=X[:, :6], **narrow, w_o=SQUARE["w_o"][:1])
    assert found.asks == ()
    assert found.scenario().n_heads == 1


def test_grouped_heads_and_a_second_sequence_follow_from_the_shapes() -> None:
    s = scenario_of_distinct_sizes()
    assert s.n_heads > s.n_kv_heads
    given = s.given()
    again = layer(**given).scenario(n_heads=s.n_heads)
    assert again.sizes == s.sizes
    assert all((getattr(again, name) == array).all() for name, array in given.items())


def test_float32_stays_float32_and_a_batch_of_one_is_no_axis() -> None:
    halves = {name: array.astype(np.float32)[None] for name, array in W.items()}
    biases = {name: array.astype(np.float32)[None] for name, array in BIASES.items()}
    s = layer(x=X.astype(np.float32)[None], **halves, **biases).scenario(n_heads=2)
    assert s.dtype == np.float32
    assert s.x.shape == (N, D)


@pytest.mark.parametrize(
    "unlike", [{"h": X}, {"tokens": np.arange(3)}, {"words": np.array([["a"]])}, {"heads": 2.5}]
)
def test_an_array_that_cannot_be_what_its_name_says_is_left_out(unlike: dict[str, Any]) -> None:
    found = layer(x=X, **W, **unlike)
    assert found.left_out == tuple(unlike)
    assert found.scenario(n_heads=2) == Scenario(x=X, **W, n_heads=2)


# The other way round


def test_weights_stored_the_other_way_round_are_turned_where_shapes_say_so() -> None:
    stored = renamed(TORCH, {**turned(W), **BIASES})
    found = layer(x=X, **stored)
    assert found.turned is True
    assert found.asks == ("n_heads",)
    assert found.scenario(n_heads=2) == Scenario(x=X, **W, **BIASES, n_heads=2)
    assert layer(x=X, **turned(W)).scenario(n_heads=2) == Scenario(x=X, **W, n_heads=2)


def test_square_weights_with_names_of_torch_are_asked_about() -> None:
    found = layer(x=X[:, :6], **renamed(TORCH, turned(SQUARE)))
    assert found.turned is None
    assert found.asks == ("n_heads", "turned")
    as_torch = Scenario(x=X[:, :6], **SQUARE, n_heads=3)
    assert found.scenario(n_heads=3) == as_torch
    assert found.stored(turned=True).scenario(n_heads=3) == as_torch
    as_they_stand = found.stored(turned=False)
    assert as_they_stand.asks == ("n_heads",)
    assert as_they_stand.scenario(n_heads=3) == Scenario(x=X[:, :6], **turned(SQUARE), n_heads=3)


def test_square_weights_with_our_names_are_taken_as_they_stand() -> None:
    found = layer(x=X[:, :6], **SQUARE)
    assert found.turned is False
    assert found.scenario(n_heads=2) == Scenario(x=X[:, :6], **SQUARE, n_heads=2)


def test_what_shapes_say_no_person_says_otherwise() -> None:
    found = layer(x=X, **W).stored(turned=True)
    assert found.turned is False


def test_one_array_of_queries_keys_and_values_is_cut_in_three_and_says_the_way() -> None:
    stored = {
        "in_proj_weight": np.concatenate([SQUARE[f"w_{letter}"].T for letter in "qkv"]),
        "in_proj_bias": np.concatenate([BIASES["b_q"][:6]] * 3),
        "out_proj.weight": SQUARE["w_o"].T,
    }
    found = layer(x=X[:, :6], **stored)
    assert found.asks == ("n_heads",)
    expected = {name: BIASES["b_q"][:6] for name in ("b_q", "b_k", "b_v")}
    s = found.scenario(n_heads=2)
    assert s == Scenario(x=X[:, :6], **SQUARE, **expected, n_heads=2)
    conv = {
        "c_attn.weight": np.concatenate([SQUARE[f"w_{letter}"] for letter in "qkv"], axis=1),
        "c_proj.weight": SQUARE["w_o"],
    }
    assert layer(x=X[:, :6], **conv).scenario(n_heads=2) == Scenario(
        x=X[:, :6], **SQUARE, n_heads=2
    )


def test_a_layer_of_torch_gives_what_torch_gives() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    module = torch.nn.MultiheadAttention(6, 3, batch_first=True, dtype=torch.float64)
    stored = {name: value.numpy() for name, value in module.state_dict().items()}
    x = torch.from_numpy(X[None, :, :6].copy())
    expected = module(x, x, x)[0].detach().numpy()[0]
    s = layer(x=X[:, :6], **stored).scenario(n_heads=3)
    assert np.allclose(attend(s).output, expected, atol=1e-12)


# Without X


def test_without_x_the_tokens_get_word_vectors_of_the_width() -> None:
    found = layer(**W)
    assert found.makes_x
    s = found.scenario(n_heads=2, tokens=("the", "cat", "the"))
    assert s.tokens == ("the", "cat", "the")
    assert s.x.shape == (3, D)
    assert (s.x[0] == s.x[2]).all()
    assert s.origin.x == "word_vectors"
    named = layer(**W, tokens=np.array(["a", "b"]))
    assert named.scenario(n_heads=1).tokens == ("a", "b")


def test_an_x_beside_a_second_sequence_that_is_given_has_no_recipe() -> None:
    s = layer(**W, context=X).scenario(n_heads=2)
    assert (s.context == X).all()
    assert s.origin.x == ""


# Several layers, and arrays of other names


def test_of_several_layers_one_is_chosen() -> None:
    names = {"w_q": "q.weight", "w_k": "k.weight", "w_v": "v.weight", "w_o": "out.dense.weight"}
    other = {name: array + 1 for name, array in W.items()}
    stored = {f"h.0.attn.{names[name]}": array for name, array in W.items()}
    stored |= {f"h.1.attn.{names[name]}": array for name, array in other.items()}
    stored |= {"h.0.out.dense.weight": np.eye(3), "x": X, "ln.weight": np.ones(3)}
    found = layer(**stored)
    assert found.asks == ("layer", "n_heads")
    assert found.layers == ("h.0.attn", "h.1.attn")
    assert found.scenario(n_heads=2).w_o.tolist() == W["w_o"].tolist()
    second = found.of_layer("h.1.attn")
    assert second.scenario(n_heads=2) == Scenario(x=X, **other, n_heads=2)
    assert "ln.weight" in second.left_out
    with pytest.raises(FileError, match=r"must hold one layer, got 'h\.0\.attn', 'h\.1\.attn'"):
        read_scenario(npz(**stored), "a.npz")


def test_arrays_without_a_meaning_get_one_from_a_person() -> None:
    found = layer(x=X, **dict(zip("abcd", W.values(), strict=True)))
    assert found.asks == ("roles",)
    assert found.missing == ("w_q", "w_k", "w_v", "w_o")
    said = found.with_roles({"w_q": "a", "w_k": "b", "w_v": "c", "w_o": "d"})
    assert said.scenario(n_heads=2) == Scenario(x=X, **W, n_heads=2)
    assert said.with_roles({"x": ""}).makes_x
    with pytest.raises(MhaError, match="A role must be an array of the layer"):
        found.with_roles({"w_q": "nothing"})


def test_matrices_without_telling_names_are_suggested_in_their_order() -> None:
    roles = ("x", *W)
    unnamed = {f"arr_{number}": array for number, array in enumerate([X, *W.values()])}
    assert layer(**unnamed).suggested == dict(zip(roles, unnamed, strict=True))
    weights = {f"arr_{number}": array for number, array in enumerate(W.values())}
    assert layer(**weights).suggested == dict(zip(W, weights, strict=True))
    assert layer(**unnamed, more=X).suggested == {}


def test_who_names_the_queries_takes_them_out_of_an_array_of_all_three() -> None:
    fused = np.concatenate([SQUARE[f"w_{letter}"] for letter in "qkv"], axis=1)
    found = layer(qkv_weight=fused, w_o=SQUARE["w_o"], mine=SQUARE["w_q"])
    assert found.missing == ()
    assert found.with_roles({"w_q": "mine"}).missing == ("w_k", "w_v")


def test_two_arrays_of_one_meaning_are_asked_about() -> None:
    found = layer(x=X, **W, W_K=W["w_k"])
    assert found.missing == ("w_k",)


# What is refused


@pytest.mark.parametrize(
    ("arrays", "kind", "said"),
    [
        (
            {"a": np.eye(2)},
            FormatError,
            "The file must hold W_Q, W_K, W_V, W_O of a layer too, got arrays of other names: 'a'.",
        ),
        (
            {"x": X, "w_q": W["w_q"]},
            FormatError,
            "The file must hold W_K, W_V, W_O of a layer too, got no others. Name the arrays x,",
        ),
        (
            {"x": X, **W},
            HeadsError,
            "The number of heads must be given, and fit W_Q with its 10 columns, got nothing. "
            "Give one of 1, 2 as n_heads, or save n_heads beside the arrays.",
        ),
        (
            {"x": X, **W, "n_heads": 3},
            HeadsError,
            "The number of heads must be given, and fit W_Q with its 10 columns, got 3. ",
        ),
        *(
            (
                {"x": X, **W, "num_heads": number},
                HeadsError,
                "The number of heads must be given, and fit W_Q with its 10 columns, "
                f"got num_heads = {number}. ",
            )
            for number in (2.5, np.nan, np.inf)
        ),
        (
            {"x": X, **W, "w_o": np.eye(4)},
            ShapeError,
            "The arrays of the file must fit each other: X (n × d), W_Q, W_K and W_V (d × columns "
            "of all heads), W_O (columns of all heads × d), got X 3 × 10, W_Q 10 × 10, W_K 10 × 10,"
            " W_V 10 × 14, W_O 4 × 4. Save the arrays of one layer.",
        ),
        ({"x": X, **W, "b_q": np.ones(4)}, ShapeError, "The arrays of the file must fit"),
        ({"x": np.ones((2, 3, 10)), **W}, ShapeError, "The arrays of the file must fit"),
        ({"qkv_weight": np.ones((6, 7)), "w_o": np.eye(6)}, ShapeError, "The arrays of the file"),
        ({"x": X, **W, "n_heads": 2, "w_q": W["w_q"] * 1j}, FileError, "The file, array 'w_q', m"),
        (
            {"x": X, **W, "n_heads": 2, "tokens": np.array(["a"])},
            ShapeError,
            "tokens must be 3, one for each row, got 1.",
        ),
    ],
)
def test_what_is_no_layer_is_refused_in_words(
    arrays: dict[str, Any], kind: type[MhaError], said: str
) -> None:
    with pytest.raises(kind) as caught:
        read_scenario(npz(**arrays), "a.npz")
    assert str(caught.value).startswith(said)


def test_a_saved_scenario_is_no_layer_to_ask_about() -> None:
    pizza = load_example("pizza")
    assert open_file(write_scenario(pizza, "a.npz"), "a.npz") == pizza
