// What the tiles of heads decide before they are drawn.

import assert from "node:assert/strict";
import { test } from "node:test";

import { counts, inked, largestGroup } from "../../../ui/blocks/real/head_tiles.js";

const TILES = [
  { label: 2, group: "Layer 1" },
  { label: 8, group: "Layer 1" },
  { label: 2, group: "Layer 2" },
];

test("a weight is ink of one colour, as opaque as it is large", () => {
  const pixels = inked(Uint8Array.of(0, 128, 255));
  assert.deepEqual([pixels[3], pixels[7], pixels[11]], [0, 128, 255]);
  assert.deepEqual([...pixels.slice(0, 3)], [...pixels.slice(8, 11)]);
});

test("the legend counts heads, and leaves out what no head does", () => {
  const labels = [{ label: 0 }, { label: 2 }, { label: 8 }];
  assert.deepEqual(counts(TILES, labels), [{ label: 2, count: 2 }, { label: 8, count: 1 }]);
});

test("the largest group says how many stand side by side", () => {
  assert.equal(largestGroup(TILES), 2);
  assert.equal(largestGroup([]), 1);
});
