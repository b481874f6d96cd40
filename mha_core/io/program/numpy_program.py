"""The forward pass of one scenario in plain NumPy, with the names of the trace."""

from __future__ import annotations

from typing import Final

from mha_core.io.program.passages import Passage, comparison, expected, given, mask_and_additions
from mha_core.layer.notations import NOTATIONS
from mha_core.layer.positions import BASE, alibi_slopes
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import (
    without,
    without_concat_function,
    without_distances,
    without_factor_of_output,
    without_factor_of_values,
    without_gate,
    without_gate_of_additions,
    without_growth,
    without_norm_of_concat,
    without_norm_of_values,
    without_norms,
    without_own_values,
    without_rotation_first,
    without_rotation_last,
    without_row_max,
    without_sinks,
    without_sinusoids,
    without_waves_in_values,
)
from mha_core.options.growth import factor_numpy
from mha_core.options.r_places import axes_of_distances
from mha_core.options.registry import OPTIONS, WAVELENGTHS
from mha_core.scenario.norms import NormOf, norm_of, norms_of
from mha_core.scenario.rotation import Rotation, rotation_of
from mha_core.scenario.scenario import Scenario

# What each head adds to its own scores, before a gate multiplies it.
OWN_ADDITIONS: Final = "b_s.reshape(n_heads, len(x), -1)"
SINKS: Final = "sinks[:, None, None]"  # the same score in all rows of a head
COMPARED: Final = ("weights", "output")


def numpy_passages(trace: Trace, *, is_first: bool = True) -> list[Passage]:
    """A program that needs NumPy alone. What a scenario does not use is not in it."""
    s = trace.scenario
    parts = mask_and_additions(s)
    return [
        Passage("Multi-head attention in plain NumPy", "import numpy as np"),
        given(s, parts, is_first=is_first),
        *heads_by_numpy(s),
        Passage("Scores", _scores(s, "additive_mask" in parts, "mask" in parts)),
        Passage("Softmax", _softmax(s, has_blind_queries(trace))),
        Passage("Each query's blend of the values", f"head_outputs = weights @ {values(s)}"),
        output_by_numpy(s),
        expected(trace, COMPARED),
        comparison(s, COMPARED),
    ]


def heads_by_numpy(s: Scenario) -> list[Passage]:
    """From the input to the queries, keys and values of each head."""
    projections = Passage("Queries, keys and values, split into heads", _projections(s))
    turned_first = [] if without_rotation_first(s) else _rotations(s, "q_heads", "k_heads")
    turned_last = [] if without_rotation_last(s) else _rotations(s, *_normed(s))
    norms = norms_by_numpy(s)
    return [*_positions(s), projections, *turned_first, *norms, *turned_last]


def output_by_numpy(s: Scenario) -> Passage:
    """From the outputs of the heads to that of the layer."""
    outputs = "head_outputs" if without_gate(s) else "gated_outputs"
    code = [
        f"concat = {outputs}.swapaxes(0, 1).reshape(len(x), -1)",
        f"output = concat @ w_o{_bias(s, 'o')}",
    ]
    if not without_factor_of_output(s):
        code.append(f"output = output * {float(s.scores.output_scale)!r}")
    if not without_concat_function(s):
        bent = NOTATIONS["python"].applied(s.scores.concat_function, outputs)
        code.insert(0, f"{outputs} = {bent}  # {s.scores.concat_function}")
    if not without_norm_of_concat(s):
        code.insert(0, f"{outputs} = {_norm_call(s, 'concat', outputs)}")
    if not without_gate(s):
        code[:0] = [*_gates(s), "gated_outputs = head_outputs * gates"]
    if s.heads_off:
        off = f"head_outputs[{sorted(s.heads_off)}] = 0  # switched off, counted from 0"
        code.insert(0, off)
    return Passage("The heads side by side, mixed by W_O", "\n".join(code))


