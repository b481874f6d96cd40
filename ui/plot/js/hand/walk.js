// An operation that moves over its result: number after number appears, and what makes it is lit.

import { button, html, isCalm, list, svg } from "../dom.js";
import { say } from "../language.js";
import { stays } from "../stays.js";

const SPEEDS = { slow: 1200, normal: 500, fast: 120 }; // milliseconds for a number, or for a row
const NAMES = { slow: say("slow"), normal: say("normal"), fast: say("fast") };
export const WALKED = "attention-walked"; // an event on window: all numbers are there

export class Walker {
  #done = Infinity; // numbers, or rows, that have appeared
  #isOver = false; // it was walked over, and all numbers have appeared
  #timer = 0;
  #words = ""; // of the number, or the row, that appeared last

  constructor(plot) {
    this.plot = plot;
    this.start = button(say("Play"), () => (this.isPlaying ? this.pause() : this.play()));
    this.one = button(say("One more"), () => this.step());
    this.pace = list(say("Speed"), Object.entries(NAMES), (speed) => { stays.speed = speed; });
    this.onward = html("input", { type: "checkbox" });
    this.onward.onchange = () => {
      stays.goesOn = this.onward.checked;
      if (stays.goesOn) this.begin();
    };
    const label = html("label", { class: "plot-choice" }, this.onward, say("Advance automatically"));
    this.said = html("span", { class: "plot-walk-said", "aria-live": "polite" });
    const look = { class: "plot-walk", role: "group", "aria-label": say("Walk over the result"), hidden: "" };
    this.element = html("div", look, this.start, this.one, this.pace, label, this.said);
  }

  get isPlaying() { return this.#timer !== 0; }

  // Another picture: its operation begins to move, where it does so by itself. For people who want
  // little motion all is there, unless they have asked for it to go on.
  follow(board) {
    const walk = board.figure.walk;
    this.element.hidden = !walk;
    const subject = walk ? `${walk.results} ${board.figure.zoomed_as}` : "";
    if (subject === this.subject) return this.sayAgain();
    this.subject = subject;
    this.halt();
    this.#done = Infinity;
    this.#isOver = false;
    if (!walk) return;
    this.pace.value = stays.speed;
    this.onward.checked = stays.goesOn;
    this.said.textContent = "";
    const begins = stays.goesOn || (walk.begins_by_itself && !isCalm());
    if (begins) setTimeout(() => this.subject === subject && this.play());
  }

  get results() {
    const { board } = this.plot;
    const names = board?.figure.walk?.results ?? [];
    return names.map((name) => board.named(name)).filter(Boolean);
  }

  // How each number of a matrix is computed, in words; undefined where it comes row by row.
  arithmeticOf({ name }) { return this.plot.board.figure.walk.arithmetic[name]; }

  // The places of a result, one after the other: a number each, or a row each.
  places() {
    return this.results.flatMap((matrix) => placesIn(matrix, !this.arithmeticOf(matrix)));
  }

  play() {
    if (this.#done >= this.places().length) this.#done = 0;
    this.start.textContent = say("Pause");
    this.said.setAttribute("aria-live", "off"); // nobody can listen that fast
    this.tick();
  }

  // It is to go on, wherever it is now.
  begin() {
    if (this.#isOver) this.goOn();
    else if (!this.isPlaying) this.play();
  }

  tick() {
    clearTimeout(this.#timer);
    if (!this.advance()) return this.end();
    this.#timer = setTimeout(() => this.tick(), SPEEDS[stays.speed]);
  }

  step() {
    this.halt();
    if (this.#done >= this.places().length) this.#done = 0;
    if (!this.advance()) this.end();
  }

  // The next number appears. False where there is none.
  advance() {
    const places = this.places();
    if (this.#done >= places.length) return false;
    const place = places[this.#done++];
    this.#isOver = false;
    this.plot.hand.point(place);
    this.plot.tip.show(null);
    this.say(place);
    this.plot.drawLights();
    return true;
  }

  pause() {
    this.halt();
    this.said.textContent = say("Paused. {number}", { number: this.said.textContent });
  }

  halt() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.start.textContent = say("Play");
    this.said.setAttribute("aria-live", "polite");
  }

  // All is there.
  end() {
    this.halt();
    this.said.textContent = say("All numbers are there.");
    this.#done = Infinity;
    this.#isOver = true;
    this.plot.hand.point(null);
    if (this.plot.board) this.plot.drawLights();
    this.goOn();
  }

  goOn() {
    if (stays.goesOn) window.dispatchEvent(new CustomEvent(WALKED));
  }

  // The same number in a new figure may be another one.
  sayAgain() {
    const place = this.places()[this.#done - 1];
    if (place && this.words(place) !== this.#words) this.say(place);
  }

  say(place) {
    this.said.textContent = this.#words = this.words(place);
  }

  // While a number is dragged, how the others are computed waits for the server.
  words({ matrix, row, column, isRow }) {
    if (isRow) return `${matrix.sent.title}, ${matrix.rowName(row)}`;
    const isNew = this.plot.moving.isLive;
    const number = isNew ? matrix.short(row, column) : this.arithmeticOf(matrix)[row][column];
    return `${this.plot.texts.nameOf({ matrix, row, column })}: ${number}`;
  }

  // Paper covers the numbers that have not appeared yet.
  veil({ paper }) {
    const hidden = this.#done === Infinity ? [] : this.places().slice(this.#done);
    const boxes = hidden.map(({ matrix, row, column, isRow }) =>
      (isRow ? matrix.rowBox(row) : matrix.cellBox(row, column))).filter(Boolean);
    if (!boxes.length) return [];
    const path = boxes.map(({ x, y, w, h }) => `M${x} ${y}h${w}v${h}h${-w}z`).join("");
    return [svg("path", { class: "plot-veil", d: path, fill: paper })];
  }
}

// Row after row: each number of it, or the row as a whole.
export function placesIn(matrix, isRow) {
  const columns = isRow ? [0] : [...Array(matrix.columnCount).keys()];
  return [...Array(matrix.rowCount).keys()].flatMap((row) =>
    columns.map((column) => ({ matrix, row, column, isRow })));
}
