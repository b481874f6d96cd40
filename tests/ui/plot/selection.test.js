import assert from "node:assert/strict";
import { test } from "node:test";

import { Selection } from "../../../ui/plot/js/hand/selection.js";
import { matrixOf } from "./any_matrix.js";

const X = matrixOf([[1, -2, 0.1], [4, 5, 6]], { name: "x" });
const OTHER = matrixOf([[1]], { name: "w_q" });
const at = (row, column, matrix = X) => ({ matrix, row, column });

// A plot whose cursor has gone along these cells, with Shift from the second on.
function selected(...cells) {
  const plot = { hand: { cursor: null }, lightUp: () => {} };
  const selection = new Selection(plot);
  cells.forEach((cell, i) => {
    selection.follow(plot.hand.cursor, cell, i > 0);
    plot.hand.cursor = cell;
  });
  return { selection, plot };
}

test("Shift selects from where it began, in whatever direction", () => {
  const { selection } = selected(at(1, 2), at(1, 1), at(0, 1));
  assert.equal(selection.asTabs(), "-2\t0.1\n5\t6");
  assert.deepEqual(selection.corner, at(0, 1));
  assert.equal(selection.zeros(), "0\t0\n0\t0");
  assert.equal(selection.isOne, false);
});

test("a move without Shift, or to another matrix, ends the selection", () => {
  const { selection, plot } = selected(at(0, 0), at(0, 1));
  selection.follow(plot.hand.cursor, at(0, 2), false);
  plot.hand.cursor = at(0, 2);
  assert.equal(selection.isOne, true);
  assert.equal(selection.zeros(), "0");
  assert.equal(selected(at(0, 0), at(0, 1), at(0, 0, OTHER)).selection.isOne, true);
});

test("what comes back to its beginning is one cell again", () => {
  assert.equal(selected(at(0, 0), at(0, 1), at(0, 0)).selection.isOne, true);
});
