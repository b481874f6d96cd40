// What a saved page says of a number: what it is, how it comes about, and what it is made of.

import { MOST_TERMS } from "../numbers/derive.js";
import { lettersOf, operandsOf, shortened } from "../numbers/expressions.js";
import { say } from "../language.js";
import { showLiveNumber } from "../live/live_number.js";
import { constant, fixed } from "../numbers/numbers.js";

const MOST_IN_FOLD = 200;
const MOST_BEFORE = 6;
const FORMULA = escaped(say("Formula"));
const CLOSE = escaped(say("Close"));
const ASKED_BEFORE = escaped(say("Asked before"));
const MADE_OF = escaped(say("Made of"));
const FURTHER_DOWN = escaped(say("Further down"));
const HIDDEN = escaped(say("The mask hides this cell:"));

export class Explained {
  // `trail` has the cells that were asked for before, the first first.
  constructor(derivations, cell, decimals, trail = []) {
    this.derivations = derivations;
    this.cell = cell;
    this.decimals = decimals;
    this.trail = trail;
    this.found = derivations.explained(cell);
    this.operands = operandsOf(this.found.expression);
    this.shown = operandsOf(shortened(this.found.expression, MOST_TERMS).shown); // those that the formula names
  }

  get isGiven() { return this.found.expression.kind === "given"; }

  // The trail of a cell to which a link leads from here, or back.
  trailTo({ step, head, row, column }) {
    const way = [...this.trail, this.cell];
    const before = way.findIndex((each) => each.step === step && each.head === head && each.row === row && each.column === column);
    return before < 0 ? way.slice(-MOST_BEFORE) : way.slice(0, before);
  }

  // What is lit with it.
  get outline() {
    const { cell, found, derivations } = this;
    const { axes, kinds = axes.map((axis) => derivations.facts.axes[axis]?.kind ?? "") } = derivations.facts.words[cell.step];
    const places = axes.length === 1 ? [cell.column] : [cell.row, cell.column];
    const lines = new Map(kinds.map((kind, i) => [kind, places[i]]).reverse()); // of one kind, the row counts
    lines.delete("");
    const shown = cell.head === null ? cell.step : `${cell.step}/${cell.head}`;
    return {
      cell: [shown, cell.row, cell.column], made_of: boxesOf(this.#lit), goes_into: [], lines: [...lines],
      of: found.cell,
    };
  }

  get #lit() { return [...this.found.names.map((cell) => ({ cell })), ...this.shown]; }

  get html() {
    const { derivations, found, cell } = this;
    const words = derivations.words(cell, found);
    const { latex } = derivations.facts.words[found.cell.step];
    const { isGiven } = this;
    const rule = latex && !isGiven ? `<p>${latex}</p>` : "";
    const written = derivations.arithmetic(found, { decimals: this.decimals, mark: (text, leaf) => this.#live(text, leaf) });
    const formula = `<div class="formula" tabindex="0" role="group" aria-label="${FORMULA}"><div>=\u00a0${written}</div></div>`;
    const heading = isGiven ? ` = ${written}` : "";
    return `${this.#before()}<h2 tabindex="-1">${this.#name(found.cell)}${heading}</h2><p>${escaped(words)}</p>${rule}`
      + `${this.#hidden()}${isGiven ? "" : formula}${this.#letters()}${this.#madeOf()}${this.#furtherDown()}<button type="button" class="close" aria-label="${CLOSE}">\u00d7</button>`;
  }

  // The numbers in it, while one is dragged.
  follow(panel, live) {
    for (const number of panel.querySelectorAll("[data-live]")) showLiveNumber(number, live);
  }

  #before() {
    const links = this.trail.map((cell) => {
      const { cell: found } = this.derivations.of(cell);
      return `<li><button type="button" ${attributesOf(found)}>${this.#name(found)}</button></li>`;
    });
    return links.length ? `<nav aria-label="${ASKED_BEFORE}"><ol>${links.join("")}</ol></nav>` : "";
  }

  #madeOf() {
    if (!this.operands.length) return "";
    const left = this.operands.filter((operand) => !this.shown.includes(operand));
    const rest = left.slice(0, MOST_IN_FOLD).map((operand) => this.#link(operand));
    const summary = escaped(say("{count} more", { count: left.length }));
    const more = rest.length ? `<details><summary>${summary}</summary>${rest.join("")}</details>` : "";
    return `<div class="cells"><span>${MADE_OF}</span>${this.shown.map((operand) => this.#link(operand)).join("")}${more}</div>`;
  }

  #furtherDown() {
    const links = this.derivations.furtherDown(this.found).map((operand) => this.#link(operand));
    return links.length ? `<div class="cells"><span>${FURTHER_DOWN}</span>${links.join("")}</div>` : "";
  }

  // Says that the mask hides a cell, if nothing else says so.
  #hidden() {
    const of = this.derivations.hiddenBy(this.found.cell);
    if (!of || this.found.expression.because) return "";
    return `<div class="cells"><span>${HIDDEN}</span><button type="button" ${attributesOf(of)}>${this.#name(of)}</button></div>`;
  }

  // What the letters of the formula are, and their numbers.
  #letters() {
    const said = lettersOf(this.found.expression).map(({ text, value, words, option }) => {
      const number = constant(value, this.decimals);
      const live = option ? `<b data-live="${this.decimals}" data-option="${option}">${number}</b>` : number;
      return `${withSubscripts(text)} = ${live}: ${escaped(words)}`;
    });
    return said.length ? `<p class="letters">${said.join("; ")}</p>` : "";
  }

