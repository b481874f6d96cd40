// A figure as large as a screen allows, for people who sit far away.
//
// It is laid out in a small room, as on a page, and then scaled: letters, lines and cells alike. So the
// smallest letters on a screen have a size that people can read there.

import { cellIn, withPlaces } from "../board/arrangement.js";
import { MOST_WRITTEN } from "../board/board.js";
import { cellForWidth, widestNumber } from "../board/cell_sizes.js";
import { at, clamp } from "../board/layout.js";
import { USUAL_TEXT } from "../board/matrix.js";
import { withoutZero } from "../numbers/numbers.js";

export const SMALLEST_LETTERS = 11; // pixels of the smallest letters in ink.js
const SEEN_FROM_FAR = 24; // pixels that they have on a screen of this size
const LEAST_NUMBER = 2 / 3; // of these letters: enough on a screen with many pixels
const LEAST_COMPARED = 2; // decimals
const PROJECTOR = { width: 960, height: 720 };
const IN_THE_HAND = 1.25; // the least zoom, as on a phone
const NUMBER_IN_THE_HAND = 10.5; // pixels of the screen, as on the page
const WRITING = { shareOfText: 0.86, labelSpacing: 12 }; // of a row, and in pixels
const LARGEST_CELL = 120; // pixels
const SEEN_SIDE = 56; // pixels of a matrix without numbers that can be seen among others
const SEEN_CELL = 12; // of such a matrix, if it has few
const LABEL = 14; // pixels of a row that has room for its label
const ROOM_BESIDE_NUMBER = 1.25; // times the room that a number needs
const WIDEST = 1.7; // of a matrix without numbers: times its height
const EDGE = 6; // left of a matrix whose rows have no labels
const GAP = 4; // between rows of matrices; the same as that of TIGHT in ui/figures/board.py
const HEADING_LETTER = 7; // pixels of a letter of a heading, on the wide side
const HEADING_MARK = 10; // pixels of the mark before it, and of what stays free behind it

export function zoomFor({ width, height }) {
  const share = Math.min(width / PROJECTOR.width, height / PROJECTOR.height);
  return Math.max(IN_THE_HAND, (share * SEEN_FROM_FAR) / SMALLEST_LETTERS);
}

// The smallest numbers have as many pixels as letters that are seen from far.
export function smallestNumber(zoom) {
  if (zoom === IN_THE_HAND) return NUMBER_IN_THE_HAND / zoom;
  return SMALLEST_LETTERS * clamp(SEEN_FROM_FAR / zoom / SMALLEST_LETTERS, LEAST_NUMBER, 1);
}

// The figure fitted to a screen: `width` and `height` of the room that the picture has there, in pixels
// of the screen, and the `zoom`. Where `fewAtATime` is true, its matrices are alike, one for each head:
// `atOnce` of them are shown, from the one with the number `first` on; or as many as can be seen. All have
// as many decimals as the figures that stand `beside` it.
/** @param {any} figure @param {PresentScreen} screen */
export function fittedToScreen(figure, screen) {
  const { width, height, zoom, fewAtATime = false, atOnce, first = 0, beside = [] } = screen;
  const room = { width: width / zoom, height: height / zoom };
  const ways = waysToShow(figure, fewAtATime);
  const counts = [...new Set(ways.map(({ count }) => count))].sort((one, other) => other - one);
  const best = (count) => bestWay(figure, ways.filter((way) => way.count === count), room, zoom, beside);
  const { needed, way: chosen } = atOnce ? best(nearestCount(counts, atOnce)) : mostThatAreSeen(counts, best);
  const asked = Math.min(first, figure.matrices.length - 1); // of a part that had more
  const from = Math.floor(asked / chosen.count) * chosen.count;
  const shown = inPlace(figure, chosen, from);
  const part = { first: from, count: shown.matrices.length, of: figure.matrices.length, atOnce: chosen.count, counts };
  const decimals = needed?.decimals ?? null;
  const writing = { ...WRITING, smallestText: needed?.smallest ?? smallestNumber(zoom) };
  return { figure: shown, size: chosen.size, part, decimals, zoom: zoom * chosen.fits, writing };
}

