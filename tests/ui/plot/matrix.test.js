import assert from "node:assert/strict";
import { test } from "node:test";

import { readableCell } from "../../../ui/plot/js/board/cell_sizes.js";
import { Matrix, SMALLEST_TEXT, writingOf } from "../../../ui/plot/js/board/matrix.js";
import { widthOf } from "../../../ui/plot/js/numbers/numbers.js";
import { matrixOf, sentOf } from "./any_matrix.js";

const Z = [Float64Array.of(1.5, NaN, -2), Float64Array.of(0, 1 / 3, 3)];

test("a cell is found where it is drawn", () => {
  const matrix = matrixOf(Z);
  const { x, y, w, h } = matrix.cellBox(1, 2);
  assert.deepEqual({ x, y, w, h }, { x: 30, y: 30, w: 10, h: 10 });
  assert.deepEqual([matrix.rowAt(y + 1), matrix.columnAt(x + 1)], [1, 2]);
});

test("with another mask other cells are hidden, also where none was", () => {
  const matrix = matrixOf([[1, 2]]);
  matrix.take([[1, 2]], [[0, 1]]);
  assert.deepEqual([matrix.short(0, 0), matrix.short(0, 1)], ["masked", "2.00"]);
  assert.ok(matrix.hiddenPath());
  matrix.take([[1, 2]], [[1, 0]]);
  assert.deepEqual([matrix.cellText(0, 0), matrix.cellText(0, 1)], ["1.00", ""]);
});

test("a zoom shows a part of the cells, larger, and those beyond the edge are cut off", () => {
  const matrix = matrixOf(Z);
  matrix.showPart({ columns: [1, 3] });
  assert.ok(matrix.isZoomed);
  assert.deepEqual(matrix.columnsInView(), [1, 2]);
  assert.equal(matrix.cellWidth, 15);
  assert.equal(matrix.cellBox(0, 0), null);
  assert.equal(matrix.columnAt(matrix.x + 1), 1);
  matrix.showPart({});
  assert.ok(!matrix.isZoomed);
});

test("cells narrower than a pixel are drawn in dots, and the caption says of how many", () => {
  const matrix = matrixOf(Z, { cell: 0.5 });
  assert.equal(matrix.cellsOfDot, 4);
  assert.equal(matrix.dotNote(), "a dot is the mean of the visible cells among 4");
  assert.equal(matrixOf([[1, 2]], { cell: 0.5 }).dotNote(), "a dot is the mean of 4 cells");
  assert.equal(matrixOf(Z).dotNote(), "");
});

test("a caption says what a dot is only where it has room for that", () => {
  const wide = Array(2000).fill(0);
  assert.equal(matrixOf([wide], { cell: 0.5, caption: "colours ±1.00" }).saysOfDots, true);
  assert.equal(matrixOf([[1, 2]], { cell: 0.5, caption: "colours ±1.00" }).saysOfDots, false);
  assert.equal(matrixOf([wide], { cell: 0.5 }).saysOfDots, false);
  assert.equal(matrixOf([wide], { cell: 2, caption: "colours ±1.00" }).saysOfDots, false); // no dots
  const half = Array(640).fill(0);
  const hidden = half.map((z, i) => (i % 2 ? NaN : z));
  assert.equal(matrixOf([half], { cell: 0.5, caption: "x" }).saysOfDots, true);
  assert.equal(matrixOf([hidden], { cell: 0.5, caption: "x" }).saysOfDots, false);
});

test("bands that are narrow are drawn, and touch", () => {
  const bands = [[0, 0.25, "red"], [0.25, 0.5, "blue"]];
  const drawn = matrixOf([[1, 2]], { cell: 8, bands }).bandBoxes();
  assert.deepEqual(drawn.map(({ x, width }) => [x, width]), [[10, 2], [12, 2]]);
  const wide = matrixOf([[1, 2]], { cell: 40, bands }).bandBoxes();
  assert.deepEqual(wide.map(({ x, width }) => [x, width]), [[11, 8], [21, 8]]);
});

