"""The forward pass from its formula, in plain Python floats and nested loops: slow on purpose.

It shares nothing with `mha_core` but the Scenario that says what to compute. Every name in the
answer is a field of the Trace.
"""

from __future__ import annotations

import math
from typing import Any

from mha_core.scenario.masks import Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

Row = list[float]
Matrix = list[Row]
Heads = list[Matrix]


def forward(s: Scenario) -> dict[str, Any]:
    """Every array of the forward pass as nested lists, by the name it has in the Trace."""
    start = first_query(s)
    x = s.x.tolist()
    context = s.keys_from.tolist()
    positions, context_positions = no_waves(x), no_waves(context)
    if s.scores.positions == "sinusoidal":
        positions = waves(x, start)
        context_positions = positions if s.context is None else waves(context, 0)
    x_positioned = sum_of(x, positions)
    context_positioned = sum_of(context, context_positions)

    q = project(x_positioned, s.w_q.tolist(), as_row(s.b_q))
    k = project(context_positioned, s.w_k.tolist(), as_row(s.b_k))
    context_v = context_positioned if s.scores.sinusoids_for == "everything" else context
    if s.context_v is not None:
        context_v = s.context_v.tolist()
    v = project(context_v, s.w_v.tolist(), as_row(s.b_v))
    q_heads = split(q, s.n_heads, s.d_k)
    k_heads = split(k, s.n_kv_heads, s.d_k)
    v_heads = split(v, s.n_kv_heads, s.d_v)
    p = s.scores
    is_normed, is_turned = p.qk_norm != "none", p.positions == "rope"
    is_divided = p.qk_norm in ("head", "all")
    is_turned_first = is_normed and is_turned and p.qk_norm_place == "after"
    q_rotated_first, k_rotated_first = q_heads, k_heads
    if is_turned_first:
        q_rotated_first = [turn(head, start, p) for head in q_heads]
        k_rotated_first = [turn(head, first_key(s), p) for head in k_heads]
    of_all = p.qk_norm == "all"
    q_centered, k_centered = q_rotated_first, k_rotated_first
    if is_divided and p.qk_norm_kind == "layer":
        q_centered, k_centered = (
            less_mean(heads, of_all) for heads in (q_rotated_first, k_rotated_first)
        )
    q_normed, k_normed = q_centered, k_centered
    if is_normed:
        eps = p.qk_norm_eps if is_divided else None
        q_normed = norm(q_centered, of_all, eps, p.q_gain, p.q_shift)
        k_normed = norm(k_centered, of_all, eps, p.k_gain, p.k_shift)
    v_heads = each_cell(v_heads, lambda h, i, c, number: number * p.v_scale)
    v_normed = v_heads
    if p.v_norm != "none":
        v_normed = norm(v_heads, False, p.v_norm_eps, p.v_gain, None)
    q_rotated, k_rotated = q_normed, k_normed
    if is_turned and not is_turned_first:
        q_rotated = [turn(head, start, p) for head in q_normed]
        k_rotated = [turn(head, first_key(s), p) for head in k_normed]

    group = s.n_heads // s.n_kv_heads
    raw = [scores_of(q_rotated[h], k_rotated[h // group]) for h in range(s.n_heads)]
    relative = each_cell(
        raw,
        lambda h, i, j, _: relative_score(s, h, i, j, q_rotated[h][i], k_rotated[h // group][j]),
    )
    summed = each_cell(raw, lambda h, i, j, score: score + relative[h][i][j])
    grown = each_cell(summed, lambda h, i, j, score: score * growth_of(p, start + i))
    factor = scale_factor(s)
    scaled = each_cell(grown, lambda h, i, j, score: score * factor)
    cap = s.scores.softcap
    capped = each_cell(scaled, lambda h, i, j, score: capped_score(score, cap))
    f = [[0.0] * (2 * s.n_heads) for _ in range(s.n_q)]
    f_gates = [[[0.0, 0.0] for _ in range(s.n_q)] for _ in range(s.n_heads)]
    factors = [[[1.0] for _ in range(s.n_q)] for _ in range(s.n_heads)]
    if s.w_f is not None:
        f = project(x_positioned, s.w_f.tolist(), as_row(s.b_f))
        f_gates = each_cell(
            split(f, s.n_heads, 2), lambda h, i, c, score: 1 / (1 + math.exp(-score))
        )
        constants = [1.0] * s.n_heads if s.c_f is None else s.c_f.tolist()
        factors = [
            [[one * (other * constants[h] - 1) + 2] for one, other in head]
            for h, head in enumerate(f_gates)
        ]
    bias = each_cell(raw, lambda h, i, j, _: added_to_score(s, h, i, j, factors[h][i][0]))
    biased = each_cell(capped, lambda h, i, j, score: score + bias[h][i][j])
    mask = [[may_attend(s, i, j) for j in range(s.n_k)] for i in range(s.n_q)]
    masked = each_cell(biased, lambda h, i, j, score: score if mask[i][j] else -math.inf)
    tempered = each_cell(masked, lambda h, i, j, score: score / s.scores.temperature)

    is_naive = s.scores.softmax == "naive"
    row_max = [
        [[0.0 if is_naive else largest_of(row, sink_of(s, h))] for row in head]
        for h, head in enumerate(tempered)
    ]
    exponentials = each_cell(tempered, lambda h, i, j, score: math.exp(score - row_max[h][i][0]))
    of_sink = [
        [[math.exp(sink_of(s, h) - most) for most in row] for row in head]
        for h, head in enumerate(row_max)
    ]
    row_sums = [
        [[math.fsum([*row, *of_sink[h][i]])] for i, row in enumerate(head)]
        for h, head in enumerate(exponentials)
    ]
    weights = each_cell(exponentials, lambda h, i, j, e: e / row_sums[h][i][0] if e else 0.0)
    head_outputs = [
        blend(weights[h], v_normed[h // group], h in s.heads_off) for h in range(s.n_heads)
    ]
    g = [[0.0] * (s.n_heads * s.d_v) for _ in range(s.n_q)]
    gates = [[[1.0] * s.d_v for _ in range(s.n_q)] for _ in range(s.n_heads)]
    if s.w_g is not None:
        g = project(x_positioned, s.w_g.tolist(), as_row(s.b_g))
        scores_of_gate = split(g, s.n_heads, len(g[0]) // s.n_heads)
        gates = each_cell(scores_of_gate, lambda h, i, c, score: bent(p.gate_function, score))
    gated_outputs = each_cell(
        head_outputs, lambda h, i, c, number: number * gates[h][i][c % len(gates[h][i])]
    )
    heads_centered = less_mean(gated_outputs, True) if p.concat_norm == "layer" else gated_outputs
    heads_normed = heads_centered
    if p.concat_norm != "none":
        heads_normed = norm(heads_centered, True, p.concat_norm_eps, p.concat_gain, p.concat_shift)
    heads_bent = each_cell(heads_normed, lambda h, i, c, number: bent(p.concat_function, number))
    concat = [
        [heads_bent[h][i][c] for h in range(s.n_heads) for c in range(s.d_v)] for i in range(s.n_q)
    ]
    w_o = s.w_o.tolist()
    contributions = [
        project(heads_bent[h], w_o[h * s.d_v : (h + 1) * s.d_v], None) for h in range(s.n_heads)
    ]
    contributions = each_cell(contributions, lambda h, i, c, number: number * p.output_scale)
    mixed = project(concat, w_o, as_row(s.b_o))
    return {
        "x": x,
        "context": context,
        "positions": positions,
        "x_positioned": x_positioned,
        "context_positions": context_positions,
        "context_positioned": context_positioned,
        "context_v": context_v,
        "q": q,
        "k": k,
        "v": v,
        "q_heads": q_heads,
        "k_heads": k_heads,
        "v_heads": v_heads,
        "q_rotated_first": q_rotated_first,
        "k_rotated_first": k_rotated_first,
        "q_centered": q_centered,
        "k_centered": k_centered,
        "q_normed": q_normed,
        "k_normed": k_normed,
        "v_normed": v_normed,
        "q_rotated": q_rotated,
        "k_rotated": k_rotated,
        "raw_scores": raw,
        "relative_scores": relative,
        "summed_scores": summed,
        "grown_scores": grown,
        "scaled_scores": scaled,
        "capped_scores": capped,
        **{"f": f, "f_gates": f_gates, "factors": factors},
        "bias": bias,
        "biased_scores": biased,
        "mask": mask,
        "blind_queries": [not any(row) for row in mask],
        "masked_scores": masked,
        "tempered_scores": tempered,
        "row_max": row_max,
        "exponentials": exponentials,
        "row_sums": row_sums,
        "weights": weights,
        "sink_weights": each_cell(of_sink, lambda h, i, _, e: e / row_sums[h][i][0] if e else 0.0),
        "head_outputs": head_outputs,
        **{"g": g, "gates": gates, "gated_outputs": gated_outputs},
        "heads_centered": heads_centered,
        "heads_normed": heads_normed,
        "heads_bent": heads_bent,
        "concat": concat,
        "contributions": contributions,
        "output": [[number * p.output_scale for number in row] for row in mixed],
    }


def each_cell(heads: Heads, equation: Any) -> Heads:
    return [
        [[equation(h, i, j, cell) for j, cell in enumerate(row)] for i, row in enumerate(head)]
        for h, head in enumerate(heads)
    ]


def as_row(bias: Any) -> Row | None:
    return None if bias is None else bias.tolist()


def project(x: Matrix, w: Matrix, b: Row | None) -> Matrix:
    return [
        [
            math.fsum(row[m] * w[m][c] for m in range(len(w))) + (b[c] if b else 0.0)
            for c in range(len(w[0]))
        ]
        for row in x
    ]


def split(matrix: Matrix, n_heads: int, width: int) -> Heads:
    return [[[row[h * width + c] for c in range(width)] for row in matrix] for h in range(n_heads)]


def scores_of(queries: Matrix, keys: Matrix) -> Matrix:
    return [
        [math.fsum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
        for query in queries
    ]


def blend(weights: Matrix, values: Matrix, switched_off: bool) -> Matrix:
    return [
        [
            0.0 if switched_off else math.fsum(row[j] * values[j][c] for j in range(len(values)))
            for c in range(len(values[0]))
        ]
        for row in weights
    ]


def scale_factor(s: Scenario) -> float:
    if s.scores.scale == "1/sqrt(d_k)":
        return 1 / math.sqrt(s.d_k)
    return 1.0 if s.scores.scale == "none" else float(s.scores.scale)


def growth_of(scores: ScoreOptions, position: int) -> float:
    """By how much a query's scores are multiplied: more after each so many tokens."""
    every, count = scores.growth_every, 1
    if scores.growth_kind == "smooth":
        return 1 + scores.growth * max(0.0, math.log(position + 1) - math.log(every))
    first = 0 if scores.growth_kind == "steps_from_0" else 1
    count += sum(seen % every == 0 for seen in range(1, position + first + 1))
    return 1 + scores.growth * math.log(count)


def capped_score(score: float, cap: float | None) -> float:
    return score if cap is None else cap * math.tanh(score / cap)


def bent(function: str, x: float) -> float:
    """A function of one number, by its name."""
    match function:
        case "none":
            return x
        case "sigmoid":
            return 1 / (1 + math.exp(-x))
        case "softplus":
            return math.log1p(math.exp(x))
        case "silu":
            return x / (1 + math.exp(-x))
        case "tanh":
            return math.tanh(x)
        case "relu":
            return max(x, 0.0)
        case "hardswish":
            return x * min(max(x + 3, 0.0), 6.0) / 6
    raise AssertionError(f"the oracle does not know the function {function}")


def sink_of(s: Scenario, h: int) -> float:
    return -math.inf if s.sinks is None else float(s.sinks[h])


def largest_of(row: Row, sink: float) -> float:
    most = max(*row, sink)
    return 0.0 if most == -math.inf else most


# Positions.


def first_key(s: Scenario) -> int:
    """Where the first key stands: in self-attention a token is query and key at one position."""
    return first_query(s) if s.context is None else 0


def first_query(s: Scenario) -> int:
    """As chosen; else after the keys before it, if the mask or the positions speak of a cache."""
    chosen: int | None = s.scores.query_start
    if chosen is not None:
        return chosen
    knows_distances = s.r_k is not None or s.r_q is not None or s.scores.growth != 0
    if s.scores.positions == "none" and not knows_distances:
        return 0
    before = len(s.keys_from) - len(s.x)
    counted = ("causal", "sliding_window", "dilated", "strided", "global_local", "prefix_lm")
    aligned = [rule.options.get("align", "end") for rule in s.mask.rules if rule.name in counted]
    if s.context is None or before < 0 or "start" in aligned:
        return 0
    return before if aligned or s.scores.positions != "sinusoidal" else 0


def wave(position: int, column: int, width: int) -> float:
    """PE(p, 2i) = sin(p / 10000^(2i/d)), PE(p, 2i+1) = cos of the same."""
    angle = position / 10_000 ** ((column - column % 2) / width)
    return math.cos(angle) if column % 2 else math.sin(angle)


def waves(x: Matrix, start: int) -> Matrix:
    return [[wave(start + p, c, len(row)) for c in range(len(row))] for p, row in enumerate(x)]


def no_waves(x: Matrix) -> Matrix:
    return [[0.0 for _ in row] for row in x]


def sum_of(x: Matrix, y: Matrix) -> Matrix:
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(x, y, strict=True)]


def less_mean(heads: Heads, of_all: bool) -> Heads:
    """Each number less the mean of its row: of its head, or of all of them."""
    means = [
        [mean_of(among(heads, h, i, of_all)) for i in range(len(heads[h]))]
        for h in range(len(heads))
    ]
    return each_cell(heads, lambda h, i, _, cell: cell - means[h][i])


def norm(
    heads: Heads, of_all: bool, eps: float | None, gains: Row | None, shifts: Row | None
) -> Heads:
    """Each number over the root of the mean square of its row: of its head, or of all of them.

    Without an epsilon nothing is divided.
    """
    new = []
    for h, head in enumerate(heads):
        rows = []
        for i, row in enumerate(head):
            mean = mean_of([cell * cell for cell in among(heads, h, i, of_all)])
            root = 1.0 if eps is None else math.sqrt(mean + eps)
            by = of_columns(gains, h, len(row), 1.0)
            more = of_columns(shifts, h, len(row), 0.0)
            rows.append([cell / root * g + b for cell, g, b in zip(row, by, more, strict=True)])
        new.append(rows)
    return new


def among(heads: Heads, h: int, i: int, of_all: bool) -> Row:
    return [cell for head in heads for cell in head[i]] if of_all else heads[h][i]


def mean_of(row: Row) -> float:
    return math.fsum(row) / len(row)


def of_columns(numbers: Row | None, h: int, width: int, usual: float) -> Row:
    """The numbers of a head's columns: its own, or the same for all heads."""
    if numbers is None:
        return [usual] * width
    first = h * width if len(numbers) > width else 0
    return [numbers[first + c] for c in range(width)]


def turn(rows: Matrix, start: int, scores: ScoreOptions) -> Matrix:
    """Multiply each pair of columns, as a complex number, by e^(i p theta)."""
    turned = []
    for p, row in enumerate(rows):
        columns = len(row) if scores.rope_columns is None else scores.rope_columns
        new = list(row)
        angles, axis_of = [], []
        for c in range(columns // 2):
            one, other = (2 * c, 2 * c + 1)
            if scores.rope_pairs == "halves":
                one, other = c, c + columns // 2
            place, axis = float(start + p), 0
            among, number = columns // 2, c
            if scores.rope_places is not None:
                axes = axes_of_pairs(scores, columns // 2)
                axis = axes[c]
                place = scores.rope_places[start + p][axis]
                if scores.rope_series == "axis":
                    own = [each for each in range(columns // 2) if axes[each] == axis]
                    among, number = len(own), own.index(c)
            theta = scores.rope_base ** (-number / among)
            if scores.rope_frequencies is not None:
                theta = scores.rope_frequencies[c]
            angle = place * theta
            pair = complex(row[one], row[other]) * complex(math.cos(angle), math.sin(angle))
            new[one], new[other] = pair.real, pair.imag
            angles.append(angle)
            axis_of.append(axis)
        if scores.rope_pairs == "crossed":
            new = [*crossed(row[:columns], angles, axis_of), *row[columns:]]
        turned.append(new)
    return turned


def crossed(row: Row, angles: Row, axis_of: list[int]) -> Row:
    """The columns of an axis have its angles in a row, twice; neighbours turn together."""
    new = list(row)
    for axis in set(axis_of):
        columns = [c for c in range(len(row)) if axis_of[c // 2] == axis]
        own = [angle for angle, its in zip(angles, axis_of, strict=True) if its == axis]
        for c, angle in zip(columns, own + own, strict=True):
            like = row[c - 1] if c % 2 else -row[c + 1]
            new[c] = row[c] * math.cos(angle) + like * math.sin(angle)
    return new


def axes_of_pairs(scores: ScoreOptions, pairs: int) -> list[int]:
    """As chosen; else the first pairs follow the first axis, then as many the next one."""
    n_axes = len(scores.rope_places[0])
    if n_axes == 1:
        return [0] * pairs
    if scores.rope_axes is not None:
        return list(scores.rope_axes)
    return [axis for axis in range(n_axes) for _ in range(pairs // n_axes)]


def slopes(n_heads: int) -> Row:
    """The paper's rule: a geometric series, patched with every second slope of the next one."""
    if math.log2(n_heads).is_integer():
        first = 2 ** (-8 / n_heads)
        return [first ** (h + 1) for h in range(n_heads)]
    below = 2 ** math.floor(math.log2(n_heads))
    return slopes(below) + slopes(2 * below)[::2][: n_heads - below]


def relative_score(s: Scenario, h: int, i: int, j: int, query: Row, key: Row) -> float:
    """The query times the vector of the distance on each axis, and the key times its own ones."""
    of_query, of_key = [first_query(s) + i], [first_key(s) + j]
    if s.scores.r_places is not None:
        of_query, of_key = (list(s.scores.r_places[p]) for (p,) in (of_query, of_key))
    found = 0.0
    for table, vector in ((s.r_k, query), (s.r_q, key)):
        if table is not None:
            rows = table.tolist()
            many = len(rows) // len(of_query)
            for axis, (one, other) in enumerate(zip(of_query, of_key, strict=True)):
                farthest = many // 2
                distance = max(-farthest, min(farthest, other - one))
                row = rows[axis * many : (axis + 1) * many][farthest + distance]
                found += math.fsum(a * row[h * s.d_k + c] for c, a in enumerate(vector))
    return found


def added_to_score(s: Scenario, h: int, i: int, j: int, factor: float) -> float:
    added = 0.0
    if s.scores.positions == "alibi":
        added -= slopes(s.n_heads)[h] * abs(first_query(s) + i - first_key(s) - j)
    if s.b_s is not None:
        added += factor * float(s.b_s[h * s.n_q + i, j])
    if s.mask.additive is not None and s.mask.additive[i, j] != -math.inf:
        added += float(s.mask.additive[i, j])
    return added


# Masks, cell by cell.


def may_attend(s: Scenario, i: int, j: int) -> bool:
    custom, additive = s.mask.custom, s.mask.additive
    return (
        all(allows(rule, i, j, s.n_q, s.n_k) for rule in s.mask.rules)
        and (custom is None or bool(custom[i, j]))
        and (additive is None or bool(additive[i, j] != -math.inf))
    )


def allows(rule: Rule, i: int, j: int, n_q: int, n_k: int) -> bool:
    """May query i attend to key j under this one rule?"""
    said = rule.options
    place = i if said.get("align") == "start" else i + n_k - n_q
    in_window = place - said.get("left", 0) <= j <= place + said.get("right", 0)
    match rule.name:
        case "causal":
            return j <= place
        case "padding":
            return j not in said["hidden"]
        case "sliding_window":
            return in_window
        case "prefix_lm":
            return j < said["prefix"] or j <= place
        case "documents":
            of_query = said.get("query_segments") or said["segments"]
            return bool(of_query[i] == said["segments"][j])
        case "global_local":
            return in_window or j in said["global_tokens"] or place in said["global_tokens"]
        case "strided":
            return abs(place - j) < said["stride"] or (place - j) % said["stride"] == 0
        case "dilated":
            return (place - j) % said["step"] == 0
    raise AssertionError(f"the oracle does not know the mask {rule.name}")