// Among ways that show equally many matrices, the one with the largest, and what its numbers need. It
// prefers .25 to 0.3, fewer decimals to unreadable numbers, and no numbers to only some of them. Numbers that
// are compared become smaller instead.
function bestWay(figure, ways, room, zoom, beside) {
  const fitted = (needed) => ways.map((way) => fittedTo(way, figure, room, needed, zoom));
  const isRight = (way) => way.isWritten && way.isClear && way.fits === 1;
  const figures = [figure, ...beside];
  const sizes = beside.length ? [smallestNumber(zoom), SMALLEST_LETTERS * LEAST_NUMBER] : [smallestNumber(zoom)];
  const needed = sizes
    .flatMap((smallest) => possibleDecimals(figures).map((decimals) => [smallest, decimals]))
    .flatMap(([smallest, decimals]) => [undefined, withoutZero].map((write) => neededFor(figures, decimals, smallest, write)))
    .find((each) => fitted(each).some(isRight));
  return { needed, way: largestWay(fitted(needed), needed) };
}

function nearestCount(counts, wanted) {
  return counts.find((count) => count <= wanted) ?? counts.at(-1);
}

// As many of the matrices, which are alike, as can be seen.
function mostThatAreSeen(counts, best) {
  const all = counts.map(best);
  return all.find(({ way }) => way.isClear && way.fits === 1 && (way.isWritten || way.isSeen)) ?? all.at(-1);
}

// Pixels left of the first matrices, for the labels of their rows.
export function roomOfRowLabels({ matrices }) {
  return matrices[0].left[0] - EDGE;
}

// The figure without these labels, where another one beside it has them.
export function withoutRowLabels(figure) {
  const room = roomOfRowLabels(figure);
  const moved = ([fixed, cells]) => [fixed - room, cells];
  const bare = (place) => ({ ...place, left: moved(place.left), corner: { title: "", axes: [] } });
  return {
    ...figure,
    width: moved(figure.width),
    matrices: figure.matrices.map((each) => ({ ...bare(each), row_ticks: [] })),
    others: figure.others?.map(({ places, width, ...other }) => (
      { ...other, width: moved(width), places: places.map((place) => ({ ...bare(place), writes_rows: false })) })),
  };
}

// As many as the page shows, or fewer; none if there are too many numbers. Of figures beside each other nobody
// should read 0.3, 0.4 and a difference of 0.0: they keep two.
function possibleDecimals(figures) {
  const [{ decimals }] = figures;
  const isTooMuch = figures.some(({ matrices }) => matrices.some(({ values }) => values.length * values[0].length > MOST_WRITTEN));
  if (decimals === null || isTooMuch) return [];
  const least = Math.min(decimals, figures.length > 1 ? LEAST_COMPARED : 1);
  return Array.from({ length: decimals - least + 1 }, (_, i) => decimals - i);
}

// What a cell needs for its number to be seen from far.
function neededFor(figures, decimals, smallest, write) {
  const matrices = figures.flatMap((figure) => figure.matrices);
  const widest = Math.max(...matrices.map((sent) => widestNumber(sent, decimals, write)));
  const lowest = Math.min(...matrices.map(({ row_height }) => row_height ?? 1));
  return {
    decimals,
    lowest,
    smallest,
    across: (size = smallest) => cellForWidth(widest, size),
    down: smallest / WRITING.shareOfText / lowest,
  };
}

// Each arrangement of the figure: from the one with most columns to the one with fewest. Matrices that are
// shown a few at a time also stand in fewer rows, if they are then as many as some arrangement has in a row.
function waysToShow(figure, fewAtATime) {
  const { matrices, others = [] } = figure;
  const all = [figure, ...others].map((each, number) => {
    const places = each.places ?? matrices;
    return { number, places, count: matrices.length, wide: each.width, high: each.height };
  });
  if (!fewAtATime) return all;
  const inRow = all.map(({ places }) => startsOfRows(places)[1] ?? places.length);
  return all.flatMap((way) => [way, ...withFewerRows(way).filter(({ count }) => inRow.includes(count))]);
}

function withFewerRows(way) {
  const [, ...starts] = startsOfRows(way.places);
  return starts.map((count) => {
    const [fixed, cells] = way.places[count].heading_top;
    return { ...way, count, high: [fixed - GAP, cells] };
  });
}

// The numbers of the matrices with which rows begin.
function startsOfRows(places) {
  const isNew = ({ heading_top }, i) => i === 0 || String(heading_top) !== String(places[i - 1].heading_top);
  return places.flatMap((place, i) => (isNew(place, i) ? [i] : []));
}