test("a cell that is wider than a hundred pixels is drawn as one cell", () => {
  const matrix = matrixOf(Z, { cell: 200 });
  assert.deepEqual([matrix.dotRows, matrix.dotColumns], [1, 1]);
  assert.equal(matrix.dots(), Z);
});

test("only hidden cells are hatched", () => {
  assert.equal(matrixOf(Z).hiddenPath(), "M20 20h10v10H20z");
  assert.equal(matrixOf(Z, { cell: 0.5 }).hiddenPath(), "");
});

test("a tip says a number with six digits, and whether it has more, or that it is masked", () => {
  const matrix = matrixOf(Z);
  assert.equal(matrix.nearly(0, 2), "\u22122");
  assert.equal(matrix.nearly(0, 1), "masked");
  assert.equal(matrix.nearly(1, 1), "\u2248 0.333333");
  assert.equal(matrix.exact(1, 1), "0.3333333333333333");
  assert.equal(matrix.short(1, 1), "0.33");
  assert.equal(matrix.cellText(0, 1), "");
  assert.equal(matrixOf(Z, { decimals: null }).short(1, 1), "0.3333");
  assert.equal(matrixOf([Float32Array.of(0.1)]).nearly(0, 0), "\u2248 0.1");
});

test("tokens with the same label are told apart by their names", () => {
  const names = { row_names: ["THE (1)", "THE (2)"], column_names: ["a (1)", "b", "a (2)"] };
  const matrix = matrixOf(Z, names);
  assert.equal(matrix.sentence(1, 2), "weights, head 1, query THE (2), key a (2): 3.00");
});

test("without names the labels are said", () => {
  assert.equal(matrixOf(Z).sentence(1, 0), "weights, head 1, query q1, key k0: 0.00");
});

test("numbers are as large as the longest allows, and left out where none can be read", () => {
  assert.equal(matrixOf(Z, { cell: 10 }).fittingText(), 0);
  const small = matrixOf([[1, 2]], { cell: 30 }).fittingText();
  const negative = matrixOf([[1, -2]], { cell: 30 }).fittingText();
  assert.ok(small > negative && negative > 7.5);
  assert.equal(matrixOf(Z, { cell: 40, decimals: null }).fittingText(), 0);
});

test("a number that is too wide for its cell has fewer decimals, and the others keep theirs", () => {
  const matrix = matrixOf([[1, 12345, -123456, -0.5, 99999.6]], { cell: 30 });
  assert.deepEqual([0, 1, 2, 3, 4].map((j) => matrix.cellText(0, j)), ["1.00", "12345.0", "\u22121.23e5", "\u22120.50", "99999.6"]);
  assert.ok(matrix.fittingText() >= 7.5);
  assert.equal(matrixOf([[1, 12345]], { cell: 22 }).cellText(0, 1), "12345");
});

test("in a readable cell the longest number is read with ease", () => {
  const cell = readableCell(sentOf(Z), 2);
  assert.ok(cell > 20 && cell < 26);
  assert.ok(matrixOf(Z, { cell }).fittingText() >= 8.99);
});

test("numbers may be asked to be larger, and a readable cell has room for that", () => {
  const cell = readableCell(sentOf(Z), 2, 14);
  assert.ok(matrixOf(Z, { cell }).fittingText() === 13);
  const large = new Matrix(sentOf(Z), cell, 2, 14).fittingText();
  assert.ok(large >= 13.99 && large <= 14);
});

test("in low rows a readable cell is as wide as its height asks", () => {
  const low = { row_height: 0.5, down: 0.5 };
  const cell = readableCell(sentOf([[1]], low), 0, 10.5);
  assert.equal(Math.round(cell), 30); // 15 high, of which a text takes 10.5
  assert.equal(matrixOf([[1]], { cell, decimals: 0, ...low }).fittingText(), 10.5);
  const long = sentOf([[-1234.5]]);
  assert.equal(readableCell({ ...long, ...low }, 2), readableCell(long, 2));
});

