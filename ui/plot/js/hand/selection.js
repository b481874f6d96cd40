// Several cells at once: from the anchor to the cursor. They are copied, or set to 0.

import { svg } from "../dom.js";
import { isSameCell } from "./keyboard.js";
import { say } from "../language.js";
import { allDigits } from "../numbers/numbers.js";

export class Selection {
  anchor = null; // the cell where it began; null where the cursor alone is meant

  // `plot` has `hand` and `lightUp()`.
  constructor(plot) {
    this.plot = plot;
  }

  // The cursor goes from one cell to another. With Shift, those between them are selected.
  follow(from, to, isShifted) {
    const begin = this.anchor ?? from;
    this.anchor = isShifted && to && begin?.matrix === to.matrix ? begin : null;
    this.plot.lightUp();
  }

  clear() { this.anchor = null; }

  get isOne() { return !this.anchor || isSameCell(this.anchor, this.plot.hand.cursor); }

  // In rows and columns.
  block() {
    const { cursor } = this.plot.hand;
    const from = this.anchor ?? cursor;
    const [top, left] = [Math.min(from.row, cursor.row), Math.min(from.column, cursor.column)];
    const down = Math.abs(from.row - cursor.row) + 1;
    const across = Math.abs(from.column - cursor.column) + 1;
    return { matrix: cursor.matrix, top, left, down, across };
  }

  // As a spreadsheet takes it: all digits, nothing where a cell is hidden.
  asTabs() {
    const { matrix, top, left, down, across } = this.block();
    const textOf = (row, column) => {
      const hidden = matrix.sent.given ? "-inf" : "";
      return matrix.isHidden(row, column) ? hidden : allDigits(matrix.value(row, column), matrix.isSingle);
    };
    return linesOfBlock(down, across, (i, j) => textOf(top + i, left + j));
  }

  // Where what is pasted or set to 0 begins.
  get corner() {
    const { matrix, top: row, left: column } = this.block();
    return { matrix, row, column };
  }

  zeros() {
    const { down, across } = this.block();
    return linesOfBlock(down, across, () => "0");
  }

  words() {
    const { matrix, top, left, down, across } = this.block();
    const from = `${matrix.rowName(top)}, ${matrix.columnName(left)}`;
    const to = `${matrix.rowName(top + down - 1)}, ${matrix.columnName(left + across - 1)}`;
    const named = { matrix: matrix.sent.title, rows: down, columns: across, first: from, last: to };
    return say("{matrix}, {rows} \u00d7 {columns} cells selected, from {first} to {last}", named);
  }

  lights({ primary }) {
    if (this.isOne) return [];
    const { matrix, top, left, down, across } = this.block();
    const box = matrix.blockBox(top, left, down, across);
    if (!box) return [];
    const place = { x: box.x, y: box.y, width: box.w, height: box.h };
    return [svg("rect", { ...place, fill: primary, "fill-opacity": 0.2, stroke: primary, "stroke-width": 2 })];
  }
}

function linesOfBlock(down, across, textOf) {
  const lines = Array.from({ length: down }, (_, i) => Array.from({ length: across }, (_, j) => textOf(i, j)));
  return lines.map((line) => line.join("\t")).join("\n");
}
