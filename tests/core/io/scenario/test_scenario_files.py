"""A scenario as a file of either kind, to the last bit; harmful and broken files are refused."""

from __future__ import annotations

import json
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.changing.changes import with_dtype, with_mask, with_matrix
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import LimitError, MhaError, ShapeError
from mha_core.checks.limits import LIMITS, PAGE_LIMITS
from mha_core.examples import EXAMPLES, load_example
from mha_core.io.scenario.files import (
    SCENARIO_FILE_TYPES,
    read_scenario,
    why_not_held,
    write_scenario,
)
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from tests.core.any_scenario import any_scenario, assert_same_to_the_last_bit
from tests.core.array_files import Harmful, changed, claiming_size, npy, npy_saying, zipped
from tests.core.strategies import scenario_of_distinct_sizes
from tests.draws import draws

PIZZA = load_example("pizza")
NPZ = write_scenario(PIZZA, "s.npz")


def arrays_in(data: bytes) -> dict[str, Any]:
    with np.load(BytesIO(data)) as file:
        return dict(file)


def npz_with(**changes: Any) -> bytes:
    """The file of a scenario with other arrays; None leaves one out."""
    arrays = {**arrays_in(NPZ), **changes}
    return zipped({f"{name}.npy": npy(a) for name, a in arrays.items() if a is not None})


def settings_with(**changes: Any) -> np.ndarray:
    return np.array(json.dumps({**json.loads(str(arrays_in(NPZ)["settings"])), **changes}))


def test_a_path_is_a_name() -> None:
    for path in map(Path, ("folder/s.npz", "folder/s.json")):
        assert read_scenario(write_scenario(PIZZA, path), path) == PIZZA
    for name in (3, None, b"s.npz"):
        with pytest.raises(MhaError, match="name of the file must be a text, such as"):
            write_scenario(PIZZA, name)  # type: ignore[arg-type] # wrong on purpose


def refusal(data: bytes, name: str = "s.npz") -> MhaError:
    with pytest.raises(MhaError) as caught:
        read_scenario(data, name)
    return caught.value


# There and back


@pytest.mark.parametrize("kind", SCENARIO_FILE_TYPES)
@given(scenario=any_scenario())
def test_any_scenario_comes_back_to_the_last_bit(kind: str, scenario: Scenario) -> None:
    assert why_not_held(as_stack(scenario), f"s{kind}") == ""
    assert_same_to_the_last_bit(
        read_scenario(write_scenario(scenario, f"s{kind}"), f"S{kind.upper()}"), scenario
    )


@pytest.mark.parametrize("name", [name for name in EXAMPLES if load_example(name).d_model < 1024])
def test_every_example_fits_a_npz(name: str) -> None:
    s = load_example(name)
    assert_same_to_the_last_bit(read_scenario(write_scenario(s, "s.npz"), "s.npz"), s)


def test_numpy_opens_the_file_and_float32_stays_float32() -> None:
    s = with_dtype(scenario_of_distinct_sizes(), "float32")
    arrays = arrays_in(write_scenario(s, "s.npz"))
    assert set(arrays) == {"settings", *s.given()}
    assert all(arrays[name].dtype == np.float32 for name in s.given())
    assert (arrays["w_q"] == s.w_q).all()
    assert json.loads(str(arrays["settings"]))["tokens"] == list(s.tokens)


def test_both_masks_keep_their_types() -> None:
    additive = np.where(np.eye(4) > 0, -np.inf, 0.1).astype(np.float32)
    mask = Mask((Rule("causal"),), custom=np.eye(4) > 0, additive=additive)
    s = with_mask(PIZZA, mask)
    again = read_scenario(write_scenario(s, "s.npz"), "s.npz")
    assert_same_to_the_last_bit(again, s)
    assert again.mask.additive is not None
    assert again.mask.additive.dtype == np.float32


def test_the_same_scenario_gives_the_same_file() -> None:
    assert write_scenario(PIZZA, "a.npz") == write_scenario(PIZZA, "b.npz")


# Large scenarios


def noise(s: Scenario, seed: int = 1) -> Scenario:
    """The same scenario with every number of every array edited."""
    chance = np.random.default_rng(seed)
    for name, array in s.given().items():
        s = with_matrix(s, name, chance.normal(size=array.shape))
    return s


