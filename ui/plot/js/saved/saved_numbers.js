// The numbers of one stop of a saved page: those that the core has computed, and once a person has changed
// one, those that this browser computes.

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
    const core = this.layer.isChanged ? null : this.stop.core;
    if (core) return { ...matrix, values: inPlace(core[name], transposed) };
    const { rows, hidden } = this.numbersOf(name);
    const lost = [];
    const values = inPlace(rows.map((row, i) => Float64Array.from(row, (number, j) => (hidden?.[i][j] === 0 ? NaN : number))), transposed);
    const seen = inPlace(hidden ?? rows.map((row) => row.map(() => 1)), transposed);
    values.forEach((row, i) => row.forEach((number, j) => !Number.isFinite(number) && seen[i][j] && lost.push(i * row.length + j)));
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

  // Computes every matrix anew, and says how far that is from what the core has computed.
  check() {
    const { core, inputs } = this.stop;
    let [most, where] = [0, ""];
    for (const [name, rows] of Object.entries(core)) {
      const share = farthest(rows, this.layer.forward.rows(name) ?? []);
      if (!(share <= most)) [most, where] = [share, name];
    }
    const isClose = most <= (inputs.is_single ? AGREES_IN_SINGLE : AGREES);
    const words = isClose ? agreement(Object.keys(core).length, most) : disagreement(where, most);
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

// How far two matrices are from each other, as a share of the largest number.
export function farthest(rows, others) {
  let [largest, most] = [0, 0];
  rows.forEach((row, i) => row.forEach((number, j) => {
    if (!Number.isFinite(number)) return; // hidden, or lost in the softmax
    largest = Math.max(largest, Math.abs(number));
    const gap = Math.abs(number - (others[i]?.[j] ?? NaN));
    if (!(gap <= most)) most = gap;
  }));
  return most === 0 ? 0 : most / largest;
}

// The words on so many matrices that differ by at most `most`.
function agreement(count, most) {
  if (most === 0) {
    return say(
      "Checked: this page computed all {count} matrices anew. They agree with those of the explorer's core, " +
        "which it carries, to the last digit.",
      { count },
    );
  }
  return say(
    "Checked: this page computed all {count} matrices anew. They agree with those of the explorer's core, " +
      "which it carries, to {digits} digits.",
    { count, digits: Math.floor(-Math.log10(most)) },
  );
}

function disagreement(matrix, most) {
  return say(
    "This browser computes other numbers than the explorer did: {matrix} differs by {share} of its largest number. " +
      "Trust those of the explorer.",
    { matrix, share: fourDigits(most) },
  );
}
