import assert from "node:assert/strict";
import { test } from "node:test";

import { inOneLine, switched } from "../../../ui/plot/js/entering/fields.js";

test("a choice is switched on where it stands among all, and off again", () => {
  const all = ["scores", "weights", "output"];
  assert.deepEqual(switched(all, ["output"], "scores"), ["scores", "output"]);
  assert.deepEqual(switched(all, ["scores", "output"], "output"), ["scores"]);
});

test("what is on and is no choice any more goes", () => {
  assert.deepEqual(switched(["a", "b"], ["b", "gone"], "a"), ["a", "b"]);
});

test("lines that are pasted into one line keep where they end", () => {
  assert.equal(inOneLine("0 0\r\n0\t1\n\n 1 0 \n", ";"), "0 0; 0 1; 1 0");
});
