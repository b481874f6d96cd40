// What is lit: the row and the column that are pointed at in any plot of the page, the picked cell,
// and the keyboard's cursor.

import { svg } from "../dom.js";
import { columnLabel, rowLabel } from "./ink.js";
import { widthOf, withMinus } from "../numbers/numbers.js";

const POINTED = "attention-focus"; // an event on window: {kind of thing: its index}
const TOO_LONG = "!"; // in the place of what was refused and has no room in its cell

// Tells all plots of the page what is pointed at.
export function pointEverywhere(cell) {
  const { rows, columns } = cell?.matrix.sent ?? {};
  // If both axes have one kind, the row counts. An axis of one thing has no kind.
  const detail = cell ? { [columns]: cell.column, [rows]: cell.row } : {};
  delete detail[""];
  window.dispatchEvent(new CustomEvent(POINTED, { detail }));
}

export function whenPointed(act, signal) {
  window.addEventListener(POINTED, ({ detail }) => act(detail), { signal });
}

// What is lit in all matrices: what is pointed at; if nothing is, the lines of the number that is explained.
export function indicesLit(pointed, lines) {
  return Object.keys(pointed).length ? pointed : Object.fromEntries(lines);
}

// The lights as SVG elements. `indices` says which rows and columns, whose labels are lit, and which
// have `frames` unless something else shows them; each cell may be null.
export function lightsOf(board, theme, { indices, frames = true, pointed, picked, outlined, cursor, live, entries, pen }) {
  const made = outlined.made_of.flatMap((box) => boxFrame(board, box, theme, theme.primary, 2));
  const next = outlined.goes_into.flatMap((box) => boxFrame(board, box, theme, theme.primary, 1.5));
  for (const line of next) line.setAttribute("stroke-dasharray", "4 3");
  return [
    ...board.matrices.flatMap((matrix) => entered(matrix, board, theme, entries, live)),
    ...board.matrices.flatMap((matrix) => rowAndColumn(matrix, theme, indices, frames)),
    ...board.matrices.flatMap((matrix) => drawnOver(matrix, theme, pen)),
    ...next,
    ...made,
    ...board.matrices.filter(({ isChosen }) => isChosen).flatMap((matrix) => frame(matrix, theme, theme.primary, 3, 2)),
    ...cellFrame(pointed, theme, theme.primary, 2),
    ...cellFrame(picked, theme, theme.text, 2.5),
    ...cellFrame(cursor, theme, theme.text, 2, 3),
  ];
}

function rowAndColumn(matrix, theme, indices, hasFrames) {
  const { rows, columns, row_ticks, column_ticks } = matrix.sent;
  const [row, column] = [indices[rows], indices[columns]];
  const halo = { stroke: theme.paper, "stroke-width": 4, "paint-order": "stroke" };
  const look = { fill: theme.primary, "font-weight": 700, ...halo };
  const lights = [];
  if (row < matrix.rowCount) {
    if (hasFrames) lights.push(...frame(matrix.rowBox(row), theme, theme.primary, 1.5));
    if (row_ticks[row] && matrix.seesRow(row)) lights.push(rowLabel(matrix, row, look));
  }
  if (column < matrix.columnCount) {
    if (hasFrames) lights.push(...frame(matrix.columnBox(column), theme, theme.primary, 1.5));
    if (column_ticks[column] && matrix.seesColumn(column)) {
      lights.push(columnLabel(matrix, column, look));
    }
  }
  return lights;
}

// What stands in a cell until the server has taken it, and what it has refused.
function entered(matrix, board, theme, entries, live) {
  const isPainted = live.hasMoved(matrix.name);
  const isInPicture = ({ number }) => isPainted && live.holds(number);
  const texts = entries.in(matrix).filter((each) => each.reason || !isInPicture(each));
  const { drag } = live;
  const isOnItsWay = drag?.matrix === matrix.name && !isPainted;
  const dragged = isOnItsWay ? [{ ...drag, text: withMinus(String(drag.number)) }] : [];
  return [...texts, ...dragged].flatMap(({ row, column, text, reason }) => {
    const box = matrix.has(row, column) && matrix.cellBox(row, column);
    if (!box) return [];
    const place = { x: box.x, y: box.y, width: box.w, height: box.h };
    const fits = matrix.sizeOfText(widthOf(text)) >= matrix.smallestText;
    const shown = fits || !reason ? text : TOO_LONG;
    const size = Math.min(board.textSize(matrix) || box.h, matrix.sizeOfText(widthOf(shown)));
    const color = reason ? theme.wrong : theme.text;
    const middle = { x: box.x + box.w / 2, y: box.y + box.h / 2 + size * 0.35 };
    const look = { class: "plot-entered", fill: color, "font-size": size, "text-anchor": "middle" };
    const outline = { fill: theme.paper, stroke: color, "stroke-width": reason ? 2 : 1 };
    const isReadable = size >= matrix.smallestText;
    return [
      svg("rect", { ...place, ...outline }),
      ...(isReadable ? [svg("text", { ...middle, ...look }, shown)] : []),
    ];
  });
}

// What the pen has gone over, until the server has heard of it.
function drawnOver(matrix, theme, pen) {
  const d = pen.pathIn(matrix);
  return d ? [svg("path", { d, fill: theme.primary, "fill-opacity": 0.35, stroke: theme.primary })] : [];
}

function cellFrame(cell, theme, stroke, width, outset = 0) {
  if (!cell) return [];
  return frame(cell.matrix.cellBox(cell.row, cell.column), theme, stroke, width, outset);
}

// A frame around cells that stand beside each other, if the picture has them all.
function boxFrame(board, [name, row, column, lastRow, lastColumn], theme, stroke, width) {
  const ends = [board.cellOfArray(name, row, column), board.cellOfArray(name, lastRow, lastColumn)];
  const [one, other] = ends.map((cell) => cell?.matrix.cellBox(cell.row, cell.column));
  if (!one || !other) return [];
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const w = Math.max(one.x + one.w, other.x + other.w) - x;
  const h = Math.max(one.y + one.h, other.y + other.h) - y;
  return frame({ x, y, w, h }, theme, stroke, width);
}

// A line in the paper's colour lies below, so that the frame is seen on every colour.
export function frame(box, theme, stroke, width, outset = 0) {
  if (!box) return [];
  const [x, y] = [box.x - outset, box.y - outset];
  const place = { x, y, width: box.w + 2 * outset, height: box.h + 2 * outset, rx: 2 };
  return [
    svg("rect", { ...place, stroke: theme.paper, "stroke-width": width + 2 }),
    svg("rect", { ...place, stroke, "stroke-width": width }),
  ];
}
