// A block of a free array, filled at once by an expression.

import { button, html, list } from "../dom.js";
import { say } from "../language.js";
import { blockOf } from "./block_text.js";

const REFUSED = say("The block must be a sum of I, shift(n), ones and numbers. Write 10*I, 4*shift(-1), 0, or I - shift(1).");

// `blocks` has one for each free array and each part of X, `often` are expressions with a button of their own,
// `nameOf(free)` says what a person calls an array. `write(change)` gets a function from the arrays of an answer
// to those that are other ones.
export function fillBar(blocks, often, nameOf, write) {
  const each = (values, named) => [...new Set(values)].map((value) => [value, named(value)]);
  const matrix = list(say("Matrix to fill"), each(blocks.map(({ name }) => name), nameOf));
  const part = list(say("Columns of X"), each(blocks.map((block) => block.part), (of) => say("for {part}", { part: of })));
  const typed = html("input", { "aria-label": say("Block"), placeholder: often[1], size: "12" });
  const refusal = html("p", { class: "caption", role: "status", hidden: "" });
  const fill = (text) => {
    const block = blocks.find(({ name, part: of }) => name === matrix.value && of === part.value);
    const numbers = blockOf(text, ...block.shape);
    refusal.textContent = numbers ? "" : REFUSED;
    refusal.hidden = Boolean(numbers);
    if (numbers) write((arrays) => filled(arrays, block, numbers));
  };
  const ways = [button(say("Fill"), () => fill(typed.value)), ...often.map((text) => button(text, () => fill(text)))];
  const group = html("div", { class: "bar", role: "group", "aria-label": say("Fill") }, matrix, part, typed, ...ways);
  const bar = html("form", {}, group);
  bar.onsubmit = (event) => { // by Enter
    event.preventDefault();
    fill(typed.value);
  };
  return html("div", {}, bar, refusal);
}

function filled(arrays, { name, at: [top, left] }, numbers) {
  const rows = Array.from(arrays[name], (row) => Array.from(row));
  numbers.forEach((block, i) => block.forEach((number, j) => { rows[top + i][left + j] = number; }));
  return { [name]: rows };
}
