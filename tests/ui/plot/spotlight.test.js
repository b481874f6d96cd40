import assert from "node:assert/strict";
import { test } from "node:test";

import { boxLit, Spotlight } from "../../../ui/plot/js/drawing/spotlight.js";
import { matrixOf } from "./any_matrix.js";

const Z = [[1, 2, 3], [4, 5, 6]];
const scores = matrixOf(Z);
const queries = matrixOf(Z, { columns: "d_k" });
const keys = matrixOf(Z, { rows: "key", columns: "d_k" });
const output = matrixOf(Z, { rows: "d_v", columns: "output" });

function lightOn(kind, row = 1, column = 2) {
  const light = new Spotlight();
  light.kind = kind;
  light.follow({ matrix: scores, row, column });
  return light;
}
const lit = (kind, matrix) => boxLit(matrix, lightOn(kind).lit({}));

test("of the matrix that is pointed at the cell, the row or the column is lit", () => {
  assert.deepEqual(lit("cell", scores), { x: 30, y: 30, w: 10, h: 10 });
  assert.deepEqual(lit("row", scores), scores.rowBox(1));
  assert.deepEqual(lit("column", scores), scores.columnBox(2));
});

test("a matrix that has the token on one axis shows its line", () => {
  assert.deepEqual(lit("cell", queries), queries.rowBox(1));
  assert.deepEqual(lit("column", queries), null);
  assert.deepEqual(lit("cell", keys), null); // it has two keys, and the third is pointed at
});

test("a matrix that has nothing to do with it is in the dark", () => {
  assert.equal(lit("cell", output), null);
});

test("without a light, what is pointed at is lit as ever", () => {
  assert.deepEqual(new Spotlight().lit({ query: 3 }), { query: 3 });
  assert.deepEqual(lightOn("").lit({ query: 3 }), { query: 3 });
});

test("the light stays where it is while nothing is pointed at", () => {
  const light = lightOn("row");
  light.follow(null);
  assert.deepEqual(light.lit({}), { query: 1 });
});

test("in another picture it finds the cell of the same tokens", () => {
  const board = { matrices: [queries, scores], cell: (name, row, column) => ({ name, row, column }) };
  assert.deepEqual(lightOn("cell").cellIn(board), { name: scores.name, row: 1, column: 2 });
  assert.equal(lightOn("cell").cellIn({ ...board, matrices: [queries] }), null);
});
