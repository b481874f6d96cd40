// The keyboard: a cursor that goes from cell to cell.

import { clamp } from "./layout.js";

export const HELP =
  "Arrow keys move from cell to cell, Home and End along the row, Page Up and Page Down between " +
  "matrices, Enter picks the cell, Escape leaves.";

// Where a key leads: to another cell; to the same cell, which is a pick; to null, which is away;
// undefined if the key means nothing here.
export function cellAfter(key, { matrix, row, column }, matrices) {
  const place = matrices.indexOf(matrix);
  const go = (to, i, j) => ({
    matrix: to,
    row: clamp(i, 0, to.rowCount - 1),
    column: clamp(j, 0, to.columnCount - 1),
  });
  const turn = (by) => go(matrices[(place + by + matrices.length) % matrices.length], row, column);
  switch (key) {
    case "ArrowUp": return go(matrix, row - 1, column);
    case "ArrowDown": return go(matrix, row + 1, column);
    case "ArrowLeft": return go(matrix, row, column - 1);
    case "ArrowRight": return go(matrix, row, column + 1);
    case "Home": return go(matrix, row, 0);
    case "End": return go(matrix, row, matrix.columnCount);
    case "PageUp": return turn(-1);
    case "PageDown": return turn(+1);
    case "Enter":
    case " ": return { matrix, row, column };
    case "Escape": return null;
    default: return undefined;
  }
}

export function isSameCell(one, other) {
  return one?.matrix === other?.matrix && one?.row === other?.row && one?.column === other?.column;
}

// `plot` has `stage`, `board`, `cursor`, `picked`, `moveTo(cell)` and `pick(cell)`.
export function listenToKeys(plot, signal) {
  plot.stage.addEventListener("keydown", (event) => pressKey(plot, event), { signal });
}

function pressKey(plot, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { matrices } = plot.board;
  if (event.target !== plot.stage || !matrices.length) return;
  const here = plot.cursor ?? plot.picked ?? { matrix: matrices[0], row: 0, column: 0 };
  const next = cellAfter(event.key, here, matrices);
  if (next === undefined) return;
  event.preventDefault();
  if (event.key === "Enter" || event.key === " ") plot.pick(here);
  plot.moveTo(next && (plot.cursor ? next : here)); // the first key only shows where the cursor is
}
