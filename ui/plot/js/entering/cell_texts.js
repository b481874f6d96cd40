// What stands in the cells of a picture as text: what is typed there, refused, copied and read out.

import { html } from "../dom.js";
import { say } from "../language.js";
import { STROKE } from "../live/live.js";
import { isMask } from "../hand/mask_pen.js";

const MOST_REASONS = 3; // why entries were refused, below a picture

export class CellTexts {
  #said = ""; // the reasons that stand there

  constructor(plot) {
    this.plot = plot;
    this.refusals = html("div", { class: "plot-refusals", "aria-live": "polite" });
  }

  get canDrawMask() { return this.plot.board.matrices.some((matrix) => this.plot.pen.fits(matrix)); }
  get needsPen() {
    const { board, pen } = this.plot;
    return board.matrices.some((matrix) => pen.fits(matrix) && !isMask(matrix));
  }

  // The reasons stand below the picture, the first few of them.
  sayRefused() {
    const { board, entries } = this.plot;
    const isHere = ({ matrix }) => (matrix === STROKE ? this.canDrawMask : board.named(matrix));
    const reasons = reasonsToSay(entries.refused.filter(isHere));
    if (reasons.join() === this.#said) return;
    this.#said = reasons.join();
    this.refusals.replaceChildren(...reasons.map((reason) => html("p", {}, reason)));
    this.showRefused();
  }

  // A large picture hides what stands below it, so the tip says it too, at the cell.
  showRefused() {
    const { stage, tip } = this.plot;
    const cell = this.newestRefused;
    if (cell) tip.show(cell, stage);
  }

  // What a cell holds, as a person would type it: with the minus of a keyboard.
  textIn({ matrix, row, column }) {
    const entered = this.plot.entries.at(matrix, row, column);
    if (entered) return entered.text;
    const isMinusInfinity = matrix.sent.given && matrix.isHidden(row, column);
    return isMinusInfinity ? "-inf" : matrix.exact(row, column).replaceAll("\u2212", "-");
  }

  // The selected cells as a spreadsheet takes them, or the one at the cursor.
  copied() {
    const { selection, hand } = this.plot;
    return selection.isOne ? this.textIn(hand.cursor) : selection.asTabs();
  }

  setToZero() {
    const { selection } = this.plot;
    this.enter(selection.corner, selection.zeros());
  }

  // Takes what was typed or pasted into a cell. An empty entry leaves its number as it was.
  enter(cell, text) {
    const { entries, isBehind } = this.plot;
    if (isBehind) return;
    const isRefused = Boolean(this.refusedIn(cell));
    const isSame = text.trim() === this.textIn(cell);
    if (isSame || (!text.trim() && !isRefused)) return;
    entries.enter(cell, text.trim() ? text : "");
  }

  // The number of a cell that was dragged is an entry like any other.
  letGo({ matrix, row, column }, text) {
    const { live, entries, hand } = this.plot;
    live.letGo(entries.enter({ matrix, row, column }, text));
    hand.sayCursor();
  }

  // Takes back the newest refused entry, if there is one, and goes to its cell: what is typed next
  // goes there.
  takeBackRefused() {
    const cell = this.newestRefused;
    if (!cell) return false;
    this.enter(cell, "");
    this.plot.hand.moveTo(cell);
    return true;
  }

  // The cell of the newest refused entry, of those that are here.
  get newestRefused() {
    const { board, entries } = this.plot;
    const cells = entries.refused.filter(({ act }) => !act).map(({ matrix, row, column }) => board.cell(matrix, row, column));
    return cells.findLast((cell) => cell && this.refusedIn(cell));
  }

  // What was refused in a cell and still stands there: {text, reason}.
  refusedIn({ matrix, row, column }) {
    const entered = this.plot.entries.at(matrix, row, column);
    return entered?.reason ? entered : null;
  }

  nameOf({ matrix, row, column }) {
    return [matrix.sent.title, matrix.rowName(row), matrix.columnName(column)].join(", ");
  }

  sentence({ matrix, row, column }) {
    const { text, reason } = this.plot.entries.at(matrix, row, column) ?? {};
    if (reason) {
      const cell = this.nameOf({ matrix, row, column });
      return say("{cell}: {text}, refused. {reason}", { cell, text, reason });
    }
    const sentence = matrix.sentence(row, column);
    return matrix.isEditable ? say("{sentence}, can be edited", { sentence }) : sentence;
  }
}

// The first few, and how many more there are.
export function reasonsToSay(refused) {
  const reasons = refused.slice(0, MOST_REASONS).map(({ reason }) => reason);
  const more = refused.length - MOST_REASONS;
  return more > 0 ? [...reasons, say("{count} more.", { count: more })] : reasons;
}
