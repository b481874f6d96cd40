// What the sheet does without a page: where arrows lead, what is kept, what the address says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFreeToLeave, neighbour, textsOf, withEmbedding } from "../../../ui/controls/answer_sheet.js";

const PLACES = [[0, 0], [0, 2], [1, 0], [1, 1], [2, 2]];

test("an arrow leads to the nearest blank of its row or column", () => {
  assert.equal(neighbour("ArrowRight", [0, 0], PLACES), 1);
  assert.equal(neighbour("ArrowLeft", [0, 2], PLACES), 0);
  assert.equal(neighbour("ArrowDown", [0, 0], PLACES), 2);
  assert.equal(neighbour("ArrowDown", [0, 2], PLACES), 4);
  assert.equal(neighbour("ArrowUp", [2, 2], PLACES), 1);
});

test("there is none beyond the last", () => {
  assert.equal(neighbour("ArrowUp", [0, 0], PLACES), -1);
  assert.equal(neighbour("ArrowRight", [1, 1], PLACES), -1);
  assert.equal(neighbour("ArrowDown", [1, 1], PLACES), -1);
});

test("inside of a text, the arrows to the sides move its cursor", () => {
  const at = (selectionStart, selectionEnd, value) => ({ selectionStart, selectionEnd, value });
  assert.equal(isFreeToLeave("ArrowLeft", at(1, 1, "12")), false);
  assert.equal(isFreeToLeave("ArrowLeft", at(0, 0, "12")), true);
  assert.equal(isFreeToLeave("ArrowRight", at(0, 0, "12")), false);
  assert.equal(isFreeToLeave("ArrowRight", at(2, 2, "12")), true);
  assert.equal(isFreeToLeave("ArrowRight", at(0, 1, "12")), false);
  assert.equal(isFreeToLeave("ArrowLeft", at(0, 1, "12")), false);
  for (const key of ["ArrowLeft", "ArrowRight"]) {
    assert.equal(isFreeToLeave(key, at(0, 2, "12")), true);
    assert.equal(isFreeToLeave(key, at(0, 0, "")), true);
  }
  assert.equal(isFreeToLeave("ArrowDown", at(1, 1, "12")), true);
});

test("only the texts of so many blanks come back", () => {
  assert.deepEqual(textsOf('["1","","<script>"]', 3), ["1", "", "<script>"]);
  for (const kept of ["", "{", "null", "3", '["1"]', '["1","2",3]', '{"length":3}']) {
    assert.deepEqual(textsOf(kept, 3), []);
  }
});

test("what Streamlit reads of the address stays", () => {
  assert.equal(withEmbedding("?embed=true&seed=3", "seed=4"), "embed=true&seed=4");
  assert.equal(withEmbedding("?seed=3&colour=red", ""), "");
});
