import assert from "node:assert/strict";
import { test } from "node:test";

import { Entries } from "../../../ui/plot/js/entering/entries.js";
import { Live, tooFar } from "../../../ui/plot/js/live/live.js";
import { INPUTS } from "./any_layer.js";
import { matrixOf } from "./any_matrix.js";

const X = matrixOf([[1, 2], [3, 4]], { name: "x" });
const CELL = { matrix: X, row: 0, column: 1 };
// A page that has seen its first run, what it has asked for, and a plot that follows.
function opened() {
  const entries = new Entries();
  const live = new Live(entries);
  const asked = [];
  const plot = { painted: 0, compared: 0, showLive: () => plot.painted++, compare: () => plot.compared++ };
  live.follow(plot);
  const run = { version: 7, inputs: null, why_not: "", taken: 0, refused: [] };
  const hear = (said) => live.hear({ ...run, ...said }, (version) => asked.push(version));
  hear({});
  return { live, entries, asked, plot, hear };
}

// The same, in the middle of a drag: the number is 5.
function dragged() {
  const page = opened();
  page.live.begin(CELL, 2);
  page.hear({ inputs: INPUTS });
  page.live.move(5);
  return page;
}

// Two drags that were let go, of which the server has not heard.
function letGoTwice() {
  const page = opened();
  page.live.begin(CELL, 2);
  page.live.move(5);
  page.live.letGo(1);
  page.live.begin({ matrix: X, row: 1, column: 0 }, 3);
  page.live.move(9);
  page.live.letGo(2);
  return page;
}

test("when a drag begins, the server is asked for what a forward pass needs", () => {
  const { live, asked, hear } = opened();
  live.begin(CELL, 2);
  assert.deepEqual(asked, [7]);
  live.move(5);
  assert.equal(live.hasMoved("q"), false);
  hear({ inputs: INPUTS });
  assert.deepEqual([...live.rows("q")[0]], [1, 5]);
  assert.equal(live.hasMoved("q"), true);
  assert.equal(live.hasMoved("w_q"), false);
});

test("each move is painted, and the next drag needs nothing from the server", () => {
  const { live, asked, plot, hear } = dragged();
  const before = plot.painted;
  live.move(6);
  assert.equal(plot.painted, before + 1);
  live.letGo(1);
  hear({ version: 8, taken: 1 });
  live.begin(CELL, 6);
  live.move(7);
  assert.deepEqual([...live.rows("q")[0]], [1, 7]);
  assert.deepEqual(asked, [7]);
});

test("what was let go stays until the server has heard of it, and is compared then", () => {
  const { live, plot, hear } = dragged();
  live.letGo(1);
  hear({});
  assert.equal(live.isOn, true);
  live.noteShown(plot);
  hear({ version: 8, taken: 1 });
  assert.equal(live.isOn, false);
  assert.equal(plot.compared, 1);
});

test("nothing is compared where it was refused, or where something else changed as well", () => {
  const refused = [{ matrix: "x", row: 0, column: 1, text: "5", reason: "too large" }];
  for (const said of [{ version: 7, refused }, { version: 9 }]) {
    const { live, asked, plot, hear } = dragged();
    live.letGo(1);
    live.noteShown(plot);
    hear({ ...said, taken: 1 });
    assert.equal(plot.compared, 0);
    live.begin(CELL, 2);
    assert.equal(asked.length, 2); // it begins with the server's numbers
  }
});

test("a plot has the picture with which a drag began until a newer one comes after it", () => {
  const { live, plot, hear } = opened();
  live.begin(CELL, 2);
  assert.equal(live.beganWith(plot), false); // nothing can be computed yet
  hear({ inputs: INPUTS });
  live.move(5);
  live.noteShown(plot); // of another change, while the number is dragged
  assert.equal(live.beganWith(plot), true);
  live.letGo(1);
  assert.equal(live.beganWith(plot), true);
  live.noteShown(plot);
  assert.equal(live.beganWith(plot), false);
  hear({ version: 8, taken: 1 });
  assert.equal(live.beganWith(plot), false);
});

test("a drag that is called off leaves nothing", () => {
  const { live } = dragged();
  live.cancel(2);
  assert.equal(live.isOn, false);
  assert.equal(live.hasMoved("q"), false);
});

test("another change during a drag asks anew, and the drag goes on with the new numbers", () => {
  const { live, asked, hear } = dragged();
  hear({ version: 8 });
  assert.deepEqual(asked, [7, 8]);
  const arrays = { ...INPUTS.arrays, w_q: [[2, 0], [0, 2]] };
  hear({ version: 8, inputs: { ...INPUTS, arrays } });
  assert.deepEqual([...live.rows("q")[0]], [2, 10]);
});

test("a second drag goes on from the first, of which the server has not heard", () => {
  const { live, hear } = dragged();
  live.letGo(1);
  live.begin({ matrix: X, row: 1, column: 0 }, 3);
  live.move(9);
  assert.deepEqual(live.rows("x").map((row) => [...row]), [[1, 5], [9, 4]]);
  hear({ version: 8, taken: 1 });
  assert.deepEqual(live.rows("x").map((row) => [...row]), [[1, 5], [9, 4]]);
});

test("two drags that wait are both in what the server's numbers bring", () => {
  const { live, plot, hear } = letGoTwice();
  hear({ inputs: INPUTS }); // of a run that had begun before
  assert.deepEqual(live.rows("x").map((row) => [...row]), [[1, 5], [9, 4]]);
  live.noteShown(plot);
  hear({ version: 8, taken: 1 });
  assert.equal(live.isOn, true);
  assert.equal(plot.compared, 0);
  live.noteShown(plot);
  hear({ version: 9, taken: 2 });
  assert.equal(live.isOn, false);
  assert.equal(plot.compared, 1);
});

