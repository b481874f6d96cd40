import assert from "node:assert/strict";
import { test } from "node:test";

import { boxesOf, Explained, withSubscripts } from "../../../ui/plot/js/saved/saved_words.js";

const at = (row, column, step = "weights", head = 0) => ({ step, head, row, column });

// What is said of a cell, after others were asked for.
function after(trail, cell) {
  return Object.assign(Object.create(Explained.prototype), { trail, cell });
}

test("the way grows with each link, and a link back shortens it", () => {
  const said = after([at(0, 0), at(0, 1)], at(0, 2));
  assert.deepEqual(said.trailTo(at(1, 1)), [at(0, 0), at(0, 1), at(0, 2)]);
  assert.deepEqual(said.trailTo(at(0, 1)), [at(0, 0)]);
  assert.deepEqual(said.trailTo(at(0, 1, "weights", 1)).length, 3); // of another head
});

test("of a long way the last cells are kept", () => {
  const way = Array.from({ length: 8 }, (_, i) => at(0, i));
  const kept = after(way, at(1, 0)).trailTo(at(2, 0));
  assert.deepEqual(kept.at(-1), at(1, 0));
  assert.equal(kept.length, 6);
});

const operandsAt = (cells) => cells.map(([matrix, row, column]) => ({ cell: { matrix, row, column } }));

test("cells of one matrix are lit as one box", () => {
  const cells = [["k/0", 2, 1], ["q/0", 0, 0], ["k/0", 1, 1], ["k/0", 1, 2], ["k/0", 2, 2]];
  assert.deepEqual(boxesOf(operandsAt(cells)), [["k/0", 1, 1, 2, 2], ["q/0", 0, 0, 0, 0]]);
});

test("cells that are left out of a row or a column are not lit", () => {
  const row = [["k/0", 2, 0], ["k/0", 2, 1], ["k/0", 2, 5]];
  assert.deepEqual(boxesOf(operandsAt(row)), [["k/0", 2, 0, 2, 1], ["k/0", 2, 5, 2, 5]]);
  const column = [["w_q", 7, 3], ["w_q", 0, 3], ["w_q", 6, 3]];
  assert.deepEqual(boxesOf(operandsAt(column)), [["w_q", 0, 3, 0, 3], ["w_q", 6, 3, 7, 3]]);
});

test("letters below and above are marked as such", () => {
  assert.equal(withSubscripts("W_Q"), "W<sub>Q</sub>");
  assert.equal(withSubscripts("K_1^T"), "K<sub>1</sub><sup>T</sup>");
});
