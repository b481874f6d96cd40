// The row of tools below a picture: a table, a menu to copy or save, and the way out of a zoom.

import { button, html, setOptions } from "../dom.js";
import { say } from "../language.js";
import { ZOOM_HINT } from "../board/matrix.js";
import { GROUNDS } from "./saving.js";

const PEN_HINT = say("Then press cells of scores or weights, or drag over them. Without it: hold Ctrl, or press M.");
const MOVE_HINT = say("Shows all again, as a double click does. To move the part that is shown, hold Shift and drag.");
const PLOTLY_HINT = say("Draws this board as a Plotly figure, with Plotly's own hover, zoom and pan.");
let count = 0; // of elements that need an id

export class Tools {
  // `act` is one of acts.js.
  constructor(table, act, player) {
    this.act = act;
    this.player = player;
    this.makeMenu();
    this.reset = button(say("Reset zoom"), () => act.resetZoom());
    this.reset.title = MOVE_HINT;
    this.note = html("span", { class: "plot-note" });
    this.showTable = opener(say("Show as table"), table, () => act.showTable());
    this.openMenu = opener(say("Copy or save"), this.menu, () => this.fillMenu());
    this.openPlayer = opener(say("Play a number"), player.element, () => player.open(), () => player.stop());
    this.pen = button(say("Mask pen"), () => act.entries.takePen(!act.entries.isDrawing));
    this.pen.title = PEN_HINT;
    this.makeSwitch();
    const inRow = [this.showTable, this.openMenu, this.openPlayer, this.pen, this.reset, this.note, this.drawn];
    this.row = html("div", { class: "plot-row" }, ...inRow);
    this.element = html("div", { class: "plot-tools" }, this.row, this.menu, player.element, table);
  }

  // The same words as those of the switch below a board that Plotly has drawn (ui/blocks/board.py).
  makeSwitch() {
    const live = button(say("Live"), () => {});
    live.setAttribute("aria-pressed", true);
    const plotly = button("Plotly", () => this.act.drawByPlotly());
    plotly.setAttribute("aria-pressed", false);
    plotly.title = PLOTLY_HINT;
    this.drawn = html("span", { class: "plot-drawn", role: "group", "aria-label": say("Drawn by") }, live, plotly);
  }

  makeMenu() {
    const { act } = this;
    const id = ++count;
    this.matrix = html("select", { id: `plot-matrix-${id}` });
    this.ground = html("select", { id: `plot-ground-${id}` });
    this.said = html("p", { class: "plot-said", role: "status" });
    const numbers = html("div", { class: "plot-menu-part" },
      this.matrixPart = labelled(say("Matrix"), this.matrix),
      button(say("Copy numbers"), () => act.copy(this.matrix.value)),
      button(say("Save as CSV"), () => act.saveNumbers(this.matrix.value)));
    const picture = html("div", { class: "plot-menu-part" },
      labelled(say("Background"), this.ground),
      button(say("Save as SVG"), () => act.savePicture("svg", this.ground.value)),
      button(say("Save as PNG"), () => act.savePicture("png", this.ground.value)));
    const look = { class: "plot-menu", role: "group", "aria-label": say("Copy or save"), hidden: "" };
    this.menu = html("div", look, numbers, picture, this.said);
    setOptions(this.ground, Object.entries(GROUNDS).map(([value, { name }]) => [value, name]));
  }

  // The menu closes as menus do: by Escape, and by a press elsewhere.
  listen(signal) {
    const close = () => !this.menu.hidden && this.openMenu.click();
    window.addEventListener("pointerdown", ({ target }) => {
      if (!this.menu.contains(target) && !this.openMenu.contains(target)) close();
    }, { signal });
    this.element.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape") return;
      if (this.menu.hidden && this.player.element.hidden) this.act.entries.takePen(false);
      if (!this.menu.hidden) {
        close();
        this.openMenu.focus();
      }
      if (!this.player.element.hidden) {
        this.openPlayer.click();
        this.openPlayer.focus();
      }
    }, { signal });
  }

  // Tools for what the board has.
  follow(board, theme) {
    this.board = board;
    if (this.drawnDark !== theme.isDark) this.ground.value = theme.isDark ? "dark" : "light";
    this.drawnDark = theme.isDark;
    this.matrixPart.hidden = board.matrices.length < 2;
    if (!this.menu.hidden) this.fillMenu();
    this.drawn.hidden = !this.act.drawByPlotly;
    this.followEditable();
    this.followZoom(board);
  }

  // A number can be played where one can be edited.
  followEditable() {
    const { board, player } = this;
    const isEditable = board.matrices.some((matrix) => matrix.isEditable);
    this.openPlayer.hidden = !isEditable;
    if (!isEditable && !player.element.hidden) this.openPlayer.click();
  }

  // The pen is in hand until it is put down again, in every picture in which the mask can be drawn.
  followPen() {
    const { needsPen, entries } = this.act;
    this.pen.hidden = !needsPen;
    this.pen.setAttribute("aria-pressed", entries.isDrawing);
  }

  followZoom(board) {
    this.reset.hidden = !board.isZoomed;
    const unsaid = board.matrices.filter((matrix) => matrix.cellsOfDot > 1 && !matrix.saysOfDots);
    const hint = this.act.mayZoom ? `; ${ZOOM_HINT}` : "";
    this.note.textContent = unsaid.length ? `${capital(noteOnDots(unsaid))}${hint}.` : "";
  }

  fillMenu() {
    this.said.textContent = "";
    this.placeMenu();
    const options = this.board.matrices.map(({ name, sent }) => [name, sent.title]);
    setOptions(this.matrix, options, this.act.likeliest() ?? this.matrix.value);
  }

  // Below the row, unless there is room only above it.
  placeMenu() {
    const { top, bottom } = this.row.getBoundingClientRect();
    const { offsetHeight } = this.menu;
    const isAbove = bottom + offsetHeight > window.innerHeight && top > offsetHeight;
    this.menu.classList.toggle("plot-menu-above", isAbove);
  }

  tell(words) {
    this.said.textContent = words;
  }
}

function labelled(text, select) {
  return html("span", { class: "plot-choice" }, html("label", { for: select.id }, text), select);
}

// A button that opens and closes a part of the page.
export function opener(text, part, whenOpened, whenClosed = () => {}) {
  part.id ||= `plot-part-${++count}`;
  const made = button(text, () => {
    part.hidden = !part.hidden;
    made.setAttribute("aria-expanded", !part.hidden);
    if (part.hidden) whenClosed();
    else whenOpened();
  });
  made.setAttribute("aria-expanded", false);
  made.setAttribute("aria-controls", part.id);
  return made;
}

// What a dot is, in matrices that may have dots of different sizes.
export function noteOnDots(matrices) {
  const notes = new Set(matrices.map((matrix) => matrix.dotNote()));
  if (notes.size === 1) return [...notes][0];
  const most = Math.max(...matrices.map((each) => each.cellsOfDot));
  return say("a dot is the mean of up to {count} cells", { count: most });
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
