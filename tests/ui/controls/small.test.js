// What small scripts decide.

import assert from "node:assert/strict";
import { test } from "node:test";

import { reasonOf } from "../../../ui/controls/file_field.js";
import { size } from "../../../ui/controls/hand_over.js";
import { moved } from "../../../ui/controls/order_list.js";

test("a line that is moved keeps the others in their order", () => {
  assert.deepEqual(moved([0, 1, 2, 3], 0, 2), [1, 2, 0, 3]);
  assert.deepEqual(moved([0, 1, 2, 3], 3, 0), [3, 0, 1, 2]);
});

test("the size of a file is said in kB, and from a million bytes on in MB", () => {
  assert.deepEqual([1499, 999_400, 1_000_000, 2_550_000].map(size), ["1 kB", "999 kB", "1.0 MB", "2.5 MB"]);
});

// A field whose files say this, the newest last.
function fieldSaying(...alerts) {
  const chips = alerts.map((text) => ({ querySelector: () => text && { textContent: text } }));
  return { querySelectorAll: () => chips };
}

test("why the newest file did not arrive is said in words of the page, where Streamlit has none", () => {
  const words = { full: "The server is full.", lost: "The way was lost." };
  assert.equal(reasonOf(fieldSaying("AxiosError: status code 413"), words), words.full);
  assert.equal(reasonOf(fieldSaying("AxiosError: Network Error"), words), words.lost);
  assert.equal(reasonOf(fieldSaying("File must be smaller."), words), "");
  assert.equal(reasonOf(fieldSaying("AxiosError", ""), words), "");
  assert.equal(reasonOf(fieldSaying(), words), "");
});
