// Where tips, menus and panels stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atEdge, belowButton, belowLabel, besideCell } from "../../../ui/plot/js/around/floating.js";

const ROOM = { width: 300, height: 200 };
const SIZE = { width: 80, height: 40 };

test("a tip stands right below its cell, and on the other side where there is no room", () => {
  assert.deepEqual(besideCell({ x: 20, y: 30, w: 10, h: 10 }, SIZE, ROOM), { left: 40, top: 50 });
  assert.deepEqual(besideCell({ x: 250, y: 170, w: 10, h: 10 }, SIZE, ROOM), { left: 160, top: 120 });
});

test("nothing stands beyond the edge of the window, however large it is", () => {
  const huge = { width: 500, height: 500 };
  assert.deepEqual(besideCell({ x: 20, y: 30, w: 10, h: 10 }, huge, ROOM), { left: 4, top: 4 });
  assert.deepEqual(belowLabel({ x: 20, y: 30, w: 10, h: 10 }, huge, ROOM), { left: 4, top: 4 });
  assert.deepEqual(belowButton({ left: 20, right: 40, bottom: 30 }, huge, ROOM), { left: 8, top: 8 });
});

test("a menu stands below its label, or above it", () => {
  assert.deepEqual(belowLabel({ x: 20, y: 30, w: 10, h: 10 }, SIZE, ROOM), { left: 20, top: 42 });
  assert.deepEqual(belowLabel({ x: 290, y: 180, w: 10, h: 10 }, SIZE, ROOM), { left: 216, top: 138 });
});

test("what a button opens is below it, or seen whole beside it, or over it where there is no room", () => {
  assert.deepEqual(belowButton({ left: 20, right: 40, bottom: 30 }, SIZE, ROOM), { left: 20, top: 34 });
  assert.deepEqual(belowButton({ left: 20, right: 40, bottom: 190 }, SIZE, ROOM), { left: 44, top: 152 });
  assert.deepEqual(belowButton({ left: 270, right: 290, bottom: 190 }, SIZE, ROOM), { left: 212, top: 152 });
});

test("at the edge of a phone's window it stands away from what was tapped: the matrix, or else its cell", () => {
  const taken = { above: 30, below: 10 };
  const cell = { x: 0, y: 60, w: 10, h: 10 };
  const top = (matrix) => atEdge(matrix, cell, SIZE, ROOM, taken).top;
  assert.deepEqual(atEdge({ x: 0, y: 50, w: 90, h: 90 }, cell, SIZE, ROOM, taken), { left: 110, top: 150 });
  assert.equal(top({ x: 0, y: 72, w: 90, h: 90 }), 30);
  assert.equal(top({ x: 0, y: 0, w: 90, h: 200 }), 150); // beside its cell alone
});
