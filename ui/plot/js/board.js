// A figure fitted to the room that the page has: its matrices in their places.

import { arranged } from "./arrangement.js";
import { shadesOf } from "./colors.js";
import { fit } from "./layout.js";
import { cellOfText, Matrix, readableCell, SMALLEST_TEXT } from "./matrix.js";

const MOST_WRITTEN = 4096; // numbers; no more are written into cells

export class Board {
  constructor(figure, room, screenHeight) {
    const decimals = figure.layout.meta?.decimals ?? null;
    const ofNumbers = () => readableCellOf(figure, decimals);
    const { data, layout, readable } = arranged(figure, room, screenHeight, ofNumbers);
    const traces = data.filter((trace) => trace.meta?.name);
    Object.assign(this, { data, layout, room });
    this.size = fit(layout, room, screenHeight, readable);
    this.matrices = traces.map((trace) => new Matrix(trace, this.size.cell, decimals));
    this.bars = layout.meta?.bars ?? [];
  }

  get hasMatrices() { return this.matrices.length > 0; }
  get isZoomed() { return this.matrices.some((matrix) => matrix.isZoomed); }
  get mayZoom() { return Boolean(this.layout.dragmode); }

  // Takes over what Plotly's axes show, if they belong to these matrices.
  showPart(layoutOfPlotly) {
    const isOurs = layoutOfPlotly?.uirevision === this.layout.uirevision;
    for (const matrix of this.matrices) matrix.showPart(isOurs ? layoutOfPlotly : {});
  }

  named(name) {
    return this.matrices.find((matrix) => matrix.name === name);
  }

  // A cell that exists, or null.
  cell(name, row, column) {
    const matrix = this.named(name);
    return matrix?.has(row, column) ? { matrix, row, column } : null;
  }

  cellAt(x, y) {
    const matrix = this.matrices.find((each) => each.holds(x, y));
    return matrix ? this.cell(matrix.name, matrix.rowAt(y), matrix.columnAt(x)) : null;
  }

  // The same size for the numbers of all matrices that have room for them; 0 for the others.
  textSize(matrix) {
    const isReadable = (size) => size >= SMALLEST_TEXT;
    const sizes = this.matrices.map((each) => each.fittingText()).filter(isReadable);
    return isReadable(matrix.fittingText()) ? Math.min(...sizes) : 0;
  }

  colorscale(name, isDark) {
    return this.layout.meta.scales[name][isDark ? "dark" : "light"];
  }

  shades(name, isDark) {
    this.shadesOnce ??= {};
    return (this.shadesOnce[`${name} ${isDark}`] ??= shadesOf(this.colorscale(name, isDark)));
  }
}

// The smallest cell in which every number of the figure can be read.
function readableCellOf({ data, layout }, decimals) {
  const traces = data.filter((trace) => trace.meta?.name);
  const count = traces.reduce((sum, { z }) => sum + z.length * z[0].length, 0);
  if (decimals === null || count > MOST_WRITTEN) return 0;
  const sizes = traces.map((trace) => readableCell(trace, decimals));
  return Math.max(...sizes, cellOfText(layout.meta.cell?.widest ?? ""));
}
