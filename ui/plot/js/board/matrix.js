// One heatmap: its numbers, what it says, and the text that stands in its cells. It draws nothing.

import { LOST } from "./colors.js";
import { meansOfVisible, runsOfNaN } from "../numbers/dots.js";
import { Grid } from "./grid.js";
import { say } from "../language.js";
import { differences, exactDifference, signed, signedDigits } from "../numbers/moved.js";
import {
  allDigits, fixed, fourDigits, inPowersOfTen, notFinite, numberOf, sixDigits, widthOf, withMinus,
  withoutZero,
} from "../numbers/numbers.js";

export const ZOOM_HINT = say("drag to zoom in");
export const SMALLEST_TEXT = 7.5; // pixels of a number that is written into its cell
const HIDDEN = say("masked"); // in words
const STEPS_TO_TEN = 100; // of a drag, from 0 to a power of ten
export const USUAL_TEXT = 13; // pixels of one with much room
const HEIGHT_OF_TEXT = 0.6; // of the height of its cell, at most
const IN_LOW_ROWS = 0.7; // of it, where cells are lower than wide
export const BESIDE_TEXT = 2.5; // pixels of a cell that its text leaves free
const CAPTION_LETTER = 6; // pixels of a letter of a caption, on average
const WEIGHTS = /^weights\/(\d+)$/; // the names of those matrices
const FARTHEST = 1e300; // of a range of colours; the same as in ui/figures/heatmap.py
const LABEL_LETTER = 7.5; // pixels of a letter of a label, at most on average

// How numbers are written on a page. On a screen that is seen from far, none is small.
const ON_A_PAGE = { smallestText: SMALLEST_TEXT, shareOfText: null, easyText: 9 };

// The same where numbers rather lose decimals than be smaller than so many pixels.
export function writingOf(wishedText) {
  return { ...ON_A_PAGE, easyText: wishedText, wishedText };
}

export class Matrix extends Grid {
  // `decimals` is null where no numbers are to be written into the cells. `text` is the size that
  // numbers have where there is room for it. Cells are `cell` wide, and as high unless `down` is said.
  constructor(sent, cell, decimals, text = USUAL_TEXT, down = cell, writing = ON_A_PAGE) {
    super(sent, cell, down);
    this.name = sent.name;
    this.caption = sent.caption;
    this.decimals = decimals;
    this.text = text;
    this.writing = writing;
    this.numbers = sent.values; // in rows as they are shown
    this.low = sent.low; // of the range of colours
    this.high = sent.high;
    this.allowed = null; // if the mask is not that of the figure: in rows, 0 where a cell is hidden
    this.before = sent.before ?? null; // the numbers of before, if it shows by how much they have moved
    // Cells, counted row by row, that are not numbers: hidden ones are NaN too.
    this.lost = new Set(sent.lost);
    this.lostBefore = new Set(sent.before_lost);
  }

  // Takes over which part of the matrix is shown, as zoom.js says it.
  showPart(part) {
    super.showPart(part);
    this.fittingTextOnce = undefined;
    this.dotsOnce = undefined;
  }

  // Takes other numbers than those of the figure, as rows of the array. What is hidden stays hidden,
  // unless there is another mask too. Where tokens are taken away during a drag, a figure of another
  // size comes before the numbers of that size: then it keeps its own.
  take(rowsOfArray, allowed = null) {
    const rows = this.asShown(rowsOfArray);
    const [size, own] = [rows, this.sent.values].map((all) => [all.length, all[0]?.length]);
    if (String(size) !== String(own)) return;
    this.allowed = allowed && this.asShown(allowed);
    const hide = (row, i) => row.map((number, j) => (this.isHidden(i, j) ? NaN : number));
    this.numbers = this.mayHide ? rows.map(hide) : rows;
    this.forgetDrawn();
  }

  // From now on it shows by how much its numbers differ from those of the figure.
  compareWithFigure() {
    this.before = this.sent.values;
    this.lostBefore = this.lost;
    this.forgetDrawn();
  }

