import assert from "node:assert/strict";
import { test } from "node:test";

import { Hand, scrolledTo } from "../../../ui/plot/js/hand/hand.js";
import { matrixOf } from "./any_matrix.js";

const SEEN = { scrollLeft: 100, clientWidth: 200 };

test("a picture scrolls as far as its cell needs, and stays where that is in sight", () => {
  assert.equal(scrolledTo({ x: 150, w: 20 }, SEEN), 100);
  assert.equal(scrolledTo({ x: 90, w: 20 }, SEEN), 50);
  assert.equal(scrolledTo({ x: 290, w: 20 }, SEEN), 150);
});

test("a picked cell is told by its place in the array", () => {
  const told = [];
  const matrix = matrixOf([[1, 2], [3, 4]], { name: "k/0", transposed: true });
  new Hand({ report: (cell) => told.push(cell) }).pick({ matrix, row: 0, column: 1 });
  assert.deepEqual(told, [{ matrix: "k/0", row: 1, column: 0 }]);
});

test("the preview of a matrix that is picked goes: it would lie over what becomes large", () => {
  const tips = [];
  const matrix = matrixOf([[1]], { name: "weights/0", whole: true });
  new Hand({ report: () => {}, tip: { show: (cell) => tips.push(cell) } }).pick({ matrix, row: 0, column: 0 });
  assert.deepEqual(tips, [null]);
});
