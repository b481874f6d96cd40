// The pen that draws the mask, in any picture with a row for each query and a column for each key.
//
// A stroke goes over one cell or several. The server hides them all if the first one was open, else it
// shows them again. So a stroke is one entry, and one step for undo. While a person draws, the weights
// follow as for a number that is dragged.

import { isSameCell } from "./keyboard.js";
import { STROKE } from "../live/live.js";

export const MASK = "mask";
const LEAST_TO_DRAG = 12; // pixels of a cell; in smaller ones a drag belongs to the zoom

export class MaskPen {
  cells = []; // under the present stroke: {matrix, row, column}

  whenEnded = () => {};

  // `plot` has `entries`, `live`, `isBehind`, `hand` and `lightUp()`.
  constructor(plot) {
    this.plot = plot;
  }

  fits({ sent }) {
    const { entries, isBehind } = this.plot;
    return entries.isOpen && !isBehind && !sent.given && !sent.whole && !sent.keeps_mask && sent.rows === "query" && sent.columns === "key";
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

  // `whenEnded` is called when the stroke ends, or is given up for another drag.
  begin(cell, whenEnded = () => {}) {
    this.plot.live.endOther();
    this.cells = [cell];
    this.whenEnded = whenEnded;
    this.beginLive([cell]);
    this.plot.lightUp();
  }

  beginLive(cells) {
    const { live } = this.plot;
    live.begin({ ...cells[0], matrix: { name: STROKE } }, placesOf(cells), () => this.end({ keeps: false }));
    live.move(placesOf(cells));
  }

  // The pointer may have jumped over cells.
  goTo(cell) {
    const last = this.cells.at(-1);
    if (cell?.matrix !== last.matrix) return;
    for (const each of between(last, cell)) {
      if (!this.cells.some((drawn) => isSameCell(drawn, each))) this.cells.push(each);
    }
    this.plot.live.move(placesOf(this.cells));
    this.plot.lightUp();
  }

  end({ keeps }) {
    const { cells, plot } = this;
    if (!cells.length) return;
    this.cells = [];
    this.whenEnded();
    if (keeps) plot.live.letGo(this.enter(cells));
    else plot.live.cancel([]);
    plot.lightUp();
  }

  // Whether the key was one for the pen.
  press({ key }) {
    const { cursor } = this.plot.hand;
    if (!cursor || !this.fits(cursor.matrix)) return false;
    const picks = key === "Enter" || key === " ";
    const draws = isMask(cursor.matrix) || this.plot.entries.isDrawing;
    if (!(key === "m" || key === "M" || (picks && draws))) return false;
    this.enterAtOnce(cursor);
    return true;
  }

  // Only a drag makes the browser ask for what it needs. Without that, a key just enters the cell.
  enterAtOnce(cell) {
    const { live } = this.plot;
    live.endOther();
    if (!live.isReady) return this.enter([cell]);
    this.beginLive([cell]);
    live.letGo(this.enter([cell]));
  }

  // Returns the number of the entry.
  enter(cells) {
    const text = placesOf(cells).map((place) => place.join(".")).join(" ");
    return this.plot.entries.enter({ ...cells[0], matrix: { name: STROKE } }, text);
  }

  // As an SVG path: the cells under the present stroke, and those of waiting strokes that the pictures do
  // not show yet.
  pathIn(matrix) {
    if (!this.fits(matrix)) return "";
    const { entries, live } = this.plot;
    const isShown = ({ number }) => live.hasMoved(MASK) && live.holds(number);
    const waiting = entries.waiting.filter((entry) => entry.matrix === STROKE && !isShown(entry));
    const sent = waiting.flatMap(({ text }) => text.split(" ").map((each) => each.split(".").map(Number)));
    const cells = [...sent, ...this.cells.map(({ row, column }) => [row, column])];
    return cells.map(([row, column]) => {
      const box = matrix.has(row, column) && matrix.cellBox(row, column);
      return box ? `M${box.x} ${box.y}h${box.w}v${box.h}h${-box.w}z` : "";
    }).join("");
  }
}

function placesOf(cells) { return cells.map(({ row, column }) => [row, column]); }

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