def test_a_wide_layer_with_all_numbers_edited_fits_a_npz_and_opens_again() -> None:
    s = noise(load_example("pizza-1024"))
    assert why_not_held(as_stack(s), "s.npz") == ""
    data = write_scenario(s, "s.npz")
    assert len(data) <= LIMITS.file_bytes
    assert_same_to_the_last_bit(read_scenario(data, "s.npz"), s)


def test_in_float32_a_npz_is_half_as_large() -> None:
    s = noise(load_example("wide-head"))
    sizes = [len(write_scenario(each, "s.npz")) for each in (s, with_dtype(s, "float32"))]
    assert sizes[1] < 0.55 * sizes[0]


def test_the_largest_layer_of_the_page_whose_heads_share_its_width_fits_a_npz() -> None:
    n, width = PAGE_LIMITS.tokens, PAGE_LIMITS.width
    square = np.zeros((width, width))
    s = Scenario(
        x=np.zeros((n, width)),
        context=np.zeros((n, width)),
        **{"w_q": square, "w_k": square, "w_v": square, "w_o": square},
        n_heads=PAGE_LIMITS.heads,
        tokens=("\N{GRINNING FACE}" * LIMITS.label_chars,) * n,
        mask=Mask(custom=np.eye(n) > 0, additive=np.zeros((n, n))),
    )
    assert why_not_held(as_stack(s), "s.npz") == ""


def test_what_a_kind_cannot_hold_is_said_before_it_is_written() -> None:
    wide = load_example("pizza-1024")
    why = why_not_held(as_stack(wide), "s.json")
    assert why.startswith("The scenario as JSON must be at most 20 MB, got ")
    assert why.endswith("Save it as .npz, which holds more.")
    with pytest.raises(LimitError, match=r"Save it as \.npz"):
        write_scenario(wide, "s.json")
    square = np.zeros((1500, 1500))
    wider = Scenario(x=square, w_q=square, w_k=square, w_v=square, w_o=square, n_heads=1)
    why = why_not_held(as_stack(wider), "s.npz")
    assert why.startswith("The scenario as .npz must be at most 45 MB, got 86 MB. ")
    assert why.endswith("Take float32, narrower heads or fewer tokens.")
    with pytest.raises(LimitError, match="Take float32"):
        write_scenario(wider, "s.npz")
    assert why_not_held(as_stack(with_dtype(wider, "float32")), "s.npz") == ""


# Files of another kind


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"{}", "s.txt", "The file 's.txt' must end in .npz or .json, got '.txt'"),
        (b"{}", "npz", "The file 'npz' must end in .npz or .json, got no ending"),
        (b"{}", "s.npz", "The file 's.npz' must be a ZIP archive such as .npz or .xlsx, got text"),
        (NPZ, "s.json", "The file 's.json' must be text, got a ZIP archive such as .npz or .xlsx"),
        (b"%PDF-1.7", "s.json", "The file 's.json' must be text, got a PDF"),
        (b"", "s.json", "The file 's.json' must be text, got nothing"),
        (b"", "s.npz", "The file 's.npz' must be a ZIP archive such as .npz or .xlsx, got nothing"),
        ("{}", "s.json", "The file 's.json' must be given as its bytes, got str. Write Path"),
        (b"{", "s.json", "The file must be JSON, got "),
        (NPZ[:-40], "s.npz", "The file must be a whole NumPy archive, got a broken one"),
        (npz_with(w_q=None), "s.npz", "The file must hold the array 'w_q', as a saved scenario"),
        (npz_with(settings=None), "s.npz", "The number of heads must be given, and fit W_Q"),
        (npz_with(foo=np.eye(2)), "s.npz", "The file must hold no arrays but settings, x, context"),
        (npz_with(settings=np.eye(2)), "s.npz", "The file, array 'settings', must be one text"),
        (npz_with(settings=np.array("")), "s.npz", "The file must be JSON"),
        (npz_with(settings=np.array(["a"])), "s.npz", "The file, array 'settings', must be one te"),
        (npz_with(settings=np.array("{")), "s.npz", "The file must be JSON"),
        (npz_with(settings=np.array("{}")), "s.npz", 'The file must say "format": "attention-sc'),
        (npz_with(settings=settings_with(version=2)), "s.npz", "The field 'version' must be 1"),
        (npz_with(settings=settings_with(x=[[1]])), "s.npz", "The field 'x' must be one that ver"),
        (npz_with(settings=settings_with(mask={"custom": []})), "s.npz", "The field 'mask.custom'"),
        (npz_with(settings=settings_with(mask=[])), "s.npz", "The field 'mask' must be an object"),
        (npz_with(w_q=np.eye(3)), "s.npz", "W_Q must have shape"),
        (npz_with(w_q=np.eye(8) * 1j), "s.npz", "The file, array 'w_q', must hold bool, integers"),
        (npz_with(w_q=np.eye(8) * np.nan), "s.npz", "W_Q must hold finite numbers"),
        (npz_with(**{"mask.custom": np.eye(4)}), "s.npz", "The file, array 'mask.custom', must"),
    ],
)
def test_a_file_that_is_no_scenario_is_refused_in_words(data: bytes, name: str, said: str) -> None:
    error = refusal(data, name)
    assert str(error).startswith(said)
    assert len(str(error)) < 500


