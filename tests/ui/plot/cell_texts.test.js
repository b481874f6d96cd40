// What is typed into cells, and what stands there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CellTexts, reasonsToSay } from "../../../ui/plot/js/entering/cell_texts.js";
import { Entries } from "../../../ui/plot/js/entering/entries.js";
import { matrixOf } from "./any_matrix.js";

const X = matrixOf([[1, -2.5]], { name: "x", title: "X", given: true });
const CELL = { matrix: X, row: 0, column: 1 };

// The texts of a plot with one matrix, and the cells to which its cursor has gone.
function textsOf({ isBehind = false } = {}) {
  const entries = new Entries();
  const went = [];
  const board = { cell: (name, row, column) => (name === "x" ? { matrix: X, row, column } : null) };
  const plot = { entries, board, isBehind, hand: { moveTo: (cell) => went.push(cell) } };
  return { texts: Object.assign(Object.create(CellTexts.prototype), { plot }), entries, went };
}
const textsEntered = ({ waiting }) => waiting.map(({ text }) => text);

test("a number is typed with the minus of a keyboard, and what waits stands instead of it", () => {
  const { texts, entries } = textsOf();
  assert.equal(texts.textIn(CELL), "-2.5");
  entries.enter(CELL, "1/3");
  assert.equal(texts.textIn(CELL), "1/3");
});

test("what stands there already, and nothing, are no entries", () => {
  const { texts, entries } = textsOf();
  for (const text of ["-2.5", " -2.5 ", "", "  "]) texts.enter(CELL, text);
  assert.deepEqual(entries.waiting, []);
  texts.enter(CELL, "4");
  assert.deepEqual(textsEntered(entries), ["4"]);
});

test("nothing typed takes back what was refused", () => {
  const { texts, entries } = textsOf();
  entries.refused = [{ matrix: "x", row: 0, column: 1, text: "abc", reason: "It is no number." }];
  assert.equal(texts.sentence(CELL), "X, query q0, key k1: abc, refused. It is no number.");
  texts.enter(CELL, " ");
  assert.deepEqual(textsEntered(entries), [""]);
});

test("in a picture that is behind, nothing is entered: it would be for another row", () => {
  const { texts, entries } = textsOf({ isBehind: true });
  texts.enter(CELL, "4");
  assert.deepEqual(entries.waiting, []);
});

test("Escape takes back the newest refused entry of a cell that is here, and goes there", () => {
  const { texts, entries, went } = textsOf();
  assert.equal(texts.takeBackRefused(), false);
  entries.refused = [
    { matrix: "x", row: 0, column: 0, text: "a", reason: "No." },
    { matrix: "x", row: 0, column: 1, text: "b", reason: "No." },
    { matrix: "elsewhere", row: 0, column: 0, text: "c", reason: "No." },
    { matrix: "x", act: "rename", place: 0, text: "", reason: "No." },
  ];
  assert.equal(texts.takeBackRefused(), true);
  assert.deepEqual(went, [CELL]);
  assert.deepEqual(entries.waiting.map(({ column }) => column), [1]);
});

test("of many reasons the first are said, and how many more there are", () => {
  const refused = ["a", "b", "c", "d", "e"].map((reason) => ({ reason }));
  assert.deepEqual(reasonsToSay(refused.slice(0, 3)), ["a", "b", "c"]);
  assert.deepEqual(reasonsToSay(refused), ["a", "b", "c", "2 more."]);
});

test("what was refused in a cell is told with its reason, until something else is entered there", () => {
  const { texts, entries } = textsOf();
  assert.equal(texts.refusedIn(CELL), null);
  entries.refused = [{ matrix: "x", row: 0, column: 1, text: "abc", reason: "It is no number." }];
  assert.equal(texts.refusedIn(CELL)?.reason, "It is no number.");
  entries.enter(CELL, "4");
  assert.equal(texts.refusedIn(CELL), null);
});
