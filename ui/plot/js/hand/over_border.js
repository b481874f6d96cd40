// Over the border of a matrix, into the next one of the same picture.

import { clamp } from "../board/layout.js";

const WAYS = {
  ArrowUp: { along: "y", sign: -1 },
  ArrowDown: { along: "y", sign: 1 },
  ArrowLeft: { along: "x", sign: -1 },
  ArrowRight: { along: "x", sign: 1 },
};

// The cell to which an arrow key leads from a cell at the border: that nearest to it of the nearest matrix
// on that side. Undefined where there is none: a matrix that stands aslant is on no side.
export function overBorder(key, { matrix, row, column }, matrices) {
  const { along, sign } = WAYS[key];
  const across = along === "x" ? "y" : "x";
  const place = { x: matrix.center(column), y: matrix.middle(row) };
  const gapTo = (other) => (sign > 0 ? gap(matrix, other, along) : gap(other, matrix, along));
  const isBeside = (other) => gapTo(other) >= 0 && gap(matrix, other, across) < 0 && gap(other, matrix, across) < 0;
  const farness = (other) => gapTo(other) + distance(place[across], spanOf(other, across));
  const [next] = matrices.filter(isBeside).toSorted((one, other) => farness(one) - farness(other));
  if (!next) return undefined;
  const [rows, columns] = [next.rowsInView(), next.columnsInView()];
  const nearest = (index, inView) => clamp(index, inView[0], inView.at(-1));
  const first = (inView) => inView.at(sign > 0 ? 0 : -1);
  return along === "x"
    ? { matrix: next, row: nearest(next.rowAt(place.y), rows), column: first(columns) }
    : { matrix: next, row: first(rows), column: nearest(next.columnAt(place.x), columns) };
}

function spanOf({ x, y, w, h }, axis) {
  return axis === "x" ? { from: x, to: x + w } : { from: y, to: y + h };
}

// From the end of one matrix to the beginning of another; less than 0 where that begins sooner.
function gap(one, other, axis) {
  return spanOf(other, axis).from - spanOf(one, axis).to;
}

function distance(value, { from, to }) {
  return Math.abs(value - clamp(value, from, to));
}
