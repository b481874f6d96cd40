// What a saved page says of a number: what it is, how it comes about, and what it is made of.

import { operandsOf } from "../numbers/expressions.js";
import { showLiveNumber } from "../live/live_number.js";
import { fixed } from "../numbers/numbers.js";

const MOST_LINKS = 12; // to cells, before the rest stand in a fold
const MOST_IN_FOLD = 200;
const MOST_BEFORE = 6;

export class Explained {
  // `trail` has the cells that were asked for before, the first first.
  constructor(derivations, cell, decimals, trail = []) {
    this.derivations = derivations;
    this.cell = cell;
    this.decimals = decimals;
    this.trail = trail;
    this.found = derivations.of(cell);
    this.operands = operandsOf(this.found.expression);
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
      cell: [shown, cell.row, cell.column], made_of: boxesOf(this.operands), goes_into: [], lines: [...lines],
      of: found.cell,
    };
  }

  get html() {
    const { derivations, found, cell } = this;
    const words = derivations.words(cell, found);
    const { latex } = derivations.facts.words[found.cell.step];
    const { isGiven } = this;
    const rule = latex && !isGiven ? `<p>${latex}</p>` : "";
    const written = derivations.arithmetic(found, { decimals: this.decimals, mark: (text, leaf) => this.#live(text, leaf) });
    const formula = `<div class="formula" tabindex="0" role="group" aria-label="Formula"><div>=\u00a0${written}</div></div>`;
    const heading = isGiven ? ` = ${written}` : "";
    return `${this.#before()}<h2 tabindex="-1">${this.#name(found.cell)}${heading}</h2><p>${escaped(words)}</p>${rule}`
      + `${isGiven ? "" : formula}${this.#madeOf()}<button type="button" class="close" aria-label="Close">\u00d7</button>`;
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
    return links.length ? `<nav aria-label="Asked before"><ol>${links.join("")}</ol></nav>` : "";
  }

  #madeOf() {
    if (!this.operands.length) return "";
    const links = this.operands.slice(0, MOST_LINKS + MOST_IN_FOLD).map((operand) => this.#link(operand));
    const [first, rest] = [links.slice(0, MOST_LINKS), links.slice(MOST_LINKS)];
    const left = this.operands.length - first.length;
    const more = rest.length ? `<details><summary>${left} more</summary>${rest.join("")}</details>` : "";
    return `<div class="cells"><span>Made of</span>${first.join("")}${more}</div>`;
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

// Cells of one matrix as one box: the matrix, the first row and column, the last.
export function boxesOf(operands) {
  const boxes = new Map();
  for (const { cell: { matrix, row, column } } of operands) {
    const [, top, left, bottom, right] = boxes.get(matrix) ?? [matrix, row, column, row, column];
    boxes.set(matrix, [matrix, Math.min(top, row), Math.min(left, column), Math.max(bottom, row), Math.max(right, column)]);
  }
  return [...boxes.values()];
}

// As with_subscripts in ui/figures/strip.py.
export function withSubscripts(symbol) {
  return symbol.replace(/_([a-zA-Z0-9]+)/g, "<sub>$1</sub>").replace(/\^(\w)/g, "<sup>$1</sup>");
}

function escaped(text) {
  const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  return text.replace(/[&<>"']/g, (sign) => signs[sign]);
}
