// The layer of a page without a server: what was given, and what a person has changed of it. It answers
// entries as the server would.

import { Forward } from "../numbers/forward.js";
import { Layers } from "../numbers/layers.js";
import { say } from "../language.js";
import { STROKE } from "../live/live.js";
import { numberOf } from "../numbers/numbers.js";

const LARGEST = 1e100; // the same as in mha_core/checks
const ELSEWHERE = say("A saved page keeps its labels and sizes. Change them in the explorer, and save the page again.");

export class SavedLayer {
  version = 1;
  taken = 0; // the number of the newest entry that was heard of
  refused = [];
  #past = []; // the inputs before each change
  /** @type {any} */
  #forward = null; // of the inputs, once it was asked for

  // `inputs` are those of Forward; `nameOf(matrix)` says what a person calls a given array.
  constructor(inputs, nameOf) {
    this.inputs = inputs;
    this.nameOf = nameOf;
    this.saved = inputs;
  }

  get forward() { return (this.#forward ??= this.compute()); }

  /** @returns {any} */
  compute() { return this.inputs.above ? new Layers(this.inputs) : new Forward(this.inputs); }

  // What a drag begins with.
  get inputsShown() { return this.inputs; }

  get isChanged() { return this.inputs !== this.saved; }

  get canUndo() { return this.#past.length > 0; }

  // What a server would say at the end of a run: see Entries and Live.
  said({ withInputs = false } = {}) {
    const { version, taken, refused } = this;
    return { version, taken, refused, is_open: true, inputs: withInputs ? this.inputsShown : null, why_not: "" };
  }

  // Takes what it has not heard of yet, the oldest first. Returns whether there was anything.
  enter(waiting) {
    const news = waiting.filter(({ number }) => number > this.taken);
    for (const entry of news) {
      this.taken = entry.number;
      this.#take(entry);
    }
    return news.length > 0;
  }

  undo() {
    if (this.canUndo) this.#become(this.#past.pop());
  }

  asSaved() {
    if (this.isChanged) this.become(this.saved);
  }

  // Other inputs, which can be undone.
  become(inputs) {
    this.#past.push(this.inputs);
    this.#become(inputs);
  }

  #take(entry) {
    const { matrix, row, column, text, act } = entry;
    this.refused = this.refused.filter((each) => each.matrix !== matrix || each.row !== row || each.column !== column);
    if (act) return void this.refused.push({ ...entry, reason: ELSEWHERE });
    if (!text) return; // what was refused there is taken back
    const changed = matrix === STROKE ? this.#drawn(text) : this.#written(entry);
    if (typeof changed === "string") return void this.refused.push({ matrix, row, column, text, reason: changed });
    this.become(changed);
  }

  #become(inputs) {
    this.inputs = inputs;
    this.computeAnew();
  }

  computeAnew() {
    this.#forward = null;
    this.version++;
  }

  // Whether a person may write into a matrix, by its name in pictures.
  isGiven(matrix) { return Boolean(this.inputs.arrays[matrix]); }

  withArray(name, rows) {
    return { ...this.inputs, arrays: { ...this.inputs.arrays, [name]: rows }, has_old_x: true }; // of the layers above
  }

  // The inputs with a number, or with a block of numbers from a spreadsheet; in words why not.
  #written({ matrix, row, column, text }) {
    const before = this.forward.rows(matrix);
    const what = this.nameOf(matrix);
    if (!before || !this.isGiven(matrix)) return say("{matrix} cannot be changed here.", { matrix: what });
    const rows = before.map((each) => each.slice());
    const lines = text.replace(/\r?\n$/, "").split(/\r?\n/).map((line) => line.split("\t"));
    for (const [i, line] of lines.entries()) {
      for (const [j, each] of line.entries()) {
        const number = numberOf(each);
        if (!(Math.abs(number) <= LARGEST)) return noNumber(what, each.trim());
        if (rows[row + i]?.[column + j] === undefined) {
          return noRoom(what, [rows.length - row, rows[0].length - column], [lines.length, line.length]);
        }
        rows[row + i][column + j] = number;
      }
    }
    return this.withArray(matrix, rows);
  }

  // The inputs with a stroke of the mask pen: see Forward.
  #drawn(text) {
    const after = new Forward(this.inputs);
    after.draw(text.split(" ").map((place) => place.split(".").map(Number)), after.drawn);
    return this.withArray("mask.drawn", after.rows("mask.drawn"));
  }
}

function noNumber(matrix, text) {
  return say(
    "{matrix} must hold numbers of at most 1e100 in size, got '{text}'. Write one such as 0.5, -2,5, 1/3 or 1e-3.",
    { matrix, text },
  );
}

function noRoom(matrix, [rows, columns], [got_rows, got_columns]) {
  return say(
    "{matrix} has room for {rows} \u00d7 {columns} numbers from here on, got {got_rows} \u00d7 {got_columns}. " +
      "Paste fewer.",
    { matrix, rows, columns, got_rows, got_columns },
  );
}
