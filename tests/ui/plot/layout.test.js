import assert from "node:assert/strict";
import { test } from "node:test";

import { clamp, cut, fit, inView, spaced } from "../../../ui/plot/js/board/layout.js";

const SIZES = { least: 18, preferred: 40, most: 64 };
const figure = (cell = SIZES) => ({ cell, width: [100, 10], height: [50, 5] });
const cellIn = (room, screen = 720, readable = 0) =>
  fit(figure(), room, screen, () => readable).cell;

test("a figure has its preferred size where there is room", () => {
  assert.deepEqual(fit(figure(), 500, 400), { cell: 40, width: 500, height: 250 });
});

test("cells shrink to whole pixels with the room", () => {
  assert.equal(cellIn(405), 30);
});

test("cells grow where all of the figure can be seen at once", () => {
  assert.equal(cellIn(2000, 600), 62); // 60 % of the screen's height
  assert.equal(cellIn(2000, 2000), 64); // and no larger than the most
});

test("cells stay large enough for their numbers, and the picture is wider than its room", () => {
  assert.equal(cellIn(200), 18);
  assert.equal(cellIn(200, 720, 23.4), 24);
});

test("numbers that fit no cell of the preferred size enlarge nothing", () => {
  assert.equal(cellIn(200, 720, 41), 18);
});

test("cells smaller than four pixels may have any size", () => {
  const small = { least: 1.5, preferred: 3, most: 3 };
  assert.equal(fit(figure(small), 125, 720).cell, 2.5);
});

test("labels are left out until neighbours have room", () => {
  assert.deepEqual(spaced([0, 1, 2, 3, 4], 20, 13), [0, 1, 2, 3, 4]);
  assert.deepEqual(spaced([0, 1, 2, 3, 4], 6, 13), [0, 3]);
});

test("what is partly in view is in view", () => {
  assert.deepEqual(inView(1.5, 2, 10), [1, 2, 3]);
  assert.deepEqual(inView(-3, 100, 3), [0, 1, 2]);
  assert.deepEqual(inView(1, 2, 10), [1, 2]);
});

test("a box is cut off at its frame", () => {
  const frame = { x: 0, y: 0, w: 10, h: 10 };
  assert.deepEqual(cut({ x: -5, y: 5, w: 10, h: 10 }, frame), { x: 0, y: 5, w: 5, h: 5 });
  assert.equal(cut({ x: 10, y: 0, w: 5, h: 5 }, frame), null);
});

test("a number is kept between two others", () => {
  assert.deepEqual([clamp(-1, 0, 3), clamp(9, 0, 3)], [0, 3]);
});
