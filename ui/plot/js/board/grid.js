// Where the cells of a matrix stand: all of them, or those of the part to which a person has zoomed.

import { at, cut, inView, within } from "./layout.js";

const NARROW_BAND = 6; // pixels of a band that touches its neighbours

export class Grid {
  // The part that is shown: its first column and row, and the size of its cells.
  firstColumn = 0;
  firstRow = 0;
  cellWidth = 0;
  cellHeight = 0;
  isZoomed = false;
  // A dot is a cell, or as many cells as share a pixel.
  dotColumns = 1;
  dotRows = 1;

  // Cells are `cell` wide, and `down` high.
  constructor(sent, cell, down) {
    this.sent = sent;
    this.rowCount = sent.row_labels.length;
    this.columnCount = sent.column_labels.length;
    this.x = at(sent.left, cell);
    this.y = at(sent.top, down);
    this.headingTop = at(sent.heading_top, down);
    this.w = sent.across * cell;
    this.h = sent.down * down;
    if (this.isLow && down === cell && !sent.whole) this.sharpen(cell);
    this.showPart({});
  }

  get isLow() { return this.sent.row_height < 1; }

  // Low rows begin and end at whole pixels, as all others do, and are one high at least.
  sharpen(cell) {
    this.y = Math.round(this.y);
    this.h = this.rowCount * Math.max(1, Math.floor(this.sent.row_height * cell));
  }

  // The part that is shown is as large as all of it was.
  showPart({ rows: [top, bottom] = [0, this.rowCount], columns: [from, to] = [0, this.columnCount] }) {
    this.firstColumn = from;
    this.firstRow = top;
    this.cellWidth = this.w / (to - from);
    this.cellHeight = this.h / (bottom - top);
    this.isZoomed = to - from < this.columnCount || bottom - top < this.rowCount;
    this.dotColumns = Math.max(1, Math.ceil(1 / this.cellWidth - 0.01));
    this.dotRows = Math.max(1, Math.ceil(1 / this.cellHeight - 0.01));
  }

  // From a cell's row and column to those in the array, and back.
  turned(row, column) {
    return this.sent.transposed ? [column, row] : [row, column];
  }

  left(column) { return this.x + (column - this.firstColumn) * this.cellWidth; }
  top(row) { return this.y + (row - this.firstRow) * this.cellHeight; }
  center(column) { return this.left(column) + this.cellWidth / 2; }
  middle(row) { return this.top(row) + this.cellHeight / 2; }
  columnAt(x) { return Math.floor(this.firstColumn + (x - this.x) / this.cellWidth); }
  rowAt(y) { return Math.floor(this.firstRow + (y - this.y) / this.cellHeight); }
  rowsInView() { return inView(this.firstRow, this.h / this.cellHeight, this.rowCount); }
  columnsInView() { return inView(this.firstColumn, this.w / this.cellWidth, this.columnCount); }
  has(row, column) { return row in this.sent.row_labels && column in this.sent.column_labels; }
  holds(x, y) { return x >= this.x && x < this.x + this.w && y >= this.y && y < this.y + this.h; }

  // Whether its middle, where the label points, is in view.
  seesRow(row) { return within(this.middle(row), this.y, this.h); }
  seesColumn(column) { return within(this.center(column), this.x, this.w); }

  cellBox(row, column) {
    if (this.sent.whole) return this;
    const [x, y] = [this.left(column), this.top(row)];
    return cut({ x, y, w: this.cellWidth, h: this.cellHeight }, this);
  }
  blockBox(row, column, down, across) {
    const [x, y] = [this.left(column), this.top(row)];
    return cut({ x, y, w: across * this.cellWidth, h: down * this.cellHeight }, this);
  }
  rowBox(row) { return cut({ x: this.x, y: this.top(row), w: this.w, h: this.cellHeight }, this); }
  columnBox(column) {
    return cut({ x: this.left(column), y: this.y, w: this.cellWidth, h: this.h }, this);
  }

  // Names tell apart tokens that have the same label.
  rowName(row) { return `${this.sent.row_word} ${(this.sent.row_names ?? this.sent.row_labels)[row]}`; }
  columnName(column) {
    return `${this.sent.column_word} ${(this.sent.column_names ?? this.sent.column_labels)[column]}`;
  }

  // The coloured lines above the columns, as far as they are in view.
  bandBoxes() {
    return (this.sent.bands ?? []).flatMap(([start, stop, fill]) => {
      const apart = this.left(stop) - this.left(start) > NARROW_BAND ? 1 : 0;
      const from = Math.max(this.left(start) + apart, this.x);
      const to = Math.min(this.left(stop) - apart, this.x + this.w);
      return to > from ? [{ x: from, y: this.y - 6, width: to - from, height: 4, fill }] : [];
    });
  }

  // The lines between cells.
  linesPath() {
    const across = this.rowsInView().map((row) => `M${this.x} ${this.top(row)}h${this.w}`);
    const down = this.columnsInView().map((column) => `M${this.left(column)} ${this.y}v${this.h}`);
    return [...across, ...down].join("");
  }

  // Their width; 0 where cells are too small for lines.
  get lineWidth() {
    const side = Math.min(this.cellWidth, this.cellHeight);
    return side < 6 ? 0 : side >= 16 ? 1.5 : 1;
  }
}
