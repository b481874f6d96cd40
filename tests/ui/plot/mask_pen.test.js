import assert from "node:assert/strict";
import { test } from "node:test";

import { Entries } from "../../../ui/plot/js/entering/entries.js";
import { Live } from "../../../ui/plot/js/live/live.js";
import { between, MaskPen } from "../../../ui/plot/js/hand/mask_pen.js";
import { matrixOf } from "./any_matrix.js";

const WEIGHTS = matrixOf([[1, 2, 3], [4, 5, 6], [7, 8, 9]], { name: "weights/0", rows: "query", columns: "key" });
const X = matrixOf([[1, 2], [3, 4]], { name: "x", rows: "token", columns: "d_model" });
const at = (row, column, matrix = WEIGHTS) => ({ matrix, row, column });

function penAt(entries = {}) {
  const entered = [];
  const enter = ({ row, column, matrix }, text) => entered.push([matrix.name, row, column, text]);
  const live = new Live(new Entries());
  const plot = { live, entries: { isOpen: true, isDrawing: false, waiting: [], enter, ...entries }, hand: { cursor: null }, lightUp: () => {} };
  return { pen: new MaskPen(plot), plot, entered };
}

test("the way from one cell to another leaves none out", () => {
  const places = (from, to) => between(from, to).map(({ row, column }) => [row, column]);
  assert.deepEqual(places(at(0, 0), at(2, 2)), [[1, 1], [2, 2]]);
  assert.deepEqual(places(at(2, 0), at(2, 2)), [[2, 1], [2, 2]]);
  assert.deepEqual(places(at(1, 1), at(1, 1)), []);
});

test("a stroke is one entry, with each of its cells once", () => {
  const { pen, entered } = penAt();
  pen.begin(at(0, 0));
  pen.goTo(at(0, 2));
  pen.goTo(at(0, 1));
  pen.goTo(at(1, 1, X)); // another matrix, over which it passes
  pen.goTo(null);
  pen.end({ keeps: true });
  assert.deepEqual(entered, [["mask.stroke", 0, 0, "0.0 0.1 0.2"]]);
  pen.begin(at(2, 2));
  pen.end({ keeps: false });
  assert.equal(entered.length, 1);
});

test("another drag ends a stroke, and only a stroke that is kept is entered", () => {
  const { pen, plot, entered } = penAt();
  let ended = 0;
  pen.begin(at(0, 0), () => ended++);
  assert.deepEqual(plot.live.drag.number, [[0, 0]]);
  plot.live.endOther();
  assert.equal(ended, 1);
  assert.deepEqual([pen.cells, entered, plot.live.drag], [[], [], null]);
  pen.end({ keeps: true }); // the button goes up later
  assert.equal(entered.length, 0);
});

test("it draws with a key held, in hand, or in the mask, where a query meets a key", () => {
  const { pen, plot } = penAt();
  assert.equal(pen.takes(at(0, 0), {}), false);
  assert.equal(pen.takes(at(0, 0), { ctrlKey: true }), true);
  assert.equal(pen.takes(at(0, 0), { metaKey: true }), true);
  assert.equal(pen.takes(at(0, 0, X), { ctrlKey: true }), false);
  assert.equal(pen.takes(null, { ctrlKey: true }), false);
  plot.entries.isDrawing = true;
  assert.equal(pen.takes(at(0, 0), {}), true);
  plot.entries.isOpen = false;
  assert.equal(pen.takes(at(0, 0), {}), false);
});

test("M draws at the cursor, Space and Enter only with the pen in hand", () => {
  const { pen, plot, entered } = penAt();
  assert.equal(pen.press({ key: "m" }), false);
  plot.hand = { cursor: at(1, 2) };
  assert.equal(pen.press({ key: " " }), false);
  assert.equal(pen.press({ key: "m" }), true);
  plot.entries.isDrawing = true;
  assert.equal(pen.press({ key: "Enter" }), true);
  assert.deepEqual(entered.map(([, , , text]) => text), ["1.2", "1.2"]);
});
