import assert from "node:assert/strict";
import { test } from "node:test";

import { placesIn } from "../../../ui/plot/js/hand/walk.js";
import { matrixOf } from "./any_matrix.js";

const matrix = matrixOf([[1, 2, 3], [4, 5, 6]]);

test("an operation moves over its result row after row, number by number", () => {
  const places = placesIn(matrix, false).map(({ row, column }) => [row, column]);
  assert.deepEqual(places, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
});

test("or over whole rows, where each comes about as one", () => {
  assert.deepEqual(placesIn(matrix, true), [0, 1].map((row) => ({ matrix, row, column: 0, isRow: true })));
});