test("a picture of an earlier answer is not compared, nor any while something else is on its way", () => {
  const { live, entries, plot, hear } = letGoTwice();
  hear({ inputs: INPUTS });
  live.noteShown(plot);
  hear({ version: 8, taken: 1 });
  hear({ version: 9, taken: 2 });
  assert.equal(plot.compared, 0); // it still shows the first answer
  live.begin(CELL, 5);
  live.move(6);
  live.letGo(3);
  entries.enter({ matrix: X, row: 1, column: 1 }, "7");
  live.noteShown(plot);
  hear({ version: 10, taken: 3 });
  assert.equal(plot.compared, 0); // it may show the 7
});

test("while the next drag goes on, nothing is compared: its number is not the server's", () => {
  const { live, plot, asked, hear } = dragged();
  live.letGo(1);
  live.begin(CELL, 5);
  live.move(6);
  live.noteShown(plot);
  hear({ version: 8, taken: 1 });
  assert.equal(plot.compared, 0);
  assert.deepEqual([...live.rows("q")[0]], [1, 6]);
  live.letGo(2);
  live.noteShown(plot);
  hear({ version: 9, taken: 2 });
  assert.equal(plot.compared, 1);
  assert.deepEqual(asked, [7]);
});

test("what comes with the answer to the first drag serves the second", () => {
  const { live, asked, hear } = opened();
  live.begin(CELL, 2);
  live.move(5);
  live.letGo(1);
  live.begin(CELL, 5);
  live.move(6);
  const before = asked.length;
  hear({ version: 8, taken: 1, inputs: { ...INPUTS, arrays: { ...INPUTS.arrays, x: [[1, 5], [3, 4]] } } });
  assert.deepEqual([...live.rows("q")[0]], [1, 6]);
  assert.equal(asked.length, before);
});

test("a drag goes on from what was typed, and not from what only the server can read", () => {
  const { live, entries, hear } = opened();
  entries.enter({ matrix: X, row: 1, column: 1 }, "1/4");
  entries.enter({ matrix: X, row: 1, column: 0 }, "1 2");
  live.begin(CELL, 2);
  hear({ inputs: INPUTS });
  live.move(5);
  assert.deepEqual(live.rows("x").map((row) => [...row]), [[1, 5], [3, 0.25]]);
  assert.equal(live.holds(1), true);
  assert.equal(live.holds(2), false);
});

test("a layer that is too large is asked for once in a drag", () => {
  const { live, plot, asked, hear } = opened();
  plot.say = () => {};
  live.begin(CELL, 2);
  hear({ why_not: "too large" });
  hear({});
  assert.deepEqual(asked, [7]);
});

test("each plot is told of a drag that begins before the last was heard of", () => {
  const { live, plot } = dragged();
  plot.beginAnew = () => { plot.anew = (plot.anew ?? 0) + 1; };
  live.letGo(1);
  assert.equal(plot.anew, undefined);
  live.begin(CELL, 5);
  assert.equal(plot.anew, 1);
});

const STROKE_AT = { matrix: { name: "mask.stroke" }, row: 0, column: 0 };
const masked = (live) => live.maskOf("weights/0")?.map((row) => [...row]) ?? null;

test("the mask follows the pen, and is as before if the stroke is called off", () => {
  const { live, hear } = opened();
  live.begin(STROKE_AT, [[0, 0]]);
  hear({ inputs: INPUTS });
  assert.deepEqual(masked(live), [[0, 1], [1, 1]]);
  live.move([[0, 0], [0, 1]]);
  assert.deepEqual(masked(live), [[0, 0], [1, 1]]);
  assert.equal(live.maskOf("raw_scores/0"), null);
  live.cancel([]);
  assert.deepEqual(live.rows("mask").map((row) => [...row]), [[1, 1], [1, 1]]);
});

test("a stroke goes on from one of which the server has not heard, also on its new numbers", () => {
  const { live, hear } = dragged();
  live.cancel(2);
  live.begin(STROKE_AT, [[0, 0]]);
  live.move([[0, 0], [0, 1]]);
  live.letGo(1);
  live.begin(STROKE_AT, [[0, 0]]);
  live.move([[0, 0]]); // which is hidden: it shows it again
  assert.deepEqual(masked(live), [[1, 0], [1, 1]]);
  hear({ version: 8, inputs: INPUTS }); // something else has changed
  assert.deepEqual(masked(live), [[1, 0], [1, 1]]);
});

test("a stroke over cells that have gone changes nothing", () => {
  const { live, hear } = opened();
  live.begin(STROKE_AT, [[0, 0], [2, 0]]);
  hear({ inputs: INPUTS });
  assert.equal(masked(live), null);
});

test("a cell that has gone is not dragged on", () => {
  const { live, hear } = opened();
  live.begin({ matrix: X, row: 5, column: 0 }, 3);
  hear({ inputs: INPUTS });
  live.move(4);
  assert.equal(live.hasMoved("q"), false);
});

test("numbers that are further apart than rounding are told", () => {
  const picture = [[100, NaN], [0, 1]];
  const off = (by) => [[100 + by, 7], [0, 1]];
  assert.equal(tooFar(picture, off(1e-8), false), 0);
  assert.ok(Math.abs(tooFar(picture, off(1e-6), false) - 1e-8) < 1e-12);
  assert.equal(tooFar(picture, off(1e-3), true), 0); // in single precision
  assert.ok(tooFar(picture, off(1), true) > 0);
});

test("what is infinite on one side is not compared", () => {
  assert.equal(tooFar([[1, Infinity, 2]], [[1, 3, NaN]], true), 0);
  assert.ok(tooFar([[1, Infinity, 2]], [[2, 3, NaN]], true) > 0);
});
