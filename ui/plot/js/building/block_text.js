// A block of numbers as a short expression, such as 10*I or 4*shift(-1): what mha_core/io/matrix/block_text.py
// reads. Nothing is run.

const LONGEST = 200; // characters
const NUMBER = String.raw`(?<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)`;
const shape = (before) => String.raw`(?<${before}shape>ones|I|shift\s*\(\s*(?<${before}by>[+-]?\d{1,4})\s*\))`;
const TERM = new RegExp(String.raw`\s*(?<sign>[+-])?\s*(?:${NUMBER}\s*(?:\*?\s*${shape("")})?|${shape("alone_")})\s*`, "iy");

// Its rows, or null where the text is none.
export function blockOf(text, rows, columns) {
  const written = text.replaceAll("\u2212", "-").replaceAll("\u00b7", "*");
  const made = Array.from({ length: rows }, () => new Array(columns).fill(0));
  if (!written.trim() || written.length > LONGEST) return null;
  TERM.lastIndex = 0;
  for (let place = 0; place < written.length; place = TERM.lastIndex) {
    const term = TERM.exec(written)?.groups;
    if (!term || (place && !term.sign)) return null;
    add(made, term);
  }
  return made.flat().every(Number.isFinite) ? made : null;
}

/** @param {number[][]} made @param {any} term */
function add(made, { sign, number, shape: times, alone_shape: alone, by, alone_by: aloneBy }) {
  const factor = Number(number || 1) * (sign === "-" ? -1 : 1);
  const isOnes = (times ?? alone ?? "ones").toLowerCase() === "ones";
  const right = Number(by ?? aloneBy ?? 0);
  made.forEach((row, i) => row.forEach((_, j) => { if (isOnes || j === i + right) row[j] += factor; }));
}
