// An answer as the end of an address: the page "Build a head" opens it, and the checker of mha_core/puzzles reads
// it. Each array is written as plain numbers: see mha_core/io/scenario/link_values.py.

const PAGE = "h."; // begins what the page says of its session

// `in_link` of a puzzle has all else that the layers need, by its names in a link.
export function linkOf(puzzle, arrays) {
  const written = Object.entries(arrays).map(([name, rows]) => [`${name}.rows`, rowsInLink(rows)]);
  const said = Object.entries({ puzzle: puzzle.name, ...puzzle.in_link, ...Object.fromEntries(written) });
  return `build?${new URLSearchParams(said.map(([name, text]) => [PAGE + name, text]))}`;
}

function rowsInLink(rows) {
  return Array.from(rows, (row) => Array.from(row, inLink).join("_")).join(" ");
}

function inLink(number) {
  return String(number).replace("e+", "e");
}
