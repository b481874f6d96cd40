// Where a number comes from, when no server can be asked: of which others it is made, and how that is
// written. Read it beside mha_core/layer/derivation.py.

import { isLeaf, numberText, operandsOf, partsOf, withNumbers } from "./expressions.js";
import { say } from "../language.js";
import { expressionOf } from "./made_of.js";

export const MOST_TERMS = 12; // that are written out; of more, those that count most
const FEW = 2; // numbers that another is made of, so that one may look past it

export class Derivations {
  #rows = new Map(); // those of each matrix that was asked for

  // `facts` is what ui/saved/facts.py says of the layer; `forward` has its numbers, and `saved` the arrays
  // of which the facts were told.
  constructor(facts, forward, saved = {}) {
    this.facts = facts;
    this.forward = forward;
    this.saved = saved;
  }

  // How the number of a cell comes about. It stands in the step that computes it: one that changes
  // nothing hands on another's.
  of({ step, head, row, column }) {
    const cell = this.#cell(this.computed(step), head, row, column);
    const rule = this.facts.rules[cell.step];
    return { cell, value: this.number(cell), expression: rule ? expressionOf(rule, this, cell) : { kind: "given" } };
  }

  // The same, past cells that only give the number another name.
  explained(cell) {
    const found = this.of(cell);
    let made = found;
    const names = [];
    while (made.expression.kind === "operand") {
      made = this.of(made.expression.cell);
      names.push(made.cell);
    }
    return { ...made, cell: found.cell, names };
  }

  // The numbers below those that a number is made of, as far as each is made of the next one.
  furtherDown(found) {
    const below = [];
    for (let main = mainOperand(found); main; main = mainOperand(this.explained(main.cell))) below.push(main);
    return below.slice(1);
  }

  // The cell of the mask that hides this one; null where the mask leaves it open.
  hiddenBy({ step, row, column }) {
    const isAfter = this.options.after_mask.includes(step) && step !== "mask";
    return isAfter && !this.rows("mask")[row][column] ? this.operand("mask", null, row, column).cell : null;
  }

  // The step that computes the array of a step.
  computed(step) {
    const hasMask = step === "masked_scores" && this.option("mask.drawn"); // it may be new
    const earlier = this.facts.same[step];
    return earlier && !hasMask ? this.computed(earlier) : step;
  }

  rows(matrix) {
    if (!this.#rows.has(matrix)) this.#rows.set(matrix, this.forward.rows(matrix));
    return this.#rows.get(matrix);
  }

  number({ matrix, row, column }) {
    return this.rows(matrix)[row][column];
  }

  option(name) { return this.forward.given(name); }

  get options() { return this.forward.options; }

  // The key/value head that a query head uses.
  shared(head) {
    return Math.floor((head * this.options.n_kv_heads) / this.options.n_heads);
  }

  width(step) { return this.rows(this.#named(this.computed(step), 0))[0].length; }

  isBlind(row) { return !this.rows("mask")[row].some(Boolean); }

  // The number in a cell, under the name of the step that computes it.
  operand(step, head, row, column) {
    const cell = this.#cell(this.computed(step), head, row, column);
    return { kind: "operand", value: this.number(cell), cell };
  }

  #cell(step, head, row, column) {
    return { step, head: this.hasHeads(step) ? head : null, row, column, matrix: this.#named(step, head) };
  }

  #named(step, head) { return this.hasHeads(step) ? `${step}/${head}` : step; }

  hasHeads(step) { return Boolean(this.facts.words[step]?.has_heads); }

  // ---- how it is written ----

  // The name of a number: its symbol with the labels of its row and column. `decorated` may dress the symbol.
  name({ step, head, row, column }, decorated = (symbol) => symbol) {
    const { symbol, of_heads, axes } = this.facts.words[step];
    const places = axes.map((axis, i) => [axis, axes.length === 1 ? Math.max(row, column) : [row, column][i]]);
    const labels = places.filter(([axis]) => axis !== "1").map(([axis, place]) => this.facts.axes[axis].names[place]);
    return { symbol: decorated(head === null ? symbol : of_heads[head]), labels: `[${labels.join(", ")}]` };
  }

  // What the number is, in words.
  words({ step }, found) {
    const { words } = this.facts;
    const { title, meaning, is_given, as_given } = words[found.cell.step];
    const given = this.#isAsSaved(found) ? as_given : say("as it was given");
    if (is_given) return `${title}, ${given}.`;
    const said = `${title}: ${as_given ? `${meaning.replace(/\.$/, "")}, ${given}.` : meaning}`;
    if (step === found.cell.step) return said;
    return say("{step}: unchanged here. {sentence}", { step: words[step].title, sentence: said });
  }

  #isAsSaved({ cell: { step, row, column }, value }) {
    const before = this.saved[step]?.[row]?.[column];
    return before === undefined || before === value;
  }

  // The formula with its numbers in, and the result; for a given number, only the result. `mark` gets
  // each number as it is written, and the leaf that it is.
  arithmetic({ cell, value, expression }, { decimals, mostTerms = MOST_TERMS, mark = (text, _leaf) => text }) {
    const write = (leaf) => mark(numberText(leaf, decimals), leaf);
    const result = write({ kind: "operand", value, cell });
    if (expression.kind === "given") return result;
    if (expression.because) return `${result} (${expression.because})`;
    const parts = partsOf(expression);
    const isOfOne = expression.kind === "sum" && parts.length === 1 && isLeaf(parts[0]);
    if (!parts.length || isOfOne) return result;
    return `${withNumbers(expression, { kind: "operand", value, cell }, mostTerms, write)} = ${result}`;
  }
}

// The operand in the same place, if it is the first of few; a product has none.
function mainOperand({ cell, expression }) {
  const operands = operandsOf(expression);
  const isProduct = partsOf(expression).some(({ kind }) => kind === "product");
  if (isProduct || !operands.length || operands.length > FEW) return undefined;
  const [first] = operands;
  return ["head", "row", "column"].every((each) => first.cell[each] === cell[each]) ? first : undefined;
}