  // The same with the numbers that it has now.
  compareWithShown() {
    const placesIn = (row, i) => Array.from(row, (_, j) => (this.isLostNow(i, j) ? this.placeOf(i, j) : []));
    this.lostBefore = new Set(this.numbers.flatMap((row, i) => placesIn(row, i).flat()));
    this.before = this.numbers;
    this.forgetDrawn();
  }

  forgetDrawn() {
    this.drawnOnce = undefined;
    this.fittingTextOnce = undefined;
    this.dotsOnce = undefined;
    this.reachOnce = undefined;
  }

  // What is painted and written into cells: the numbers, or by how much they have moved.
  drawn() {
    return (this.drawnOnce ??= this.withLost(this.before ? differences(this.compared(), this.before) : this.numbers));
  }

  // The same with LOST for what is no number, or infinite, but not hidden.
  withLost(rows) {
    const isLost = (number, i, j) => !Number.isFinite(number) && this.isLost(i, j);
    const hasLost = (row, i) => {
      for (let j = 0; j < row.length; j++) if (isLost(row[j], i, j)) return true; // faster than with a function a cell
      return false;
    };
    if (!rows.some(hasLost)) return rows;
    return rows.map((row, i) => row.map((number, j) => (isLost(number, i, j) ? LOST : number)));
  }

  isLostNow(row, column) {
    return !Number.isFinite(this.numbers[row][column]) && !this.isHidden(row, column);
  }

  isLost(row, column) {
    return this.isLostNow(row, column) || (this.before !== null && this.wasLost(row, column));
  }

  wasLost(row, column) {
    const then = this.before[row][column];
    return Number.isNaN(then) ? this.lostBefore.has(this.placeOf(row, column)) : !Number.isFinite(then);
  }

  placeOf(row, column) { return row * this.columnCount + column; }

  // In a mask, and among differences of weights, a hidden cell is 0, but may have been more: so
  // hatching lies on its colour.
  get colorsHidden() { return Boolean(this.before && this.sent.zero_where_masked); }

  compared() {
    if (!this.colorsHidden) return this.numbers;
    return this.numbers.map((row, i) => row.map((number, j) => (this.isHidden(i, j) ? 0 : number)));
  }

  // The rows of the array as this matrix shows them.
  asShown(rows) {
    if (!this.sent.transposed) return rows;
    return Array.from(rows[0], (_, j) => Float64Array.from(rows, (row) => row[j]));
  }

  // ---- dots ----

  get cellsOfDot() { return this.dotRows * this.dotColumns; }

  dots() {
    return (this.dotsOnce ??= meansOfVisible(this.drawn(), this.dotRows, this.dotColumns));
  }

  // Whether its caption has room for the words on dots. Otherwise the row of tools says them.
  get saysOfDots() {
    const { caption } = this;
    if (!caption || this.cellsOfDot === 1) return false;
    const words = [caption, this.dotNote(), ZOOM_HINT].join("; ");
    return CAPTION_LETTER * words.length <= this.w;
  }

  // What a caption says of dots.
  dotNote() {
    const count = this.cellsOfDot;
    if (count === 1) return "";
    if (this.mayHide) return say("a dot is the mean of the visible cells among {count}", { count });
    return say("a dot is the mean of {count} cells", { count });
  }

  // The strips of dots that have no visible cell, as an SVG path.
  hiddenPath() {
    if (!this.mayHide) return "";
    const [across, down] = [this.dotColumns * this.cellWidth, this.dotRows * this.cellHeight];
    const dots = this.colorsHidden ? meansOfVisible(this.withLost(this.numbers), this.dotRows, this.dotColumns) : this.dots();
    const strips = dots.map((row, i) => {
      const y = this.top(i * this.dotRows);
      if (y + down < this.y || y > this.y + this.h) return [];
      return runsOfNaN(row).map(([from, to]) => {
        const x = this.left(from * this.dotColumns);
        return `M${x} ${y}h${(to - from) * across}v${down}H${x}z`;
      });
    });
    return strips.flat().join("");
  }

  // ---- numbers ----

