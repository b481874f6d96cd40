// How a number is computed from others, as data, and how that is written: mha_core/layer/expressions.py in
// the browser. An expression has a `kind` and a `value`. A leaf is a number in a cell, or a constant: a
// number that stands in none, such as the scale.

import { say } from "../language.js";
import { constant, fixed } from "./numbers.js";

const BINDS = { sum: 0, difference: 0, product: 1, quotient: 1 }; // the others hold together best

const SIGNS = { sigmoid: "\u03c3" }; // of functions that are not written by their names

const MOST_INSIDE = 12; // terms of a sum that is a part of another expression

const COUNTS = { sum: Math.abs, largest: (value) => value }; // how much a term counts among many

export function partsOf(expression) { return expression.parts ?? []; }

export function isLeaf({ kind }) { return kind === "operand" || kind === "constant"; }

// The terms of a sum or of the largest of many, as many as there is room for, and those that are left out.
export function shortened(expression, most) {
  const { kind, parts } = expression;
  const counts = COUNTS[kind];
  if (!counts || parts.length <= most) return { shown: expression, left: [] };
  const rank = ({ value }) => (Number.isNaN(value) ? -Infinity : -counts(value));
  const order = [...parts.keys()].sort((one, other) => Math.sign(rank(parts[one]) - rank(parts[other])) || one - other);
  const kept = new Set(order.slice(0, most));
  return { shown: { ...expression, parts: parts.filter((_, i) => kept.has(i)) }, left: parts.filter((_, i) => !kept.has(i)) };
}

// The cells that an expression is made of, each once.
export function operandsOf(expression) {
  const found = new Map();
  const visit = (part) => {
    if (part.kind === "operand") found.set(`${part.cell.matrix} ${part.cell.row} ${part.cell.column}`, part);
    else partsOf(part).forEach(visit);
  };
  visit(expression);
  return [...found.values()];
}

// The letters of its symbols, each once.
export function lettersOf(expression) {
  const all = [...(expression.letters ?? []), ...partsOf(expression).flatMap(lettersOf)];
  return [...new Map(all.map((letter) => [letter.text, letter])).values()];
}

export function numberText({ kind, value, cell }, decimals) {
  if (cell?.step === "mask") return String(Number(value));
  return kind === "constant" ? constant(value, decimals) : fixed(value, decimals);
}

// The expression with its numbers in. The rest of a long sum is one number, at its end.
export function withNumbers(expression, result, mostTerms, write) {
  const { shown, left } = shortened(expression, mostTerms);
  if (!left.length) return writtenOut(expression, write);
  const rest = left.reduce((so_far, { value }) => so_far + value, 0);
  const others = expression.kind === "sum"
    ? inBracketsIfNegative(write({ kind: "rest", value: rest, cell: result.cell, less: shown.parts.map(operandsOf) }))
    : "\u2026";
  const more = say("{count} more", { count: left.length });
  return writtenOut(shown, write, `${others} (${more})`);
}

// `more` stands for other terms, at its end.
function writtenOut(expression, write, more = "") {
  const { kind, parts } = expression;
  const inside = (part) => inItsPlace(expression, part, write);
  switch (kind) {
    case "sum": {
      const [first, ...others] = parts.map(inside);
      return [first, ...others.map(inBracketsIfNegative), ...(more ? [more] : [])].join(" + ");
    }
    case "difference": {
      const less = writtenOut(parts[1], write);
      const isLoose = BINDS[parts[1].kind] === BINDS.sum || isNegative(less);
      return `${writtenOut(parts[0], write)} \u2212 ${isLoose ? `(${less})` : less}`;
    }
    case "product": return parts.map(inside).join("\u00b7");
    case "quotient": return parts.map(inside).join(" / ");
    case "power": return parts.map(inside).join("^");
    case "applied": return `${SIGNS[expression.name] ?? expression.name}(${asPart(parts[0], write)})`;
    case "largest": return `max(${[...parts.map((part) => writtenOut(part, write)), ...(more ? [more] : [])].join(", ")})`;
    case "zero": return "0";
    case "hidden": return "\u2212\u221e";
    default: return write(expression);
  }
}

// A long sum ends with dots inside another expression.
function asPart(part, write) {
  const { shown, left } = shortened(part, MOST_INSIDE);
  return writtenOut(shown, write, left.length ? `\u2026 (${say("{count} more", { count: left.length })})` : "");
}

// A part in brackets where it would fall apart without.
function inItsPlace({ kind }, part, write) {
  const text = asPart(part, write);
  const isLoose = (BINDS[part.kind] ?? 2) < BINDS[kind] || (BINDS[kind] === BINDS.product && isNegative(text));
  return isLoose ? `(${text})` : text;
}

function inBracketsIfNegative(text) { return isNegative(text) ? `(${text})` : text; }

// A number that is marked begins with what marks it.
function isNegative(text) { return /^(<[^>]*>)*[-\u2212]/.test(text); }
