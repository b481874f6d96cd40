// The keyboard: a cursor that goes from cell to cell.

import { say } from "../language.js";
import { clamp } from "../board/layout.js";
import { overBorder } from "./over_border.js";

export const HELP = say(
  "Arrow keys move from cell to cell, and over the border of a matrix into the next one, Home and End along " +
  "the row, and from there Page Up and Page Down between matrices. Shift selects several cells, Enter picks the cell. Escape takes back what was refused, " +
  "puts the mask pen down, ends a selection, closes what is said of a number, and then leaves the picture. Where a number can " +
  "be edited, typing replaces it, Enter or F2 edits it, Delete sets it to 0, and Alt with an arrow key changes it step by " +
  "step, with Shift in large steps. Where the mask can be drawn, M hides a key from a query, or " +
  "shows it again. Left of the first cell of a row, and above that of a column, is its label. " +
  "There typing or F2 renames a token, Insert adds a row or column, Delete removes it, Alt with an " +
  "arrow key moves it, Space opens a menu. Above a head's columns is its heading: there O switches the " +
  "head off or on, and Alt with an arrow key moves it.",
);

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const OF_REMOTE_CONTROL = ["PageUp", "PageDown"];
const BEGINS_A_NUMBER = /^[-+\u2212.,0-9]$/;

// Where a key leads: to another cell; to the same cell, which is a pick; undefined if the key
// means nothing here.
export function cellAfter(key, { matrix, row, column }, matrices) {
  const place = matrices.indexOf(matrix);
  const go = (to, i, j) => ({
    matrix: to,
    row: clamp(i, 0, to.rowCount - 1),
    column: clamp(j, 0, to.columnCount - 1),
  });
  const turn = (by) => go(matrices[(place + by + matrices.length) % matrices.length], row, column);
  if (key in ARROWS) {
    const [i, j] = [row + ARROWS[key][0], column + ARROWS[key][1]];
    const here = { matrix, row, column };
    const isInside = matrix.has(i, j) && !matrix.isWhole;
    return isInside ? go(matrix, i, j) : overBorder(key, here, matrices) ?? here;
  }
  switch (key) {
    case "Home": return go(matrix, row, 0);
    case "End": return go(matrix, row, matrix.columnCount);
    case "PageUp": return turn(-1);
    case "PageDown": return turn(+1);
    case "Enter":
    case " ": return { matrix, row, column };
    default: return undefined;
  }
}

export function isSameCell(one, other) {
  return one?.matrix === other?.matrix && one?.row === other?.row && one?.column === other?.column;
}

// `plot` has `stage`, `board`, `picked`, `hand`, `texts`, `editor`, `labels`, `scrub`, `pen`, `selection` and
// `closeExplained()`.
export function listenToKeys(plot, signal) {
  const on = (type, act) => plot.stage.addEventListener(type, act, { signal });
  on("keydown", (event) => pressKey(plot, event));
  window.addEventListener("keydown", (event) => leadBack(plot, event), { signal });
  on("keyup", ({ key }) => key === "Alt" && plot.scrub.end({ keeps: true }));
  on("blur", () => plot.scrub.end({ keeps: true }));
  on("copy", (event) => copyCell(plot, event));
  on("paste", (event) => pasteAtCell(plot, event));
}

// What a key does to a cell that can be edited: it opens the field, with this text or with the
// cell's own (undefined), or it enters a text at once.
export function editOf(key) {
  if (key === "Enter" || key === "F2") return { opens: true };
  if (key === "Delete" || key === "Backspace") return { enters: "0" };
  if (BEGINS_A_NUMBER.test(key)) return { opens: true, text: key };
  return null;
}

function pressKey(plot, event) {
  const { matrices } = plot.board;
  if (event.target !== plot.stage || !matrices.length) return;
  if (event.ctrlKey || event.metaKey) return;
  // After a click, a remote control leads the page on, and not the cursor.
  if (OF_REMOTE_CONTROL.includes(event.key) && !plot.hand.isByKeys) return;
  if (plot.labels.press(event) || plot.scrub.press(event)) return event.preventDefault();
  if (event.altKey) return;
  if (plot.pen.press(event)) return event.preventDefault();
  if (event.key === "Escape") {
    event.preventDefault();
    return goOut(plot);
  }
  const here = plot.hand.cursor ?? plot.picked ?? { matrix: matrices[0], row: 0, column: 0 };
  const edit = plot.hand.cursor?.matrix.isEditable ? editOf(event.key) : null;
  if (edit) {
    event.preventDefault();
    if (edit.opens) plot.editor.open(plot.hand.cursor, edit.text);
    else plot.texts.setToZero();
    return;
  }
  const goesOver = !(event.shiftKey && event.key in ARROWS); // what is selected is in one matrix
  const next = cellAfter(event.key, here, goesOver ? matrices : [here.matrix]);
  if (next === undefined) return;
  event.preventDefault();
  if (event.key === "Enter" || event.key === " ") plot.hand.pick(here);
  else plot.hand.isByKeys = true;
  plot.hand.moveTo(plot.hand.cursor ? next : here, event.shiftKey); // the first key only shows it
}

// Escape leads back to all heads, also where no picture has the keys.
function leadBack({ board, report }, { key, target }) {
  if (key === "Escape" && target === document.body && board?.leadsBack) report({ back: true });
}

// What is nearest ends first, and then the next.
function goOut(plot) {
  if (plot.texts.takeBackRefused()) return;
  if (plot.entries.isDrawing) return plot.entries.takePen(false);
  if (!plot.selection.isOne) return plot.hand.moveTo(plot.hand.cursor);
  if (plot.closeExplained()) return;
  if (plot.board.leadsBack) plot.report({ back: true });
  else plot.hand.leave();
}

function copyCell(plot, event) {
  if (event.target !== plot.stage || !plot.hand.cursor) return;
  event.clipboardData.setData("text/plain", plot.texts.copied());
  event.preventDefault();
}

function pasteAtCell(plot, event) {
  if (event.target !== plot.stage || !plot.hand.cursor?.matrix.isEditable) return;
  event.preventDefault();
  plot.texts.enter(plot.selection.corner, event.clipboardData.getData("text/plain"));
}