def _gates(s: Scenario) -> list[str]:
    scores = f"split({_with_positions(s, 'x')} @ w_g{_bias(s, 'g')}, n_heads)"
    function = s.scores.gate_function
    if function == "sigmoid":
        return [f"gates = 1 / (1 + np.exp(-{scores}))  # from 0, shut, to 1, open"]
    gates = NOTATIONS["python"].applied(function, "gate_scores")
    return [f"gate_scores = {scores}", f"gates = {gates}  # {function}"]


def has_blind_queries(trace: Trace) -> bool:
    """Whether some query may attend to nothing: then the program must avoid 0 / 0."""
    return bool(trace.blind_queries.any())


def source_of_keys(s: Scenario) -> str:
    return "x" if s.context is None else "context"


def queries_and_keys(s: Scenario) -> tuple[str, str]:
    """The names of the arrays that scores are made of."""
    return _normed(s) if without_rotation_last(s) else ("q_rotated", "k_rotated")


def values(s: Scenario) -> str:
    """The name of the values that weights blend."""
    return "v_heads" if without_norm_of_values(s) else "v_normed"


def _normed(s: Scenario) -> tuple[str, str]:
    return ("q_heads", "k_heads") if without_norms(s) else ("q_normed", "k_normed")


def _positions(s: Scenario) -> list[Passage]:
    if without_sinusoids(s):
        return []
    code = [
        "def sinusoids(n, width, start):",
        "    column = np.arange(width)",
        f"    angle = np.arange(start, start + n)[:, None] / {BASE} ** (2 * (column // 2) / width)",
        "    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))",
        "",
        "",
        *(
            f"{name}_positioned = {name} + sinusoids(*{name}.shape, start={start})"
            f".astype({name}.dtype)"
            for name, start in _starts(s).items()
        ),
    ]
    return [Passage("Positions: a wave in each column", "\n".join(code))]


def _starts(s: Scenario) -> dict[str, int]:
    """The position of the first row of each sequence."""
    starts = {"x": s.query_start}
    return starts if s.context is None else {**starts, "context": s.key_start}


def _projections(s: Scenario) -> str:
    queries, keys = (_with_positions(s, each) for each in ("x", source_of_keys(s)))
    values = keys if without_own_values(s) else "context_v"
    values = source_of_keys(s) if without_waves_in_values(s) else values
    split = [
        "def split(matrix, n_heads):",
        "    return matrix.reshape(len(matrix), n_heads, -1).swapaxes(0, 1)",
        "",
        "",
    ]
    made = [
        f"{name}_heads = split({source} @ w_{name}{_bias(s, name)}, {heads}){_factor(s, name)}"
        for name, source, heads in (
            ("q", queries, "n_heads"),
            ("k", keys, "n_kv_heads"),
            ("v", values, "n_kv_heads"),
        )
    ]
    shared = [
        f"{name}_heads = np.repeat({name}_heads, n_heads // n_kv_heads, axis=0)  # for its group"
        for name in ("k", "v")
        if s.n_kv_heads != s.n_heads
    ]
    return "\n".join([*split, *made, *shared])


def _with_positions(s: Scenario, name: str) -> str:
    return name if without_sinusoids(s) else f"{name}_positioned"


def _bias(s: Scenario, name: str) -> str:
    return "" if getattr(s, f"b_{name}") is None else f" + b_{name}"


def _factor(s: Scenario, name: str) -> str:
    has_none = name != "v" or without_factor_of_values(s)
    return "" if has_none else f" * {float(s.scores.v_scale)!r}"


