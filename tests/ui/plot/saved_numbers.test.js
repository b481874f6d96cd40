// The numbers of a saved page: those of the core, and those that the browser computes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SavedLayer } from "../../../ui/plot/js/saved/saved_layer.js";
import { cellOf, farFrom, SavedNumbers } from "../../../ui/plot/js/saved/saved_numbers.js";
import { INPUTS } from "./any_layer.js";

const Q = [[1, 2], [3, 4]]; // of this layer
const SUM = sumOf(Q.flat());

// As ui/saved/pictures.py makes it: each number has a part in it that looks like chance.
function sumOf(numbers) {
  return numbers.reduce((made, number, place) => made + number * Math.sin(place * place + 1), 0);
}

// The numbers of a page that carries this sum of the core's Q.
function numbersOf(sum, count = 4) {
  const layer = new SavedLayer(INPUTS, (matrix) => matrix);
  return { layer, numbers: new SavedNumbers({ sums: { q: [sum, count] }, inputs: INPUTS, facts: {} }, layer) };
}

test("a matrix is as far from another as their sums, as a share of its largest number", () => {
  assert.equal(farFrom([SUM, 4], Q), 0);
  assert.equal(farFrom([sumOf([1, 2, 3, 5]) + 0.5, 4], [[1, 2], [3, 5]]), 0.1);
  assert.equal(farFrom([sumOf([1]), 1], [[1, NaN]]), 0); // hidden there, or lost
});

test("numbers that change places, or differ to and fro, do not cancel each other", () => {
  const rows = Array.from({ length: 7 }, (_, i) => Array.from({ length: 5 }, (_, j) => i * 5 + j + 1));
  const sum = sumOf(rows.flat());
  assert.equal(farFrom([sum, 35], rows), 0);
  assert.ok(farFrom([sum, 35], rows.toReversed()) > 1e-3);
  assert.ok(farFrom([sum, 35], rows.map((row) => row.toReversed())) > 1e-3);
  assert.ok(farFrom([sum, 35], rows.map(([first, second, ...rest]) => [first + 1, second - 1, ...rest])) > 1e-3);
});

test("a number that is missing, or none, is never close", () => {
  assert.ok(!(farFrom([SUM, 4], []) <= 1));
  assert.ok(!(farFrom([1, 2], [[1, NaN]]) <= 1));
});

test("the page says whether its own numbers are those of the core", () => {
  const same = numbersOf(SUM).numbers.check();
  assert.ok(same.isClose);
  assert.match(same.words, /computed its matrix anew\. It agrees .* to the last digit\./);
  const other = numbersOf(SUM - 1).numbers.check();
  assert.ok(!other.isClose);
  assert.match(other.words, /q differs by about 0\.25 of its largest number/);
  assert.ok(!numbersOf(SUM, 3).numbers.check().isClose);
  const { layer } = numbersOf(SUM);
  const none = new SavedNumbers({ sums: {}, inputs: INPUTS, facts: {} }, layer).check();
  assert.deepEqual(none, { isClose: true, words: "" }); // a stop without pictures
});

test("a picture has the numbers that there are now, turned as it shows them", () => {
  const { layer, numbers } = numbersOf(SUM);
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
