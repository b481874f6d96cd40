// Reads what ui/plot/wire.py packed.

const KINDS = {
  i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array,
  i4: Int32Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array,
};

export function unpack(bytes) {
  const { buffer } = bytes.slice(); // a copy, so that numbers begin at multiples of 8 bytes
  const length = new DataView(buffer).getUint32(0, true);
  const start = Math.ceil((4 + length) / 8) * 8;
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  return withArrays(JSON.parse(text), buffer, start);
}

// The number that ui/plot/wire.py put behind them.
export function stampOf({ buffer, byteOffset, length }) {
  return new DataView(buffer, byteOffset, length).getUint32(length - 4, true);
}

export function sameBytes(one, other) {
  if (one.length !== other?.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

// Puts each array where the text only describes it.
function withArrays(part, buffer, start) {
  if (part?.wire) return arrayOf(buffer, start, part);
  // Labels come by the thousand, so a list of texts is not searched.
  if (typeof part?.[0] === "string") return part;
  for (const name in part) {
    const each = part[name];
    if (typeof each === "object") part[name] = withArrays(each, buffer, start); // most are numbers and texts
  }
  return part;
}

// An array as a figure has it: a list of rows where it has two axes.
function arrayOf(buffer, start, { wire, at, shape: [count, width] }) {
  const Kind = KINDS[wire];
  const all = new Kind(buffer, start + at, count * (width ?? 1));
  if (width === undefined) return all;
  return Array.from({ length: count }, (_, row) => all.subarray(row * width, (row + 1) * width));
}
