// The arithmetic of forward.js. A tensor is one matrix for each head, one behind the other in `data`:
// {heads, rows, columns, data}. What all heads share has one head.

const lastProjected = new WeakMap(); // by projection: {x, b, made}

// From a list of rows, or from one row.
export function tensor(given) {
  const rows = typeof given[0] === "number" ? [given] : given;
  const made = zeros(1, rows.length, rows[0].length);
  rows.forEach((row, i) => made.data.set(row, i * made.columns));
  return made;
}

// Rows that `w` has projected before are not projected again: a drag changes one row of X.
export function project(x, w, b) {
  const made = zeros(1, x.rows, w.columns);
  const before = lastProjected.get(w);
  const mayKeep = before?.b === b && before?.x.data.length === x.data.length;
  lastProjected.set(w, { x, b, made });
  for (let row = 0; row < x.rows; row++) {
    const sum = made.data.subarray(row * w.columns, (row + 1) * w.columns);
    if (mayKeep && hasSameRow(before.x, x, row)) {
      sum.set(before.made.data.subarray(row * w.columns, (row + 1) * w.columns));
      continue;
    }
    for (let i = 0; i < x.columns; i++) addTimes(sum, x.data[row * x.columns + i], w.data, i * w.columns);
    if (b) addTimes(sum, 1, b.data, 0);
  }
  return made;
}

// Each head has some of the columns; or some of the rows, which stand one behind the other already.
export function split(x, heads, { byRows = false } = {}) {
  if (byRows) return { heads, rows: x.rows / heads, columns: x.columns, data: x.data };
  const made = zeros(heads, x.rows, x.columns / heads);
  const { rows, columns } = made;
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < rows; row++) {
      const from = row * x.columns + head * columns;
      made.data.set(x.data.subarray(from, from + columns), (head * rows + row) * columns);
    }
  }
  return made;
}

export function concatenated(x) {
  const made = zeros(1, x.rows, x.heads * x.columns);
  for (let head = 0; head < x.heads; head++) {
    for (let row = 0; row < x.rows; row++) {
      const from = (head * x.rows + row) * x.columns;
      made.data.set(x.data.subarray(from, from + x.columns), row * made.columns + head * x.columns);
    }
  }
  return made;
}

// A LayerNorm begins so: each row less its mean, or less that of this row of all heads.
export function centered(x, norm) {
  const means = meansOf(x, norm, (number) => number);
  return cellByCell(x, (number, at) => number - means[Math.floor(at / x.columns)]);
}

// RMS norm: each row is divided by its root mean square, or by that of this row of all heads; then each
// column is multiplied by its gain, and gets its shift. These are for the columns of a head or of all heads, and
// may be all there is.
export function normed(x, norm, eps) {
  const { gains, shifts, is_divided } = norm;
  const roots = is_divided && meansOf(x, norm, (number) => number ** 2).map((mean) => Math.sqrt(mean + eps));
  const ofHead = x.rows * x.columns;
  return cellByCell(x, (number, at) => {
    const column = at % x.columns;
    const ofAll = Math.floor(at / ofHead) * x.columns + column;
    const its = (numbers) => numbers[numbers.length > x.columns ? ofAll : column];
    const product = number * (gains ? its(gains) : 1);
    const quotient = is_divided ? product / roots[Math.floor(at / x.columns)] : product;
    return shifts ? quotient + its(shifts) : quotient;
  });
}

// Of each row of each head, the mean of what its numbers make; or that of this row of all heads.
function meansOf(x, { is_over_all }, make) {
  const rows = Array.from({ length: x.heads * x.rows }, (_, row) =>
    sumOf(x.columns, (i) => make(x.data[row * x.columns + i])) / x.columns);
  if (!is_over_all) return rows;
  return rows.map((_, row) => sumOf(x.heads, (head) => rows[head * x.rows + (row % x.rows)]) / x.heads);
}

