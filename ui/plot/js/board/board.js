// A figure fitted to the room that the page has: its matrices in their places.

import { arranged } from "./arrangement.js";
import { cellOfText, readableCell } from "./cell_sizes.js";
import { shadesOf } from "./colors.js";
import { say } from "../language.js";
import { at, fit } from "./layout.js";
import { Matrix, reachOf } from "./matrix.js";
import { restOf, signed } from "../numbers/moved.js";
import { fixed } from "../numbers/numbers.js";

const DECIMALS = 2; // of the ranges of colours, where cells have no numbers
const AT_REST = say("no difference");
const CAPTION = 20; // pixels below a matrix
export const MOST_WRITTEN = 4096; // numbers; no more are written into cells

export class Board {
  comparesWithFigure = false; // see below
  #shades = {}; // of the scales of colours that were asked for

  // `before` is the board that was in this place, if there was one. `fitted` says how it fits something
  // other than a page.
  /** @param {any} fitted */
  constructor(figure, room, screenHeight, before, fitted = fittedToPage(figure, room, screenHeight, before)) {
    const { size, chosen, zoom = 1, writing, decimals = figure.decimals } = fitted;
    this.figure = fitted.figure;
    this.room = room;
    this.size = size;
    this.zoom = zoom;
    this.arrangement = chosen;
    const { matrices, bars, cell: { text } } = this.figure;
    const { cell, down } = size;
    this.matrices = matrices.map((sent) => new Matrix(sent, cell, decimals, text ?? undefined, down, writing));
    this.bars = bars.map((bar) => ({ ...bar }));
    this.written = figure.decimals ?? DECIMALS;
  }

  get isZoomed() { return this.matrices.some((matrix) => matrix.isZoomed); }
  get isOfWholes() { return this.matrices.some((matrix) => matrix.isWhole); }
  get leadsBack() { return this.matrices.some((matrix) => matrix.isChosen); } // from one that is shown large
  get mayZoom() { return this.figure.zooms; }

  // The place that the page may use for something else, if there is one.
  /** @returns {Box | null} */
  get freePlace() {
    const { figure: { free }, size: { cell } } = this;
    if (!free) return null;
    const [x, y] = [at(free.left, cell), at(free.top, cell)];
    return { x, y, w: at(free.right, cell) - x, h: at(free.bottom, cell) - y };
  }

  // Takes over which part of each matrix is shown.
  showPart(zoom) {
    zoom.follow(this.figure);
    for (const matrix of this.matrices) matrix.showPart(zoom.partOf(matrix));
  }

  named(name) {
    return this.matrices.find((matrix) => matrix.name === name);
  }

  // A cell that exists, or null.
  cell(name, row, column) {
    const matrix = this.named(name);
    if (!matrix?.has(row, column)) return null;
    return matrix.isWhole ? matrix.middleCell : { matrix, row, column };
  }

  // The same by the row and the column in the array that the matrix is named after.
  cellOfArray(name, row, column) {
    return this.cell(name, ...(this.named(name)?.turned(row, column) ?? []));
  }

  // The same cell as in another board; null if it has gone.
  again(cell) {
    return cell && this.cell(cell.matrix.name, cell.row, cell.column);
  }

  cellAt(x, y) {
    const matrix = this.matrices.find((each) => each.holds(x, y));
    return matrix ? this.cell(matrix.name, matrix.rowAt(y), matrix.columnAt(x)) : null;
  }

  // The matrix at a place: its cells, its heading or its caption.
  matrixAt(x, y) {
    const isAt = (matrix) =>
      x >= matrix.x && x < matrix.x + matrix.w && y >= matrix.headingTop && y < matrix.y + matrix.h + CAPTION;
    return this.matrices.find(isAt);
  }

  // The same size for the numbers of all matrices that have room for them; 0 for the others.
  textSize(matrix) {
    const isReadable = (size) => size >= matrix.smallestText;
    const sizes = this.matrices.map((each) => each.fittingText()).filter(isReadable);
    return isReadable(matrix.fittingText()) ? Math.min(...sizes) : 0;
  }

  // While a number is dragged, the picture shows what has moved since the drag began, with the numbers
  // of the figure. Its colours begin anew. Returns whether this is new.
  compareWithFigure() {
    if (!this.figure.follows_drags || this.comparesWithFigure) return false;
    this.comparesWithFigure = true;
    this.#compare((matrix) => matrix.compareWithFigure());
    return true;
  }

