// Where a person points, and which cell is picked: by pointer, by keyboard, by finger.

import { placeIn } from "../dom.js";
import { isSameCell } from "./keyboard.js";
import { pointEverywhere } from "../drawing/light.js";
import { tellMatrix } from "../drawing/symbols.js";

const ROOM_BESIDE = 40; // pixels that are in sight beside a cell to which the keyboard has gone

export class Hand {
  /** @type {Cell | null} */
  pointed = null; // the cell under the pointer or the cursor: {matrix, row, column}
  /** @type {Cell | null} */
  cursor = null; // the cell where the keyboard is
  isByKeys = false; // whether the cursor went there by keyboard, and not by a click

  constructor(plot) {
    this.plot = plot;
  }

  cellAt(event) {
    const { board, stage } = this.plot;
    return board?.cellAt(...placeIn(stage, event)) ?? null;
  }

  // The cell at a place, or else the matrix whose heading or caption is there.
  pointAt(event) {
    const { board, stage } = this.plot;
    this.point(this.cellAt(event));
    tellMatrix(board?.matrixAt(...placeIn(stage, event))?.name);
  }

  point(cell) {
    if (isSameCell(cell, this.pointed)) return;
    const { spotlight, stage, tip } = this.plot;
    this.pointed = cell;
    spotlight.follow(cell);
    stage.classList.toggle("plot-on-editable", Boolean(cell?.matrix.isEditable));
    pointEverywhere(cell?.matrix.isWhole ? null : cell);
    tellMatrix(cell?.matrix.name);
    const liesInTheWay = spotlight.isOn && spotlight.kind !== "cell"; // of a row or a column
    tip.show(liesInTheWay ? null : cell, stage);
    this.sayCursor();
  }

  // The keyboard's cursor goes to a cell, or away. With Shift it selects those on the way.
  moveTo(there, isShifted = false) {
    const { board, labels, selection, player } = this.plot;
    const cell = board?.again(there) ?? null;
    labels.leave();
    selection.follow(this.cursor, cell, isShifted);
    this.cursor = cell;
    player.follow();
    this.point(cell);
    this.sayCursor(); // the mouse may have pointed there before
    if (cell) this.bringIntoView(cell);
  }

  // The keys belong to the page again.
  leave() {
    this.moveTo(null);
    this.isByKeys = false;
    this.plot.stage.blur();
  }

  // After an entry: the tip of a cell would hide its neighbours, to which a person goes on.
  goOnTo(cell) {
    this.moveTo(cell);
    this.plot.tip.show(null);
  }

  // Where a number can be edited, the first press picks its cell and the second one opens it.
  pickAt(cell, isShifted) {
    const { editor, stage } = this.plot;
    editor.close({ keeps: true });
    if (isShifted) {
      this.moveTo(cell, isShifted);
      return stage.focus({ preventScroll: true });
    }
    const isAgain = cell.matrix.isEditable && isSameCell(cell, this.cursor);
    this.goInto(cell);
    if (isAgain) return editor.open(cell);
    this.pick(cell);
    stage.focus({ preventScroll: true }); // typing goes to the cell
  }

  // The cursor goes where the pointer is.
  goInto(cell) {
    const { labels, selection, player } = this.plot;
    labels.leave();
    selection.clear();
    this.cursor = cell;
    player.follow();
    this.point(cell);
  }

  pick({ matrix, row, column }) {
    const [rowOfArray, columnOfArray] = matrix.turned(row, column);
    this.plot.report({ matrix: matrix.name, row: rowOfArray, column: columnOfArray });
    if (matrix.isWhole) this.plot.tip.show(null); // it becomes large, and its preview would lie over it
  }

  sayCursor() {
    const { labels, stage, spoken, selection, texts } = this.plot;
    if (labels.cursor) return labels.say();
    if (!this.cursor || !stage.matches(":focus")) return;
    spoken.textContent = selection.isOne ? texts.sentence(this.cursor) : selection.words();
  }

  bringIntoView({ matrix, row, column }) {
    const { zoom, scroll } = this.plot;
    if (zoom.bring({ matrix, row, column })) this.plot.drawBoard();
    const box = matrix.cellBox(row, column);
    if (!box) return;
    const left = scrolledTo(box, scroll);
    if (left !== scroll.scrollLeft) scroll.scrollLeft = left;
  }

  // The picture has changed: the same cells there, where they still are.
  follow(board) {
    this.cursor = board.again(this.cursor);
    this.pointed = board.again(this.pointed);
  }
}

// How far a picture is scrolled so that a box of it is in sight.
export function scrolledTo({ x, w }, { scrollLeft, clientWidth }) {
  if (x < scrollLeft) return x - ROOM_BESIDE;
  if (x + w > scrollLeft + clientWidth) return x + w + ROOM_BESIDE - clientWidth;
  return scrollLeft;
}
