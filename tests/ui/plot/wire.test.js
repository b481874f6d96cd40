import assert from "node:assert/strict";
import { test } from "node:test";

import { sameBytes, stampOf, unpack } from "../../../ui/plot/js/wire.js";

// What ui/plot/wire.py writes: the length of the text, the text, and the numbers from the next
// multiple of 8 bytes on.
function packed(part, numbers) {
  const text = new TextEncoder().encode(JSON.stringify(part));
  const start = Math.ceil((4 + text.length) / 8) * 8;
  const bytes = new Uint8Array(start + numbers.byteLength);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(new Uint8Array(numbers.buffer), start);
  return bytes;
}

const TABLE = { wire: "f8", at: 0, shape: [2, 3] };

test("an array with two axes arrives as a list of rows", () => {
  const { z } = unpack(packed({ z: TABLE }, Float64Array.of(1.5, NaN, -2, 0, 1e-300, 3)));
  assert.deepEqual(z, [Float64Array.of(1.5, NaN, -2), Float64Array.of(0, 1e-300, 3)]);
});

test("an array with one axis arrives as an array of its kind", () => {
  const { a } = unpack(packed({ a: { wire: "u1", at: 1, shape: [2] } }, Uint8Array.of(7, 8, 9)));
  assert.deepEqual(a, Uint8Array.of(8, 9));
});

test("arrays are found at any depth, and all else stays as it is", () => {
  const texts = { labels: ["a", '{"wire": 1}'], text: "x", none: null };
  const part = { deep: [{ z: TABLE }, null, 2], ...texts };
  const { deep, labels, text, none } = unpack(packed(part, new Float64Array(6)));
  assert.deepEqual(deep[0].z, [new Float64Array(3), new Float64Array(3)]);
  assert.deepEqual([deep[1], deep[2], labels, text, none], [null, 2, part.labels, "x", null]);
});

test("bytes that begin anywhere in their buffer are read", () => {
  const bytes = packed({ z: TABLE }, Float64Array.of(1, 2, 3, 4, 5, 6));
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assert.equal(unpack(shifted.subarray(3)).z[1][2], 6);
});

test("the same bytes are the same wherever they stand", () => {
  assert.ok(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2)));
  assert.ok(!sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3)));
  assert.ok(!sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 3)));
  assert.ok(!sameBytes(Uint8Array.of(1), undefined));
});

test("a number behind the packed bytes is read wherever these begin", () => {
  const bytes = packed({ z: TABLE }, new Float64Array(6));
  const stamped = new Uint8Array(bytes.length + 7);
  stamped.set(bytes, 3);
  stamped.set([0x02, 0x01, 0, 0], bytes.length + 3);
  assert.equal(stampOf(stamped.subarray(3)), 0x0102);
  assert.deepEqual(unpack(stamped.subarray(3)), unpack(bytes));
});
