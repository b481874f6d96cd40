import assert from "node:assert/strict";
import { test } from "node:test";

import { cellAfter, editOf, isSameCell } from "../../../ui/plot/js/hand/keyboard.js";
import { matrixOf } from "./any_matrix.js";

const WIDE = matrixOf([[1, 2, 3], [4, 5, 6]]);
const SMALL = matrixOf([[1]], { name: "output" });
const after = (key, row, column) => cellAfter(key, { matrix: WIDE, row, column }, [WIDE, SMALL]);
const places = (...cells) => cells.map(({ row, column }) => [row, column]);

test("arrow keys go one cell and stop at the edge", () => {
  assert.deepEqual(places(after("ArrowDown", 0, 1), after("ArrowRight", 0, 1)), [[1, 1], [0, 2]]);
  assert.deepEqual(places(after("ArrowUp", 0, 1), after("ArrowRight", 0, 2)), [[0, 1], [0, 2]]);
});

// Cells of 10 pixels: two matrices beside each other, and a low and wide one below both.
const at = (name, left, top, values) => matrixOf(values, { name, left: [left, 0], top: [top, 0] });
const LEFT = at("left", 0, 0, [[1, 2], [3, 4], [5, 6]]);
const RIGHT = at("right", 40, 0, [[1, 2], [3, 4]]);
const BELOW = at("below", 0, 60, [[1, 2, 3, 4, 5, 6]]);
const beyond = (key, matrix, row, column) => {
  const next = cellAfter(key, { matrix, row, column }, [LEFT, BELOW, RIGHT]);
  return [next.matrix.name, next.row, next.column];
};

test("arrow keys go on over the border, to the nearest cell of the matrix on that side", () => {
  assert.deepEqual(beyond("ArrowRight", LEFT, 1, 1), ["right", 1, 0]);
  assert.deepEqual(beyond("ArrowRight", LEFT, 2, 1), ["right", 1, 0]);
  assert.deepEqual(beyond("ArrowLeft", RIGHT, 0, 0), ["left", 0, 1]);
  assert.deepEqual(beyond("ArrowDown", RIGHT, 1, 1), ["below", 0, 5]);
  assert.deepEqual(beyond("ArrowUp", BELOW, 0, 0), ["left", 2, 0]);
  assert.deepEqual(beyond("ArrowUp", BELOW, 0, 4), ["right", 1, 0]);
});

test("where there is no matrix on that side, arrow keys stop at the border", () => {
  assert.deepEqual(beyond("ArrowRight", BELOW, 0, 5), ["below", 0, 5]);
  assert.deepEqual(beyond("ArrowUp", LEFT, 0, 1), ["left", 0, 1]);
  assert.deepEqual(beyond("ArrowRight", RIGHT, 1, 1), ["right", 1, 1]);
});

test("over the border of a matrix, no cell is left out that the zoom shows", () => {
  const zoomed = at("zoomed", 40, 0, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]);
  zoomed.showPart({ rows: [1, 3], columns: [2, 4] });
  const next = cellAfter("ArrowRight", { matrix: LEFT, row: 0, column: 1 }, [LEFT, zoomed]);
  assert.deepEqual([next.row, next.column], [1, 2]);
});

test("Home and End go along the row", () => {
  assert.deepEqual(places(after("Home", 1, 1), after("End", 1, 1)), [[1, 0], [1, 2]]);
});

test("Page Up and Page Down go to the other matrices, to the nearest cell that they have", () => {
  for (const key of ["PageDown", "PageUp"]) {
    const { matrix, row, column } = after(key, 1, 2);
    assert.deepEqual([matrix.name, row, column], ["output", 0, 0]);
  }
});

test("Enter stays, and other keys mean nothing", () => {
  assert.ok(isSameCell(after("Enter", 1, 2), { matrix: WIDE, row: 1, column: 2 }));
  for (const key of ["a", "Escape"]) assert.equal(after(key, 0, 0), undefined);
});

test("two absent cells are the same, and cells of two matrices are not", () => {
  assert.ok(isSameCell(null, null));
  assert.ok(!isSameCell({ matrix: WIDE, row: 0, column: 0 }, { matrix: SMALL, row: 0, column: 0 }));
});

test("keys edit a cell as in a spreadsheet", () => {
  for (const key of ["7", "-", "\u2212", ".", ","]) {
    assert.deepEqual(editOf(key), { opens: true, text: key });
  }
  assert.deepEqual([editOf("F2"), editOf("Enter")], [{ opens: true }, { opens: true }]);
  assert.deepEqual([editOf("Delete"), editOf("Backspace")], [{ enters: "0" }, { enters: "0" }]);
  for (const key of ["ArrowUp", "Escape", "Tab", " ", "r"]) assert.equal(editOf(key), null);
});
