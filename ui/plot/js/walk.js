// An operation that moves over its result: number after number appears, and what makes it is lit.

import { button, html, isCalm, setOptions, svg } from "./dom.js";

const SPEEDS = { slow: 1200, normal: 500, fast: 120 }; // milliseconds for a number, or for a row
const MOST_ONE_BY_ONE = 64; // of a result that appears number by number; a larger one comes row by row
const MOST_TERMS = 8; // of a sum that is written out
const WALKED = "attention-walked"; // an event on window: all numbers are there

let speed = "normal"; // for all pictures, as people want it again on the next screen
let goesOn = false; // by itself, to the next screen

export class Walker {
  #done = Infinity; // numbers, or rows, that have appeared
  #timer = 0;

  constructor(plot) {
    this.plot = plot;
    this.start = button("Play", () => (this.isPlaying ? this.pause() : this.play()));
    this.one = button("One more", () => this.step());
    this.pace = html("select", { "aria-label": "Speed" });
    setOptions(this.pace, Object.keys(SPEEDS).map((name) => [name, name]), speed);
    this.pace.onchange = () => (speed = this.pace.value);
    this.onward = html("input", { type: "checkbox" });
    this.onward.onchange = () => (goesOn = this.onward.checked);
    const label = html("label", { class: "plot-choice" }, this.onward, "then the next screen");
    this.said = html("span", { class: "plot-walk-said", role: "status" });
    const look = { class: "plot-walk", role: "group", "aria-label": "Walk over the result", hidden: "" };
    this.element = html("div", look, this.start, this.one, this.pace, label, this.said);
  }

  get isPlaying() { return this.#timer !== 0; }

  // Another picture: its operation begins to move. For people who want little motion all is there.
  follow(board) {
    const walk = board.layout.meta?.walk;
    this.element.hidden = !walk;
    const subject = walk ? `${walk.results} ${board.layout.uirevision}` : "";
    if (subject === this.subject) return;
    this.subject = subject;
    this.pause();
    this.#done = Infinity;
    if (!walk) return;
    this.pace.value = speed;
    this.onward.checked = goesOn;
    this.said.textContent = "";
    if (!isCalm()) setTimeout(() => this.subject === subject && this.play());
  }

  get results() {
    const { board } = this.plot;
    const names = board?.layout.meta?.walk?.results ?? [];
    return names.map((name) => board.named(name)).filter(Boolean);
  }

  // The places of a result, one after the other: a number each, or a row each.
  places() {
    return this.results.flatMap((matrix) => {
      const isLarge = matrix.rowCount * matrix.columnCount > MOST_ONE_BY_ONE;
      const columns = isLarge ? [0] : [...Array(matrix.columnCount).keys()];
      return [...Array(matrix.rowCount).keys()].flatMap((row) =>
        columns.map((column) => ({ matrix, row, column, isRow: isLarge })));
    });
  }

  play() {
    if (this.#done >= this.places().length) this.#done = 0;
    this.start.textContent = "Pause";
    this.tick();
  }

  tick() {
    clearTimeout(this.#timer);
    if (!this.advance()) return this.end();
    this.#timer = setTimeout(() => this.tick(), SPEEDS[speed]);
  }

  step() {
    this.pause();
    if (this.#done >= this.places().length) this.#done = 0;
    if (!this.advance()) this.end();
  }

  // The next number appears. False where there is none.
  advance() {
    const places = this.places();
    if (this.#done >= places.length) return false;
    const place = places[this.#done++];
    this.plot.point(place);
    this.plot.tip.show(null);
    this.said.textContent = this.words(place);
    this.plot.drawLights();
    return true;
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.start.textContent = "Play";
  }

  // All is there.
  end() {
    const wasPlaying = this.isPlaying;
    this.pause();
    this.#done = Infinity;
    this.plot.point(null);
    if (this.plot.board) this.plot.drawLights();
    if (wasPlaying && goesOn) window.dispatchEvent(new CustomEvent(WALKED));
  }

  words({ matrix, row, column, isRow }) {
    if (isRow) return `${matrix.meta.title}, ${matrix.rowName(row)}`;
    const number = matrix.short(row, column);
    return `${this.plot.nameOf({ matrix, row, column })}: ${this.sum(row, column)}${number}`;
  }

  // A row times a column, written out where it is short.
  sum(row, column) {
    const { board } = this.plot;
    const [left, upper] = board.layout.meta.walk.factors.map((name) => board.named(name));
    if (!left || left.columnCount > MOST_TERMS) return "";
    const seen = [...Array(left.columnCount).keys()].filter((i) => !left.isHidden(row, i));
    const terms = seen.map((i) => `${left.short(row, i)} \u00b7 ${inBrackets(upper.short(i, column))}`);
    return `${terms.join(" + ")} = `;
  }

  // Over the numbers that have not appeared yet lies the paper.
  veil({ paper }) {
    const hidden = this.#done === Infinity ? [] : this.places().slice(this.#done);
    const boxes = hidden.map(({ matrix, row, column, isRow }) =>
      (isRow ? matrix.rowBox(row) : matrix.cellBox(row, column))).filter(Boolean);
    if (!boxes.length) return [];
    const path = boxes.map(({ x, y, w, h }) => `M${x} ${y}h${w}v${h}h${-w}z`).join("");
    return [svg("path", { class: "plot-veil", d: path, fill: paper })];
  }
}

function inBrackets(text) {
  return text.startsWith("\u2212") ? `(${text})` : text;
}