// The same with the cells that it would have, and whether their numbers could be read.
function fittedTo(way, { matrices }, room, needed, zoom) {
  const inPixels = (size) => Math.floor(size * zoom) / zoom || size; // whole ones keep lines sharp
  const across = inPixels(Math.max(1, cellIn(way.wide, room.width)));
  const down = inPixels(Math.max(1, cellIn(way.high, room.height)));
  const isWritten = needed !== undefined && across >= needed.across() && down >= needed.down;
  const cells = isWritten ? cellsOfNumbers(across, down, needed) : cellsWithout(across, down, matrices);
  const [cell, low] = cells.map(inPixels);
  const ends = endsOfHeadings(way, matrices, cell);
  const size = { cell, down: low, width: Math.max(at(way.wide, cell), ends.last), height: at(way.high, low) };
  const fits = Math.min(1, room.width / size.width, room.height / size.height);
  return { ...way, cell, down: low, size, fits, isWritten, isSeen: areSeen(matrices, cell, low), isClear: ends.areClear };
}

// Squares if numbers have room in them, else as wide as a number needs. They are so small that all can be
// seen at once.
function cellsOfNumbers(across, down, needed) {
  const square = Math.min(across, down, LARGEST_CELL);
  const high = needed.lowest * down;
  const text = Math.min(high * WRITING.shareOfText, Math.max(USUAL_TEXT, 0.28 * high));
  const wished = Math.max(square, ROOM_BESIDE_NUMBER * needed.across(text));
  const cell = Math.min(across, wished, LARGEST_CELL);
  return [cell, Math.min(down, Math.max(cell, needed.down))];
}

// As large as there is room for, but so that the largest matrix is no long strip.
function cellsWithout(across, down, matrices) {
  const most = (side) => Math.max(...matrices.map((each) => each[side]));
  const shape = most("across") / most("down"); // were cells squares
  const high = Math.min(down, LARGEST_CELL, Math.max(LABEL, across * Math.max(1, shape)));
  return [Math.min(across, LARGEST_CELL, WIDEST * high * Math.max(1, 1 / shape)), high];
}

// Where headings end: whether each ends before the next matrix begins, and where the last one does.
function endsOfHeadings({ places, count }, matrices, cell) {
  const standing = places.slice(0, count).map(({ left, heading_top }, i) => {
    const { heading } = matrices[i];
    const start = at(left, cell);
    const end = start + (heading ? HEADING_LETTER * heading.length + HEADING_MARK : 0);
    return { start, end, row: String(heading_top) };
  });
  const isClear = ({ start, end, row }) =>
    standing.every((other) => other.row !== row || other.start <= start || other.start >= end);
  return { areClear: standing.every(isClear), last: Math.max(...standing.map(({ end }) => end)) };
}

// Whether matrices whose cells are so large can be seen, though they have no numbers.
function areSeen(matrices, cell, low) {
  const isEnough = (size, cells) => size >= SEEN_CELL || size * cells >= SEEN_SIDE;
  return matrices.every(({ across, down }) => isEnough(cell, across) && isEnough(low, down));
}

// The arrangement in which one picture is largest; with its numbers, if any has room for them.
function largestWay(all, needed) {
  const best = (ways, size) => ways.toSorted((one, other) => size(other) - size(one))[0];
  const clear = all.filter((way) => way.isClear);
  const fitting = clear.filter((way) => way.fits === 1);
  const written = fitting.filter((way) => way.isWritten);
  const ofNumber = ({ cell, down }) => Math.min(cell / needed.across(), down / needed.down);
  const ofCell = ({ cell, down }) => Math.min(cell, down);
  return best(written, ofNumber) ?? best(fitting, ofCell) ?? best(all, (way) => way.fits);
}

// The figure with the matrices that are shown, in their places. Those that stand in the first row are told where from
// the ones that were there at first.
function inPlace(figure, { number, places, count }, from) {
  const matrices = figure.matrices.slice(from, from + count);
  if (number > 0) return withPlaces({ ...figure, matrices }, figure.others[number - 1]);
  return { ...figure, matrices: matrices.map((each, i) => ({ ...each, ...firstPlace(places[i]) })) };
}

function firstPlace({ left, top, heading_top, row_ticks, column_ticks, corner }) {
  return { left, top, heading_top, row_ticks, column_ticks, corner };
}
