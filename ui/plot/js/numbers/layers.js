// The forward pass through several layers, as a drag needs it: the layer that the page shows, those above it,
// and what is read of the stream at its end. What is below cannot move: its numbers are no part of this.
//
// Matrices of the layer that is shown have their own names; those of another one begin with its number, as in
// "2.weights/0" (mha_core/stack/cells.py).

import { Forward, withNumber } from "./forward.js";
import { added, project, softmax, tensor } from "./tensor.js";

const NAMED = /^(\d)\.(.+)$/;
const W_U = "w_u";
const AT_THE_END = ["stream", "logits", "probabilities"];

export class Layers {
  #shown; // a Forward
  #above; // a Forward for each layer above
  #number; // of the layer that is shown, from 1
  #isAdded; // whether each layer adds to its X
  #wordsOf; // W_U, or null
  #taken; // what each layer above has got from the one below: [x, output]
  /** @type {any} */
  #end = {}; // what is read at the end, and of what it was made
  #began; // the end with which the drag began

  // `has_old_x` says that each X above was made before something below it was changed.
  /** @param {any} told */
  constructor({ above = [], residual = false, layer = 1, w_u = null, has_old_x = false, ...inputs }) {
    this.#shown = new Forward(inputs);
    this.#above = above.map((each) => new Forward(each));
    this.#number = layer;
    this.#isAdded = residual;
    this.#wordsOf = w_u && tensor(w_u);
    this.#taken = this.#above.map((_, place) => (has_old_x ? [] : made(this.#below(place))));
    this.#follow();
    if (has_old_x) for (const forward of this.#above) forward.settle();
    this.#began = this.#atTheEnd();
  }

  get options() { return this.#shown.options; }

  // The layer that the page shows, without those above it.
  get shown() { return this.#shown; }

  get drawn() { return this.#shown.drawn; }

  given(name) { return this.#shown.given(name); }

  has(name, row, column) {
    if (name !== W_U) return this.#shown.has(name, row, column);
    return Boolean(this.#wordsOf) && row < this.#wordsOf.rows && column < this.#wordsOf.columns;
  }

  takeAll(arrays, moved) { this.#shown.takeAll(arrays, moved); }

  change(name, row, column, number) {
    if (name !== W_U) return this.#shown.change(name, row, column, number);
    this.#wordsOf = withNumber(this.#wordsOf, row, column, number);
    this.#end = {};
  }

  draw(cells, was) { this.#shown.draw(cells, was); }

  settle() {
    this.#follow();
    for (const forward of [this.#shown, ...this.#above]) forward.settle();
    this.#began = this.#atTheEnd();
  }

  rows(matrix) {
    if (matrix === W_U) return rowsOf(this.#wordsOf);
    if (AT_THE_END.includes(matrix)) return rowsOf(this.#atTheEnd()[matrix]);
    const [forward, name] = this.#find(matrix);
    return forward?.rows(name);
  }

  hasMoved(matrix) {
    if (matrix === W_U) return this.#wordsOf !== this.#began.words;
    if (matrix === "stream") return this.#atTheEnd().from !== this.#began.from;
    if (AT_THE_END.includes(matrix)) return this.#atTheEnd() !== this.#began;
    const [forward, name] = this.#find(matrix);
    return Boolean(forward?.hasMoved(name));
  }

  maskOf(matrix) {
    const [forward, name] = this.#find(matrix);
    return forward?.maskOf(name) ?? null;
  }

  // The layer of a matrix, and its name there; no layer, where it is below the one that is shown.
  #find(matrix) {
    const named = NAMED.exec(matrix);
    if (!named) return [this.#shown, matrix];
    this.#follow();
    const place = Number(named[1]) - this.#number;
    return [place ? this.#above[place - 1] : this.#shown, named[2]];
  }

  // Each layer above gets the X that the one below makes, where that has moved.
  #follow() {
    this.#above.forEach((forward, place) => {
      const below = this.#below(place);
      const [x, output] = this.#taken[place];
      if (below.x === x && below.output === output) return;
      this.#taken[place] = made(below);
      forward.take("x", this.#after(below));
    });
  }

  #below(place) { return place ? this.#above[place - 1] : this.#shown; }

  #after({ x, output }) { return this.#isAdded ? added(x, output) : output; }

  #atTheEnd() {
    this.#follow();
    const { x, output } = this.#below(this.#above.length);
    if (this.#end.x !== x || this.#end.output !== output) {
      const stream = this.#after({ x, output });
      const logits = this.#wordsOf && project(stream, this.#wordsOf, null);
      const probabilities = logits && softmax(logits);
      this.#end = { x, output, from: output, words: this.#wordsOf, stream, logits, probabilities };
    }
    return this.#end;
  }
}

function made({ x, output }) {
  return [x, output];
}

function rowsOf(found) {
  if (!found) return undefined;
  const { rows, columns, data } = found;
  return Array.from({ length: rows }, (_, i) => data.subarray(i * columns, (i + 1) * columns));
}
