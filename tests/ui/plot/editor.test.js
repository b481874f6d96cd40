import assert from "node:assert/strict";
import { test } from "node:test";

import { onward } from "../../../ui/plot/js/entering/editor.js";
import { matrixOf } from "./any_matrix.js";

const X = matrixOf([[1, 2, 3], [4, 5, 6]], { name: "x" });
const from = (row, column, down, across) => {
  const next = onward({ matrix: X, row, column }, down, across);
  return [next.row, next.column];
};

test("Tab goes along the row and on to the next, and back", () => {
  assert.deepEqual([from(0, 1, 0, 1), from(0, 2, 0, 1)], [[0, 2], [1, 0]]);
  assert.deepEqual([from(1, 1, 0, -1), from(1, 0, 0, -1)], [[1, 0], [0, 2]]);
});

test("Enter goes down the column, and back up", () => {
  assert.deepEqual([from(0, 1, 1, 0), from(1, 1, -1, 0)], [[1, 1], [0, 1]]);
});

test("at the ends of the matrix they stay", () => {
  assert.deepEqual([from(1, 2, 0, 1), from(0, 0, 0, -1)], [[1, 2], [0, 0]]);
  assert.deepEqual([from(1, 0, 1, 0), from(0, 2, -1, 0)], [[1, 0], [0, 2]]);
});
