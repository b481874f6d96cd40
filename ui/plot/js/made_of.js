// What one number of a step is made of: mha_core/layer/made_of.py in the browser. The same names, in the
// order of the lesson.

const BASE = 10000; // of sinusoids and rotations
const FUNCTIONS = { exp: Math.exp, tanh: Math.tanh, sin: Math.sin, cos: Math.cos };
const BLIND = "the mask hides every key from this query";

const upTo = (count) => [...Array(count).keys()];

// Each step's rule gives the number of a cell as an expression of other cells. They stand in a scope
// of their own: tensor.js has the same names for whole arrays.
export const RULES = rulesOfSteps();

function rulesOfSteps() {
  const zero = (because) => ({ kind: "zero", value: 0, because });
  const number = (value, option = "") => ({ kind: "constant", value, option });
  const sum = (parts) => ({ kind: "sum", parts, value: parts.reduce((total, { value }) => total + value, 0) });
  const product = (left, right) => ({ kind: "product", parts: [left, right], value: left.value * right.value });
  const quotient = (over, under) => ({ kind: "quotient", parts: [over, under], value: over.value / under.value });
  const difference = (from, less) => ({ kind: "difference", parts: [from, less], value: from.value - less.value });
  const applied = (name, of) => ({ kind: "applied", name, parts: [of], value: FUNCTIONS[name](of.value) });
  const largestOf = (parts) => ({ kind: "largest", parts, value: Math.max(...parts.map(({ value }) => value)) });
  const hiddenBy = (mask) => ({
    kind: "hidden", parts: [mask], value: -Infinity, because: "the mask hides the key from the query",
  });

  const inPlace = (steps, make) => (d, { head, row, column }) =>
    make(d, steps.map((step) => d.operand(step, head, row, d.width(step) === 1 ? 0 : column)), { head, row, column });

  const ofRow = (step, make) => (d, { head, row }) =>
    make(d, upTo(d.width(step)).map((column) => d.operand(step, head, row, column)), { head, row });

  const total = (_, operands) => sum(operands);

  const projected = (step, weights, bias) => (d, { row, column }) => {
    const terms = upTo(d.width(step)).map((i) =>
      product(d.operand(step, null, row, i), d.operand(weights, null, i, column)));
    return sum(d.option(bias) ? [...terms, d.operand(bias, null, 0, column)] : terms);
  };

  const split = (step) => (d, { step: own, head, row, column }) =>
    d.operand(step, null, row, head * d.width(own) + column);

  const joined = (step) => (d, { row, column }) => {
    const width = d.width(step);
    return d.operand(step, Math.floor(column / width), row, column % width);
  };

  const waves = (step, start) => (d, { row, column }) => {
    if (d.facts.positions !== "sinusoidal") return zero("no sinusoids are chosen");
    const exponent = (2 * Math.floor(column / 2)) / d.width(step);
    const angle = quotient(number(d.facts[start] + row), number(BASE ** exponent));
    return applied(column % 2 ? "cos" : "sin", angle);
  };

  const rotated = (step, start) => (d, { head, row, column }) => {
    const even = column - (column % 2);
    const angle = quotient(number(d.facts[start] + row), number(BASE ** (even / d.width(step))));
    const [cos, sin] = [applied("cos", angle), applied("sin", angle)];
    const [first, second] = [d.operand(step, head, row, even), d.operand(step, head, row, even + 1)];
    if (column % 2) return sum([product(first, sin), product(second, cos)]);
    return difference(product(first, cos), product(second, sin));
  };

  const scores = (d, { head, row, column }) => sum(upTo(d.width("q_rotated")).map((i) =>
    product(d.operand("q_rotated", head, row, i), d.operand("k_rotated", d.shared(head), column, i))));

  const scaled = (d, [score]) => product(score, number(d.option("scale"), "scale"));

  const capped = (d, [score]) => {
    const cap = number(d.option("softcap"), "softcap");
    return product(applied("tanh", quotient(score, cap)), cap);
  };

  const bias = (d, { head, row, column }) => {
    const terms = [];
    if (d.option("slopes")) {
      terms.push(product(number(d.rows("slopes").flatMap((each) => [...each])[head]), number(d.rows("minus_distances")[row][column])));
    }
    const { additive } = d.facts;
    if (additive && additive[row][column] !== -Infinity) terms.push(d.operand("mask.additive", null, row, column));
    return terms.length ? sum(terms) : zero("nothing is added");
  };

  const masked = (_, [score, mask]) => (mask.value ? score : hiddenBy(mask));

  const tempered = (d, [score]) => quotient(score, number(d.option("temperature"), "temperature"));

  const largest = (d, row, cell) => {
    if (d.forward.isNaive) return zero("the softmax is naive: nothing is subtracted");
    return d.isBlind(cell.row) ? zero(BLIND) : largestOf(row);
  };

  const exponential = (d, [score, most]) => applied("exp", d.forward.isNaive ? score : difference(score, most));

  const share = (d, operands, { row }) => (d.isBlind(row) ? zero(BLIND) : quotient(...operands));

  const blended = (d, { head, row, column }) => {
    if (d.options.heads_off.includes(head)) return zero("the head is switched off");
    return sum(upTo(d.width("weights")).map((key) =>
      product(d.operand("weights", head, row, key), d.operand("v_heads", d.shared(head), key, column))));
  };

  const contributed = (d, { head, row, column }) => {
    const width = d.width("head_outputs");
    return sum(upTo(width).map((i) =>
      product(d.operand("head_outputs", head, row, i), d.operand("w_o", null, head * width + i, column))));
  };

  return {
    positions: waves("x", "query_start"),
    x_positioned: inPlace(["x", "positions"], total),
    context_positions: waves("context", "key_start"),
    context_positioned: inPlace(["context", "context_positions"], total),
    q: projected("x_positioned", "w_q", "b_q"),
    k: projected("context_positioned", "w_k", "b_k"),
    v: projected("context_positioned", "w_v", "b_v"),
    q_heads: split("q"),
    k_heads: split("k"),
    v_heads: split("v"),
    q_rotated: rotated("q_heads", "query_start"),
    k_rotated: rotated("k_heads", "key_start"),
    raw_scores: scores,
    scaled_scores: inPlace(["raw_scores"], scaled),
    capped_scores: inPlace(["scaled_scores"], capped),
    bias,
    biased_scores: inPlace(["capped_scores", "bias"], total),
    masked_scores: inPlace(["biased_scores", "mask"], masked),
    tempered_scores: inPlace(["masked_scores"], tempered),
    row_max: ofRow("tempered_scores", largest),
    exponentials: inPlace(["tempered_scores", "row_max"], exponential),
    row_sums: ofRow("exponentials", total),
    weights: inPlace(["exponentials", "row_sums"], share),
    head_outputs: blended,
    concat: joined("head_outputs"),
    contributions: contributed,
    output: projected("concat", "w_o", "b_o"),
  };
}
