// What the tiles of heads decide before they are drawn.

import assert from "node:assert/strict";
import { test } from "node:test";

import { counts, inked, largestGroup, stepTo } from "../../../ui/blocks/real/head_tiles.js";

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

test("a tiny picture has its ink twice, and none where there is none", () => {
  const pixels = inked(Uint8Array.of(0, 51, 255), true);
  assert.deepEqual([pixels[3], pixels[7], pixels[11]], [0, 92, 255]); // 1 - (1 - 0.2)² = 0.36
});

test("keys go from head to head, also where a layer has fewer of them", () => {
  const corners = [[50, 0], [70, 0], [90, 0], [50, 20], [70, 20], [50, 40], [70, 40], [90, 40]];
  const step = (at, key) => stepTo(corners, at, key);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => step(1, key)), [0, 2, undefined, 4]);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => step(4, key)), [3, 5, 1, 6]);
  assert.equal(step(2, "ArrowDown"), 4); // the nearest of the next row
  assert.equal(step(7, "ArrowUp"), 4);
  assert.deepEqual([step(0, "ArrowLeft"), step(7, "ArrowRight"), step(7, "ArrowDown")], [undefined, undefined, undefined]);
  assert.deepEqual([step(4, "Home"), step(4, "End"), step(4, "Tab")], [0, 7, undefined]);
});

test("the legend counts heads, and leaves out what no head does", () => {
  const labels = [{ label: 0 }, { label: 2 }, { label: 8 }];
  assert.deepEqual(counts(TILES, labels), [{ label: 2, count: 2 }, { label: 8, count: 1 }]);
});

test("the largest group says how many stand side by side", () => {
  assert.equal(largestGroup(TILES), 2);
  assert.equal(largestGroup([]), 1);
});
