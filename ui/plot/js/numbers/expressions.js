// How a number is computed from others, as data, and how that is written: mha_core/layer/expressions.py in
// the browser. An expression has a `kind` and a `value`. A leaf is a number in a cell, or a constant: a
// number that stands in none, such as the scale.

import { constant, fixed } from "./numbers.js";

const BINDS = { sum: 0, difference: 0, product: 1, quotient: 1 }; // the others hold together best

export function partsOf(expression) { return expression.parts ?? []; }

export function isLeaf({ kind }) { return kind === "operand" || kind === "constant"; }

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

export function numberText({ kind, value, cell }, decimals) {
  if (cell?.step === "mask") return String(Number(value));
  return kind === "constant" ? constant(value, decimals) : fixed(value, decimals);
}

// The expression with its numbers in. The rest of a long sum is one number, at its end.
export function withNumbers(expression, result, mostTerms, write) {
  if (expression.kind !== "sum" || expression.parts.length <= mostTerms) return writtenOut(expression, write);
  const { terms, rest } = shortened(expression, mostTerms);
  const others = write({ kind: "rest", value: rest, cell: result.cell, less: terms.map(operandsOf) });
  const count = expression.parts.length - terms.length;
  return `${writtenOut({ ...expression, parts: terms }, write)} + ${inBracketsIfNegative(others)} (${count} more)`;
}

// The largest terms in their order, and the rest of the sum as one number.
function shortened({ parts }, most) {
  const rank = ({ value }) => (Number.isNaN(value) ? -Infinity : -Math.abs(value));
  const order = [...parts.keys()].sort((one, other) => Math.sign(rank(parts[one]) - rank(parts[other])) || one - other);
  const kept = new Set(order.slice(0, most));
  const rest = parts.filter((_, i) => !kept.has(i)).reduce((so_far, { value }) => so_far + value, 0);
  return { terms: parts.filter((_, i) => kept.has(i)), rest };
}

function writtenOut(expression, write) {
  const { kind, parts } = expression;
  const inside = (part) => inItsPlace(expression, part, write);
  switch (kind) {
    case "sum": {
      const [first, ...others] = parts.map(inside);
      return [first, ...others.map(inBracketsIfNegative)].join(" + ");
    }
    case "difference": {
      const less = writtenOut(parts[1], write);
      const isLoose = BINDS[parts[1].kind] === BINDS.sum || isNegative(less);
      return `${writtenOut(parts[0], write)} \u2212 ${isLoose ? `(${less})` : less}`;
    }
    case "product": return parts.map(inside).join("\u00b7");
    case "quotient": return parts.map(inside).join(" / ");
    case "power": return parts.map(inside).join("^");
    case "applied": return `${expression.name}(${writtenOut(parts[0], write)})`;
    case "largest": return `max(${parts.map((part) => writtenOut(part, write)).join(", ")})`;
    case "zero": return "0";
    case "hidden": return "\u2212\u221e";
    default: return write(expression);
  }
}

// A part in brackets where it would fall apart without.
function inItsPlace({ kind }, part, write) {
  const text = writtenOut(part, write);
  const isLoose = (BINDS[part.kind] ?? 2) < BINDS[kind] || (BINDS[kind] === BINDS.product && isNegative(text));
  return isLoose ? `(${text})` : text;
}

function inBracketsIfNegative(text) { return isNegative(text) ? `(${text})` : text; }

// A number that is marked begins with what marks it.
function isNegative(text) { return /^(<[^>]*>)*[-\u2212]/.test(text); }
