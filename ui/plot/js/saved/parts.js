// The parts of a page in one file, which ui/saved/packing.py has packed: its data, and what it shows later.

import { unpack } from "../wire.js";

const BYTES = 8; // of a number

// A part of the page; 0 is its data. What comes before is the program.
/** @returns {Promise<any>} */
export async function partOf(number) {
  return unpack(inOrder(await globalThis.unzipped(number + 1)));
}

// All first bytes of numbers stand together, then all second ones, and so on.
export function inOrder(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = Math.ceil((4 + length) / BYTES) * BYTES;
  const made = bytes.slice();
  const count = (bytes.length - start) / BYTES;
  const halves = new Uint32Array(made.buffer, start); // four bytes at once
  const [second, third, fourth, next] = [count, 2 * count, 3 * count, 4 * count];
  for (let half = 0; half < 2; half++) {
    for (let i = 0, from = start + half * next; i < count; i++, from++) {
      const upper = (bytes[from + third] << 16) | (bytes[from + fourth] << 24);
      halves[2 * i + half] = bytes[from] | (bytes[from + second] << 8) | upper;
    }
  }
  return made;
}
