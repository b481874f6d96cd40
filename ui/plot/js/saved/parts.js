// The parts of a page in one file, which ui/saved/packing.py has packed: its data, and what it shows later.

import { unpack } from "../wire.js";

const BYTES = 8; // of a number: four, two, one and one, as packing.py has them

// A part of the page; 0 is its data. What comes before is the program.
/** @returns {Promise<any>} */
export async function partOf(number) {
  return unpack(inOrder(await globalThis.unzipped(number + 1)));
}

// The first four bytes of all numbers stand together, then the next two, and so on.
export function inOrder(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = Math.ceil((4 + length) / BYTES) * BYTES;
  const count = (bytes.length - start) / BYTES;
  const { buffer } = bytes; // of which the bytes are all
  const low = new Uint32Array(buffer, start, count);
  const middle = new Uint16Array(buffer, start + 4 * count, count);
  const high = new Uint8Array(buffer, start + 6 * count, count);
  const highest = new Uint8Array(buffer, start + 7 * count, count);
  const made = bytes.slice();
  const halves = new Uint32Array(made.buffer, start);
  for (let i = 0; i < count; i++) {
    halves[2 * i] = low[i];
    halves[2 * i + 1] = middle[i] | (high[i] << 16) | (highest[i] << 24);
  }
  return made;
}
