
// The answer to a puzzle: what is written into free arrays, also of a layer that is not shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer } from "../../../ui/plot/js/building/answer.js";
import { linkOf } from "../../../ui/plot/js/building/answer_link.js";
import { INPUTS } from "./any_layer.js";

const ZEROS = [[0, 0], [0, 0]];
const two = () => ({ ...INPUTS, above: [INPUTS], residual: true, layer: 1, w_u: ZEROS });
const answerOf = () => new Answer(two(), ["w_q", "2.w_q", "w_u"], (matrix) => matrix);
const typed = (matrix, text) => ({ number: 1, matrix, row: 0, column: 0, text });
const rowsOf = (rows) => Array.from(rows, (row) => [...row]);

test("a number goes into the layer that is shown", () => {
  const answer = answerOf();
  answer.showLayer(1);
  answer.enter([typed("w_q", "7")]);
  assert.equal(answer.arrays["2.w_q"][0][0], 7);
  assert.deepEqual(rowsOf(answer.arrays.w_q), rowsOf(INPUTS.arrays.w_q));
  answer.undo();
  assert.deepEqual(rowsOf(answer.arrays["2.w_q"]), rowsOf(INPUTS.arrays.w_q));
});

test("W_U belongs to no layer", () => {
  const answer = answerOf();
  answer.enter([typed("w_u", "3")]);
  assert.equal(answer.arrays.w_u[0][0], 3);
});

test("what is not free is refused", () => {
  const answer = answerOf();
  answer.enter([typed("w_k", "3")]);
  assert.match(answer.refused[0].reason, /w_k cannot be changed here/);
  assert.ok(!answer.isChanged);
});

test("a layer above gets the X that those below make now", () => {
  const answer = answerOf();
  const before = rowsOf(answer.forward.rows("2.x"));
  answer.write({ w_q: [[9, 0], [0, -9]] });
  const after = rowsOf(answer.forward.rows("2.x"));
  assert.notDeepEqual(after, before);
  answer.showLayer(1);
  assert.deepEqual(rowsOf(answer.forward.rows("x")), after);
});

test("a link has plain numbers, and a blank between rows", () => {
  const link = linkOf({ name: "copy", in_link: { d_model: "2" } }, { "2.w_q": [[1e21, -0.5], [0, 1e-7]] });
  assert.equal(link, "build?h.puzzle=copy&h.d_model=2&h.2.w_q.rows=1e21_-0.5+0_1e-7");
});
