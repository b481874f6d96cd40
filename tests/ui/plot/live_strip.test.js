import assert from "node:assert/strict";
import { test } from "node:test";

import { pixelsOf, reduced } from "../../../ui/plot/js/live/live_strip.js";

const [RED, BLUE] = [[200, 0, 0], [0, 0, 200]];

test("a small matrix stays as it is, of a large one each cell is a mean", () => {
  assert.deepEqual(reduced([Float64Array.of(1, 2), Float64Array.of(3, 4)], 2), [[1, 2], [3, 4]]);
  const five = [1, 2, 3, 4, 9].map((number) => Float64Array.of(number, number + 10));
  assert.deepEqual(reduced(five, 2), [[2, 12], [6.5, 16.5]]); // three rows, then two
  assert.deepEqual(reduced([Float64Array.of(1, 2, 3, 4, 9)], 2), [[2, 6.5]]);
});

test("opacity stands for size, colour for sign", () => {
  assert.deepEqual([...pixelsOf([[1, -2], [0, 2]], [RED, BLUE])],
    [...BLUE, 128, ...RED, 255, ...BLUE, 0, ...BLUE, 255]);
});

test("a matrix of zeros is clear", () => {
  assert.deepEqual([...pixelsOf([[0]], [RED, BLUE])], [...BLUE, 0]);
});

test("what is no number is clear", () => {
  const cells = reduced([Float64Array.of(NaN, Infinity, 2)], 3);
  assert.deepEqual([...pixelsOf(cells, [RED, BLUE])], [...BLUE, 0, ...BLUE, 0, ...BLUE, 255]);
});
