// The parts of a page in one file: their numbers come back in order.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inOrder } from "../../../ui/plot/js/saved/parts.js";

test("the bytes of each number stand together again, behind the text", () => {
  const text = [2, 0, 0, 0, 123, 125, 0, 0]; // its length, "{}", and room up to a multiple of eight
  const apart = [1, 2, 3, 4, 11, 12, 13, 14, 5, 6, 15, 16, 7, 17, 8, 18];
  const together = [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18];
  assert.deepEqual([...inOrder(Uint8Array.from([...text, ...apart]))], [...text, ...together]);
  assert.deepEqual([...inOrder(Uint8Array.from(text))], text);
});
