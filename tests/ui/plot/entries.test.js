import assert from "node:assert/strict";
import { test } from "node:test";

import { Entries } from "../../../ui/plot/js/entering/entries.js";
import { matrixOf } from "./any_matrix.js";

const X = matrixOf([[1, 2], [3, 4]], { name: "x" });
const OTHER = matrixOf([[1, 2], [3, 4]], { name: "w_q" });

// Entries of a page that has seen its first run, and all that it has sent, as texts.
function opened() {
  const entries = new Entries();
  const sent = [];
  const send = (waiting) => sent.push(waiting.map(({ number, text }) => `${number} ${text}`));
  const hear = (said) => entries.hear({ run: 1, taken: 0, refused: [], is_open: true, ...said }, send);
  hear({});
  const enter = (text, row = 0, column = 0) => entries.enter({ matrix: X, row, column }, text);
  return { entries, sent, hear, enter };
}

test("nothing can be edited before the server has said so", () => {
  assert.equal(new Entries().isOpen, false);
  assert.equal(opened().entries.isOpen, true);
});

test("each report holds all that waits, so that the last one is enough", () => {
  const { sent, enter } = opened();
  enter("1/3");
  enter("2", 0, 1);
  assert.deepEqual(sent, [["1 1/3"], ["1 1/3", "2 2"]]);
});

test("an entry waits until the server has heard of it", () => {
  const { entries, hear, enter } = opened();
  enter("7");
  assert.equal(entries.at(X, 0, 0).text, "7");
  assert.equal(entries.at(OTHER, 0, 0), undefined);
  hear({ run: 2 });
  assert.equal(entries.at(X, 0, 0).text, "7");
  hear({ run: 3, taken: 1 });
  assert.equal(entries.at(X, 0, 0), undefined);
});

test("what a run knows nothing of is sent again: it may have been lost", () => {
  const { sent, hear, enter } = opened();
  enter("7");
  hear({ run: 2 });
  assert.deepEqual(sent, [["1 7"], ["1 7"]]);
  hear({ run: 3, taken: 1 });
  assert.equal(sent.length, 2);
});

test("numbers go on behind those that the server has heard of", () => {
  const { sent, hear, enter } = opened();
  hear({ taken: 41 });
  enter("7");
  assert.deepEqual(sent, [["42 7"]]);
});

test("a refused entry stays in its cell, with the reason, below what is entered after it", () => {
  const { entries, hear, enter } = opened();
  const refused = { matrix: "x", row: 1, column: 0, text: "abc", reason: "No number." };
  hear({ refused: [refused] });
  assert.deepEqual(entries.in(X), [refused]);
  enter("5", 1, 0);
  assert.deepEqual(entries.in(X).map(({ text }) => text), ["5"]);
  assert.deepEqual(entries.in(OTHER), []);
});

test("whoever follows is called after each change, until it stops", () => {
  const { entries, hear, enter } = opened();
  let calls = 0;
  const stop = entries.follow(() => calls++);
  enter("5");
  hear({ run: 2, taken: 1 });
  stop();
  enter("6");
  assert.equal(calls, 2);
});

const onRow = (place, act, more) => ({ matrix: X, source: "tokens", place, act, ...more });

test("acts on labels are numbered together with what is entered into cells", () => {
  const { entries, enter } = opened();
  enter("5");
  entries.act(onRow(1, "rename", { text: "WE" }));
  entries.act(onRow(0, "move", { to: 1 }));
  assert.deepEqual(entries.waiting.slice(1), [
    { number: 2, matrix: "x", source: "tokens", place: 1, act: "rename", text: "WE", to: 1 },
    { number: 3, matrix: "x", source: "tokens", place: 0, act: "move", text: "", to: 1 },
  ]);
  assert.deepEqual(entries.in(X).map(({ text }) => text), ["5"]); // no cell has them
});

test("another name stands on its label until the server has heard of it", () => {
  const { entries, hear } = opened();
  assert.ok(!entries.hasNames);
  entries.act(onRow(1, "rename", { text: "WE" }));
  assert.ok(entries.hasNames);
  assert.equal(entries.onLabel("tokens", 1).text, "WE");
  assert.equal(entries.onLabel("tokens", 0), undefined);
  assert.equal(entries.onLabel("context_tokens", 1), undefined);
  const refused = { matrix: "x", source: "tokens", place: 1, act: "rename", text: "", reason: "Why." };
  hear({ run: 2, taken: 1, refused: [refused] });
  assert.equal(entries.onLabel("tokens", 1), refused);
});

test("labels are on their way until the server has heard of it; a name moves nothing", () => {
  const { entries, hear } = opened();
  entries.act(onRow(1, "rename", { text: "WE" }));
  assert.ok(!entries.isReordering(0));
  for (const act of ["add", "remove", "move"]) {
    const number = entries.act(onRow(0, act));
    assert.ok(entries.isReordering(number - 1));
    assert.ok(!entries.isReordering(number)); // for a picture that knows of it
    hear({ run: 2, taken: number });
    assert.ok(!entries.isReordering(number - 1));
  }
});
