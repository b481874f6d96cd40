import assert from "node:assert/strict";
import { test } from "node:test";

import { CellEditor, onward } from "../../../ui/plot/js/entering/editor.js";
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

// The width of the field of a cell that is 20 pixels wide, while this stands in it.
function widthWith(value) {
  const element = { value, style: {} };
  const edited = { boxOf: () => ({ x: 40, y: 0, w: 20, h: 20 }), element, cell: {}, plot: { board: { size: { width: 400 } } } };
  const editor = Object.assign(Object.create(CellEditor.prototype), edited);
  editor.place();
  return parseFloat(element.style.width);
}

test("a field grows with its number, so that the next cell can be clicked", () => {
  assert.ok(widthWith("7") < 2 * 20);
  assert.ok(widthWith("-0.25") > widthWith("7"));
  assert.equal(widthWith("-0.123456789"), 64);
});