  #link({ cell, value }) {
    const number = this.#live(cell.step === "mask" ? String(value) : fixed(value, this.decimals), { kind: "operand", cell });
    return `<button type="button" ${attributesOf(cell)}>${this.#name(cell)} ${number}</button>`;
  }

  /** @param {string} text @param {{kind: string, cell: any, option?: any, less?: any}} leaf */
  #live(text, { kind, cell, option, less }) {
    if (kind === "constant" && !option) return text;
    const where = kind === "constant" ? `data-option="${option}"` : attributesOf(cell);
    const terms = less && JSON.stringify(less.map((term) => term.map((each) => [each.cell.matrix, each.cell.row, each.cell.column])));
    return `<b data-live="${this.decimals}" ${where}${less ? ` data-less="${escaped(terms)}"` : ""}>${text}</b>`;
  }

  #name(cell) {
    const { symbol, labels } = this.derivations.name(cell, (plain) => withSubscripts(escaped(plain)));
    return symbol + escaped(labels);
  }
}

function attributesOf({ matrix, row, column }) {
  return `data-matrix="${matrix}" data-row="${row}" data-column="${column}"`;
}

// Cells of one matrix as one box, or as several if some between them are left out: the matrix, the first
// row and column, the last.
export function boxesOf(operands) {
  const places = new Map();
  for (const { cell: { matrix, row, column } } of operands) places.set(matrix, [...(places.get(matrix) ?? []), [row, column]]);
  return [...places].flatMap(([matrix, cells]) => {
    const around = boxAround(cells);
    const [top, left, bottom, right] = around;
    const isWhole = cells.length === (bottom - top + 1) * (right - left + 1);
    return (isWhole ? [around] : runsOf(cells)).map((box) => [matrix, ...box]);
  });
}

function boxAround(cells) {
  const [rows, columns] = [0, 1].map((axis) => cells.map((cell) => cell[axis]));
  return [Math.min(...rows), Math.min(...columns), Math.max(...rows), Math.max(...columns)];
}

// Boxes around cells that stand beside each other in a row, or in a column where all are of one.
function runsOf(cells) {
  const [down, right] = new Set(cells.map(([, column]) => column)).size === 1 ? [1, 0] : [0, 1];
  const inOrder = cells.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]);
  const runs = [];
  for (const [row, column] of inOrder) {
    const [lastRow, lastColumn] = runs.at(-1)?.at(-1) ?? [];
    if (row - lastRow === down && column - lastColumn === right) runs.at(-1).push([row, column]);
    else runs.push([[row, column]]);
  }
  return runs.map(boxAround);
}

// As with_subscripts in ui/figures/strip.py.
export function withSubscripts(symbol) {
  return symbol.replace(/_([a-zA-Z0-9]+)/g, "<sub>$1</sub>").replace(/\^(\w)/g, "<sup>$1</sup>");
}

function escaped(text) {
  const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  return text.replace(/[&<>"']/g, (sign) => signs[sign]);
}
