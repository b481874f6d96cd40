import assert from "node:assert/strict";
import { test } from "node:test";

import { Entries } from "../../../ui/plot/js/entering/entries.js";
import { stepOf } from "../../../ui/plot/js/board/matrix.js";
import { swungTo } from "../../../ui/plot/js/hand/play.js";
import { inSteps, Scrub } from "../../../ui/plot/js/hand/scrub.js";
import { matrixOf } from "./any_matrix.js";

test("a step is a hundredth of the power of ten that is nearest to the largest number", () => {
  assert.equal(stepOf([[0.9, -1.2], [NaN, 0]]), 0.01);
  assert.equal(stepOf([[0, -80]]), 1);
  assert.equal(stepOf([[4e-4]]), 1e-5);
  assert.equal(stepOf([[0, 0]]), 0.01);
});

test("numbers are in whole steps, without traces of rounding and without a negative zero", () => {
  assert.equal(inSteps(0.1 + 0.2, 0.01), 0.3);
  assert.equal(inSteps(0.3137, 0.01), 0.31);
  assert.equal(Object.is(inSteps(-0.001, 0.01), 0), true);
  assert.equal(inSteps(123456.7, 1000), 123000);
});

test("a swing goes from one end to the other and back, and jumps for who wants little motion", () => {
  const swing = { from: -1, to: 3, period: 4000 };
  assert.equal(swungTo(0, swing), -1);
  assert.ok(Math.abs(swungTo(1000, swing) - 1) < 1e-12);
  assert.equal(swungTo(2000, swing), 3);
  assert.equal(swungTo(4000, swing), -1);
  assert.deepEqual([900, 1100, 2900, 3100].map((at) => swungTo(at, swing, true)), [-1, 3, 3, -1]);
});

test("a drag begins at what was entered, unless only the server can read that", () => {
  const x = matrixOf([[1, 2, 3, 4]], { name: "x" });
  x.isEditable = true;
  const entries = new Entries();
  const scrub = Object.assign(Object.create(Scrub.prototype), { plot: { entries } });
  const at = (column) => ({ matrix: x, row: 0, column });
  entries.hear({ taken: 0, refused: [{ matrix: "x", row: 0, column: 3, text: "9e9", reason: "large" }] }, () => {});
  entries.enter(at(1), "-2,5");
  entries.enter(at(2), "1,234");
  assert.deepEqual([0, 1, 3].map((column) => scrub.numberAt(at(column))), [1, -2.5, 4]);
  assert.deepEqual([0, 1, 2, 3].map((column) => scrub.canChange(at(column))), [true, true, false, true]);
});

test("Escape gives back a number that is changed by keys, while Alt is held", () => {
  const x = matrixOf([[1]], { name: "x" });
  x.isEditable = true;
  const given = [];
  const plot = {
    hand: { cursor: { matrix: x, row: 0, column: 0 } },
    entries: new Entries(),
    live: { begin() {}, endOther() {}, move() {}, cancel: (number) => given.push(number) },
    texts: { letGo: () => assert.fail("It was given up.") },
    note: {},
    player: { stop() {} },
    root: { classList: { add() {}, remove() {} } },
  };
  const scrub = Object.assign(Object.create(Scrub.prototype), { plot });
  assert.equal(scrub.press({ key: "Escape", altKey: true }), false);
  scrub.press({ key: "ArrowUp", altKey: true });
  assert.equal(scrub.press({ key: "Escape", altKey: true }), true);
  scrub.end({ keeps: true }); // Alt is let go
  assert.deepEqual(given, [1]);
});
