// What the tools below a picture do.

import { say } from "../language.js";
import { copy, download, GROUNDS, pictureFile } from "./saving.js";
import { asCsv, asTabs, fileName } from "../numbers/tabular.js";

export class Acts {
  constructor(plot) {
    this.plot = plot;
  }

  get entries() { return this.plot.entries; }
  get mayZoom() { return this.plot.mayZoom; }
  get needsPen() { return this.plot.texts.needsPen; }

  // Asks for the figure as Plotly draws it; null where that is not offered.
  get drawByPlotly() { return this.plot.drawByPlotly; }

  // The name of the matrix that a person probably means.
  likeliest() {
    return (this.plot.picked ?? this.plot.hand.cursor)?.matrix.name;
  }

  showTable() {
    this.plot.moving.catchUp();
    this.plot.table.fill(this.plot.board, this.likeliest());
  }

  async copy(name) {
    const { moving, board, tools } = this.plot;
    moving.catchUp();
    const matrix = board.named(name);
    try {
      await copy(asTabs(matrix));
      const size = { rows: matrix.rowCount, columns: matrix.columnCount };
      tools.tell(say("Copied {matrix}, {rows} × {columns} numbers.", { matrix: matrix.sent.title, ...size }));
    } catch (/** @type {any} */ error) {
      tools.tell(say("Nothing was copied: {why}. Save as CSV instead.", { why: error.message }));
    }
  }

  saveNumbers(name) {
    const { moving, board, name: ofPlot } = this.plot;
    moving.catchUp();
    const matrix = board.named(name);
    const words = board.matrices.length > 1 ? `${ofPlot} ${matrix.sent.title}` : ofPlot;
    download(new Blob([asCsv(matrix)], { type: "text/csv" }), fileName(words, "csv"));
  }

  async savePicture(format, ground) {
    const { moving, board, stage, theme, name } = this.plot;
    moving.catchUp();
    const file = await pictureFile(format, board, { ...GROUNDS[ground].theme, font: theme.font }, stage);
    download(file, fileName(name, format));
  }

  resetZoom() {
    this.plot.zoom.leaveAll();
    this.plot.drawBoard();
    this.plot.stage.focus();
  }
}
