import assert from "node:assert/strict";
import { test } from "node:test";

import { areStacked, headGapAt, headedMatrices } from "../../../ui/plot/js/board/headings.js";
import { matrixOf } from "./any_matrix.js";

// Heads at these places in pixels, each with two cells of 20 pixels below a heading of 30, and below
// them their weights.
function boardOf(...places) {
  const heads = places.map(([left, top], place) =>
    matrixOf([[1, 2], [3, 4]], {
      name: `scores/${place}`,
      cell: 20,
      left: [left, 0],
      top: [top + 30, 0],
      heading_top: [top, 0],
      head: { place, n_heads: places.length, is_off: false },
    }));
  return { matrices: heads.flatMap((head) => [head, matrixOf([[1]])]), size: { height: 500 } };
}

const BESIDE = boardOf([0, 0], [100, 0], [200, 0]);
const WRAPPED = boardOf([0, 0], [100, 0], [0, 200], [100, 200]);
const BELOW = boardOf([10, 0], [10, 200]);
const gaps = (board, ...points) => points.map(([x, y]) => headGapAt(board, x, y).gap);

test("only matrices below such headings count", () => {
  assert.deepEqual(headedMatrices(BESIDE).map(({ sent }) => sent.head.place), [0, 1, 2]);
});

test("heads side by side have a gap before, between and after them", () => {
  assert.deepEqual(gaps(BESIDE, [-50, 5], [10, 5], [60, 5], [150, 90], [300, 5]), [0, 0, 1, 2, 3]);
  assert.equal(headGapAt(BESIDE, 90, 5).line, "M93 0V70");
  assert.equal(headGapAt(BESIDE, 300, 5).line, "M247 0V70");
});

test("heads that go on in a next row have their gaps there", () => {
  assert.deepEqual(gaps(WRAPPED, [60, -9], [150, 100], [0, 210], [60, 250], [300, 400]), [1, 2, 2, 3, 4]);
  assert.equal(headGapAt(WRAPPED, 150, 100).line, "M147 0V70");
  assert.equal(headGapAt(WRAPPED, 0, 210).line, "M-7 200V270");
  assert.ok(!areStacked(WRAPPED));
});

test("of heads below each other, the height decides", () => {
  assert.ok(areStacked(BELOW));
  assert.ok(!areStacked(boardOf([0, 0])));
  assert.deepEqual(gaps(BELOW, [400, 10], [0, 100], [0, 260]), [0, 1, 2]);
  assert.equal(headGapAt(BELOW, 0, 100).line, "M10 193H50");
  assert.equal(headGapAt(BELOW, 0, 400).line, "M10 498H50");
});