def test_settings_without_a_mask_and_arrays_of_whole_numbers_are_taken() -> None:
    least = json.loads(str(arrays_in(NPZ)["settings"]))
    plain = {name: least[name] for name in ("format", "version", "n_heads")}
    data = npz_with(settings=np.array(json.dumps(plain)), w_q=np.eye(8, dtype=np.int64))
    s = read_scenario(data, "s.npz")
    assert (s.mask, s.tokens) == (Mask(), ("t1", "t2", "t3", "t4"))
    assert s.w_q.dtype == np.float64


# Harmful files


def test_a_pickle_is_never_read(tmp_path: Path) -> None:
    trap = tmp_path / "run"
    harmful = np.array([[Harmful(trap)]], dtype=object)
    assert "got type |O" in str(refusal(npz_with(w_q=harmful)))
    assert "must be one text" in str(refusal(npz_with(settings=harmful)))
    assert not trap.exists()


def bomb(shape: str, zeros: int, claimed: int | None = None) -> bytes:
    """A file of a scenario whose W_Q promises this shape and holds so many bytes of zeros."""
    entries = {f"{name}.npy": npy(a) for name, a in arrays_in(NPZ).items() if name != "w_q"}
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n"
    data = zipped({"w_q.npy": npy_saying(header, bytes(zeros)), **entries})
    return data if claimed is None else claiming_size(data, claimed)


@pytest.mark.parametrize(
    ("shape", "zeros"),
    [
        ("(8, 8)", 10**7),
        ("(3000, 2500)", 6 * 10**7),  # all that it promises
        ("(99999, 99999)", 10**7),
        ("(10, 10, 10)", 10**7),
    ],
)
@pytest.mark.parametrize("claimed", [None, 100])
def test_a_bomb_is_refused_before_it_is_unpacked(
    shape: str, zeros: int, claimed: int | None
) -> None:
    data = bomb(shape, zeros, claimed)
    tracemalloc.start()
    try:
        refusal(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3_000_000


def test_a_file_beyond_the_limit_is_not_opened() -> None:
    error = refusal(NPZ + bytes(LIMITS.file_bytes))
    assert isinstance(error, LimitError)
    assert str(error).startswith("The file must be at most 48 MB, got a little more. ")


@given(
    places=st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=3)), max_size=4),
    end=st.sampled_from([1.0, 1.0, 0.9, 0.5]),
    data=st.sampled_from(
        [NPZ, zipped({f"{name}.npy": npy(a) for name, a in arrays_in(NPZ).items()}, 0)]
    ),
)
@draws(300)
def test_a_damaged_file_gives_a_scenario_or_one_of_our_errors(
    places: list[tuple[float, bytes]], end: float, data: bytes
) -> None:
    for place, new in places:
        data = changed(data, int(place * len(data)), new)
    try:
        s = read_scenario(data[: int(end * len(data))], "s.npz")
    except MhaError:
        return
    assert all(np.isfinite(array).all() for array in s.given().values())


def test_every_given_array_has_a_place_in_the_file() -> None:
    s = scenario_of_distinct_sizes()
    for name, array in s.given().items():
        assert name in GIVEN
        assert (arrays_in(write_scenario(s, "s.npz"))[name] == array).all()
    with pytest.raises(ShapeError):
        read_scenario(npz_with(context=np.ones((3, 5))), "s.npz")
