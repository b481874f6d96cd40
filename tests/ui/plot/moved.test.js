import assert from "node:assert/strict";
import { test } from "node:test";

import { Board } from "../../../ui/plot/js/board/board.js";
import { differences, exactDifference, signed, signedDigits } from "../../../ui/plot/js/numbers/moved.js";
import { matrixOf, sentOf } from "./any_matrix.js";

const NOW = [Float64Array.of(0.64, NaN, -2), Float64Array.of(0, 1, 3)];
const THEN = [Float64Array.of(0.21, 5, NaN), Float64Array.of(0, 1.5, -1)];
const MOVED = { before: THEN, then: "before" };

test("a difference is the number now minus that before, and hidden where one of both is", () => {
  const moved = differences(NOW, THEN).map((row) => [...row]);
  assert.deepEqual(moved, [[0.64 - 0.21, NaN, NaN], [0, -0.5, 4]]);
});

test("differences that are written have a sign, and none of rounding's digits", () => {
  assert.deepEqual(["0.43", "\u22120.43", "0.00", "0", "1.0e6"].map(signed),
    ["+0.43", "\u22120.43", "0.00", "0", "+1.0e6"]);
  assert.equal(signedDigits(exactDifference(0.64, 0.21, false)), "+0.43");
  assert.equal(signedDigits(exactDifference(123.123, 123.456, false)), "\u22120.333");
  assert.equal(signedDigits(exactDifference(0.1 + 0.2, 0.3, false)), "0");
  assert.equal(signedDigits(exactDifference(0, 0, false)), "0");
  assert.equal(signedDigits(exactDifference(3e-120, 1e-120, false)), "+2e\u2212120");
  assert.equal(signedDigits(exactDifference(3e30, 1e30, false)), "+2e30");
  const [now, then] = Float32Array.of(0.64, 0.21);
  assert.equal(signedDigits(exactDifference(now, then, true)), "+0.43");
});

test("a matrix paints the differences, writes them, and goes on holding its numbers", () => {
  const matrix = matrixOf(NOW, { ...MOVED, cell: 30 });
  assert.equal(matrix.cellText(0, 0), "+0.43");
  assert.equal(matrix.cellText(1, 0), "0.00");
  assert.equal(matrix.cellText(0, 1), "");
  assert.equal(matrix.shade(1, 2), 4);
  assert.deepEqual([...matrix.dots()[1]], [0, -0.5, 4]);
  assert.equal(matrix.reach(), 4);
  assert.equal(matrix.value(0, 0), 0.64);
  assert.equal(matrix.exact(0, 0), "0.64");
  assert.equal(matrix.numbers, NOW);
});

test("without numbers before, what is painted is the very numbers", () => {
  const matrix = matrixOf(NOW);
  assert.equal(matrix.drawn(), NOW);
  assert.equal(matrix.movedNearly(0, 0), "");
  assert.equal(matrix.sentence(0, 0), "weights, head 1, query q0, key k0: 0.64");
});

test("a cell says what it was, and by how much it has moved", () => {
  const matrix = matrixOf(NOW, MOVED);
  assert.equal(matrix.movedNearly(0, 0), "before 0.21, difference +0.43");
  assert.equal(matrix.movedNearly(0, 1), "before 5");
  assert.equal(matrix.movedNearly(0, 2), "before masked");
  assert.ok(matrix.sentence(0, 0).endsWith(": 0.64, before 0.21, difference +0.43"));
  assert.ok(matrix.sentence(0, 1).endsWith(": masked, before 5.00"));
  const example = matrixOf(NOW, { ...MOVED, then: "in the example", decimals: null });
  assert.ok(example.sentence(1, 1).endsWith(": 1, in the example 1.5, difference \u22120.5"));
});

test("cells that are hidden in one of both are hatched", () => {
  const matrix = matrixOf(NOW, { ...MOVED, masked: true });
  assert.equal(matrix.hiddenPath(), "M20 20h20v10H20z");
});

test("dots are means of differences", () => {
  const matrix = matrixOf([[1, 2], [3, 4]], { before: [[0, 0], [0, 0]], cell: 0.5 });
  assert.deepEqual([...matrix.dots()[0]], [2.5]);
});

const SIZED = { cell: { least: 18, preferred: 40, most: 64 }, width: [50, 4], height: [50, 2], decimals: 2 };

// Two matrices with one bar, of which nothing has moved since the change before, and one with a range
// of its own.
function boardOf(followsDrags, before = [[1, 1]]) {
  const bar = { group: "scores", scale: "difference", range: [-4, 4], ticks: [], rows: 1 };
  const moved = { before, then: "before", group: "scores" };
  const own = { name: "x", group: "vectors", own_range: true, caption: "1 \u00d7 2; difference \u00b14.00" };
  const matrices = [
    sentOf([[5, 1]], { ...moved, name: "scores/0" }),
    sentOf([[1, 1]], { ...moved, name: "scores/1" }),
    sentOf([[5, 1]], { ...moved, ...own }),
  ];
  for (const matrix of matrices) Object.assign(matrix, { low: -4, high: 4 });
  return new Board({ ...SIZED, matrices, bars: [bar], follows_drags: followsDrags }, 400, 720);
}