  // The same again, with the numbers that it shows now.
  compareWithShown() {
    if (!this.comparesWithFigure) return false;
    this.#compare((matrix) => matrix.compareWithShown());
    return true;
  }

  #compare(begin) {
    const compared = this.matrices.filter(({ before }) => before);
    for (const matrix of compared) begin(matrix);
    for (const bar of this.bars) {
      const together = compared.filter(({ sent }) => sent.group === bar.group);
      if (together.length) restTogether(together, bar, this.written);
    }
    for (const matrix of compared) if (matrix.sent.own_range) restAlone(matrix);
  }

  // Makes the ranges of colours wide enough for what the matrices hold now. They get no narrower, so
  // that a colour keeps its meaning. Returns whether any has changed. If another picture has the same
  // colours and does not follow the drag, numbers beyond them get the colours of the ends.
  widen() {
    if (this.figure.keeps_colors) return false;
    const bars = this.bars.filter(({ range }) => range[0] < 0);
    const groups = bars.map((bar) => this.matrices.filter(({ sent }) => sent.group === bar.group));
    const grown = groups.filter((matrices, i) => widenTogether(matrices, bars[i], this.written));
    const alone = this.matrices.filter((matrix) => matrix.sent.own_range && widenAlone(matrix, this.written));
    return grown.length + alone.length > 0;
  }

  colorscale(name, isDark) {
    return this.figure.scales[name][isDark ? "dark" : "light"];
  }

  shades(name, isDark) {
    return (this.#shades[`${name} ${isDark}`] ??= shadesOf(this.colorscale(name, isDark)));
  }
}

// As wide as its place on the page, and as high as it then is.
function fittedToPage(figure, room, screenHeight, before) {
  const ofNumbers = (size) => readableCellOf(figure, size);
  const { readable, ...fitted } = arranged(figure, room, screenHeight, ofNumbers, before?.arrangement);
  return { ...fitted, writing: figure.writing, size: fit(fitted.figure, room, screenHeight, readable) };
}

function widenTogether(matrices, bar, decimals) {
  const reach = Math.max(...matrices.map((matrix) => matrix.reach()));
  if (!(reach > bar.range[1])) return false;
  setRange(matrices, bar, reach);
  const write = (text) => (matrices[0].before ? signed(text) : text);
  bar.ticks = [-reach, 0, reach].map((value) => [value, write(fixed(value, decimals, { keepsTiny: true }))]);
  return true;
}

function setRange(matrices, bar, reach) {
  for (const matrix of matrices) Object.assign(matrix, { low: -reach, high: reach });
  bar.range = [-reach, reach];
}

// Nothing has moved yet, except by rounding.
function restTogether(matrices, bar, decimals) {
  setRange(matrices, bar, Math.max(...matrices.map(restOfMatrix)));
  bar.ticks = [[0, fixed(0, decimals)]];
}

function restAlone(matrix) {
  const rest = restOfMatrix(matrix);
  Object.assign(matrix, { low: -rest, high: rest, caption: withWordsOfRange(matrix, AT_REST) });
}

function restOfMatrix({ sent, isSingle }) {
  return restOf(reachOf(sent.values), isSingle);
}

function widenAlone(matrix, decimals) {
  const reach = matrix.reach();
  if (!(reach > matrix.high)) return false;
  matrix.high = reach;
  if (matrix.low < 0) matrix.low = -reach;
  matrix.caption = withWordsOfRange(matrix, wordsOfRange(matrix, decimals));
  return true;
}

// They are the last part of a caption.
function withWordsOfRange({ caption, isWhole }, words) {
  if (isWhole) return caption;
  return [...caption.split("; ").slice(0, -1), words].join("; ");
}

// As in ui/figures/heatmap.py and ui/figures/moved.py.
function wordsOfRange({ before, low, high: most }, decimals) {
  const high = fixed(most, decimals, { keepsTiny: true });
  if (before) return say("difference \u00b1{high}", { high });
  if (low < 0) return say("colours \u00b1{high}", { high });
  return say("colours {low} to {high}", { low: fixed(0, decimals), high });
}

// The smallest cell in which every number of the figure can be read, at a size in pixels.
function readableCellOf({ matrices, cell, decimals }, size) {
  const count = matrices.reduce((sum, { values }) => sum + values.length * values[0].length, 0);
  if (decimals === null || count > MOST_WRITTEN) return 0;
  const sizes = matrices.map((sent) => readableCell(sent, decimals, size));
  return Math.max(...sizes, cellOfText(cell.widest ?? "", size));
}
