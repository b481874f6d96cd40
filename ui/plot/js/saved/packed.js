// The only script of a page in one file that is not packed: it unpacks the others. ui/saved/packing.py
// packs them.

import { unpack } from "../wire.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%.()*+-;,=[?@^_`{|}~";
const FAMILY = "Source Sans 3";

const texts = document.querySelectorAll("script.packed");

// The bytes of a part, counted as they stand in the page.
async function unzipped(part) {
  const bytes = inBytes(texts[part].textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Base 85: five digits for four bytes. The last ones may be fewer.
function inBytes(text) {
  const value = new Uint8Array(128);
  for (let i = 0; i < DIGITS.length; i++) value[DIGITS.charCodeAt(i)] = i;
  const missing = (5 - (text.length % 5)) % 5;
  const signs = new TextEncoder().encode(text + DIGITS[84].repeat(missing)); // letters of a string are read more slowly
  const bytes = new DataView(new ArrayBuffer((signs.length / 5) * 4));
  for (let from = 0, to = 0; from < signs.length; to += 4) {
    let four = 0;
    for (const end = from + 5; from < end; from++) four = four * 85 + value[signs[from]];
    bytes.setUint32(to, four);
  }
  return new Uint8Array(bytes.buffer, 0, bytes.byteLength - missing);
}

const { script, styles, fonts } = unpack(await unzipped(0));
document.head.append(Object.assign(document.createElement("style"), { textContent: styles }));
for (const { weight, bytes } of fonts) document.fonts.add(new FontFace(FAMILY, bytes, { weight: String(weight) }));
globalThis.unzipped = unzipped;
document.head.append(Object.assign(document.createElement("script"), { type: "module", textContent: script }));
