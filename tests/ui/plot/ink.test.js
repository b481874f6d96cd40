import assert from "node:assert/strict";
import { test } from "node:test";

import { columnsWithLabels, rowsWithLabels } from "../../../ui/plot/js/drawing/ink.js";
import { matrixOf } from "./any_matrix.js";

const square = (cell) => matrixOf(Array.from({ length: 9 }, () => Array(9).fill(1)), { cell });

test("every row and column has its label where there is room", () => {
  assert.equal(rowsWithLabels(square(20)).length, 9);
  assert.equal(columnsWithLabels(square(20)).length, 9);
});

test("in small cells every second or third has, and slanted labels need more room", () => {
  assert.deepEqual(rowsWithLabels(square(7)), [0, 2, 4, 6, 8]);
  assert.deepEqual(columnsWithLabels(square(7)), [0, 3, 6]);
});

test("a label without a text is left out, and so is one out of sight", () => {
  const matrix = matrixOf([[1, 2, 3]], { cell: 20, column_ticks: ["a", "", "c"] });
  assert.deepEqual(columnsWithLabels(matrix), [0, 2]);
  matrix.showPart({ columns: [1, 3] });
  assert.deepEqual(columnsWithLabels(matrix), [2]);
});
