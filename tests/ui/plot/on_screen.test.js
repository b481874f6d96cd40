import assert from "node:assert/strict";
import { test } from "node:test";

import { cellForWidth } from "../../../ui/plot/js/board/cell_sizes.js";
import { widthOf } from "../../../ui/plot/js/numbers/numbers.js";
import { fittedToScreen, smallestNumber, zoomFor } from "../../../ui/plot/js/presenting/on_screen.js";
import { sentOf } from "./any_matrix.js";

// Heads of so many cells a side, as ui/figures arranges them: all in one row, two to a row, one to a row.
const SIDE = 4;
const FIXED = { left: 40, top: 60, below: 6, between: 14, gap: 4 };
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

const SCREENS = [[1280, 720], [1920, 1080]].map(([width, height]) => {
  const zoom = zoomFor({ width, height });
  return { width: width - 40 * zoom / 2.18, height: height - 36 * zoom, zoom, fewAtATime: true };
});
const PROJECTOR = { width: 1240, height: 640, zoom: zoomFor({ width: 1280, height: 720 }), fewAtATime: true };
const names = ({ figure: { matrices } }) => matrices.map(({ name }) => name);

test("the smallest letters are 24 pixels of 720, and grow with the screen", () => {
  assert.ok(Math.abs(11 * zoomFor({ width: 1280, height: 720 }) - 24) < 1e-9);
  assert.ok(Math.abs(11 * zoomFor({ width: 1920, height: 1080 }) - 36) < 1e-9);
  assert.ok(11 * zoomFor({ width: 1024, height: 768 }) > 24);
  assert.equal(zoomFor({ width: 390, height: 844 }), 1.25); // in the hand
});

test("four heads of four to eight tokens are on the screen at once", () => {
  for (const screen of SCREENS) {
    for (const side of [4, 5, 6, 7, 8]) {
      const { part, size, zoom, figure } = fittedToScreen(heads(4, { side }), screen);
      assert.deepEqual(part, { first: 0, count: 4, of: 4, atOnce: 4, counts: [4, 2, 1] });
      assert.equal(figure.matrices.length, 4);
      assert.ok(size.width * zoom <= screen.width && size.height * zoom <= screen.height);
    }
  }
});

test("they have numbers where 24 pixels fit, and colours alone where not", () => {
  const isWritten = (side, screen) => fittedToScreen(heads(4, { side }), screen).decimals === 2;
  const [small, large] = SCREENS;
  assert.deepEqual([4, 5, 8].map((side) => isWritten(side, small)), [true, true, false]);
  assert.deepEqual([4, 5, 8].map((side) => isWritten(side, large)), [true, true, true]);
  for (const screen of SCREENS) {
    const { size, zoom, writing } = fittedToScreen(heads(4, { side: 5 }), screen);
    assert.ok(writing.smallestText * zoom >= 24 - 1e-9);
    assert.ok(size.down * writing.shareOfText >= writing.smallestText);
  }
});

test("where pixels are small, 24 of them are not enough", () => {
  const zoom = zoomFor({ width: 3840, height: 2160 });
  assert.ok(smallestNumber(zoom) * zoom > 47);
  assert.equal(smallestNumber(1.25) * 1.25, 10.5); // in the hand, as on the page
});

test("fewer heads are shown where that is wished for, and as many as can be seen where it is not", () => {
  const [screen] = SCREENS;
  const shown = (atOnce) => names(fittedToScreen(heads(4, { side: 8 }), { ...screen, atOnce, first: 2 }));
  assert.deepEqual(shown(2), ["weights/2", "weights/3"]);
  assert.deepEqual(shown(1), ["weights/2"]);
  assert.deepEqual(shown(3), ["weights/2", "weights/3"]); // no row has three
  assert.equal(shown(null).length, 4);
  const many = fittedToScreen(heads(16, { side: 16 }), screen);
  assert.deepEqual([many.part.count, many.part.counts], [2, [16, 2, 1]]);
});

test("the next heads stand in the places of the first", () => {
  const six = heads(6, { side: 8 });
  const [first, next] = [0, 3].map((from) => fittedToScreen(six, { ...PROJECTOR, atOnce: 2, first: from }));
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
  const { size, decimals, writing } = fittedToScreen(heads(6, { side: 12 }), { ...PROJECTOR, atOnce: 1, height: 520 });
  assert.equal(decimals, 2);
  assert.ok(size.cell > size.down);
  assert.ok(size.down * writing.shareOfText >= writing.smallestText);
});

test("rather fewer decimals than no numbers, and no numbers rather than small ones", () => {
  const written = (value) => fittedToScreen(heads(6, { side: 14, value }), { ...PROJECTOR, atOnce: 1 }).decimals;
  assert.deepEqual([0.25, -100.25, -99999.25].map(written), [2, 1, null]);
  assert.equal(fittedToScreen(heads(2, { decimals: null }), PROJECTOR).decimals, null);
});

test("numbers that are compared become smaller, and keep two decimals or none", () => {
  const one = heads(1, { side: 8, value: -0.25 });
  const third = { ...PROJECTOR, width: 400 };
  const alone = fittedToScreen(one, third);
  assert.equal(alone.decimals, 1);
  assert.equal(alone.writing.smallestText, smallestNumber(PROJECTOR.zoom));
  const among = (width) => fittedToScreen(one, { ...third, width, beside: [one, one] });
  assert.equal(among(400).decimals, 2);
  assert.ok(among(400).writing.smallestText < alone.writing.smallestText);
  assert.equal(among(250).decimals, null);
  assert.equal(fittedToScreen(heads(1, { decimals: 0 }), { ...third, beside: [one] }).decimals, 0);
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

test("numbers rather lose the zero before the point than a decimal", () => {
  const side = 12;
  const needed = (text) => cellForWidth(widthOf(text), smallestNumber(PROJECTOR.zoom));
  const decimalsWithCellsOf = (cell) => {
    const width = Math.ceil(PROJECTOR.zoom * (FIXED.left + side * cell));
    return fittedToScreen(heads(1, { side, value: -0.25 }), { ...PROJECTOR, width }).decimals;
  };
  assert.equal(decimalsWithCellsOf((needed("\u2212.25") + needed("\u22120.25")) / 2), 2);
  assert.equal(decimalsWithCellsOf((needed("\u2212.25") + needed("\u2212.3")) / 2), 1);
});