test("a drag begins with no difference, and its colours grow with what moves", () => {
  const board = boardOf(true);
  assert.ok(board.compareWithFigure());
  assert.ok(!board.compareWithFigure()); // once is enough
  const [one, , own] = board.matrices;
  const [bar] = board.bars;
  assert.equal(one.cellText(0, 0), "0.00");
  assert.ok(one.high > 0 && one.high < 1e-6);
  assert.deepEqual(bar.ticks, [[0, "0.00"]]);
  assert.equal(own.caption, "1 \u00d7 2; no difference");
  one.take([[5.5, 1]]);
  own.take([[3, 1]]);
  assert.ok(board.widen());
  assert.equal(one.cellText(0, 0), "+0.50");
  assert.deepEqual(board.matrices.map(({ high }) => high), [0.5, 0.5, 2]);
  assert.deepEqual(bar.ticks, [[-0.5, "\u22120.50"], [0, "0.00"], [0.5, "+0.50"]]);
  assert.equal(own.caption, "1 \u00d7 2; difference \u00b12.00");
  one.take([[5.25, 1]]);
  assert.ok(!board.widen()); // they do not shrink
});

test("the next drag begins with no difference too, from the numbers that are shown", () => {
  const board = boardOf(true);
  assert.ok(!board.compareWithShown()); // no drag has begun
  board.compareWithFigure();
  const [one] = board.matrices;
  one.take([[5.5, 1]]);
  board.widen();
  assert.ok(board.compareWithShown());
  assert.equal(one.cellText(0, 0), "0.00");
  assert.deepEqual(board.bars[0].ticks, [[0, "0.00"]]);
  one.take([[6.5, NaN]]);
  assert.equal(one.movedNearly(0, 0), "before 5.5, difference +1");
});

test("what was no number when the next drag began is known to have been none", () => {
  const lost = matrixOf([[1, NaN]], { before: [[1, NaN]], then: "before", lost: [] });
  lost.take([[NaN, NaN]]);
  lost.compareWithShown();
  lost.take([[2, NaN]]);
  assert.equal(lost.wasHidden(0, 0), false);
  assert.equal(lost.wasHidden(0, 1), true);
});

test("rounding gives no colour", () => {
  const board = boardOf(true);
  board.compareWithFigure();
  board.matrices[0].take([[5 + 1e-12, 1]]);
  assert.ok(!board.widen());
});

test("colours that another picture has too get no wider", () => {
  const matrix = sentOf([[5, 1]], { name: "scores/0", group: "scores", own_range: true, caption: "colours \u00b14.00" });
  for (const keeps_colors of [true, false]) {
    const matrices = [{ ...matrix, low: -4, high: 4 }];
    const board = new Board({ ...SIZED, matrices, bars: [], keeps_colors }, 400, 720);
    assert.equal(board.widen(), !keeps_colors);
    assert.equal(board.matrices[0].high, keeps_colors ? 4 : 5);
  }
});

test("what is compared with the example stays so during a drag", () => {
  const board = boardOf(false);
  assert.ok(!board.compareWithFigure());
  board.matrices[0].take([[7, 1]]);
  assert.equal(board.matrices[0].cellText(0, 0), "+6.00");
  assert.ok(board.widen());
  assert.deepEqual(board.bars[0].range, [-6, 6]);
});

test("a picture that compares nothing is left alone by a drag", () => {
  const board = boardOf(true, null);
  board.compareWithFigure();
  assert.equal(board.matrices[0].cellText(0, 0), "5.00");
  assert.deepEqual(board.bars[0].range, [-4, 4]);
});

test("in the mask itself a hidden cell is a 0, which may have been a 1", () => {
  const ones = [Float64Array.of(1, 1), Float64Array.of(0, 1)];
  const mask = matrixOf([[1, NaN], [1, NaN]], { before: ones, then: "before", zero_where_masked: true });
  assert.deepEqual([...mask.drawn()].map((row) => [...row]), [[0, -1], [1, -1]]);
  assert.equal(mask.isHidden(0, 1), true);
  assert.equal(mask.movedNearly(0, 1), "before 1, difference \u22121");
  assert.equal(mask.movedNearly(1, 0), "before 0, difference +1");
});

test("from and to what is no number there is no difference", () => {
  const now = [Float64Array.of(NaN, 1, 1, 1, NaN)];
  const before = [Float64Array.of(1, NaN, Infinity, NaN, NaN)];
  const meta = { before, then: "in A", masked: true, lost: [0], before_lost: [1] };
  const matrix = matrixOf(now, meta);
  assert.deepEqual(matrix.drawn().map((row) => [...row]), [[Infinity, Infinity, Infinity, NaN, NaN]]);
  assert.deepEqual([0, 1, 2, 3, 4].map((j) => matrix.cellText(0, j)), ["NaN", "NaN", "NaN", "", ""]);
  assert.deepEqual([0, 1, 2, 3].map((j) => matrix.movedNearly(0, j)),
    ["in A 1", "in A NaN", "in A \u221e", "in A masked"]);
  assert.ok(matrix.sentence(0, 0).endsWith(": NaN, in A 1.00"));
  assert.ok(matrix.sentence(0, 1).endsWith(": 1.00, in A NaN"));
});