def norms_by_numpy(s: Scenario) -> list[Passage]:
    """The norms of a layer: their functions, and what is normed before scores are made."""
    normed = [*norms_of(s.scores)]
    if not normed:
        return []
    norms = [norm_of(s, of) for of in normed]
    code = []
    if any(norm.is_divided for norm in norms):
        code += [
            "def rms_norm(heads, axes, eps, gain=1, shift=0):",
            "    mean = np.square(heads, dtype=float).mean(axis=axes, keepdims=True)",
            "    return (heads / np.sqrt(mean + eps) * gain + shift).astype(heads.dtype)",
            "",
            "",
        ]
    if any(norm.is_centered for norm in norms):
        code += [
            "def layer_norm(heads, axes, eps, gain=1, shift=0):",
            "    less = heads - heads.mean(axis=axes, keepdims=True, dtype=float)",
            "    return rms_norm(less.astype(heads.dtype), axes, eps, gain, shift)",
            "",
            "",
        ]
    vectors = {"q": "q_heads", "k": "k_heads", "v": "v_heads"}
    if not without_rotation_first(s):
        vectors |= {"q": "q_rotated", "k": "k_rotated"}
    code += [f"{of}_normed = {_norm_call(s, of, vectors[of])}" for of in normed if of in vectors]
    title = "Norms: rows are scaled to one size"
    if not any(norm.is_divided for norm in norms):
        title = "Each column of queries and keys times its gain"
    return [Passage(title, "\n".join(code).rstrip())]


def _norm_call(s: Scenario, of: NormOf, heads: str) -> str:
    """The call that norms some heads, or what multiplies them where there are gains alone."""
    norm = norm_of(s, of)
    name = "layer_norm" if norm.is_centered else "rms_norm"
    of_keys = of in ("k", "v")
    said = {
        word: _in_columns(s, numbers, of, of_keys=of_keys)
        for word, numbers in (("gain", norm.gains), ("shift", norm.shifts))
        if numbers is not None
    }
    if not norm.is_divided:
        signs = {"gain": "*", "shift": "+"}
        made = " ".join([heads, *(f"{signs[word]} {its}" for word, its in said.items())])
        return f"({made}).astype(x.dtype)" if said else heads
    given = [
        heads,
        str(norm.axes),
        repr(norm.eps),
        *(f"{word}={its}" for word, its in said.items()),
    ]
    return f"{name}({', '.join(given)})"


def _in_columns(s: Scenario, numbers: tuple[float, ...], of: NormOf, *, of_keys: bool) -> str:
    """Gains as a program has them; heads that are shared have been repeated by then."""
    code = f"np.array({[*map(float, numbers)]!r})"
    if len(numbers) <= (s.d_k if of in ("q", "k") else s.d_v):
        return code
    code = f"{code}.reshape({'n_kv_heads' if of_keys else 'n_heads'}, 1, -1)"
    is_shared = of_keys and s.n_kv_heads != s.n_heads
    return f"np.repeat({code}, n_heads // n_kv_heads, axis=0)" if is_shared else code


def _rotations(s: Scenario, queries: str, keys: str) -> list[Passage]:
    rotation = rotation_of(s.scores, s.d_k)
    first, second = (_as_code(each) for each in (rotation.first, rotation.second))
    angle, other = "angle", "angle"
    if rotation.crossed is not None:
        angle, other = f"angle[:, {first}]", f"angle[:, {second}]"
    code = [
        *_table_of_places(rotation),
        "def rotate(heads, start):",
        "    n, width = heads.shape[-2:]",
        *(f"    {line}" for line in (_places(rotation), *_angle(s, rotation))),
        f"    first, second = heads[..., {first}], heads[..., {second}]",
        "    turned = heads.copy()",
        f"    turned[..., {first}] = first * np.cos({angle}) - second * np.sin({angle})",
        f"    turned[..., {second}] = first * np.sin({other}) + second * np.cos({other})",
        "    return turned",
        "",
        "",
        f"q_rotated = rotate({queries}, start={s.query_start})",
        f"k_rotated = rotate({keys}, start={s.key_start})",
    ]
    title = "RoPE: pairs of columns are turned by their positions"
    if rotation.places is not None:
        title = "RoPE: pairs of columns are turned by the places of their positions"
    return [Passage(title, "\n".join(code))]


def _table_of_places(rotation: Rotation) -> list[str]:
    """The place of each position, where positions have places of their own."""
    if rotation.places is None:
        return []
    rows = [[*map(float, place)] for place in rotation.places]
    return [f"places_of_positions = np.array({rows!r})", "", ""]


