import assert from "node:assert/strict";
import { test } from "node:test";

import { fits, placeOf } from "../../../ui/controls/grid_guard.js";

const SIZE = { rows: 3, columns: 2 };

test("a block fits where the grid has a cell for each of its numbers", () => {
  assert.ok(fits("1\t2\n3\t4", { row: 1, column: 0 }, SIZE));
  assert.ok(!fits("1\t2\n3\t4", { row: 2, column: 0 }, SIZE));
  assert.ok(!fits("1\t2", { row: 0, column: 1 }, SIZE));
});

test("the end of the last line is no line more, as spreadsheets send it", () => {
  assert.ok(fits("1\r\n2\r\n3\r\n", { row: 0, column: 0 }, SIZE));
});

test("the widest line counts", () => {
  assert.ok(!fits("1\n2\t3\t4", { row: 0, column: 0 }, SIZE));
});

test("a cell's place stands in its name, and the first column has the rows' labels", () => {
  assert.deepEqual(placeOf({ id: "glide-cell-3-7" }), { row: 7, column: 2 });
  assert.deepEqual(placeOf({ id: "glide-cell-0-7" }), { row: 7, column: 0 });
});
