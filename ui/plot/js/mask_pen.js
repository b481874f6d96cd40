// The pen that draws the mask, in any picture with a row for each query and a column for each key.
//
// A stroke goes over one cell or several. The server hides them all if the first one was open, else it
// shows them again. So a stroke is one entry, and one step for undo.

import { isSameCell } from "./keyboard.js";

export const STROKE = "mask.stroke"; // the matrix of its entries, which no picture has
const MASK = "mask";
const LEAST_TO_DRAG = 12; // pixels of a cell; in smaller ones a drag belongs to the zoom

export class MaskPen {
  cells = []; // under the present stroke: {matrix, row, column}

  // `plot` has `entries`, `isBehind`, `cellAt(event)`, `cursor` and `lightUp()`.
  constructor(plot) {
    this.plot = plot;
  }

  fits({ meta }) {
    const { entries, isBehind } = this.plot;
    return entries.isOpen && !isBehind && !meta.given && meta.rows === "query" && meta.columns === "key";
  }

  // Whether a press draws: in the mask itself, with Ctrl or Command, or while the pen is in hand.
  takes(cell, { ctrlKey, metaKey }) {
    if (!cell || !this.fits(cell.matrix)) return false;
    return isMask(cell.matrix) || ctrlKey || metaKey || this.plot.entries.isDrawing;
  }

  canDrag({ matrix }, { ctrlKey, metaKey, pointerType }) {
    const isLarge = Math.min(matrix.cellWidth, matrix.cellHeight) >= LEAST_TO_DRAG;
    return pointerType !== "touch" && (isLarge || ctrlKey || metaKey);
  }

  begin(cell) {
    this.cells = [cell];
    this.plot.lightUp();
  }

  // The pointer may have jumped over cells.
  goTo(cell) {
    const last = this.cells.at(-1);
    if (cell?.matrix !== last.matrix) return;
    for (const each of between(last, cell)) {
      if (!this.cells.some((drawn) => isSameCell(drawn, each))) this.cells.push(each);
    }
    this.plot.lightUp();
  }

  end({ keeps }) {
    const { cells } = this;
    this.cells = [];
    if (keeps) this.enter(cells);
    this.plot.lightUp();
  }

  // Whether the key was one for the pen.
  press({ key }) {
    const { cursor } = this.plot;
    if (!cursor || !this.fits(cursor.matrix)) return false;
    const picks = key === "Enter" || key === " ";
    const draws = isMask(cursor.matrix) || this.plot.entries.isDrawing;
    if (!(key === "m" || key === "M" || (picks && draws))) return false;
    this.enter([cursor]);
    return true;
  }

  enter(cells) {
    const text = cells.map(({ row, column }) => `${row}.${column}`).join(" ");
    this.plot.entries.enter({ ...cells[0], matrix: { name: STROKE } }, text);
  }

  // The cells that are drawn over, as far as the server has not heard of them, as an SVG path.
  pathIn(matrix) {
    if (!this.fits(matrix)) return "";
    const waiting = this.plot.entries.waiting.filter((entry) => entry.matrix === STROKE);
    const sent = waiting.flatMap(({ text }) => text.split(" ").map((each) => each.split(".").map(Number)));
    const cells = [...sent, ...this.cells.map(({ row, column }) => [row, column])];
    return cells.map(([row, column]) => {
      const box = matrix.has(row, column) && matrix.cellBox(row, column);
      return box ? `M${box.x} ${box.y}h${box.w}v${box.h}h${-box.w}z` : "";
    }).join("");
  }
}

// Whether it is the mask itself, in which every press draws.
export function isMask({ name }) { return name === MASK; }

// The cells on the straight way from one to another, without the first.
export function between(from, to) {
  const [down, across] = [to.row - from.row, to.column - from.column];
  const steps = Math.max(Math.abs(down), Math.abs(across));
  return Array.from({ length: steps }, (_, i) => ({
    matrix: to.matrix,
    row: from.row + Math.round((down * (i + 1)) / steps),
    column: from.column + Math.round((across * (i + 1)) / steps),
  }));
}