def _places(rotation: Rotation) -> str:
    """The line that says where the rows stand, for each pair of columns."""
    if rotation.places is None:
        return "places = np.arange(start, start + n)[:, None]"
    axes = [*rotation.axes] if len(rotation.places[0]) > 1 else [0]
    return f"places = places_of_positions[start : start + n][:, {axes!r}]"


def _angle(s: Scenario, rotation: Rotation) -> list[str]:
    """The lines that say how far each pair turns at each place, or each column by itself."""
    made = _angle_of_pairs(s, rotation)
    if rotation.crossed is not None:
        made.append(f"angle = angle[:, {[*rotation.crossed]!r}]  # two angles for two neighbours")
    return made


def _angle_of_pairs(s: Scenario, rotation: Rotation) -> list[str]:
    if rotation.frequencies is not None:
        return [f"angle = places * np.array({[*map(float, rotation.frequencies)]!r})"]
    name, wavelengths = WAVELENGTHS
    assert wavelengths is not None
    columns = "width" if rotation.columns == s.d_k else str(rotation.columns)
    share = f"np.arange(0, {columns}, 2) / {columns}"
    if rotation.has_series_of_axes:
        numbers, counts = ([*each] for each in zip(*rotation.series, strict=True))
        share = f"np.array({numbers!r}) / np.array({counts!r})"
    return [f"share = {share}", f"angle = places / {wavelengths.numpy(getattr(s.scores, name))}"]


def _as_code(columns: slice) -> str:
    r"""Some columns as they stand in brackets.

    >>> _as_code(slice(0, 8, 2)), _as_code(slice(4, 8))
    ('0:8:2', '4:8')
    """
    step = "" if columns.step is None else f":{columns.step}"
    return f"{columns.start}:{columns.stop}{step}"


def alibi_code(s: Scenario) -> list[str]:
    """What ALiBi adds to the scores, as a line of Python for `np`."""
    slopes = [*map(float, alibi_slopes(s.n_heads))]
    start = s.query_start - s.key_start
    return [
        f"slopes = np.array({slopes})[:, None, None]",
        f"distances = np.abs(np.arange({start}, {start} + len(x))[:, None]"
        f" - np.arange(len({source_of_keys(s)})))",
    ]


def own_additions(s: Scenario) -> str:
    """What each head adds to its own scores."""
    return OWN_ADDITIONS if without_gate_of_additions(s) else f"factors * {OWN_ADDITIONS}"


def factors_code(s: Scenario) -> list[str]:
    """The gate of what each head adds, as lines of Python for `np`; nothing without one."""
    if without_gate_of_additions(s):
        return []
    of_head = "" if s.c_f is None else " * c_f[:, None, None]"
    return [
        f"f = {_with_positions(s, 'x')} @ w_f{_bias(s, 'f')}",
        "f_gates = 1 / (1 + np.exp(-split(f, n_heads)))  # two shares for each query",
        f"factors = 2 - f_gates[..., :1] * (1 - f_gates[..., 1:]{of_head})",
    ]


def relative_code(s: Scenario) -> list[str]:
    """What queries and keys meet of their distance, as lines of Python for `np`."""
    queries, keys = queries_and_keys(s)
    found = {"r_k": (queries, "rows[None]", ""), "r_q": (keys, "rows.T[None]", ".swapaxes(1, 2)")}
    picked = {
        name: f"np.take_along_axis({met} @ by_heads({name}), {rows}, axis=-1){back}"
        for name, (met, rows, back) in found.items()
        if getattr(s, name) is not None
    }
    made = " + ".join(picked.values())
    if axes_of_distances(s.scores) > 1:
        made = f"sum({made} for rows in rows_of_axes)"
    return [
        *_rows_of_distances(s),
        "",
        "",
        "def by_heads(r):",
        "    return r.reshape(len(r), n_heads, d_k).transpose(1, 2, 0)",
        "",
        "",
        f"relative = {made}",
    ]


