// What a person looks at on the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stepsInView } from "../../../ui/plot/js/presenting/in_view.js";

const WINDOW = { w: 1280, h: 720 };

// A plot whose stage begins so many pixels below the upper edge of the window. A matrix is a name, a place and a size.
function plot(top, ...matrices) {
  const board = { matrices: matrices.map(([name, x, y, w, h]) => ({ name, x, y, w, h })) };
  return { board, stage: { style: {}, getBoundingClientRect: () => ({ left: 0, top }) } };
}

const heads = (top) => plot(top,
  ["masked_scores/0", 0, 0, 100, 100], ["masked_scores/1", 100, 0, 100, 100],
  ["weights/0", 0, 110, 100, 100], ["weights/1", 100, 110, 100, 100]);
const together = (top) => plot(top, ["concat", 0, 0, 200, 100], ["output", 200, 0, 90, 100]);

test("of steps of which as much is seen, the last comes first", () => {
  assert.deepEqual(stepsInView([heads(0), together(700)], WINDOW), { most: ["weights", "masked_scores"], others: [] });
});

test("what lies beyond the window does not count", () => {
  assert.deepEqual(stepsInView([heads(-150), together(300)], WINDOW), { most: ["concat"], others: ["output"] });
  assert.deepEqual(stepsInView([heads(600), together(900)], WINDOW), { most: ["masked_scores"], others: ["weights"] });
  assert.deepEqual(stepsInView([heads(540), together(900)], WINDOW), { most: ["weights", "masked_scores"], others: [] }); // most of both
});

test("without a picture in the window, nothing is in view", () => {
  assert.deepEqual(stepsInView([heads(800), { board: null }], WINDOW), { most: [], others: [] });
  assert.deepEqual(stepsInView([], WINDOW), { most: [], others: [] });
});
