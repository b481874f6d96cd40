// The numbers of a saved page: those of the core, and those that the browser computes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SavedLayer } from "../../../ui/plot/js/saved/saved_layer.js";
import { cellOf, farthest, SavedNumbers } from "../../../ui/plot/js/saved/saved_numbers.js";
import { INPUTS } from "./any_layer.js";

const ROWS = [[1, 2], [3, 4]];

// The numbers of a page that carries `q` for the core's Q.
function numbersOf(q) {
  const layer = new SavedLayer(INPUTS, (matrix) => matrix);
  return { layer, numbers: new SavedNumbers({ core: { q }, inputs: INPUTS, facts: {} }, layer) };
}

test("matrices are as far apart as their largest gap, as a share of the largest number", () => {
  assert.equal(farthest([[1, -4]], [[1, -4]]), 0);
  assert.equal(farthest([[1, -4]], [[2, -4]]), 0.25);
  assert.equal(farthest([[NaN, 4]], [[7, 4]]), 0); // hidden there, or lost
});

test("a number that is missing, or none, is never close", () => {
  assert.ok(!(farthest([[1, 2]], []) <= 1));
  assert.ok(!(farthest([[1, 2]], [[1, NaN]]) <= 1));
});

test("the page says whether its own numbers are those of the core", () => {
  const same = numbersOf(ROWS).numbers.check();
  assert.ok(same.isClose);
  assert.match(same.words, /computed all 1 matrices anew.* to the last digit\./);
  const other = numbersOf([[1, 2], [3, 5]]).numbers.check();
  assert.ok(!other.isClose);
  assert.match(other.words, /q differs by 0\.2 of its largest number/);
});

test("a picture has the core's numbers until one is changed, turned as it shows them", () => {
  const { layer, numbers } = numbersOf(ROWS);
  const figure = { matrices: [{ name: "q", transposed: true }] };
  const shown = () => numbers.shownIn({ figure, name: "part" });
  const rows = ({ figure: { matrices: [{ values }] } }) => values.map((row) => [...row]);
  assert.deepEqual(rows(shown()), [[1, 3], [2, 4]]);
  assert.equal(shown().widens, false);
  layer.enter([{ number: 1, matrix: "x", row: 0, column: 1, text: "7" }]);
  assert.deepEqual(rows(shown()), [[1, 3], [7, 4]]);
  assert.equal(shown().widens, true);
});

test("the name of a matrix in pictures says its step and its head", () => {
  assert.deepEqual(cellOf("weights/3"), { step: "weights", head: 3 });
  assert.deepEqual(cellOf("output"), { step: "output", head: null });
});