// RoPE: the angles of each row and pair of columns, as their cosines, then their sines. The first row of
// `x` is at the position `start`. `frequencies`, where there are some, stand for the base, and `places` for
// positions: a number for each axis, of which a pair follows one.
export function angles(x, start, base, { columns, frequencies, shares, axes, places }) {
  const made = zeros(1, x.rows, columns);
  const pairs = columns / 2;
  for (let row = 0; row < x.rows; row++) {
    for (let pair = 0; pair < pairs; pair++) {
      const place = places ? places[start + row][axes[pair]] : start + row;
      const angle = frequencies ? place * frequencies[pair] : place / base ** shares[pair];
      made.data[row * columns + pair] = Math.cos(angle);
      made.data[row * columns + pairs + pair] = Math.sin(angle);
    }
  }
  return made;
}

// Each pair of columns is turned by the angle of its row: two neighbours, or a column of the first half
// with its like of the second. Further columns stay. `crossed`, where it is there, gives each column the pair
// whose angle it has: two neighbours have two.
export function rotated(x, turns, { in_halves, crossed }) {
  const made = { ...x, data: x.data.slice() };
  const pairs = turns.columns / 2;
  const [next, second] = in_halves ? [1, pairs] : [2, 1]; // columns from pair to pair, and within one
  for (let row = 0; row < x.heads * x.rows; row++) {
    const from = (row % x.rows) * turns.columns;
    for (let pair = 0; pair < pairs; pair++) {
      const [of, ofOther] = crossed ? [crossed[2 * pair], crossed[2 * pair + 1]] : [pair, pair];
      const at = row * x.columns + next * pair;
      const [one, other] = [x.data[at], x.data[at + second]];
      made.data[at] = one * turns.data[from + of] - other * turns.data[from + pairs + of];
      made.data[at + second] = one * turns.data[from + pairs + ofOther] + other * turns.data[from + ofOther];
    }
  }
  return made;
}

// Every query with every key. Query heads may share the keys of a head.
export function scoresOf(q, k) {
  const made = zeros(q.heads, q.rows, k.rows);
  const { data: scores } = made;
  const { columns: width, data: queries } = q;
  const { data: keys } = k;
  let at = 0;
  for (let head = 0; head < q.heads; head++) {
    const ofKeys = headOf(k, head, q.heads) * k.rows;
    for (let row = 0; row < q.rows; row++) {
      const query = (head * q.rows + row) * width;
      for (let key = 0; key < k.rows; key++) {
        const from = (ofKeys + key) * width;
        let sum = 0;
        for (let i = 0; i < width; i++) sum += queries[query + i] * keys[from + i];
        scores[at++] = sum;
      }
    }
  }
  return made;
}

// Of each pair, the query (or the key, if `ofKeys`) times the vector of their distance: `r` has a row for each
// distance, and the heads side by side. Places with several axes have a distance on each: `r` has the rows of
// an axis below those of the one before, and one product of each axis is summed.
export function metAtDistance(x, r, { rows, columns }, { query_start, key_start, r_places }, ofKeys = false) {
  const heads = r.columns / x.columns;
  const made = zeros(heads, rows, columns);
  const [width, axes] = [x.columns, r_places ? r_places[0].length : 1];
  const far = (r.rows / axes - 1) / 2;
  for (let axis = 0; axis < axes; axis++) {
    const places = (start, count) => Array.from({ length: count }, (_, i) => (r_places ? r_places[start + i][axis] : start + i));
    const [ofQueries, ofAllKeys] = [places(query_start, rows), places(key_start, columns)];
    const middle = axis * (2 * far + 1) + far;
    let at = 0;
    for (let head = 0; head < heads; head++) {
      const own = headOf(x, head, heads) * x.rows;
      for (let query = 0; query < rows; query++) {
        for (let key = 0; key < columns; key++) {
          const row = Math.min(Math.max(ofAllKeys[key] - ofQueries[query], -far), far) + middle;
          const vector = row * r.columns + head * width;
          const from = (own + (ofKeys ? key : query)) * width;
          let sum = 0;
          for (let i = 0; i < width; i++) sum += x.data[from + i] * r.data[vector + i];
          made.data[at++] += sum;
        }
      }
    }
  }
  return made;
}

