// The numbers of one matrix as a table, for people who do not see the colours.

import { html, list, setOptions } from "../dom.js";
import { say } from "../language.js";

const MOST = 128; // rows, and columns; browsers are slow with more

export class Table {
  constructor() {
    this.choice = list(say("Matrix to show as a table"), [], () => this.fill(this.board));
    const look = { class: "plot-table-scroll", tabindex: 0, role: "group", "aria-label": say("Table") };
    this.place = html("div", look);
    this.element = html("div", { class: "plot-table", hidden: "" }, this.choice, this.place);
  }

  get isShown() { return !this.element.hidden; }

  // One matrix at a time: 32 tables of 128 x 128 would stop the browser. `wished` names a matrix.
  fill(board, wished = this.choice.value) {
    this.board = board;
    if (!this.isShown) return;
    const { matrices } = board;
    setOptions(this.choice, matrices.map(({ name, sent }) => [name, sent.title]), wished);
    this.choice.hidden = matrices.length === 1;
    this.place.replaceChildren(tableOf(board.named(this.choice.value)));
  }
}

// All digits stand there too, for programs that read the page.
function cellOf(matrix, row, column) {
  const said = { title: matrix.nearly(row, column), "data-number": matrix.exact(row, column) };
  return html("td", said, matrix.short(row, column));
}

// The cells in view; only the first of very many.
function tableOf(matrix) {
  const { title, row_labels, column_labels, row_word, column_word } = matrix.sent;
  const down = matrix.rowsInView().slice(0, MOST);
  const across = matrix.columnsInView().slice(0, MOST);
  const head = html("tr", {}, html("td", {}, `${row_word} \\ ${column_word}`));
  head.append(...across.map((column) => html("th", { scope: "col" }, column_labels[column])));
  const body = down.map((row) => {
    const cells = across.map((column) => cellOf(matrix, row, column));
    return html("tr", {}, html("th", { scope: "row" }, row_labels[row]), ...cells);
  });
  const said = matrix.before ? say("{matrix}, the numbers as they are now", { matrix: title }) : title;
  const caption = html("caption", {}, withSize(said, matrix, down.length, across.length));
  return html("table", {}, caption, html("thead", {}, head), html("tbody", {}, ...body));
}

// A table may have no room for all numbers: then its caption says how many it has.
function withSize(words, { rowCount, columnCount }, rows, columns) {
  if (rows === rowCount && columns === columnCount) return words;
  const named = { matrix: words, rows, columns, all_rows: rowCount, all_columns: columnCount };
  return say("{matrix} ({rows} × {columns} of {all_rows} × {all_columns} numbers)", named);
}
