// Changing a number step by step: by dragging its cell, by Alt and the arrow keys. On a touch screen, a drag
// changes the number if it begins on the chosen cell, or on the mark beside its matrix; any other scrolls.

import { html } from "../dom.js";
import { numberOf } from "../numbers/numbers.js";
import { markPlace } from "./mark_place.js";
import { whileDown } from "./while_down.js";

const BY_KEY = 10; // steps
const SHIFTED = 10; // times as many steps with Shift
const LEAST_CELL = 12; // pixels; in smaller cells a drag belongs to the zoom, except with Alt
const DIGITS = 12; // of a number that was dragged: no traces of rounding

const BY_ARROW = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };

export class Scrub {
  /** @type {Cell | null} */
  cell = null; // {matrix, row, column} that is dragged

  whenEnded = () => {};

  // `plot` has `root`, `scroll`, `board`, `entries`, `live`, `note`, `player`, `hand` and `texts`.
  constructor(plot) {
    this.plot = plot;
    this.mark = html("div", { class: "plot-mark", "aria-hidden": "true", hidden: "" }, "\u2194");
    this.mark.addEventListener("pointerdown", (event) => this.dragMark(event));
    this.grip = html("div", { class: "plot-grip", "aria-hidden": "true", hidden: "" }); // on the chosen cell
  }

  // `whenEnded` is called when the number is let go, or given up for another.
  begin(cell, whenEnded = () => {}) {
    this.plot.live.endOther();
    this.cell = cell;
    this.whenEnded = whenEnded;
    this.start = this.number = this.numberAt(cell);
    this.step = cell.matrix.step;
    this.plot.note.textContent = "";
    this.plot.live.begin(cell, this.start, () => this.end({ keeps: false }));
    this.plot.root.classList.add("plot-scrubbing");
  }

  // Goes so many steps up or down; with `isFar`, ten times as many.
  by(steps, isFar) {
    this.number += steps * (isFar ? SHIFTED : 1) * this.step;
    this.plot.live.move(this.shown);
  }

  // The number as it is shown: in whole steps, unless it is where it began.
  get shown() { return this.number === this.start ? this.start : inSteps(this.number, this.step); }

  end({ keeps }) {
    const { cell, plot, start, shown } = this;
    if (!cell) return;
    this.cell = null;
    this.whenEnded();
    plot.root.classList.remove("plot-scrubbing");
    if (keeps && shown !== start) plot.texts.letGo(cell, String(shown));
    else plot.live.cancel(start);
  }

  // What was entered into a cell counts, though the server has not answered. NaN where only the server
  // can read it.
  numberAt({ matrix, row, column }) {
    const { text, reason } = this.plot.entries.at(matrix, row, column) ?? { reason: true };
    return reason ? matrix.value(row, column) : numberOf(text);
  }

  // Minus infinity has no next number. In a picture that is behind, it would be another cell.
  canChange(cell) {
    const { matrix, row, column } = cell;
    if (!matrix.isEditable || this.plot.isBehind || matrix.isHidden(row, column)) return false;
    return Number.isFinite(this.numberAt(cell));
  }

  canDrag(cell, { altKey }) {
    const { cellWidth, cellHeight } = cell.matrix;
    return this.canChange(cell) && (altKey || Math.min(cellWidth, cellHeight) >= LEAST_CELL);
  }

  // Follows a pointer until it is let go. Right and up make the number larger.
  drag(cell, { clientX, clientY, pointerId }) {
    let last = { clientX, clientY };
    const follow = (event) => {
      if (event.pointerId !== pointerId) return;
      this.by(event.clientX - last.clientX - (event.clientY - last.clientY), event.shiftKey);
      last = event;
    };
    this.begin(cell, whileDown(follow, (keeps) => this.end({ keeps })));
  }

  dragMark(event) {
    event.preventDefault();
    event.stopPropagation();
    if (this.plot.hand.cursor) this.drag(this.plot.hand.cursor, event);
  }

  // Alt with an arrow key goes on until Alt is let go; Escape gives the number back. Returns whether the
  // key is one for this.
  press({ key, altKey, shiftKey }) {
    const { cursor } = this.plot.hand;
    if (key === "Escape" && this.cell) {
      this.end({ keeps: false });
      return true;
    }
    if (!altKey || !(key in BY_ARROW) || !cursor?.matrix.isEditable) return false;
    if (!this.canChange(cursor)) return true;
    this.plot.player.stop();
    if (!this.cell) this.begin(cursor);
    this.by(BY_ARROW[key] * BY_KEY, shiftKey);
    return true;
  }

  // What a finger drags at the cursor.
  placeMark(cursor, isTouched) {
    const box = isTouched && cursor?.matrix.isEditable && cursor.matrix.cellBox(cursor.row, cursor.column);
    const place = box && markPlace(box, cursor.matrix, this.plot.board.matrices, this.seen());
    this.grip.hidden = !box || !this.canDrag(cursor, { altKey: false });
    this.mark.hidden = !place;
    if (box) {
      const { x, y, w, h } = box;
      Object.assign(this.grip.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
    }
    if (place) Object.assign(this.mark.style, { left: `${place.left}px`, top: `${place.top}px` });
  }

  // The part of the picture that is not cut off.
  seen() {
    const { board: { room, size }, scroll } = this.plot;
    return { x: scroll.scrollLeft, y: 0, w: room, h: size.height };
  }
}

export function inSteps(number, step) {
  return Number((Math.round(number / step) * step).toPrecision(DIGITS)) + 0;
}
