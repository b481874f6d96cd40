import assert from "node:assert/strict";
import { test } from "node:test";

import {
  boxOf, canRename, gapAt, headingOf, holdsPoint, isDrawn, isSameLabel, placeInGap, SIDES,
} from "../../../ui/plot/js/labels/label_sides.js";
import { matrixOf } from "./any_matrix.js";

// At 100, 50: cells of 30 pixels, two rows and three columns.
const meta = { left: [100, 0], top: [50, 0], row_source: "tokens", column_source: "d_model" };
const X = matrixOf([[1, 2, 3], [4, 5, 6]], { cell: 30, ...meta });
const row = (place, matrix = X) => ({ matrix, side: "row", place });
const column = (place, matrix = X) => ({ matrix, side: "column", place });

test("a row's label stands left of its row, a column's above its column", () => {
  const [left, above] = [boxOf(row(1)), boxOf(column(2))];
  assert.deepEqual([left.x + left.w, left.y + left.h / 2], [96, 95]);
  assert.deepEqual([above.x + above.w / 2, above.y + above.h], [175, 49]);
});

test("a label is where its box is", () => {
  assert.ok(holdsPoint(row(0), 90, 65));
  assert.ok(!holdsPoint(row(0), 90, 95));
  assert.ok(!holdsPoint(row(0), 101, 65)); // a cell
  assert.ok(holdsPoint(column(1), 145, 40));
  assert.ok(!holdsPoint(column(1), 175, 40));
});

test("a slanted label is found along its slant", () => {
  const labels = ["incomprehensible", "b", "c"];
  const slanted = matrixOf([[1, 2, 3]], { cell: 30, ...meta, column_labels: labels, column_ticks: labels });
  assert.ok(holdsPoint(column(0, slanted), 115, 44));
  assert.ok(holdsPoint(column(0, slanted), 155, 0));
  assert.ok(!holdsPoint(column(0, slanted), 115, 0));
  assert.ok(!holdsPoint(column(0, slanted), 155, 44));
});

test("what is dragged lands in the nearest gap", () => {
  assert.deepEqual([40, 60, 70, 400].map((y) => gapAt(row(0), 90, y).gap), [0, 0, 1, 2]);
  assert.deepEqual([0, 116, 190].map((x) => gapAt(column(0), x, 40).gap), [0, 1, 3]);
  assert.match(gapAt(row(0), 90, 70).line, /^M\d+ 80H190$/);
  assert.match(gapAt(column(0), 116, 40).line, /^M130 \d+V110$/);
});

test("the heading of a head is a label above its matrix, without a name to change", () => {
  const head = { place: 1, n_heads: 4, is_off: true };
  const headed = matrixOf([[1, 2]], { cell: 30, ...meta, heading_top: [10, 0], heading: "Head 2, off", head });
  const heading = headingOf(headed);
  assert.deepEqual(SIDES.head.shown(headed), [heading.place]);
  assert.equal(SIDES.head.name(headed, 1), "Head 2 of 4, off");
  assert.ok(holdsPoint(heading, 110, 18));
  assert.ok(!holdsPoint(heading, 110, 40)); // a column's label
  assert.ok(!canRename(heading));
  assert.equal(SIDES.head.source(X), ""); // whose heading names no head
});

test("the gaps on both sides of a label are its own place", () => {
  assert.deepEqual([0, 1, 2, 3].map((gap) => placeInGap(1, gap)), [0, 1, 1, 2]);
});

test("only tokens have names, and only labels that are drawn are met", () => {
  assert.ok(canRename(row(0)));
  assert.ok(!canRename(column(0)));
  assert.ok(isDrawn(row(1)));
  const bare = matrixOf([[1, 2, 3]], { cell: 30, ...meta, row_ticks: [] });
  assert.ok(!isDrawn(row(0, bare)));
  assert.deepEqual(SIDES.row.shown(bare), []);
});

test("labels are the same at one place of one side of one matrix", () => {
  assert.ok(isSameLabel(row(1), { ...row(1) }));
  assert.ok(!isSameLabel(row(1), column(1)));
  assert.ok(isSameLabel(null, null));
});
