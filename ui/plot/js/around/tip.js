// The box that says which cell is pointed at, and its number with six digits.

import { boxInWindow, html, putOver } from "../dom.js";
import { besideCell } from "./floating.js";
import { sixDigits } from "../numbers/numbers.js";

export class Tip {
  constructor() {
    this.element = html("div", { class: "plot-tip", "aria-hidden": "true", hidden: "" });
  }

  get isShown() { return !this.element.hidden; }

  // `stage` is where the matrices stand. Without a cell the tip goes.
  show(cell, stage) {
    this.element.hidden = !cell;
    if (!cell) return;
    const { matrix, row, column } = (this.cell = cell);
    this.title = html("div", { class: "plot-tip-title" });
    this.number = html("div", { class: "plot-tip-value" });
    this.moved = html("div", {});
    const names = matrix.isWeights ? [] : [matrix.rowName(row), matrix.columnName(column)];
    this.element.replaceChildren(this.title, ...names.map((name) => html("div", {}, name)), this.number, this.moved);
    this.sayNumber();
    this.follow(stage);
  }

  // The stage may have moved with its cell.
  follow(stage) {
    const { matrix, row, column } = this.cell;
    const box = boxInWindow(stage, matrix.cellBox(row, column) ?? matrix);
    putOver(this.element, (size, room) => besideCell(box, size, room));
  }

  // The number of the cell as it is now; or another one, which is on its way there.
  sayNumber(coming) {
    const { matrix, row, column } = this.cell;
    const isComing = coming !== undefined;
    this.title.textContent = matrix.isWeights ? matrix.looking(row, column) : matrix.sent.title;
    this.number.textContent = isComing ? sixDigits(coming) : matrix.nearly(row, column);
    this.moved.textContent = isComing ? "" : matrix.movedNearly(row, column);
  }
}