// Each row of `x` says how much to take of each row of `y`. Heads of `x` may share one of `y`.
export function blended(x, y) {
  const made = zeros(x.heads, x.rows, y.columns);
  for (let row = 0; row < x.heads * x.rows; row++) {
    const head = headOf(y, Math.floor(row / x.rows), x.heads);
    const sum = made.data.subarray(row * y.columns, (row + 1) * y.columns);
    for (let i = 0; i < y.rows; i++) {
      addTimes(sum, x.data[row * x.columns + i], y.data, (head * y.rows + i) * y.columns);
    }
  }
  return made;
}

// One of them may be missing, and the second may be the same for all heads.
export function added(x, y) {
  if (!x || !y) return x ?? y;
  return cellByCell(x, (number, at) => number + y.data[at % y.data.length]);
}

// Zeros of the same shape.
export function noneOf({ heads, rows, columns }) {
  return zeros(heads, rows, columns);
}

// Ones of the same shape.
export function onesLike(x) {
  return cellByCell(x, () => 1);
}

export function applied(name, x) {
  return cellByCell(x, FUNCTIONS[name]);
}

// Functions of one number, as mha_core/layer/functions.py has them.
const sigmoid = (number) => 1 / (1 + Math.exp(-number));
export const FUNCTIONS = {
  ln: Math.log,
  exp: Math.exp,
  tanh: Math.tanh,
  sigmoid,
  softplus: (number) => Math.max(number, 0) + Math.log1p(Math.exp(-Math.abs(number))),
  silu: (number) => number * sigmoid(number),
  relu: (number) => Math.max(number, 0),
  hardswish: (number) => number * Math.min(Math.max(number / 6 + 0.5, 0), 1),
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
};

// Each number times that of its gate; a gate of one column is for all numbers of a row.
export function letThrough(x, gates) {
  const wide = x.columns / gates.columns;
  return cellByCell(x, (number, at) => number * gates.data[Math.floor(at / wide)]);
}

// Of two shares in each row, and the constant of the head: what is added in that row is multiplied by it.
export function factorsOf(shares, constants) {
  return ofRows(shares, (data, start) => {
    const constant = constants ? constants.data[Math.floor(start / (2 * shares.rows))] : 1;
    return 2 - data[start] * (1 - data[start + 1] * constant);
  });
}

// A number for each head times what all heads share.
export function multiplied({ data: ofHeads }, shared) {
  const made = zeros(ofHeads.length, shared.rows, shared.columns);
  const size = shared.data.length;
  return cellByCell(made, (_, at) => ofHeads[Math.floor(at / size)] * shared.data[at % size]);
}

// The same numbers for every head that has none of its own; zeros where there are none at all.
export function allHeads(x, heads, { rows, columns }) {
  if (x?.heads === heads) return x;
  return x ? added(zeros(heads, rows, columns), x) : zeros(heads, rows, columns);
}

// Masks: 1 where both allow it. There may be only the first.
export function both(x, y) {
  return y ? cellByCell(x, (number, at) => number * y.data[at]) : x;
}

// As often as any step, and of as many numbers: so without a function for each of them.
export function scaled(x, factor) {
  const made = x.data.slice();
  for (let i = 0; i < made.length; i++) made[i] *= factor;
  return { ...x, data: made };
}

// The same where the factor is 1.
export function times(x, factor) {
  return factor === 1 ? x : scaled(x, factor);
}

// Each row by a factor of its own, in all heads.
export function grown(x, { data: logs }, growth) {
  return cellByCell(x, (number, at) => number * (1 + growth * logs[Math.floor(at / x.columns) % x.rows]));
}

export function capped(x, cap) {
  return cap === null ? x : cellByCell(x, (number) => cap * Math.tanh(number / cap));
}

export function tempered(x, temperature) {
  return temperature === 1 ? x : cellByCell(x, (number) => number / temperature);
}

