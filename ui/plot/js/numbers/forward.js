// The forward pass in the browser: what a drag shows until the server has computed it.
//
// Read it beside mha_core/layer/trace.py: the same names, the same order, one equation a line. Masks,
// positions and slopes come from there as arrays. A change recomputes only the steps that follow from
// it.

import {
  allHeads, added, angles, applied, blended, both, capped, centered, concatenated, exponentials, factorsOf, grown, hidden, inRows, inSingle, largest,
  letThrough, metAtDistance, multiplied, noneOf, normed, onesLike, overColumn, overRows, project, rotated, scaled, scoresOf, split, sums, tempered, tensor, times, zeroOfRows, zerosIn,
} from "./tensor.js";

export class Forward {
  #given; // arrays and numbers by their names; null for what the scenario does not have
  #numbers; // the names of those that are numbers
  #made = new Map(); // the steps that are known, by their names
  #readers = new Map(); // the steps that were made from each step or given array
  #making = []; // the names of the steps that are being made
  #moved = new Set(); // the steps and given arrays that follow from a change
  #knowsReaders = false; // whether every step was made once

  // `arrays` are lists of rows, or null; `numbers` are what happens to the scores, null where it does not;
  // `options` has the sizes of the layer.
  constructor({ arrays, numbers, ...options }) {
    const tensors = Object.entries(arrays).map(([name, rows]) => [name, rows && tensor(rows)]);
    this.#given = { ...Object.fromEntries(tensors), ...numbers };
    this.#numbers = Object.keys(numbers);
    this.options = options;
    this.isNaive = options.softmax === "naive";
  }

