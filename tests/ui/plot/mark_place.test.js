import assert from "node:assert/strict";
import { test } from "node:test";

import { markPlace } from "../../../ui/plot/js/hand/mark_place.js";

// Boxes in pixels: a matrix of 3 x 3 cells of 20, with the cell in its middle.
const X = { x: 100, y: 100, w: 60, h: 60 };
const MIDDLE = { x: 120, y: 120, w: 20, h: 20 };
const SEEN = { x: 0, y: 0, w: 400, h: 400 };
const RIGHT = { x: 170, y: 100, w: 60, h: 60 };
const BELOW = { x: 100, y: 170, w: 60, h: 60 };
const LEFT = { x: 30, y: 100, w: 60, h: 60 };
const ABOVE = { x: 100, y: 30, w: 60, h: 60 };
const place = (others, seen = SEEN) => markPlace(MIDDLE, X, [X, ...others], seen);

test("the mark stands right of the matrix, in the row of the cell", () => {
  assert.deepEqual(place([]), { left: 164, top: 116 });
});

test("where another matrix is there, it stands below, left or above", () => {
  assert.deepEqual(place([RIGHT]), { left: 116, top: 164 });
  assert.deepEqual(place([RIGHT, BELOW]), { left: 68, top: 116 });
  assert.deepEqual(place([RIGHT, BELOW, LEFT]), { left: 116, top: 68 });
});

test("it stands on no cell and not out of sight, even if it then stands nowhere", () => {
  assert.deepEqual(place([], { ...SEEN, w: 190 }), { left: 116, top: 164 });
  assert.equal(place([RIGHT, BELOW, LEFT, ABOVE]), undefined);
});
