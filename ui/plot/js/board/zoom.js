// Which part of each matrix is shown, in whole rows and columns: [from, to), counted from 0. It draws
// nothing.

import { clamp } from "./layout.js";

const SLIM = 0.6; // of its longer side: of a slimmer box only one side counts
const SMALLEST_SIDE = 8; // pixels of a side that is meant
const CLEAR_SIDE = 20; // pixels of a side that is meant, however long the other one is
const EDGE_OF_CELL = 0.01; // of a cell: so much of it does not count

export class Zoom {
  #zoomedAs; // of the figure that it belongs to
  #parts = new Map(); // by an axis. Matrices that show the same things have one axis

  // A zoom is kept for as long as the figure says that it is the same.
  follow(figure) {
    if (figure.zoomed_as !== this.#zoomedAs) this.#parts.clear();
    this.#zoomedAs = figure.zoomed_as;
  }

  partOf({ sent, rowCount, columnCount }) {
    return {
      rows: this.#parts.get(rowsOf(sent)) ?? [0, rowCount],
      columns: this.#parts.get(columnsOf(sent)) ?? [0, columnCount],
    };
  }

  show({ sent }, { rows, columns }) {
    this.#parts.set(rowsOf(sent), rows);
    this.#parts.set(columnsOf(sent), columns);
  }

  // Moves the part that is shown until it has a cell. Returns whether it had to.
  bring({ matrix, row, column }) {
    const { rows, columns } = this.partOf(matrix);
    const part = { rows: reaching(rows, row), columns: reaching(columns, column) };
    if (part.rows[0] === rows[0] && part.columns[0] === columns[0]) return false;
    this.show(matrix, part);
    return true;
  }

  // Shows all of a matrix, and of those that zoom with it.
  leave({ sent }) {
    this.#parts.delete(rowsOf(sent));
    this.#parts.delete(columnsOf(sent));
  }

  leaveAll() { this.#parts.clear(); }
}

function rowsOf({ axes }) {
  return `rows ${axes.rows}`;
}

function columnsOf({ axes }) {
  return `columns ${axes.columns}`;
}

// The box from one place to another in a matrix, in pixels. A slim one stands only for rows or columns,
// and is as long as the matrix; a small one stands for nothing, and is null.
export function boxBetween([fromX, fromY], [toX, toY], { x, y, w, h }) {
  const [left, right] = inOrder(clamp(fromX, x, x + w), clamp(toX, x, x + w));
  const [top, bottom] = inOrder(clamp(fromY, y, y + h), clamp(toY, y, y + h));
  const [isLow, isNarrow] = [isSlim(bottom - top, right - left), isSlim(right - left, bottom - top)];
  if (isLow && isNarrow) return null;
  const across = isNarrow ? { x, w } : { x: left, w: right - left };
  const down = isLow ? { y, h } : { y: top, h: bottom - top };
  return { ...across, ...down };
}

// The part of a matrix that a box touches.
export function partIn(box, { x, y, firstRow, firstColumn, cellWidth, cellHeight, rowCount, columnCount }) {
  return {
    rows: touched(firstRow + (box.y - y) / cellHeight, box.h / cellHeight, rowCount),
    columns: touched(firstColumn + (box.x - x) / cellWidth, box.w / cellWidth, columnCount),
  };
}

// A part moved by so many cells, or as far as there are cells.
export function partMoved([from, to], by, count) {
  const start = clamp(from + Math.round(by), 0, count - (to - from));
  return [start, start + to - from];
}

function reaching([from, to], place) {
  const by = Math.min(0, place - from) + Math.max(0, place - (to - 1));
  return [from + by, to + by];
}

function touched(first, length, count) {
  const from = clamp(Math.floor(first + EDGE_OF_CELL), 0, count - 1);
  return [from, clamp(Math.ceil(first + length - EDGE_OF_CELL), from + 1, count)];
}

function inOrder(one, other) {
  return one <= other ? [one, other] : [other, one];
}

function isSlim(side, other) {
  return side < Math.min(Math.max(SLIM * other, SMALLEST_SIDE), CLEAR_SIDE);
}
