import assert from "node:assert/strict";
import { test } from "node:test";

import { arranged } from "../../../ui/plot/js/arrangement.js";

// Four heads of five cells: in one row of 100 + 20 * cell pixels, two and two, or one below another.
const cell = { least: 18, preferred: 40, most: 64 };
const other = (columns, rows) => ({
  width: [100, 5 * columns],
  height: [20 * rows, 5 * rows],
  bars: [columns],
  places: [{ left: [columns, 0] }],
});
const figure = () => ({
  data: [{ z: [[1]], meta: { name: "m", left: [4, 0] } }],
  layout: { meta: { cell, width: [100, 20], height: [20, 5], bars: [4], others: [other(2, 2), other(1, 4)] } },
});
const columnsIn = (room, readable = 0) => {
  const { data, layout } = arranged(figure(), room, () => readable);
  assert.deepEqual(layout.meta.bars, [data[0].meta.left[0]]);
  return data[0].meta.left[0];
};

test("matrices stand side by side where there is room", () => {
  assert.equal(columnsIn(960), 4);
});

test("a narrower room has fewer columns, so that nothing runs off its edge", () => {
  assert.equal(columnsIn(100 + 20 * 18), 4);
  assert.equal(columnsIn(99 + 20 * 18), 2);
  assert.equal(columnsIn(99 + 10 * 18), 1);
});

test("numbers that can be read are worth more rows", () => {
  assert.equal(columnsIn(500, 19), 4);
  assert.equal(columnsIn(500, 21), 2);
});

test("numbers that fit no cell of the preferred size change nothing", () => {
  assert.equal(columnsIn(500, 41), 4);
});

test("where nothing fits the columns are as few as they can be", () => {
  assert.equal(columnsIn(50), 1);
});

test("a figure with one arrangement stays as it is", () => {
  const only = { data: [], layout: { meta: { cell, width: [1, 1], height: [1, 1] } } };
  assert.equal(arranged(only, 10), only);
  const withoutCells = { data: [], layout: {} };
  assert.equal(arranged(withoutCells, 10), withoutCells);
});

test("the figure that came is not changed", () => {
  const given = figure();
  arranged(given, 300);
  assert.deepEqual(given, figure());
});
