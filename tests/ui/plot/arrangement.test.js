import assert from "node:assert/strict";
import { test } from "node:test";

import { arranged, inTheHand } from "../../../ui/plot/js/board/arrangement.js";

// Four heads of five cells: in one row of 100 + 20 * cell pixels, two and two, or one below another.
const LABELS = { row_labels: ["incomprehensibilities"], column_labels: ["\u{1F355}"] };
const cell = { least: 18, preferred: 40, most: 64 };
const other = (columns, rows) => ({
  width: [100, 5 * columns],
  height: [20 * rows, 5 * rows],
  bars: [columns],
  places: [{ left: [columns, 0], writes_rows: true, writes_columns: columns === 1 }],
});
const figure = () => ({
  matrices: [{ values: [[1]], name: "m", left: [4, 0], ...LABELS, row_ticks: [], column_ticks: [] }],
  ...{ cell, width: [100, 20], height: [20, 5], bars: [4], others: [other(2, 2), other(1, 4)] },
});
const columnsIn = (room, readable = 0, screen = 720) => {
  const { matrices: [matrix], bars } = arranged(figure(), room, screen, () => readable).figure;
  assert.deepEqual(bars, [matrix.left[0]]);
  return matrix.left[0];
};

const WIDE = 963; // pixels of room

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

test("without numbers that can be read cells are near their preferred size", () => {
  assert.equal(columnsIn(100 + 20 * 26, 41), 4); // 0.65 times 40
  assert.equal(columnsIn(99 + 20 * 26, 41), 2);
});

test("a figure that would be too high has more columns, and its numbers may be small", () => {
  assert.equal(columnsIn(470, 25, 200), 2); // 40 + 10 * 37 pixels high
  assert.equal(columnsIn(470, 25, 160), 4);
  const { readable } = arranged(figure(), 470, 160, () => 25);
  assert.equal(readable(), 0);
});

test("a longer number changes the arrangement only where it could not be written", () => {
  const withNumbers = (chars, before, room = 500) =>
    arranged(figure(), room, 720, (size = 9) => chars * size, before);
  const columns = ({ figure: { matrices } }) => matrices[0].left[0];
  const short = withNumbers(2);
  assert.deepEqual([columns(short), columns(withNumbers(2.5))], [4, 2]);
  const longer = withNumbers(2.5, short.chosen);
  assert.deepEqual([columns(longer), longer.readable()], [4, 18.75]); // in cells of 20
  assert.equal(columns(withNumbers(2.5, short.chosen, 501)), 2); // the room is another one
  const tooLong = withNumbers(2.7, longer.chosen);
  assert.equal(columns(tooLong), 2);
  assert.equal(columns(withNumbers(2, tooLong.chosen)), 4); // back, where all can be read again
});

test("numbers that are asked to be large take fewer columns, however high the figure is", () => {
  const large = figure();
  large.cell = { ...cell, text: 14 };
  const readable = (size = 9) => 5 * size; // pixels of a cell
  const inRoom = (room) => arranged(large, room, 160, readable);
  const columns = ({ figure: { matrices } }) => matrices[0].left[0];
  assert.deepEqual([1500, 1499, 799].map((room) => columns(inRoom(room))), [4, 2, 1]);
  const fitted = inRoom(1499);
  assert.deepEqual(fitted.figure.cell, { least: 18, preferred: 70, most: 70, text: 14 });
  assert.equal(fitted.readable(), 45); // in a narrow room they get smaller
});

test("where nothing fits the columns are as few as they can be", () => {
  assert.equal(columnsIn(50), 1);
});

test("a figure with one arrangement stays as it is", () => {
  const only = { matrices: [], cell, width: [1, 1], height: [1, 1], others: [] };
  assert.equal(arranged(only, 10, 10).figure, only);
});

test("labels are written where the place says so, cut to fit", () => {
  const [two] = arranged(figure(), 300, 720).figure.matrices;
  assert.deepEqual([two.row_ticks, two.column_ticks], [["incomprehensi…"], []]);
  const [one] = arranged(figure(), 250, 720).figure.matrices;
  assert.deepEqual([one.row_ticks, one.column_ticks], [["incomprehensi…"], ["\u{1F355}"]]);
  const [four] = arranged(figure(), 960, 720).figure.matrices;
  assert.deepEqual(four.row_ticks, []);
});

test("on a screen in the hand, numbers of a size take fewer columns", () => {
  const forMouse = { ...figure(), decimals: 2, cell: { least: 8, preferred: 14, most: 28, enough: 10 } };
  const wished = { ...forMouse, cell: { ...forMouse.cell, text_by_touch: 10 } };
  const touched = inTheHand(wished, true, WIDE);
  assert.equal(touched.cell.enough, 16); // for ".00"
  const chosen = (one) => arranged(one, 320, 720).chosen.number;
  assert.deepEqual([chosen(forMouse), chosen(touched)], [0, 1]);
  assert.deepEqual(inTheHand(wished, false, 320), touched); // as in any narrow window
  assert.equal(inTheHand(wished, false, WIDE), wished);
  const ofColors = { ...forMouse, decimals: null, cell: { ...forMouse.cell, text_by_touch: 10 } };
  assert.equal(inTheHand(ofColors, true, WIDE), ofColors);
});

test("the figure that came is not changed", () => {
  const given = figure();
  arranged(given, 300, 720);
  assert.deepEqual(given, figure());
});

test("a finger gets cells that it hits, in as many columns as have room for them", () => {
  const forMouse = { ...figure(), cell: { least: 8, preferred: 14, most: 28, enough: 10 } };
  assert.equal(inTheHand(forMouse, true, WIDE), forMouse);
  const touchable = { ...forMouse, cell: { ...forMouse.cell, by_touch: 30 } };
  assert.equal(inTheHand(touchable, false, 320), touchable);
  const touched = inTheHand(touchable, true, WIDE);
  assert.deepEqual(touched.cell, { least: 30, preferred: 30, most: 30, enough: 30, by_touch: 30 });
  const columns = (room) => 4 - arranged(touched, room, 720).chosen.number;
  assert.deepEqual([columns(700), columns(400)], [4, 3]);
});
