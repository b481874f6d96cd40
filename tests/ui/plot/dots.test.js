import assert from "node:assert/strict";
import { test } from "node:test";

import { meansOfVisible, runsOfNaN } from "../../../ui/plot/js/numbers/dots.js";

const rows = (...each) => each.map((row) => Float64Array.from(row));

test("a dot is the mean of its cells", () => {
  assert.deepEqual(meansOfVisible(rows([1, 2, 3, 4], [5, 6, 7, 8]), 2, 2), rows([3.5, 5.5]));
});

test("a hidden cell is left out of the mean", () => {
  assert.deepEqual(meansOfVisible(rows([1, NaN], [NaN, 4]), 2, 2), rows([2.5]));
});

test("a dot is hidden only where all of its cells are", () => {
  const [dots] = meansOfVisible(rows([NaN, NaN, 0, NaN]), 1, 2);
  assert.deepEqual([...dots], [NaN, 0]);
});

test("the last dots have as many cells as are left", () => {
  const z = rows([1, 3, 5], [1, 3, 5], [7, 9, 11]);
  assert.deepEqual(meansOfVisible(z, 2, 2), rows([2, 5], [8, 11]));
});

test("where a dot is one cell, the numbers are as they were", () => {
  const z = rows([1, NaN]);
  assert.equal(meansOfVisible(z, 1, 1), z);
});

test("runs of hidden cells are found wherever they begin and end", () => {
  assert.deepEqual(runsOfNaN([NaN, NaN, 1, NaN]), [[0, 2], [3, 4]]);
  assert.deepEqual(runsOfNaN([1, 2]), []);
  assert.deepEqual(runsOfNaN([NaN]), [[0, 1]]);
});
