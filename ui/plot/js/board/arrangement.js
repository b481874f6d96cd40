// Which of its arrangements suits a figure's room: its matrices in more columns, or in fewer.

import { cellOfZero } from "./cell_sizes.js";
import { at, smallestCell } from "./layout.js";
import { SMALLEST_TEXT, writingOf } from "./matrix.js";

const LABEL_CHARS = 14; // the same as in ui/figures/board.py
const NARROW = 640; // pixels of room

const COMFORTABLE = 0.65; // of the preferred size of a cell whose number cannot be read anyway
const SCREENS = 2.5; // that a figure may be high, for the sake of large cells

// The figure with as many columns of matrices as leave cells in which numbers can be read, and how
// small its cells may be. `readable` gives the smallest cell whose numbers can be read. If that makes
// the figure too high, numbers get smaller or go, and matrices stand closer; unless the figure says how
// large its numbers are to be.
//
// `before` is the `chosen` that this returned for the last figure. A longer number that somebody types must
// not break up the picture below the pointer: as long as the same matrices have the same room, their
// numbers get smaller first, and only those that could not be written at all take fewer columns.
/** @param {(size?: number) => number} readable @param {any} before */
export function arranged(figureThatCame, room, screenHeight, readable = () => 0, before = null) {
  const figure = withRoomForText(figureThatCame, readable);
  if (!figure.others?.length) return { figure, readable, chosen: undefined };
  const all = [figure, ...figure.others]; // from the one with most columns to the one with fewest
  const among = `${room}: ${all.map(({ width }) => width).join("; ")}`;
  const chosen = (number, itsReadable) =>
    ({ figure: withPlaces(figure, all[number]), readable: itsReadable, chosen: { number, among } });
  const [number, itsReadable] = choice(all, figure.cell, room, screenHeight, readable);
  const written = () => readable(SMALLEST_TEXT);
  const stays = before?.among === among && before.number < number && !figure.cell.text;
  if (stays && cellIn(all[before.number].width, room) >= written()) return chosen(before.number, written);
  return chosen(number, itsReadable);
}

// The figure as a screen in the hand needs it: for a finger, if it says how large cells must be for one (it
// may be wider than the screen); or with numbers of the size that it says, as in any narrow window.
export function inTheHand(figure, isTouched, width) {
  const { by_touch: touched, text_by_touch: text } = figure.cell;
  if (text) return isTouched || width < NARROW ? withText(figure, text) : figure;
  if (!touched || !isTouched) return figure;
  const { least, preferred, most } = figure.cell;
  const [atLeast, usual, atMost] = [least, preferred, most].map((size) => Math.max(size, touched));
  return { ...figure, cell: { ...figure.cell, least: atLeast, preferred: usual, most: atMost, enough: touched } };
}

// Cells are large enough where a zero has that size, with all its decimals.
function withText(figure, text) {
  if (figure.decimals === null) return figure;
  const enough = Math.max(figure.cell.enough, Math.ceil(cellOfZero(figure.decimals, text)));
  return { ...figure, writing: writingOf(text), cell: { ...figure.cell, enough } };
}

// The number of the arrangement that suits the room best, and what cells can be read in it.
function choice(all, cell, room, screenHeight, readable) {
  const withCells = (least) => {
    const first = all.findIndex(({ width }) => cellIn(width, room) >= least);
    return first < 0 ? all.length - 1 : first;
  };
  if (cell.enough) return [withCells(cell.enough), () => 0];
  const large = withCells(comfortableCell(cell, readable));
  const ofLarge = Math.min(cell.preferred, cellIn(all[large].width, room));
  const isLow = at(all[large].height, ofLarge) <= SCREENS * screenHeight;
  return isLow || cell.text ? [large, readable] : [withCells(cell.least), () => 0];
}

function comfortableCell(cell, readable) {
  const { preferred, text } = cell;
  const wanted = () => readable(text ?? undefined);
  return wanted() > preferred ? COMFORTABLE * preferred : smallestCell(cell, wanted);
}

// Where a figure says how large its numbers are to be, it prefers cells that have room for them.
function withRoomForText(figure, readable) {
  if (!figure.cell?.text) return figure;
  const preferred = Math.max(figure.cell.preferred, Math.ceil(readable(figure.cell.text)));
  const cell = { ...figure.cell, preferred, most: Math.max(figure.cell.most, preferred) };
  return { ...figure, cell };
}

// The size of a cell at which a length of `fixed + cells * cell` pixels takes so many.
export function cellIn([fixed, cells], pixels) {
  return (pixels - fixed) / cells;
}

export function withPlaces(figure, { places, width, height, bars, free }) {
  if (!places) return figure; // its matrices are in the places of the first
  const matrices = figure.matrices.map((matrix, i) => placed(matrix, places[i]));
  return { ...figure, matrices, width, height, bars, free };
}

// What the server says of a matrix, in another place. There, other labels are written beside it.
function placed(matrix, { writes_rows, writes_columns, ...place }) {
  const row_ticks = writes_rows ? matrix.row_labels.map(short) : [];
  const column_ticks = writes_columns ? matrix.column_labels.map(short) : [];
  return { ...matrix, ...place, row_ticks, column_ticks };
}

// A label that fits beside an axis.
function short(label) {
  const letters = Array.from(label);
  return letters.length <= LABEL_CHARS ? label : `${letters.slice(0, LABEL_CHARS - 1).join("")}…`;
}
