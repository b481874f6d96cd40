// A matrix as ui/figures describes one, small enough to check by eye.

import { Matrix } from "../../../ui/plot/js/board/matrix.js";

export function sentOf(values, others = {}) {
  const [rowCount, columnCount] = [values.length, values[0].length];
  const labels = (letter, count) => Array.from({ length: count }, (_, i) => `${letter}${i}`);
  return {
    values,
    axes: { rows: `query ${rowCount}`, columns: `key ${columnCount}` },
    low: -1,
    high: 1,
    name: "weights/0",
    title: "weights, head 1",
    rows: "query",
    columns: "key",
    row_word: "query",
    column_word: "key",
    row_labels: labels("q", rowCount),
    column_labels: labels("k", columnCount),
    row_ticks: labels("q", rowCount),
    column_ticks: labels("k", columnCount),
    masked: values.some((row) => row.some(Number.isNaN)),
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
    ...others,
  };
}

// `cell` is the size of a cell in pixels.
export function matrixOf(values, { cell = 10, decimals = 2, ...others } = {}) {
  return new Matrix(sentOf(values, others), cell, decimals);
}