  value(row, column) { return this.numbers[row][column]; }
  shade(row, column) { return this.drawn()[row][column]; }
  get step() { return stepOf(this.sent.values); }
  reach() { return (this.reachOnce ??= reachOf(this.drawn())); }
  get mayHide() { return this.sent.masked || this.allowed !== null; }
  // What the figure hides, stays hidden whatever its numbers become.
  isHidden(row, column) {
    if (this.allowed) return !this.allowed[row][column];
    return this.sent.masked && Number.isNaN(this.sent.values[row][column]) && !this.lost.has(this.placeOf(row, column));
  }
  get isSingle() { return this.numbers[0] instanceof Float32Array; }

  exact(row, column) {
    if (this.isHidden(row, column)) return HIDDEN;
    const value = this.value(row, column);
    return Number.isFinite(value) ? withMinus(allDigits(value, this.isSingle)) : notFinite(value);
  }

  // For the tip, which says where digits are missing.
  nearly(row, column) {
    if (this.isHidden(row, column)) return HIDDEN;
    const value = this.value(row, column);
    const text = sixDigits(value);
    const isRounded = Number.isFinite(value) && (this.isSingle || numberOf(text) !== value);
    return (isRounded ? "\u2248 " : "") + text;
  }

  short(row, column) {
    return this.isHidden(row, column) ? HIDDEN : this.inShort(this.value(row, column));
  }

  inShort(value) {
    return this.decimals === null ? fourDigits(value) : fixed(value, this.decimals);
  }