test("low rows begin and end at whole pixels", () => {
  const matrix = matrixOf(Z, { cell: 41, row_height: 0.7, down: 0.7 * Z.length, top: [20.4, 0] });
  assert.deepEqual([matrix.y, matrix.cellHeight], [20, 28]);
  assert.deepEqual([matrix.rowAt(20), matrix.rowAt(47.9), matrix.rowAt(48)], [0, 0, 1]);
});

test("a transposed matrix takes the rows of its array as columns, and turns addresses", () => {
  const matrix = matrixOf([[1, 2, NaN], [4, 5, 6]], { transposed: true });
  matrix.take([[10, 40], [20, 50], [30, 60]]);
  assert.deepEqual(matrix.numbers.map((row) => [...row]), [[10, 20, NaN], [40, 50, 60]]);
  assert.deepEqual(matrix.turned(1, 2), [2, 1]);
  const plain = matrixOf([[1, 2]]);
  plain.take([[3, 4]]);
  assert.deepEqual([plain.numbers, plain.turned(1, 2)], [[[3, 4]], [1, 2]]);
});

test("coloured lines end with what is in view", () => {
  const matrix = matrixOf(Z, { bands: [[0, 1, "#000000"], [1, 3, "#ff0000"]] });
  assert.deepEqual(matrix.bandBoxes().map(({ x, width }) => [x, width]), [[11, 8], [21, 18]]);
  matrix.showPart({ columns: [1, 3] });
  assert.deepEqual(matrix.bandBoxes().map(({ fill }) => fill), ["#ff0000"]);
});

const LOST_ONES = [Float64Array.of(NaN, NaN, 2), Float64Array.of(Infinity, -Infinity, 0)];

test("what is no number says so in its cell, in words and in the table, and is not hidden", () => {
  const matrix = matrixOf(LOST_ONES, { masked: true, lost: [1] });
  assert.deepEqual([0, 1, 2].map((j) => matrix.cellText(0, j)), ["", "NaN", "2.00"]);
  assert.deepEqual([0, 1].map((j) => matrix.cellText(1, j)), ["\u221e", "\u2212\u221e"]);
  assert.deepEqual([0, 1].map((j) => matrix.short(0, j)), ["masked", "NaN"]);
  assert.deepEqual([0, 1].map((j) => matrix.exact(1, j)), ["\u221e", "\u2212\u221e"]);
  assert.deepEqual([0, 1].map((j) => matrix.isHidden(0, j)), [true, false]);
  assert.ok(matrix.sentence(0, 1).endsWith(": NaN"));
  const single = matrixOf([Float32Array.of(1, Infinity)]);
  assert.deepEqual([0, 1].map((j) => single.nearly(0, j)), ["\u2248 1", "\u221e"]);
  assert.equal(matrixOf(LOST_ONES, { decimals: null, masked: false }).short(0, 0), "NaN");
});

test("it has a colour of its own, and no say in how far colours go", () => {
  const matrix = matrixOf(LOST_ONES, { masked: true, lost: [1] });
  assert.deepEqual(matrix.drawn().map((row) => [...row]), [[NaN, Infinity, 2], [Infinity, Infinity, 0]]);
  assert.equal(matrix.reach(), 2);
  assert.equal(matrixOf([Float64Array.of(1.7e308, 0)]).reach(), 1e300);
  const small = matrixOf(LOST_ONES, { cell: 0.5, masked: true, lost: [1] });
  assert.deepEqual(small.dots().map((row) => [...row]), [[Infinity, 1]]);
});

