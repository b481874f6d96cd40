// The box that says which cell is pointed at, and its number with six digits. For a matrix that is pointed
// at as a whole, it is a preview.

import { boxInWindow, html, isTouched, putOver } from "../dom.js";
import { atEdge, besideCell } from "./floating.js";
import { sixDigits } from "../numbers/numbers.js";

const AT_EDGE = { above: 52, below: 56 }; // pixels of the strip, and of the sign

export class Tip {
  // `preview` makes a matrix large, where that shows more. `refusedIn` says what was refused in a cell: {text, reason}.
  constructor(preview, refusedIn) {
    this.preview = preview;
    this.refusedIn = refusedIn;
    this.element = html("div", { class: "plot-tip", "aria-hidden": "true", hidden: "" });
  }

  get isShown() { return !this.element.hidden; }

  // `stage` is where the matrices stand. Without a cell the tip goes.
  show(cell, stage) {
    this.element.hidden = !cell;
    if (!cell) return;
    const { matrix, row, column } = (this.cell = cell);
    if (matrix.isWhole) return this.showWhole(matrix, stage);
    this.title = html("div", { class: "plot-tip-title" });
    this.number = html("div", { class: "plot-tip-value" });
    this.moved = html("div", {});
    const names = matrix.isWeights ? [] : [matrix.rowName(row), matrix.columnName(column)];
    const refused = this.refusedIn(this.cell);
    const below = refused
      ? [html("div", { class: "plot-tip-value" }, refused.text), html("div", { class: "plot-tip-refused" }, refused.reason)]
      : [this.number, this.moved];
    this.element.replaceChildren(this.title, ...names.map((name) => html("div", {}, name)), ...below);
    this.sayNumber();
    this.follow(stage);
  }

  // By touch a press makes it large at once.
  showWhole(matrix, stage) {
    this.element.hidden = isTouched();
    const seen = this.preview(matrix);
    this.element.replaceChildren(html("div", { class: "plot-tip-title" }, matrix.sent.title), ...(seen ? [seen] : []));
    this.follow(stage);
  }

  // The stage may have moved with its cell.
  follow(stage) {
    const { matrix, row, column } = this.cell;
    const [whole, box] = [matrix, matrix.cellBox(row, column) ?? matrix].map((each) => boxInWindow(stage, each));
    putOver(this.element, (size, room) =>
      isTouched() ? atEdge(whole, box, size, room, AT_EDGE) : besideCell(box, size, room));
  }

  // The number of the cell as it is now; or another one, which is on its way there.
  sayNumber(coming) {
    const { matrix, row, column } = this.cell;
    if (matrix.isWhole) return;
    const isComing = coming !== undefined;
    this.title.textContent = matrix.isWeights ? matrix.looking(row, column) : matrix.sent.title;
    this.number.textContent = isComing ? sixDigits(coming) : matrix.nearly(row, column);
    this.moved.textContent = isComing ? "" : matrix.movedNearly(row, column);
  }
}
