// A number while it is dragged, or the mask while it is drawn, and all that follows: computed here,
// painted at once.
//
// When it is let go, it is an entry like a typed one. What is shown stays until the server has heard
// of the entry; then the server's numbers stand there, which are compared with these. Another drag may
// begin before that.

import { Layers } from "../numbers/layers.js";
import { numberOf } from "../numbers/numbers.js";

export const STROKE = "mask.stroke"; // the matrix of what the mask pen enters, which no picture has

const CLOSE = 1e-9; // of the largest number of a matrix
const CLOSE_IN_SINGLE = 1e-4; // the same in single precision, which the server may compute with

export class Live {
  /** @type {Drag | null} */
  drag = null; // the cell that is dragged, with its number: {matrix, row, column, number}. A stroke of the mask pen is
  // one of the matrix STROKE from its first cell; its number is a list of its cells, [row, column] each
  /** @type {Drag[]} */
  #waiting = []; // drags that were let go: the same with the `entry` that the server has not heard of
  /** @type {any} */
  #forward = null; // the Layers, once their inputs have come
  /** @type {number | null} */
  #base = null; // the number of the scenario that `forward` began with
  /** @type {number | null} */
  #version = null; // the number of the server's scenario
  /** @type {number | null} */
  #notHad = null; // the number of one whose arrays the server does not send
  /** @type {(version: number | null) => void} */
  #ask = () => {};
  #endDrag = () => {};
  #plots = new Set(); // those that follow
  #shown = new Set(); // those that have got a new picture since the number was let go
  #answered = new Set(); // those that have got one since then and since the last answer

  // What is typed into cells is among these `entries`.
  constructor(entries) {
    this.entries = entries;
  }