test("a narrow cell has no zero before the point, and only then fewer decimals", () => {
  const row = [[0.5, -0.25, 12.375, 0]];
  const written = (cell) => [0, 1, 2, 3].map((j) => matrixOf(row, { cell }).cellText(0, j));
  assert.deepEqual(written(30), ["0.50", "\u22120.25", "12.38", "0.00"]);
  assert.deepEqual(written(18), [".50", "\u2212.25", "12.4", ".00"]);
  assert.deepEqual(written(13), [".50", "\u2212.2", "12", ".00"]);
});

test("numbers rather lose decimals than be smaller than is wished", () => {
  const row = [[0.5, -0.25, 12.375, 0, -1234]];
  const written = (cell, writing) => {
    const matrix = new Matrix(sentOf(row), cell, 2, undefined, cell, writing);
    return [0, 1, 2, 3, 4].map((j) => matrix.cellText(0, j));
  };
  const wishes = (cell) => written(cell, writingOf(10.5));
  assert.deepEqual(wishes(18), [".50", "\u2212.2", "12", ".00", "\u22121e3"]);
  assert.deepEqual(wishes(30), ["0.50", "\u22120.25", "12.38", "0.00", "\u22121234"]);
  assert.deepEqual(wishes(16), written(16)); // a zero would not be so large
});

test("a number below 10 is not written without decimals where others have them: it is squeezed, and they stay large", () => {
  const matrix = new Matrix(sentOf([[1, -0.97, 0.5, -4.2]]), 17, 2, undefined, 17, writingOf(10.5));
  const texts = [0, 1, 2, 3].map((j) => matrix.cellText(0, j));
  assert.deepEqual(texts, ["1.0", "\u2212.97", ".50", "\u22124.2"]);
  const size = matrix.fittingText();
  assert.ok(size >= 10);
  const squeezed = texts.filter((text) => widthOf(text) * size > matrix.roomForText + 1e-6);
  assert.deepEqual(squeezed, ["\u2212.97", "\u22124.2"]);
  assert.ok(widthOf("\u2212.97") * SMALLEST_TEXT <= matrix.roomForText); // by no more than to that size
});

test("a weight says who looks at whom, and a hidden one who must not", () => {
  const matrix = matrixOf([[0.25, NaN]]);
  assert.equal(matrix.looking(0, 0), "Head 1: \u201cq0\u201d looks at \u201ck0\u201d with 0.25");
  assert.equal(matrix.looking(0, 1), "Head 1: \u201cq0\u201d must not look at \u201ck1\u201d");
  assert.equal(matrixOf([[1]], { name: "output" }).isWeights, false);
});

test("without a mask, what is no number needs no list", () => {
  const matrix = matrixOf([Float64Array.of(NaN, 1)], { masked: false });
  assert.deepEqual([matrix.isHidden(0, 0), matrix.cellText(0, 0)], [false, "NaN"]);
});

test("a lost number comes back, and a hidden one stays hidden whatever it becomes", () => {
  const matrix = matrixOf(LOST_ONES, { masked: true, lost: [1], cell: 30 });
  matrix.take([Float64Array.of(5, 0.5, NaN), Float64Array.of(1, 2, 3)]);
  assert.deepEqual(matrix.numbers.map((row) => [...row]), [[NaN, 0.5, NaN], [1, 2, 3]]);
  assert.deepEqual([0, 1, 2].map((j) => matrix.cellText(0, j)), ["", "0.50", "NaN"]);
});

test("numbers of another size are not taken: tokens went while a number of theirs was dragged", () => {
  for (const transposed of [false, true]) {
    const matrix = matrixOf([Float64Array.of(1, 2), Float64Array.of(3, NaN)], { transposed });
    const shown = matrix.numbers;
    matrix.take([Float64Array.of(5, 6, 7), Float64Array.of(5, 6, 7), Float64Array.of(5, 6, 7)]);
    assert.equal(matrix.numbers, shown);
    matrix.take([Float64Array.of(5, 6), Float64Array.of(7, 8)]);
    assert.equal(matrix.numbers[0][0], 5);
  }
});
