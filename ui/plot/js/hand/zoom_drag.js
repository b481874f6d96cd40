// Zooming by hand: a drag takes a box of small cells, with Shift it moves the part that is shown. A
// double click shows all again.

import { onceAFrame, placeIn, svg } from "../dom.js";
import { frame } from "../drawing/light.js";
import { boxBetween, partIn, partMoved } from "../board/zoom.js";
import { whileDown } from "./while_down.js";

const PAPER_OVER_REST = 0.6; // of the paper's colour over what will go out of sight

export class ZoomDrag {
  isOn = false;
  /** @type {Box | null} */
  #box = null; // the box that is drawn, in pixels of the stage
  #name = ""; // of the matrix: a newer figure may come meanwhile
  #draw = onceAFrame(() => this.plot.drawBoard());

  // `plot` has `stage`, `board`, `zoom`, `hand`, `drawBoard()` and `lightUp()`.
  constructor(plot) {
    this.plot = plot;
  }

  get matrix() { return this.plot.board.named(this.#name); }

  // Follows a pointer, which has moved, until it is let go.
  begin({ matrix }, down, move) {
    const { stage, zoom } = this.plot;
    const [start, part] = [placeIn(stage, down), zoom.partOf(matrix)];
    const follow = (event) => {
      if (!this.matrix) return;
      if (down.shiftKey) this.move(start, placeIn(stage, event), part);
      else this.take(start, placeIn(stage, event));
    };
    this.isOn = true;
    this.#name = matrix.name;
    this.plot.hand.point(null);
    follow(move);
    const stop = whileDown((event) => event.pointerId === down.pointerId && follow(event), (keeps) => {
      stop();
      this.end({ keeps });
    });
  }

  take(start, place) {
    this.#box = boxBetween(start, place, this.matrix);
    this.plot.lightUp();
  }

  move([fromX, fromY], [x, y], { rows, columns }) {
    const { matrix } = this;
    this.plot.zoom.show(matrix, {
      rows: partMoved(rows, (fromY - y) / matrix.cellHeight, matrix.rowCount),
      columns: partMoved(columns, (fromX - x) / matrix.cellWidth, matrix.columnCount),
    });
    this.#draw();
  }

  end({ keeps }) {
    const [box, { matrix, plot }] = [this.#box, this];
    this.isOn = false;
    this.#box = null;
    if (!box) return;
    if (keeps && matrix) {
      plot.zoom.show(matrix, partIn(box, matrix));
      plot.drawBoard();
    }
    plot.lightUp();
  }

  // The box, and paper over the rest of its matrix.
  lights(theme) {
    const [box, matrix] = [this.#box, this.#box && this.matrix];
    if (!matrix) return [];
    const path = [matrix, box].map(({ x, y, w, h }) => `M${x} ${y}h${w}v${h}h${-w}z`).join("");
    const look = { fill: theme.paper, "fill-opacity": PAPER_OVER_REST, "fill-rule": "evenodd" };
    return [svg("path", { class: "plot-zoom", d: path, ...look }), ...frame(box, theme, theme.text, 1.5)];
  }
}