  // What is written into a cell, if anything. If it does not fit, it loses the zero before the point, and
  // then decimals. A size that is wished counts where a zero with all its decimals has it.
  cellText(row, column) {
    const [full, value] = [this.fullText(row, column), this.shade(row, column)];
    if (value === 0 && this.sent.no_zeros) return "";
    const { easyText = this.smallestText } = this.writing;
    if (!Number.isFinite(value) || !this.isTooWide(full, easyText)) return full;
    const text = withoutZero(full);
    if (this.isTooWide(this.#zero)) return text; // then no number is written
    const { smallestText } = this;
    // -3.79 is not written as -4 where other numbers have decimals: rather it is squeezed.
    const least = Math.abs(value) < 10 ? 1 : 0;
    const fitting = this.#fitting(text, value, this.#wishedText, least)
      ?? this.#fitting(text, value, smallestText, least) ?? this.#fitting(text, value, smallestText);
    return fitting ?? this.#written(inPowersOfTen(value));
  }

  // The size that numbers have where a zero has room at it.
  get #wishedText() {
    const { smallestText, writing: { wishedText = smallestText } } = this;
    return this.isTooWide(this.#zero, wishedText) ? smallestText : wishedText;
  }

  // The text, or the same with fewer decimals; null where none has room at that size.
  #fitting(text, value, size, least = 0) {
    if (!this.isTooWide(text, size)) return text;
    for (let decimals = this.decimals - 1; decimals >= least; decimals--) {
      const shorter = withoutZero(this.#written(fixed(value, decimals)));
      if (!this.isTooWide(shorter, size)) return shorter;
    }
    return null;
  }

  // The same with all its decimals, however wide it is.
  fullText(row, column) {
    const value = this.shade(row, column);
    if (Number.isNaN(value)) return "";
    if (value === LOST) return notFinite(this.before ? NaN : this.value(row, column));
    return this.#written(fixed(value, this.decimals));
  }

  #written(text) {
    return this.before ? signed(text) : text;
  }

  isTooWide(text, size = this.smallestText) {
    return widthOf(text) * size + BESIDE_TEXT > this.cellWidth;
  }

  get #zero() { return withoutZero(fixed(0, this.decimals)); }

  // What the number was, and by how much it has moved, for the tip; "" where nothing is compared.
  movedNearly(row, column) {
    if (!this.before) return "";
    const [now, then] = [this.compared()[row][column], this.before[row][column]];
    const was = `${this.sent.then} ${this.wasHidden(row, column) ? HIDDEN : sixDigits(then)}`;
    if (!Number.isFinite(now - then)) return was;
    const difference = signedDigits(exactDifference(now, then, this.isSingle));
    return say("{was}, difference {difference}", { was, difference });
  }

  // The same with few digits.
  movedInShort(row, column) {
    if (!this.before) return "";
    const [moved, then] = [this.shade(row, column), this.before[row][column]];
    const was = `, ${this.sent.then} ${this.wasHidden(row, column) ? HIDDEN : this.inShort(then)}`;
    if (!Number.isFinite(moved)) return was;
    return say("{was}, difference {difference}", { was, difference: signed(this.inShort(moved)) });
  }

  wasHidden(row, column) {
    return Number.isNaN(this.before[row][column]) && !this.wasLost(row, column);
  }

  // ---- words ----

  sentence(row, column) {
    const { title } = this.sent;
    if (this.isWhole) return this.isChosen ? say("{matrix}, shown large", { matrix: title }) : title;
    const names = [title, this.rowName(row), this.columnName(column)];
    return `${names.join(", ")}: ${this.short(row, column)}${this.movedInShort(row, column)}`;
  }

  // Whether it is pointed at and picked as a whole: then its cell in the middle stands for it.
  get isWhole() { return Boolean(this.sent.whole); }
  get isChosen() { return Boolean(this.sent.whole?.is_chosen); }
  get middleCell() {
    return { matrix: this, row: Math.floor(this.rowCount / 2), column: Math.floor(this.columnCount / 2) };
  }

  get isWeights() { return WEIGHTS.test(this.name); }

  // A weight in words: who looks at whom.
  looking(row, column) {
    const head = Number(this.name.split("/")[1]) + 1;
    const { row_names, row_labels, column_names, column_labels } = this.sent;
    const [query, key] = [(row_names ?? row_labels)[row], (column_names ?? column_labels)[column]];
    if (this.isHidden(row, column)) {
      return say("Head {head}: \u201c{query}\u201d must not look at \u201c{key}\u201d", { head, query, key });
    }
    const named = { head, query, key, weight: this.short(row, column) };
    return say("Head {head}: \u201c{query}\u201d looks at \u201c{key}\u201d with {weight}", named);
  }

  // ---- sizes of texts ----

  hasNarrowLabels() {
    const longest = Math.max(...this.sent.column_ticks.map((label) => label.length));
    return longest * LABEL_LETTER <= this.cellWidth - 4;
  }

  // The size at which the longest number in view fits into its cell; 0 where not even a zero does.
  fittingText() {
    return (this.fittingTextOnce ??= this.findFittingText());
  }

  findFittingText() {
    if (this.decimals === null) return 0;
    if (this.sizeOfText(widthOf(this.#zero)) < this.smallestText) return 0;
    const widest = this.widest((row, column) => this.cellText(row, column));
    const size = this.sizeOfText(widest);
    if (size < this.smallestText) return size;
    return this.sizeOfText(Math.min(widest, this.roomForText / this.#wishedText));
  }

  // Pixels across a cell for its number: a wider one is squeezed.
  get roomForText() { return this.cellWidth - BESIDE_TEXT; }

  // The width of the widest text in view, in font sizes.
  widest(textOf) {
    const columns = this.columnsInView();
    const widths = this.rowsInView().map((row) =>
      Math.max(...columns.map((column) => widthOf(textOf(row, column)))));
    return Math.max(...widths);
  }

  get smallestText() { return this.writing.smallestText; }
  get shareOfText() { return this.writing.shareOfText ?? (this.isLow ? IN_LOW_ROWS : HEIGHT_OF_TEXT); }

  // The size of a text in a cell, `width` font sizes wide.
  sizeOfText(width) {
    const wished = Math.max(this.text, this.cellHeight * 0.28);
    return Math.min(wished, this.cellHeight * this.shareOfText, this.roomForText / width);
  }
}

// The step of a number that is dragged: a hundredth of the power of ten nearest to the largest number.
export function stepOf(rows) {
  return 10 ** Math.round(Math.log10(reachOf(rows) || 1)) / STEPS_TO_TEN;
}

// How far from 0 the numbers of some rows go.
export function reachOf(rows) {
  let most = 0;
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) {
      const size = row[i] < 0 ? -row[i] : row[i];
      if (size > most && size !== Infinity) most = size; // which NaN is not
    }
  }
  return Math.min(most, FARTHEST);
}
