import assert from "node:assert/strict";
import { test } from "node:test";

import { Board } from "../../../ui/plot/js/board/board.js";
import { Zoom } from "../../../ui/plot/js/board/zoom.js";
import { sentOf } from "./any_matrix.js";

const FIGURE = {
  zoomed_as: "a",
  zooms: false,
  cell: { least: 18, preferred: 40, most: 64 },
  width: [50, 4],
  height: [50, 2],
  decimals: 2,
  bars: [],
};
const SHORT = sentOf([[1, 2]], { name: "weights/0", left: [20, 0] });
const LONG = sentOf([[1, -123.25]], { name: "output", left: [30, 2] });
const boardIn = (room, matrices = [SHORT, LONG]) => new Board({ ...FIGURE, matrices }, room, 720);

test("a cell is found by its place and by its name", () => {
  const board = boardIn(400);
  const { matrix, row, column } = board.cellAt(board.matrices[1].x + 1, board.matrices[1].y + 1);
  assert.deepEqual([matrix.name, row, column], ["output", 0, 0]);
  assert.equal(board.cellAt(0, 0), null);
  assert.equal(board.cell("output", 0, 2), null);
  assert.equal(board.cell("gone", 0, 0), null);
  assert.equal(board.cell(), null);
});

test("a cell of an array is found in a matrix that shows it transposed", () => {
  const keys = sentOf([[1, 2, 3]], { name: "k_rotated/0", left: [20, 0], transposed: true });
  const board = boardIn(400, [keys, LONG]);
  const { matrix, row, column } = board.cellOfArray("k_rotated/0", 2, 0);
  assert.deepEqual([matrix.name, row, column], ["k_rotated/0", 0, 2]);
  assert.equal(board.cellOfArray("k_rotated/0", 0, 2), null);
  assert.equal(board.cellOfArray("output", 0, 1).column, 1);
  assert.equal(board.cellOfArray("gone", 0, 0), null);
  assert.equal(board.cellOfArray(), null);
});

test("a place that is free is as large as the cells make it, and goes with its arrangement", () => {
  const free = { left: [0, 0], top: [40, 2], right: [20, 3], bottom: [60, 4] };
  const others = [{ width: [50, 2], height: [50, 4], bars: [], places: [SHORT, LONG] }];
  const placeIn = (room) => new Board({ ...FIGURE, free, others, matrices: [SHORT, LONG] }, room, 720).freePlace;
  const { cell } = new Board({ ...FIGURE, free, others, matrices: [SHORT, LONG] }, 400, 720).size;
  assert.deepEqual(placeIn(400), { x: 0, y: 40 + 2 * cell, w: 20 + 3 * cell, h: 20 + 2 * cell });
  assert.equal(placeIn(100), null);
  assert.equal(boardIn(400).freePlace, null);
});

test("a figure that asks for large numbers has them where there is room, else readable ones", () => {
  const cell = { ...FIGURE.cell, text: 16 };
  const others = [{ width: [50, 2], height: [50, 4], bars: [], places: [SHORT, LONG] }];
  const matrices = [SHORT, LONG];
  const sizeIn = (room) => {
    const board = new Board({ ...FIGURE, matrices, cell, others }, room, 720);
    return board.textSize(board.matrices[0]);
  };
  assert.ok(sizeIn(300) >= 15.9);
  assert.ok(sizeIn(170) >= 15.9); // in two columns
  assert.ok(sizeIn(60) >= 8.9 && sizeIn(60) < 10);
});

test("all numbers of a figure have one size, that of the longest", () => {
  const board = boardIn(210);
  const [short, long] = board.matrices;
  assert.ok(short.fittingText() > long.fittingText());
  assert.equal(board.textSize(short), board.textSize(long));
});

test("in a narrow room the numbers can still be read", () => {
  const board = boardIn(100);
  assert.ok(board.size.width > 100);
  for (const matrix of board.matrices) assert.ok(board.textSize(matrix) >= 8.9);
});

test("a board shows the part that a zoom says, and of another figure all", () => {
  const board = boardIn(400);
  const zoom = new Zoom();
  board.showPart(zoom);
  assert.ok(!board.isZoomed);
  zoom.show(board.matrices[1], { rows: [0, 1], columns: [1, 2] });
  board.showPart(zoom);
  assert.ok(board.isZoomed);
  const other = new Board({ ...FIGURE, matrices: [SHORT, LONG], zoomed_as: "b" }, 400, 720);
  other.showPart(zoom);
  assert.ok(!other.isZoomed);
});