  // `plot` has `showLive()` and `say(words, matrix)`, and `compare(forward)` if it notes what it has shown. If it
  // has `beginAnew()`, it is told that the next drag begins before the last one was heard of. It follows
  // until it calls what this returns.
  follow(plot) {
    this.#plots.add(plot);
    return () => [this.#plots, this.#shown, this.#answered].forEach((each) => each.delete(plot));
  }

  // Whether pictures show numbers of this browser.
  get isOn() { return Boolean(this.drag) || this.#waiting.length > 0; }

  // Whether a matrix, as pictures name it, has other numbers than its picture.
  hasMoved(matrix) { return this.isOn && Boolean(this.#forward?.hasMoved(matrix)); }

  // Whether a plot still has the picture with which the drag began, or one that came meanwhile.
  beganWith(plot) {
    return this.isOn && this.#forward !== null && (this.drag !== null || !this.#shown.has(plot));
  }

  rows(matrix) { return this.#forward.rows(matrix); }

  // The rows of the mask, where it is drawn now, for a matrix whose cells it hides; else null.
  maskOf(matrix) { return this.#forward.maskOf(matrix); }

  // Whether all that follows can be shown at once: its inputs have come.
  get isReady() { return this.#forward !== null; }

  // Whether what is shown follows from the entry of this number.
  holds(number) { return this.#waiting.some(({ entry }) => entry === number); }

  // A number that stands in no matrix, such as the temperature.
  option(name) { return this.#forward.given(name); }

  // One number is dragged at a time.
  endOther() {
    if (this.drag) this.#endDrag();
  }

  // `end` ends this drag, if another begins.
  begin({ matrix, row, column }, number, end = () => {}, how = {}) {
    this.#endDrag = end;
    if (this.#waiting.length) for (const plot of this.#plots) plot.beginAnew?.();
    this.#takeTyped();
    this.drag = { matrix: matrix.name, row, column, number, entry: 0, ...how };
    if (!this.#forward) this.#askForInputs();
    else if (!this.#waiting.length) this.#forward.settle();
  }

  // A drag goes on from what was typed, though the server has not answered.
  #takeTyped() {
    const typed = this.entries.waiting.filter((each) => each.matrix && !each.act && !this.holds(each.number));
    for (const { number: entry, matrix, row, column, text } of typed) {
      const each = { matrix, row, column, number: numberOf(text), entry };
      // Typing into the additive mask may hide a key or show it: only the server knows what follows.
      if (matrix === "mask.additive" || matrix === STROKE || !Number.isFinite(each.number)) continue;
      this.#waiting.push(each);
      this.#put(each);
    }
  }

  // A key is held in a field of the form: the server says what each value draws. What is dragged then is `drawn`,
  // a whole scenario: its `inputs`, the names of the arrays that have `moved`, and its `version`.
  beginHeld(field, end) {
    this.begin({ matrix: { name: field }, row: 0, column: 0 }, null, end, { isHeld: true });
  }

  moveHeld(drawn) {
    if (!this.drag?.isHeld) return;
    const before = this.drag.number?.moved ?? [];
    this.drag.number = { ...drawn, moved: [...new Set([...before, ...drawn.moved])] };
    if (this.#base !== drawn.version) this.#forward = new Layers(drawn.inputs);
    this.#base = drawn.version;
    this.#put(this.drag);
    this.#paint();
  }

  // What was shown goes, and the numbers of the pictures come back.
  cancelHeld() {
    this.drag = null;
    this.#forget();
    this.#paint();
  }

  move(number) {
    if (!this.drag) return;
    this.drag.number = number;
    this.#put(this.drag);
    this.#paint();
  }

  // The number is let go, and entered under this number.
  letGo(entry) {
    if (this.drag) this.#waiting.push({ ...this.drag, entry });
    this.drag = null;
    this.#shown.clear();
    this.#answered.clear();
    this.#paint();
  }

  // The number is as before.
  cancel(number) {
    this.move(number);
    this.drag = null;
    this.#paint();
  }

  noteShown(plot) {
    this.#shown.add(plot);
    this.#answered.add(plot);
  }

  // What the server says at the end of a run: see Entries. With `inputs`, a forward pass can begin.
  hear({ version, inputs, why_not, taken, refused }, ask) {
    this.#ask = ask;
    this.#version = version;
    if (why_not && this.drag) for (const plot of this.#plots) plot.say(why_not, this.drag.matrix);
    if (why_not) this.#notHad = version;
    const heard = this.#waiting.filter(({ entry }) => entry <= taken);
    this.#waiting = this.#waiting.filter(({ entry }) => entry > taken);
    if (inputs) this.#beginWith(inputs);
    else if (heard.length) this.#goOnAfter(heard, refused);
    const isOlder = this.#base !== version && !this.drag?.isHeld; // which is newer than what a run says
    if (isOlder && !this.#waiting.length) this.#forget();
    this.#answered.clear();
    this.#paint();
  }

  #beginWith(inputs) {
    this.#forward = new Layers(inputs);
    this.#base = this.#version;
    for (const each of [...this.#waiting, ...(this.drag ? [this.drag] : [])]) {
      delete each.was; // of another forward pass
      this.#put(each);
    }
  }

  #goOnAfter(heard, refused) {
    const wasRefused = heard.some((each) => refused.some((other) => areOneCell(each, other)));
    // The server's numbers must be the same only if nothing else has changed meanwhile.
    const isAllThatChanged = this.#version === this.#base + heard.length;
    if (wasRefused || !this.#forward || !isAllThatChanged) return this.#forget();
    this.#base = this.#version;
    // Of what else was entered, a picture may show the answer before it is heard.
    if (this.isOn || this.entries.waiting.length) return;
    for (const plot of this.#answered) plot.compare(this.#forward);
  }

  // The forward pass has other numbers than the server.
  #forget() {
    this.#forward = null;
    this.#base = null;
    if (this.drag && this.#version !== this.#notHad) this.#askForInputs();
  }

  // While a key is held, they come with each value.
  #askForInputs() {
    if (!this.drag?.isHeld) this.#ask(this.#version);
  }

  #put(each) {
    const { matrix, row, column, number } = each;
    if (matrix === STROKE) return this.#draw(each);
    if (each.isHeld) return this.#forward && number && this.#forward.takeAll(number.inputs.arrays, number.moved);
    if (this.#forward?.has(matrix, row, column)) this.#forward.change(matrix, row, column, number);
  }

  // The mask may have lost the cells meanwhile: then the server refuses the stroke.
  #draw(stroke) {
    if (!this.#forward) return;
    const { rows, columns } = (stroke.was ??= this.#forward.drawn);
    if (stroke.number.every(([row, column]) => row < rows && column < columns)) {
      this.#forward.draw(stroke.number, stroke.was);
    }
  }

  #paint() {
    for (const plot of this.#plots) plot.showLive();
  }
}

// How far the numbers of a matrix are from those of the forward pass, if that is too far: a share of
// the largest. `picture` and `rows` are lists of rows; hidden cells are NaN. What is infinite or not a
// number on one side is not compared: at the edge of a type, rounding decides it.
export function tooFar(picture, rows, isSingle) {
  let [largest, furthest] = [0, 0];
  picture.forEach((row, i) => row.forEach((number, j) => {
    if (!Number.isFinite(number) || !Number.isFinite(rows[i][j])) return;
    largest = Math.max(largest, Math.abs(number));
    furthest = Math.max(furthest, Math.abs(number - rows[i][j]));
  }));
  const share = furthest / (largest || 1);
  return share > (isSingle ? CLOSE_IN_SINGLE : CLOSE) ? share : 0;
}

function areOneCell(one, other) {
  return one.matrix === other.matrix && one.row === other.row && one.column === other.column;
}
