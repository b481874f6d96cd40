// A spotlight: all is dark except the cell that is pointed at, or its row, or its column.
//
// It is about things, as the lights are: a token that is lit in one matrix is lit in every matrix that
// has it. It stays where it is while nothing is pointed at, and in the next picture.

import { svg } from "../dom.js";

export const SPOTLIGHTS = ["cell", "row", "column"];
const DARK_SHARE = 0.86; // of the paper's colour over what is in the dark
const HEADING_HEIGHT = 18; // pixels

export class Spotlight {
  kind = ""; // one of SPOTLIGHTS; "" is off
  /** @type {any} */
  on = null; // the rows and the columns of what was pointed at last: a kind of thing, and its place

  get isOn() { return this.kind !== "" && this.on !== null; }

  follow(cell) {
    if (!cell) return;
    const { rows, columns } = cell.matrix.sent;
    this.on = { row: [rows, cell.row], column: [columns, cell.column] };
  }

  // What is lit, in the form of `indicesLit`; without a spotlight, the given `indices`.
  lit(indices) {
    if (!this.isOn) return indices;
    const { row, column } = this.on;
    const lines = { cell: [column, row], row: [row], column: [column] }[this.kind];
    return Object.fromEntries(lines.filter(([kind]) => kind));
  }

  // A cell of what was lit last, in a picture that may be another one.
  cellIn(board) {
    if (!this.on) return null;
    const [[rows, row], [columns, column]] = [this.on.row, this.on.column];
    const matrix = board.matrices.find(({ sent }) => sent.rows === rows && sent.columns === columns);
    return matrix ? board.cell(matrix.name, row, column) : null;
  }

  // The dark, with holes for what is lit. Headings stay: they say what stands below them.
  veil(board, theme) {
    if (!this.isOn) return [];
    const { width, height } = board.size;
    const indices = this.lit({});
    const lit = board.matrices.map((matrix) => boxLit(matrix, indices)).filter(Boolean);
    const holes = [...lit, ...board.matrices.filter(({ sent }) => sent.heading).map(headingBox)];
    const all = { x: -width, y: 0, w: 3 * width, h: 2 * height }; // as wide as the screen, below its title
    const path = [all, ...holes].map(({ x, y, w, h }) => `M${x} ${y}h${w}v${h}h${-w}z`);
    const look = { fill: theme.paper, "fill-opacity": DARK_SHARE, "fill-rule": "evenodd" };
    return [svg("path", { class: "plot-dark", d: path.join(""), ...look })];
  }
}

// The part of a matrix that is about what is lit: a cell, a row or a column of it.
export function boxLit(matrix, indices) {
  const [row, column] = [indices[matrix.sent.rows], indices[matrix.sent.columns]];
  const [hasRow, hasColumn] = [row < matrix.rowCount, column < matrix.columnCount];
  if (hasRow && hasColumn) return matrix.cellBox(row, column);
  if (hasRow) return matrix.rowBox(row);
  return hasColumn ? matrix.columnBox(column) : null;
}

function headingBox({ x, headingTop, w, sent }) {
  return { x, y: headingTop, w: Math.max(w, 8 * sent.heading.length), h: HEADING_HEIGHT };
}
