// The numbers of one stop of a saved page, which this browser computes, and how far they are from those of the
// core.

import { Derivations } from "../numbers/derive.js";
import { say } from "../language.js";
import { fourDigits } from "../numbers/numbers.js";

const MOST_WALKED = 8; // of a sum that is written out while it is walked over
const AGREES = 1e-9; // of the largest number of a matrix
const AGREES_IN_SINGLE = 1e-4;
const NAMED = /^(\d\.)?([^/]+)/; // the layer of a matrix, if it is another one, and its step

export class SavedNumbers {
  // `stop` is what ui/saved/page.py says of it, `layer` a SavedLayer.
  constructor(stop, layer) {
    this.stop = stop;
    this.layer = layer;
  }

  get derivations() { return new Derivations(this.stop.facts, this.layer.forward, this.layer.saved.arrays); }

  // Whether it can be said where a number comes from.
  knows({ step }) { return step in this.stop.facts.words; }

  // A picture with the numbers that there are now.
  shownIn({ figure, ...picture }) {
    const matrices = figure.matrices.map((matrix) => this.withItsNumbers(matrix));
    const walk = figure.walk && this.withArithmetic(figure.walk);
    return { ...picture, figure: { ...figure, matrices, walk }, widens: this.layer.isChanged, reordered: 0 };
  }

  withItsNumbers(matrix) {
    const { name, transposed } = matrix;
    const { rows, hidden } = this.numbersOf(name);
    const values = inPlace(withoutHidden(rows, hidden), transposed);
    const seen = hidden && inPlace(hidden, transposed);
    const lost = [];
    values.forEach((row, i) => {
      for (let j = 0; j < row.length; j++) if (!Number.isFinite(row[j]) && seen?.[i][j] !== 0) lost.push(i * row.length + j);
    });
    return { ...matrix, values, lost, masked: matrix.masked || Boolean(hidden) };
  }

  // The rows of a matrix, and those of the mask where it hides cells of it.
  numbersOf(name) {
    const { forward } = this.layer;
    const [, layer = "", step] = NAMED.exec(name) ?? [];
    const isAfter = forward.options.after_mask.includes(step) && step !== "mask";
    const mask = isAfter ? forward.rows(`${layer}mask`) : null;
    const hidden = mask?.some((row) => row.includes(0)) ? mask : null;
    return { rows: forward.rows(name), hidden };
  }

  withArithmetic({ arithmetic, ...walk }) {
    const { derivations } = this;
    const written = (name) => derivations.rows(name).map((row, i) => Array.from(row, (_, j) => {
      const found = derivations.of({ ...cellOf(name), row: i, column: j });
      return derivations.arithmetic(found, { decimals: this.stop.decimals, mostTerms: MOST_WALKED });
    }));
    return { ...walk, arithmetic: Object.fromEntries(arithmetic.map((name) => [name, written(name)])) };
  }

  // How far the numbers of this browser are from those of the core, whose sums the page carries. No words without any.
  check() {
    const { sums, inputs } = this.stop;
    let [most, where] = [0, ""];
    for (const [name, sum] of Object.entries(sums)) {
      const { rows, hidden } = this.numbersOf(name);
      const share = farFrom(sum, rows ? withoutHidden(rows, hidden) : []);
      if (!(share <= most)) [most, where] = [share, name];
    }
    const isClose = most <= (inputs.is_single ? AGREES_IN_SINGLE : AGREES);
    const count = Object.keys(sums).length;
    const agree = count ? agreement(count, most) : "";
    const words = isClose ? agree : disagreement(where, most);
    return { isClose, words };
  }
}

// A matrix by its name in pictures.
export function cellOf(matrix) {
  const [step, head] = matrix.split("/");
  return { step, head: head === undefined ? null : Number(head) };
}

export function inPlace(rows, transposed) {
  return transposed ? Array.from(rows[0], (_, j) => Float64Array.from(rows, (row) => row[j])) : rows;
}

// NaN where the mask hides a cell.
function withoutHidden(rows, hidden) {
  if (!hidden) return rows;
  return rows.map((row, i) => Float64Array.from(row, (number, j) => (hidden[i][j] === 0 ? NaN : number)));
}

const parts = /** @type {number[]} */ ([]); // of each place in such a sum, once it is known

// How far a matrix is from another one, of which the sum and the count are known: as a share of its largest
// number. See sums_of in ui/saved/pictures.py.
export function farFrom([sum, count], rows) {
  let [largest, found, made, place] = [0, 0, 0, 0];
  for (const row of rows) {
    for (let j = 0; j < row.length; j++, place++) {
      const number = row[j];
      if (!Number.isFinite(number)) continue; // hidden, or lost in the softmax
      found++;
      largest = Math.max(largest, Math.abs(number));
      made += number * (parts[place] ??= Math.sin(place * place + 1));
    }
  }
  if (found !== count) return NaN;
  return made === sum ? 0 : Math.abs(made - sum) / largest;
}

// The words on so many matrices that differ by at most `most`.
function agreement(count, most) {
  const digits = Math.floor(-Math.log10(most));
  if (count === 1) {
    const anew = say("Checked: this page computed its matrix anew.");
    if (most === 0) return `${anew} ${say("It agrees with that of the explorer's core to the last digit.")}`;
    return `${anew} ${say("It agrees with that of the explorer's core to {digits} digits.", { digits })}`;
  }
  if (most === 0) {
    return say(
      "Checked: this page computed all {count} matrices anew. They agree with those of the explorer's core to the " +
        "last digit.",
      { count },
    );
  }
  return say(
    "Checked: this page computed all {count} matrices anew. They agree with those of the explorer's core to " +
      "{digits} digits.",
    { count, digits },
  );
}

function disagreement(matrix, most) {
  return say(
    "This browser computes other numbers than the explorer did: {matrix} differs by about {share} of its largest number. " +
      "Trust those of the explorer.",
    { matrix, share: fourDigits(most) },
  );
}
