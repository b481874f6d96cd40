// A number in words or in a formula, which follows while another one is dragged.

import { constant, fixed } from "../numbers/numbers.js";

// What it says: the server's number, unless a drag moves it.
export function showLiveNumber(number, live) {
  number.dataset.said ??= number.textContent;
  const now = live.isOn ? textNow(number.dataset, live) : undefined;
  number.textContent = now === undefined ? number.dataset.said : besideOthers(number, now);
}

function textNow({ live: decimals, option, less, matrix, row, column }, live) {
  if (!live.hasMoved(option ?? matrix)) return undefined;
  if (option) return constant(live.option(option), Number(decimals));
  const value = valueIn(live, { matrix, row, column });
  if (value === undefined) return undefined;
  return fixed(less ? value - written(JSON.parse(less), live) : value, Number(decimals));
}

function valueIn(live, { matrix, row, column }) {
  return live.rows(matrix)?.[row]?.[column];
}

// The terms of a long sum that stand before its rest: products of cells.
function written(terms, live) {
  const product = (cells) => cells.reduce((so_far, [matrix, row, column]) => so_far * valueIn(live, { matrix, row, column }), 1);
  return terms.reduce((sum, cells) => sum + product(cells), 0);
}

// A factor that has become negative stands in brackets, as the server would write it.
function besideOthers({ dataset, previousElementSibling: before, nextElementSibling: after }, text) {
  const hadMinus = dataset.said.startsWith("\u2212");
  const isFactor = [before, after].some((sign) => sign?.textContent === "\u00b7") || before?.textContent === "\u2212";
  return text.startsWith("\u2212") && !hadMinus && isFactor ? `(${text})` : text;
}
