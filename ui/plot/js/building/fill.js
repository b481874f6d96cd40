// A block of a free array, filled at once. The numbers come with the page.

import { button, html, setOptions } from "../dom.js";
import { say } from "../language.js";

// `blocks` has one for each free array and each part of X, `nameOf(free)` says what a person calls an array.
// `write(change)` gets a function from the arrays of an answer to those that are other ones.
export function fillBar(blocks, nameOf, write) {
  const matrix = choice(say("Matrix to fill"), [...new Set(blocks.map(({ name }) => name))], nameOf);
  const part = choice(say("Columns of X"), [...new Set(blocks.map((block) => block.part))], (each) => say("for {part}", { part: each }));
  const chosen = () => blocks.find((block) => block.name === matrix.value && block.part === part.value);
  const ways = blocks[0].numbers.map(({ text }, way) => button(text, () => write((arrays) => filled(arrays, chosen(), way))));
  return html("div", { class: "bar", role: "group", "aria-label": say("Fill") }, matrix, part, ...ways);
}

function choice(label, values, nameOf) {
  const list = html("select", { "aria-label": label });
  setOptions(list, values.map((each) => [each, nameOf(each)]));
  return list;
}

function filled(arrays, { name, at: [top, left], numbers }, way) {
  const rows = Array.from(arrays[name], (row) => Array.from(row));
  Array.from(numbers[way].rows, (block, i) => block.forEach((number, j) => { rows[top + i][left + j] = number; }));
  return { [name]: rows };
}
