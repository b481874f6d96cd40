// What one number of a step is made of: mha_core/layer/replay.py in the browser. The rules are data that
// the server wrote (mha_core/terms/): lists that begin with what they are.

import { say } from "../language.js";
import { FUNCTIONS } from "./tensor.js";

const COUNTS = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "/": (one, other) => one / other,
  "//": (one, other) => Math.floor(one / other),
  "%": (one, other) => one % other,
};
const VALUES = {
  sum: (numbers) => numbers.reduce((total, number) => total + number, 0),
  difference: ([from, less]) => from - less,
  product: ([left, right]) => left * right,
  quotient: ([over, under]) => over / under,
  power: ([base, exponent]) => base ** exponent,
  largest: (numbers) => Math.max(...numbers),
};
const CONDITIONS = {
  open: (d, { row, column }) => d.rows("mask")[row][column],
  seeing: (d, { row }) => !d.isBlind(row),
  on: (d, { head }) => !d.options.heads_off.includes(head),
  adding: (d, { row, column }) => d.facts.additive[row][column] !== -Infinity,
};

// The number of a cell, as an expression of other cells: the rule of its step, made for this cell. `d`
// has the numbers (derive.js), `i` is the running number of a sum.
export function expressionOf(rule, d, cell, i = 0) {
  const [kind, ...parts] = rule;
  const count = (of) => countOf(of, d, cell, i);
  const made = (part) => expressionOf(part, d, cell, i);
  const holds = (what) => (typeof what === "string" ? CONDITIONS[what](d, cell) : count(what[1]) < count(what[2]));
  switch (kind) {
    case "at": {
      const [array, head, row, column] = parts;
      return d.operand(array, d.hasHeads(array) ? count(head) : null, count(row), d.width(array) === 1 ? 0 : count(column));
    }
    case "number": return constantOf(count(parts[0]), "", parts[1], count);
    case "chosen": return constantOf(d.option(parts[0]), parts[0], parts[1], count);
    case "zero": return { kind, value: 0, because: parts[0] };
    case "hidden": {
      const mask = d.operand("mask", null, cell.row, cell.column);
      return { kind, parts: [mask], value: -Infinity, because: say("the mask hides the key from the query") };
    }
    case "if": return made(holds(parts[0]) ? parts[1] : parts[2]);
    case "applied": {
      const of = made(parts[1]);
      return { kind, name: parts[0], parts: [of], value: FUNCTIONS[parts[0]](of.value) };
    }
    default: {
      const each = parts.flatMap((part) => (part[0] === "each" ? allOf(part, d, cell, count) : [made(part)]));
      return { kind, parts: each, value: VALUES[kind](each.map(({ value }) => value)) };
    }
  }
}

// A number that stands in no cell. A letter of its symbol that has no number gets that of the symbol.
function constantOf(value, option, letters, count) {
  const explained = letters.map(([text, words, of]) => (of === null ? { text, words, value, option } : { text, words, value: count(of), option: "" }));
  return { kind: "constant", value, option, letters: explained };
}

function allOf([, many, part], d, cell, count) {
  return Array.from({ length: count(many) }, (_, i) => expressionOf(part, d, cell, i));
}

function countOf(count, d, cell, i) {
  if (count === "i") return i;
  if (count === "shared") return d.shared(cell.head);
  if (typeof count === "string") return cell[count];
  if (typeof count === "number") return count;
  const [kind, one, other] = count;
  if (kind === "width") return d.width(one);
  if (kind === "one of") return one[countOf(other, d, cell, i)];
  if (kind === "unsigned") return Math.abs(countOf(one, d, cell, i));
  if (kind === "within") return Math.min(Math.max(countOf(one, d, cell, i), other), count[3]);
  return COUNTS[kind](countOf(one, d, cell, i), countOf(other, d, cell, i));
}