  get x() { return this.#step("x", (s) => s.given("x")); }
  get context() { return this.#step("context", (s) => s.given("context") ?? s.x); }
  get positions() { return this.#step("positions", (s) => s.given("query_sinusoids") ?? noneOf(s.given("x"))); }
  get x_positioned() {
    return this.#step("x_positioned", (s) => (s.given("query_sinusoids") ? added(s.x, s.positions) : s.x));
  }
  get context_positions() {
    const positions = (s) => s.given("key_sinusoids") ?? noneOf(s.given("context"));
    return this.#step("context_positions", (s) => (s.given("context") ? positions(s) : s.positions));
  }
  get context_positioned() {
    const positioned = (s) => (s.given("key_sinusoids") ? added(s.context, s.context_positions) : s.context);
    return this.#step("context_positioned", (s) => (s.given("context") ? positioned(s) : s.x_positioned));
  }
  get context_v() {
    const ofKeys = (s) => (s.options.values_without_waves ? s.context : s.context_positioned);
    return this.#step("context_v", (s) => s.given("context_v") ?? ofKeys(s));
  }
  get q() { return this.#step("q", (s) => project(s.x_positioned, s.given("w_q"), s.given("b_q"))); }
  get k() { return this.#step("k", (s) => project(s.context_positioned, s.given("w_k"), s.given("b_k"))); }
  get v() { return this.#step("v", (s) => project(s.context_v, s.given("w_v"), s.given("b_v"))); }
  get q_heads() { return this.#step("q_heads", (s) => split(s.q, s.options.n_heads)); }
  get k_heads() { return this.#step("k_heads", (s) => split(s.k, s.options.n_kv_heads)); }
  get v_heads() { return this.#step("v_heads", (s) => times(split(s.v, s.options.n_kv_heads), s.given("v_scale"))); }
  get q_rotated_first() { return this.#step("q_rotated_first", (s) => s.#turned(s.q_heads, "query", { isFirst: true })); }
  get k_rotated_first() { return this.#step("k_rotated_first", (s) => s.#turned(s.k_heads, "key", { isFirst: true })); }
  get q_centered() { return this.#step("q_centered", (s) => s.#centered(s.q_rotated_first, "q")); }
  get k_centered() { return this.#step("k_centered", (s) => s.#centered(s.k_rotated_first, "k")); }
  get q_normed() { return this.#step("q_normed", (s) => s.#normed(s.q_centered, "q", s.given("qk_norm_eps"))); }
  get k_normed() { return this.#step("k_normed", (s) => s.#normed(s.k_centered, "k", s.given("qk_norm_eps"))); }
  get v_normed() { return this.#step("v_normed", (s) => s.#normed(s.v_heads, "v", s.given("v_norm_eps"))); }
  get q_rotated() { return this.#step("q_rotated", (s) => s.#turned(s.q_normed, "query", { isFirst: false })); }
  get k_rotated() { return this.#step("k_rotated", (s) => s.#turned(s.k_normed, "key", { isFirst: false })); }

  get raw_scores() { return this.#step("raw_scores", (s) => scoresOf(s.q_rotated, s.k_rotated)); }
  get relative_scores() {
    const ofQueries = (s) => s.given("r_k") && metAtDistance(s.q_rotated, s.given("r_k"), s.given("mask.others"), s.options);
    const ofKeys = (s) => s.given("r_q") && metAtDistance(s.k_rotated, s.given("r_q"), s.given("mask.others"), s.options, true);
    const sum = (s) => added(ofQueries(s), ofKeys(s));
    return this.#step("relative_scores", (s) => allHeads(sum(s), s.options.n_heads, s.given("mask.others")));
  }
  get summed_scores() {
    const relative = (s) => s.given("r_k") ?? s.given("r_q");
    return this.#step("summed_scores", (s) => (relative(s) ? added(s.raw_scores, s.relative_scores) : s.raw_scores));
  }
  get grown_scores() {
    const grow = (s) => grown(s.summed_scores, s.given("logs_of_growth"), s.given("growth"));
    return this.#step("grown_scores", (s) => (s.given("growth") ? grow(s) : s.summed_scores));
  }
  get scaled_scores() { return this.#step("scaled_scores", (s) => scaled(s.grown_scores, s.given("scale"))); }
  get capped_scores() {
    return this.#step("capped_scores", (s) => capped(s.scaled_scores, s.given("softcap")));
  }
  get f() {
    const scores = (s) => project(s.x_positioned, s.given("w_f"), s.given("b_f"));
    const none = (s) => noneOf({ heads: 1, rows: s.x.rows, columns: 2 * s.options.n_heads });
    return this.#step("f", (s) => (s.given("w_f") ? scores(s) : none(s)));
  }
  get f_gates() {
    const open = (s) => applied("sigmoid", split(s.f, s.options.n_heads));
    return this.#step("f_gates", (s) => (s.given("w_f") ? open(s) : split(s.f, s.options.n_heads)));
  }
  get factors() {
    const none = (s) => onesLike(noneOf({ heads: s.options.n_heads, rows: s.x.rows, columns: 1 }));
    return this.#step("factors", (s) => (s.given("w_f") ? factorsOf(s.f_gates, s.given("c_f")) : none(s)));
  }
  get bias() {
    const distances = (s) => multiplied(s.given("slopes"), s.given("minus_distances"));
    const own = (s) => s.given("b_s") && split(s.given("b_s"), s.options.n_heads, { byRows: true });
    const gated = (s) => (s.given("w_f") ? letThrough(own(s), s.factors) : own(s));
    const ofHeads = (s) => added(s.given("slopes") && distances(s), gated(s));
    const sum = (s) => added(ofHeads(s), s.given("mask.additive"));
    return this.#step("bias", (s) => allHeads(sum(s), s.options.n_heads, s.given("mask.others")));
  }
  get biased_scores() {
    const adds = (s) => s.given("slopes") ?? s.given("b_s") ?? s.given("mask.additive");
    const biased = (s) => (adds(s) ? added(s.capped_scores, s.bias) : s.capped_scores);
    return this.#step("biased_scores", biased);
  }
  get mask() { return this.#step("mask", (s) => both(s.given("mask.others"), s.given("mask.drawn"))); }
  get masked_scores() { return this.#step("masked_scores", (s) => hidden(s.biased_scores, s.mask)); }
  get tempered_scores() {
    return this.#step("tempered_scores", (s) => tempered(s.masked_scores, s.given("temperature")));
  }

  get row_max() {
    const most = (s) => largest(s.tempered_scores, s.given("sinks"));
    return this.#step("row_max", (s) => (s.isNaive ? zeroOfRows(s.tempered_scores) : most(s)));
  }
  get exponentials() {
    return this.#step("exponentials", (s) => s.held(exponentials(s.tempered_scores, s.row_max)));
  }
  get row_sums() {
    const all = (s) => (s.given("sinks") ? added(sums(s.exponentials), s.#exponentialsOfSinks) : sums(s.exponentials));
    return this.#step("row_sums", (s) => s.held(all(s)));
  }
  get weights() { return this.#step("weights", (s) => overRows(s.exponentials, s.row_sums, s.mask)); }
  get sink_weights() {
    const shares = (s) => overColumn(s.#exponentialsOfSinks, s.row_sums);
    return this.#step("sink_weights", (s) => (s.given("sinks") ? shares(s) : noneOf(s.row_sums)));
  }
  get head_outputs() {
    return this.#step("head_outputs", (s) => zerosIn(blended(s.weights, s.v_normed), s.options.heads_off));
  }
  get g() {
    const scores = (s) => project(s.x_positioned, s.given("w_g"), s.given("b_g"));
    const none = ({ heads, rows, columns }) => noneOf({ heads: 1, rows, columns: heads * columns });
    return this.#step("g", (s) => (s.given("w_g") ? scores(s) : none(s.head_outputs)));
  }
  get gates() {
    const open = (s) => applied(s.options.gate_function, split(s.g, s.options.n_heads));
    return this.#step("gates", (s) => (s.given("w_g") ? open(s) : onesLike(s.head_outputs)));
  }
  get gated_outputs() {
    const gated = (s) => letThrough(s.head_outputs, s.gates);
    return this.#step("gated_outputs", (s) => (s.given("w_g") ? gated(s) : s.head_outputs));
  }
  get heads_centered() { return this.#step("heads_centered", (s) => s.#centered(s.gated_outputs, "concat")); }
  get heads_normed() {
    return this.#step("heads_normed", (s) => s.#normed(s.heads_centered, "concat", s.given("concat_norm_eps")));
  }
  get heads_bent() {
    const name = this.options.concat_function;
    return this.#step("heads_bent", (s) => (name === "none" ? s.heads_normed : applied(name, s.heads_normed)));
  }
  get concat() { return this.#step("concat", (s) => concatenated(s.heads_bent)); }
  get contributions() {
    const rows = (s) => split(s.given("w_o"), s.options.n_heads, { byRows: true });
    return this.#step("contributions", (s) => times(blended(s.heads_bent, rows(s)), s.given("output_scale")));
  }
  get output() {
    const mixed = (s) => project(s.concat, s.given("w_o"), s.given("b_o"));
    return this.#step("output", (s) => times(mixed(s), s.given("output_scale")));
  }

  given(name) {
    this.#note(name);
    return this.#given[name];
  }

  // A naive softmax overflows where the server's type of numbers ends: single precision ends sooner.
  held(x) {
    return this.isNaive && this.options.is_single ? inSingle(x) : x;
  }

  // The rows of a matrix as pictures name it, such as "w_q" or "weights/1"; undefined if there is none.
  rows(matrix) {
    const [name, head = 0] = matrix.split("/");
    const found = STEPS.includes(name) ? this[name] : this.#given[name];
    if (!found?.data) return undefined;
    const { rows, columns, data } = found;
    return Array.from({ length: rows }, (_, i) => {
      const start = (head * rows + i) * columns;
      return data.subarray(start, start + columns);
    });
  }

  // Whether there is such a number to change.
  has(name, row, column) {
    const found = this.#cellsOf(name);
    return this.#numbers.includes(name) || (Boolean(found) && row < found.rows && column < found.columns);
  }

  // Whether a matrix follows from what was changed.
  hasMoved(matrix) {
    return this.#moved.has(matrix.split("/")[0]);
  }

  // The next changes count from here. It makes every step, and so learns from what each is made.
  settle() {
    this.#moved.clear();
    for (const step of STEPS) this[step];
    this.#knowsReaders = true;
  }

  // Other numbers. Before the first ones it settles: until then, only what is asked for is made.
  #give(name, numbers) {
    if (!this.#knowsReaders) this.settle();
    this.#given[name] = numbers;
    this.#forget(name);
  }

  // A whole array: X of a layer is what the layers below make.
  take(name, made) {
    this.#give(name, made);
  }

  // The given arrays, of the same sizes as before. Those that `moved` names are other ones, which may hold again
  // what they held before.
  takeAll(arrays, moved) {
    for (const name of moved) this.take(name, arrays[name] && tensor(arrays[name]));
  }

  change(name, row, column, number) {
    const isNumber = this.#numbers.includes(name);
    this.#give(name, isNumber ? number : withNumber(this.#cellsOf(name), row, column, number));
  }

  // A stroke of the pen over cells, [row, column] each; `was` is the drawn mask before it. As
  // with_mask_cells_toggled in Python: it hides them all if the first was open, else it shows them; and
  // it does nothing if only a rule hides the first.
  draw(cells, was) {
    const { columns } = was;
    const [first, ...others] = cells.map(([row, column]) => row * columns + column);
    const isOpen = Boolean(was.data[first] && this.#given["mask.others"].data[first]);
    const data = was.data.slice();
    if (isOpen || !was.data[first]) for (const at of [first, ...others]) data[at] = isOpen ? 0 : 1;
    this.#give("mask.drawn", { ...was, data });
  }

  // The drawn mask, which hides nothing where the scenario has none.
  get drawn() {
    return this.#given["mask.drawn"] ?? this.#sameForAll(1);
  }

  // The rows of the mask, where it has moved, for a matrix whose hidden cells have no meaning; else null.
  maskOf(matrix) {
    const isAfter = this.options.after_mask.includes(matrix.split("/")[0]);
    return isAfter && this.hasMoved("mask") ? this.rows("mask") : null;
  }

  // Of each row, as a column: a sink is one more score of all rows of its head.
  get #exponentialsOfSinks() {
    return this.held(exponentials(inRows(this.given("sinks"), this.row_max), this.row_max));
  }

  // `of` says whose norm it is.
  #centered(heads, of) {
    const norm = this.options.norms[of];
    return norm?.is_centered ? centered(heads, norm) : heads;
  }

  #normed(heads, of, eps) {
    const norm = this.options.norms[of];
    return norm ? normed(heads, norm, eps) : heads;
  }

  // RoPE turns before the norm or after it. The angles are kept under a name: they change only with the base.
  #turned(heads, of, { isFirst }) {
    const { rotation } = this.options;
    if (!rotation || rotation.is_first !== isFirst) return heads;
    const start = this.options[`${of}_start`];
    const turns = this.#step(`${of}_angles`, (s) => angles(heads, start, s.given("rope_base"), rotation));
    return rotated(heads, turns, rotation);
  }

  // A missing additive mask counts as zeros.
  #cellsOf(name) {
    return this.#given[name] ?? (name === "mask.additive" ? this.#sameForAll(0) : null);
  }

  // A mask of one number.
  #sameForAll(number) {
    const { data, ...shape } = this.#given["mask.others"];
    return { ...shape, data: new Float64Array(data.length).fill(number) };
  }

  #step(name, equation) {
    this.#note(name);
    if (!this.#made.has(name)) {
      this.#making.push(name);
      this.#made.set(name, equation(this));
      this.#making.pop();
    }
    return this.#made.get(name);
  }

  // A step is made from all that is asked for while it is being made.
  #note(name) {
    const reader = this.#making.at(-1);
    if (!reader) return;
    if (!this.#readers.has(name)) this.#readers.set(name, new Set());
    this.#readers.get(name).add(reader);
  }

  #forget(name) {
    this.#moved.add(name);
    const readers = this.#readers.get(name) ?? [];
    this.#readers.delete(name);
    for (const reader of readers) {
      this.#made.delete(reader);
      this.#forget(reader);
    }
  }
}

export function withNumber({ data, columns, ...shape }, row, column, number) {
  const changed = data.slice(); // what was handed out stays as it was
  changed[row * columns + column] = number;
  return { ...shape, columns, data: changed };
}

const STEPS = Object.entries(Object.getOwnPropertyDescriptors(Forward.prototype))
  .filter(([, { get }]) => get)
  .map(([name]) => name);
