import assert from "node:assert/strict";
import { test } from "node:test";

import { fittedToScreen, zoomFor } from "../../../ui/plot/js/presenting/on_screen.js";
import { sentOf } from "./any_matrix.js";

// Heads of so many cells a side, as ui/figures arranges them: all in one row, two to a row, one to a row.
const SIDE = 4;
const FIXED = { left: 40, top: 60, below: 6, between: 14, gap: 20 };
const HIGH = FIXED.top + FIXED.below;

function heads(count, { side = SIDE, value = 0.25, decimals = 2 } = {}) {
  const values = Array.from({ length: side }, () => Float64Array.from({ length: side }, () => value));
  const place = (column, row, perRow) => ({
    left: [FIXED.left + column * FIXED.between, column * side],
    top: [FIXED.top + row * (HIGH + FIXED.gap), row * side],
    heading_top: [row * (HIGH + FIXED.gap), row * side],
    writes_rows: column === 0,
    writes_columns: row === 0,
    corner: { title: "", axes: [] },
    perRow,
  });
  const placesOf = (perRow) => Array.from({ length: count }, (_, i) => place(i % perRow, Math.floor(i / perRow), perRow));
  const arrangement = (perRow) => {
    const rows = Math.ceil(count / perRow);
    const width = [FIXED.left + (perRow - 1) * FIXED.between, perRow * side];
    return { width, height: [rows * HIGH + (rows - 1) * FIXED.gap, rows * side], bars: [perRow], places: placesOf(perRow) };
  };
  const [{ places, ...first }, ...others] = [count, 2, 1].map(arrangement);
  const matrices = places.map((at, i) => sentOf(values, { name: `weights/${i}`, ...at, across: side, down: side, heading: `Head ${i + 1}` }));
  return { ...first, matrices, others, decimals, cell: { least: 18, preferred: 40, most: 64 } };
}

const PROJECTOR = { width: 1240, height: 640, zoom: zoomFor({ width: 1280, height: 720 }), fewAtATime: true };
const names = ({ figure: { matrices } }) => matrices.map(({ name }) => name);

test("the smallest letters are 24 pixels of 720, and grow with the screen", () => {
  assert.ok(Math.abs(11 * zoomFor({ width: 1280, height: 720 }) - 24) < 1e-9);
  assert.ok(Math.abs(11 * zoomFor({ width: 1920, height: 1080 }) - 36) < 1e-9);
  assert.ok(11 * zoomFor({ width: 1024, height: 768 }) > 24);
  assert.equal(zoomFor({ width: 390, height: 844 }), 1.25); // in the hand
});

test("as many heads stand beside each other as can be read", () => {
  assert.deepEqual(fittedToScreen(heads(4), PROJECTOR).part, { first: 0, count: 4, of: 4 });
  const fitted = fittedToScreen(heads(6, { side: 8 }), PROJECTOR);
  assert.deepEqual(fitted.part, { first: 0, count: 2, of: 6 });
  assert.deepEqual(names(fitted), ["weights/0", "weights/1"]);
});

test("the next heads stand in the places of the first", () => {
  const six = heads(6, { side: 8 });
  const [first, next] = [0, 3].map((from) => fittedToScreen(six, { ...PROJECTOR, first: from }));
  assert.deepEqual(names(next), ["weights/2", "weights/3"]); // 3 is among them
  assert.deepEqual(next.figure.matrices.map(({ left }) => left), first.figure.matrices.map(({ left }) => left));
  assert.deepEqual(next.figure.matrices[0].row_ticks, next.figure.matrices[0].row_labels);
  assert.deepEqual(next.figure.matrices[1].row_ticks, []);
  assert.equal(next.size.height, first.size.height);
});

test("cells grow to the screen and are squares where their numbers fit", () => {
  const { size, zoom } = fittedToScreen(heads(2, { side: 2 }), PROJECTOR);
  assert.equal(size.cell, size.down);
  assert.ok(size.cell * zoom > 200);
});

test("cells of many tokens are lower than wide, so that numbers stay", () => {
  const { size, decimals, writing } = fittedToScreen(heads(6, { side: 12 }), { ...PROJECTOR, height: 520 });
  assert.equal(decimals, 2);
  assert.ok(size.cell > size.down);
  assert.ok(size.down * writing.shareOfText >= writing.smallestText);
});

test("rather fewer decimals than no numbers, and no numbers rather than small ones", () => {
  const written = (value) => fittedToScreen(heads(6, { side: 14, value }), PROJECTOR).decimals;
  assert.deepEqual([0.25, -100.25, -99999.25].map(written), [2, 1, null]);
  assert.equal(fittedToScreen(heads(2, { decimals: null }), PROJECTOR).decimals, null);
});

test("nothing is larger than its room, however small that is", () => {
  for (const [width, height] of [[1240, 640], [300, 640], [120, 90]]) {
    const { size, zoom } = fittedToScreen(heads(6, { side: 8 }), { ...PROJECTOR, width, height });
    assert.ok(size.width * zoom <= width + 1e-6 && size.height * zoom <= height + 1e-6);
  }
});

test("a picture that is one stays whole, in the arrangement in which it is largest", () => {
  const whole = { ...PROJECTOR, fewAtATime: false };
  assert.equal(fittedToScreen(heads(4), whole).figure.matrices.length, 4);
  const [wide, tall] = [[1240, 300], [300, 1240]].map(([width, height]) =>
    fittedToScreen(heads(3, { side: 2 }), { ...whole, width, height }).figure.bars[0]);
  assert.deepEqual([wide, tall], [3, 1]);
});
