import assert from "node:assert/strict";
import { test } from "node:test";

import { cellToPlay, swungTo } from "../../../ui/plot/js/hand/play.js";
import { matrixOf } from "./any_matrix.js";

const SWING = { from: -1, to: 3, period: 2000 };

test("a number swings from one end to the other and back", () => {
  const at = (passed) => Number(swungTo(passed, SWING, false).toFixed(9));
  assert.deepEqual([0, 500, 1000, 1500, 2000].map(at), [-1, 1, 3, 1, -1]);
});

test("for people who want little motion it jumps", () => {
  assert.deepEqual([0, 499, 501, 1000, 1501].map((passed) => swungTo(passed, SWING, true)), [-1, -1, 3, 3, -1]);
});

// What would be played in a picture of these matrices.
function played(matrices, { cursor = null, picked = null } = {}) {
  const scrub = { numberAt: ({ matrix, row, column }) => matrix.value(row, column) };
  const texts = { nameOf: ({ matrix, row, column }) => `${matrix.name} ${row} ${column}` };
  return cellToPlay({ board: { matrices }, hand: { cursor }, picked, scrub, texts, live: null });
}

function given(name) {
  return Object.assign(matrixOf([[1, 2], [3, 4]], { name }), { isEditable: true });
}

test("the number at the cursor is played, or else the picked one, the first of X, the first of all", () => {
  const [w, x, scores] = [given("w_q"), given("x"), matrixOf([[5]], { name: "scores/0" })];
  const [cursor, picked] = [{ matrix: w, row: 1, column: 0 }, { matrix: x, row: 0, column: 1 }];
  assert.equal(played([w, x], { cursor, picked }).name, "w_q 1 0");
  assert.equal(played([w, x], { picked }).name, "x 0 1");
  assert.equal(played([w, x], { cursor: { matrix: scores, row: 0, column: 0 } }).name, "x 0 0");
  assert.equal(played([w, scores]).name, "w_q 0 0");
});

test("it swings around what the number is", () => {
  const { from, to } = played([given("x")]);
  assert.equal((from + to) / 2, 1);
  assert.ok(from < 1);
});