def _rows_of_distances(s: Scenario) -> list[str]:
    """Which row of R each pair of tokens has; with several axes, a matrix of rows for each."""
    reach, places = s.reach, s.scores.r_places
    if places is None:
        start = s.query_start - s.key_start
        return [
            f"distances = np.arange(len({source_of_keys(s)}))"
            f" - np.arange({start}, {start} + len(x))[:, None]",
            f"rows = np.clip(distances, -{reach}, {reach}) + {reach}"
            "  # of R: a row for each distance",
        ]
    code = [
        f"places = np.array({[*map(list, places)]}).T  # a row for each axis",
        f"of_queries = places[:, {s.query_start}:{s.query_start + s.n_q}, None]",
        f"of_keys = places[:, None, {s.key_start}:{s.key_start + s.n_k}]",
        f"rows = np.clip(of_keys - of_queries, -{reach}, {reach}) + {reach}",
    ]
    if len(places[0]) == 1:
        return [*code, "rows = rows[0]  # of R: a row for each distance"]
    first = f"np.arange({len(places[0])})[:, None, None] * {2 * reach + 1}"
    return [*code, f"rows_of_axes = rows + {first}  # of R: the distances of each axis"]


def growth_code(s: Scenario) -> list[str]:
    """What the scores of each query are multiplied by, as lines of Python for `np`."""
    return [
        f"positions = np.arange({s.query_start}, {s.query_start} + len(x))[:, None]",
        f"growth = ({factor_numpy(s.scores, 'positions')}).astype(x.dtype)",
    ]


def _scores(s: Scenario, is_added: bool, is_masked: bool) -> str:
    queries, keys = queries_and_keys(s)
    code = [f"scores = {queries} @ {keys}.swapaxes(1, 2)"]
    if not without_distances(s):
        code += [*relative_code(s), "scores = scores + relative"]
    if not without_growth(s):
        code += [*growth_code(s), "scores = scores * growth"]
    code += _changes(s, after_mask=False)
    if s.scores.positions == "alibi":
        code += [*alibi_code(s), "scores = (scores - slopes * distances).astype(x.dtype)  # ALiBi"]
    if s.b_s is not None:
        code += [*factors_code(s), f"scores = scores + {own_additions(s)}"]
    if is_added:
        code.append("scores = scores + additive_mask")
    if is_masked:
        code.append("scores = np.where(mask, scores, -np.inf)  # True: may be attended to")
    return "\n".join([*code, *_changes(s, after_mask=True)])


def _changes(s: Scenario, *, after_mask: bool) -> list[str]:
    """What the options do to the scores, one line each."""
    return [
        f"scores = {step.numpy('scores', getattr(s.scores, name))}"
        for name, option in OPTIONS.items()
        if (step := option.step) and step.is_after_mask == after_mask and not without(name)(s)
    ]


def _softmax(s: Scenario, has_blind: bool) -> str:
    if without_row_max(s):
        code = [
            'with np.errstate(over="ignore"):  # naive: nothing is subtracted, exp may overflow',
            "    exponentials = np.exp(scores)",
        ]
    else:
        code = ["largest_of_row = scores.max(axis=-1, keepdims=True)"]
        if not without_sinks(s):
            code.append(f"largest_of_row = np.maximum(largest_of_row, {SINKS})")
        elif has_blind:
            code.append("largest_of_row[np.isneginf(largest_of_row)] = 0  # all is hidden there")
        code.append("exponentials = np.exp(scores - largest_of_row)")
    code.append("sums = exponentials.sum(axis=-1, keepdims=True)")
    if not without_sinks(s):
        above = SINKS if without_row_max(s) else f"{SINKS} - largest_of_row"
        code.append(f"sums = sums + np.exp({above})  # a sink takes weight, but has no value")
    if has_blind and (without_sinks(s) or without_row_max(s)):
        code.append("sums = np.where(mask.any(axis=-1)[:, None], sums, 1)  # no 0 / 0")
    if without_row_max(s):
        code += ['with np.errstate(invalid="ignore"):', "    weights = exponentials / sums"]
    else:
        code.append("weights = exponentials / sums")
    return "\n".join(code)
