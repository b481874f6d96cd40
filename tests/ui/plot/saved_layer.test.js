// A page without a server answers entries as the server would.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SavedLayer } from "../../../ui/plot/js/saved/saved_layer.js";
import { INPUTS } from "./any_layer.js";

const layerOf = () => new SavedLayer(INPUTS, (matrix) => ({ x: "X" })[matrix] ?? matrix);
const typed = (number, text, row = 0, column = 0) => ({ number, matrix: "x", row, column, text });
const x = ({ forward }) => forward.rows("x").map((row) => [...row]);

test("a number is taken once, and undone", () => {
  const layer = layerOf();
  assert.equal(layer.enter([typed(1, "-2,5")]), true);
  assert.equal(layer.enter([typed(1, "-2,5")]), false);
  assert.deepEqual(x(layer), [[-2.5, 2], [3, 4]]);
  assert.ok(layer.isChanged && layer.canUndo);
  layer.undo();
  assert.deepEqual(x(layer), [[1, 2], [3, 4]]);
  assert.ok(!layer.canUndo);
});

test("a block goes into the cells from its first one on", () => {
  const layer = layerOf();
  layer.enter([typed(1, "5\t6\n7\t8\n")]);
  assert.deepEqual(x(layer), [[5, 6], [7, 8]]);
});

test("what cannot be taken is refused with a reason, and changes nothing", () => {
  for (const [entry, reason] of [
    [typed(1, "abc"), /X must hold numbers .* got 'abc'/],
    [typed(1, "1e101"), /at most 1e100 in size/],
    [typed(1, "5\t6", 1, 1), /room for 1 × 1 numbers from here on, got 1 × 2/],
    [{ ...typed(1, "cat"), act: "rename" }, /keeps its labels/],
    [{ ...typed(1, "1"), matrix: "weights/0" }, /weights\/0 cannot be changed here/],
  ]) {
    const layer = layerOf();
    layer.enter([entry]);
    assert.match(layer.refused[0].reason, reason);
    assert.ok(!layer.isChanged);
    assert.equal(layer.taken, 1);
  }
});

test("a refused entry goes when its cell gets another text, or none", () => {
  for (const text of ["7", ""]) {
    const layer = layerOf();
    layer.enter([typed(1, "abc"), typed(2, text)]);
    assert.deepEqual(layer.refused, []);
  }
});

test("as it was saved is a step that undo takes back", () => {
  const layer = layerOf();
  layer.enter([typed(1, "9")]);
  layer.asSaved();
  assert.ok(!layer.isChanged);
  layer.undo();
  assert.deepEqual(x(layer), [[9, 2], [3, 4]]);
});
