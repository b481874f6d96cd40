// A matrix as ui/figures describes one, small enough to check by eye.

import { Matrix } from "../../../ui/plot/js/board/matrix.js";

export function traceOf(z, meta = {}) {
  const [rowCount, columnCount] = [z.length, z[0].length];
  const labels = (letter, count) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
  return {
    z,
    axes: { rows: `query ${rowCount}`, columns: `key ${columnCount}` },
    zmin: -1,
    zmax: 1,
    meta: {
      name: "weights/0",
      title: "weights, head 1",
      rows: "query",
      columns: "key",
      row_labels: labels("q", rowCount),
      column_labels: labels("k", columnCount),
      row_ticks: labels("q", rowCount),
      column_ticks: labels("k", columnCount),
      masked: z.some((row) => row.some(Number.isNaN)),
      across: columnCount,
      down: rowCount,
      left: [10, 0],
      top: [20, 0],
      heading_top: [0, 0],
      scale: "diverging",
      heading: "",
      caption: "",
      corner: { title: "", axes: [] },
      bands: [],
      ...meta,
    },
  };
}

// `cell` is the size of a cell in pixels.
export function matrixOf(z, { cell = 10, decimals = 2, ...meta } = {}) {
  return new Matrix(traceOf(z, meta), cell, decimals);
}
