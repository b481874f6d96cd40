// The only script of a page in one file that is not packed: it unpacks the others. ui/saved/packing.py
// packs them.

import { unpack } from "../wire.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;,=[?@^_`{|}~";
const FAMILY = "Source Sans 3";

const texts = document.querySelectorAll("script.packed");

// The bytes of a part, counted as they stand in the page. Nothing else has its turn meanwhile, as it would between
// the tasks of a Blob: so a page has all that it shows first in its first task.
async function unzipped(part) {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  const zipped = inBytes(texts[part].textContent);
  writer.write(zipped);
  writer.close();
  const bytes = new Uint8Array(new DataView(zipped.buffer).getUint32(zipped.length - 4, true)); // as its last four say
  const reader = readable.getReader();
  let at = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes.set(piece.value, at);
    at += piece.value.length;
  }
  return bytes;
}

// Base 85: five digits for four bytes. The last ones may be fewer.
function inBytes(text) {
  const value = new Uint8Array(128);
  for (let i = 0; i < DIGITS.length; i++) value[DIGITS.charCodeAt(i)] = i;
  const missing = (5 - (text.length % 5)) % 5;
  const signs = new TextEncoder().encode(text + DIGITS[84].repeat(missing)); // letters of a string are read more slowly
  const bytes = new DataView(new ArrayBuffer((signs.length / 5) * 4));
  // Without a loop inside: this runs before the browser has compiled it.
  for (let from = 0, to = 0; from < signs.length; to += 4) {
    const two = value[signs[from++]] * 85 + value[signs[from++]];
    bytes.setUint32(to, ((two * 85 + value[signs[from++]]) * 85 + value[signs[from++]]) * 85 + value[signs[from++]]);
  }
  return new Uint8Array(bytes.buffer, 0, bytes.byteLength - missing);
}

async function open() {
  const { script, styles, fonts } = unpack(await unzipped(0));
  document.head.append(Object.assign(document.createElement("style"), { textContent: styles }));
  for (const { weight, bytes } of fonts) document.fonts.add(new FontFace(FAMILY, bytes, { weight: String(weight) }));
  globalThis.unzipped = unzipped;
  document.head.append(Object.assign(document.createElement("script"), { textContent: script }));
}

open();
