// A number that swings by itself between two values, for a projector. When it stops, it is as before.

import { button, html, isCalm } from "../dom.js";
import { say } from "../language.js";
import { numberOf } from "../numbers/numbers.js";
import { inSteps } from "./scrub.js";

const SECONDS = 4; // from one end to the other and back
const LEAST_SECONDS = 0.5;
const SPAN = 100; // steps to each side of the number
const FINER = 10; // than the steps of a drag

export class Player {
  /** @type {any} */
  #subject = null; // what swings
  #began = 0;
  #swing = { from: 0, to: 0, period: 0 };

  // `find()` gives what is to be played: its `name`, two numbers `from` and `to`, and `begin(whenEnded)`,
  // `swing(number)` and `end()`.
  constructor(find) {
    this.find = find;
    this.what = html("span", { class: "plot-play-what" });
    const field = (name) => {
      const made = html("input", { type: "text", inputmode: "decimal", size: 6, "aria-label": name });
      made.addEventListener("change", () => this.take());
      return made;
    };
    const named = (name, made) => html("label", { class: "plot-choice" }, name, made);
    this.from = field(say("from"));
    this.to = field(say("to"));
    this.seconds = field(say("seconds"));
    this.start = button(say("Play"), () => (this.isPlaying ? this.stop() : this.play()));
    this.said = html("span", { role: "status" });
    const fields = [
      named(say("from"), this.from),
      named(say("to"), this.to),
      named(say("seconds"), this.seconds),
    ];
    const look = { class: "plot-play", role: "group", "aria-label": say("Play a number"), hidden: "" };
    this.element = html("div", look, this.what, ...fields, this.start, this.said);
    this.seconds.value = SECONDS;
  }

  get isPlaying() { return this.#subject !== null; }

  // Its fields come into sight: what they say swings at once.
  open() {
    this.fill();
    this.play();
  }

  // The cursor has moved.
  follow() {
    if (!this.element.hidden) this.fill();
  }

  fill() {
    if (this.isPlaying) return;
    this.chosen = this.find();
    this.what.textContent = this.chosen.name;
    this.from.value = this.chosen.from;
    this.to.value = this.chosen.to;
    this.said.textContent = "";
  }

  // Takes from the fields how it swings, now or from Play on. Returns whether that is possible.
  take() {
    const [from, to, seconds] = [this.from, this.to, this.seconds].map(({ value }) => numberOf(value));
    const isWhole = [from, to, seconds].every(Number.isFinite);
    this.tell(isWhole ? "" : say("Enter numbers for from, to and seconds."));
    if (isWhole) this.#swing = { from, to, period: 1e3 * Math.max(seconds, LEAST_SECONDS) };
    return isWhole;
  }

  play() {
    if (!this.take()) return;
    const subject = (this.#subject = this.chosen);
    this.start.textContent = say("Stop");
    subject.begin(() => this.ended());
    this.#began = performance.now();
    const frame = (now) => {
      if (this.#subject !== subject) return;
      subject.swing(swungTo(now - this.#began, this.#swing, isCalm()));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.#subject?.end();
  }

  // By a click on Stop, or because another number is dragged.
  ended() {
    this.#subject = null;
    this.start.textContent = say("Play");
  }

  tell(words) { this.said.textContent = words; }
}

// What a plot plays: the number at its cursor, or the first of X or of what there is.
/** @param {Plot} plot */
export function cellToPlay({ board, hand: { cursor }, picked, scrub, live, texts }) {
  const isOurs = (cell) => cell?.matrix.isEditable && board.matrices.includes(cell.matrix);
  const cell = [cursor, picked].find(isOurs) ?? { matrix: firstToEdit(board), row: 0, column: 0 };
  const { matrix } = cell;
  const [number, { step }] = [scrub.numberAt(cell), matrix];
  return {
    name: texts.nameOf(cell),
    from: inSteps(number - SPAN * step, step),
    to: inSteps(number + SPAN * step, step),
    begin: (whenEnded) => scrub.begin(cell, whenEnded),
    swing: (to) => live.move(inSteps(to, step / FINER)),
    end: () => scrub.end({ keeps: false }),
  };
}

// X, or else the first matrix that can be edited, if any can.
export function firstToEdit({ matrices }) {
  const given = matrices.filter((matrix) => matrix.isEditable);
  return given.find(({ name }) => name === "x") ?? given[0];
}

// Where a swing is after some milliseconds. It begins and ends slowly. For people who want little
// motion it jumps from one end to the other.
export function swungTo(passed, { from, to, period }, inJumps) {
  const share = (1 - Math.cos((2 * Math.PI * passed) / period)) / 2;
  return from + (inJumps ? Math.round(share) : share) * (to - from);
}