export function hidden(x, allowed) {
  if (allowed.data.every(Boolean)) return x;
  const made = { ...x, data: x.data.slice() };
  const size = allowed.data.length;
  for (let start = 0; start < x.data.length; start += size) {
    for (let i = 0; i < size; i++) if (!allowed.data[i]) made.data[start + i] = -Infinity;
  }
  return made;
}

// The largest number of each row, the head's sink among them if it has one; 0 where a row has none.
export function largest(x, sinks) {
  return ofRows(x, (data, start, stop) => {
    let most = sinks ? sinks.data[Math.floor(start / (x.rows * x.columns))] : -Infinity;
    for (let i = start; i < stop; i++) if (data[i] > most) most = data[i];
    return most === -Infinity ? 0 : most;
  });
}

// What a naive softmax subtracts.
export function zeroOfRows(x) {
  return ofRows(x, () => 0);
}

// As single precision holds them: infinity from 3.4e38 on.
export function inSingle(x) {
  return cellByCell(x, Math.fround);
}

export function exponentials(x, most) {
  const made = zeros(x.heads, x.rows, x.columns);
  const [from, powers] = [x.data, made.data];
  let at = 0;
  for (const subtracted of most.data) {
    for (const stop = at + x.columns; at < stop; at++) powers[at] = Math.exp(from[at] - subtracted);
  }
  return made;
}

export function sums(x) {
  return ofRows(x, (data, start, stop) => {
    let sum = 0;
    for (let i = start; i < stop; i++) sum += data[i];
    return sum;
  });
}

// A row that may attend to nothing is divided by 1. Any other sum is used as it is.
export function overRows(x, rowSums, allowed) {
  const made = zeros(x.heads, x.rows, x.columns);
  const seen = sums(allowed).data; // how many keys each query sees
  let at = 0;
  rowSums.data.forEach((sum, row) => {
    const divisor = seen[row % x.rows] === 0 ? 1 : sum;
    for (const stop = at + x.columns; at < stop; at++) made.data[at] = x.data[at] / divisor;
  });
  return made;
}

// A number for each head in all rows of a column.
export function inRows({ data: ofHeads }, column) {
  return cellByCell(column, (_, at) => ofHeads[Math.floor(at / column.rows)]);
}

// A column over another.
export function overColumn(x, by) {
  return cellByCell(x, (number, at) => number / by.data[at]);
}

// Over each row, of which nothing is hidden.
export function softmax(x) {
  const powers = exponentials(x, largest(x));
  return overRows(powers, sums(powers), { ...x, data: new Float64Array(x.data.length).fill(1) });
}

// Only where a head is switched off: its numbers are 0.
export function zerosIn(x, heads) {
  const size = x.rows * x.columns;
  for (const head of heads) x.data.fill(0, head * size, (head + 1) * size);
  return x;
}

function sumOf(count, number) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += number(i);
  return sum;
}

function hasSameRow(one, other, row) {
  const start = row * one.columns;
  for (let i = start; i < start + one.columns; i++) if (!Object.is(one.data[i], other.data[i])) return false;
  return true;
}

// Adds to a row `factor` times the numbers that begin at `from`.
function addTimes(sum, factor, data, from) {
  for (let j = 0; j < sum.length; j++) sum[j] += factor * data[from + j];
}

function zeros(heads, rows, columns) {
  return { heads, rows, columns, data: new Float64Array(heads * rows * columns) };
}

// Which head of a tensor serves one of `heads`, where they share.
function headOf({ heads: own }, head, heads) {
  return Math.floor((head * own) / heads);
}

function cellByCell(x, make) {
  const made = x.data.slice(); // in its precision
  for (let i = 0; i < made.length; i++) made[i] = make(made[i], i);
  return { ...x, data: made };
}

// One number of each row, made of the data from its start to its stop.
function ofRows(x, make) {
  const made = zeros(x.heads, x.rows, 1);
  for (let i = 0; i < made.data.length; i++) made.data[i] = make(x.data, i * x.columns, (i + 1) * x.columns);
  return made;
}
