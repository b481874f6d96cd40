// Shows one figure, keeps it while its numbers change, and reports the cell that a person picks.
//
// Nothing here knows Streamlit: streamlit.js does.

import { Board } from "./board.js";
import { paintBoard, repaint } from "./cells.js";
import { html, isTouched, onceAFrame, placeIn, setAll, svg } from "./dom.js";
import { CellEditor } from "./editor.js";
import { Entries } from "./entries.js";
import { inkOf } from "./ink.js";
import { HELP, isSameCell, listenToKeys } from "./keyboard.js";
import { Labels } from "./labels.js";
import { indicesLit, lightsOf, pointEverywhere, whenPointed } from "./light.js";
import { Live, STROKE, tooFar } from "./live.js";
import { isMask, MASK, MaskPen } from "./mask_pen.js";
import { ZOOM_HINT } from "./matrix.js";
import { fourDigits } from "./numbers.js";
import { fittedToScreen } from "./on_screen.js";
import { cellToPlay, Player } from "./play.js";
import { listenToPointer } from "./pointer.js";
import { copy, download, GROUNDS, pictureFile } from "./saving.js";
import { Scrub } from "./scrub.js";
import { Selection } from "./selection.js";
import { Spotlight } from "./spotlight.js";
import { framesOf, tellMatrix, whenSymbol } from "./symbols.js";
import { Table } from "./table.js";
import { asCsv, asTabs, fileName } from "./tabular.js";
import { dress, LIGHT } from "./theme.js";
import { Tip } from "./tip.js";
import { Tools } from "./tools.js";
import { Walker } from "./walk.js";
import { Zoom } from "./zoom.js";
import { ZoomDrag } from "./zoom_drag.js";

const PAPER_ROOM = 680; // pixels across a printed page
const PAPER_HEIGHT = 940; // and down, so that A4 and Letter have it on one page
const MOST_REASONS = 3; // why entries were refused, below a picture
const WAS_WRONG = "has its right numbers now. While the number was dragged, they were wrong by";
const UNSEEN = { "aria-hidden": "true" };

// A picked cell (its matrix, row and column), and boxes of cells: a matrix, the first row and column, the last.
// Lines are rows and columns: a kind of thing, and its place.
export const NO_OUTLINE = { cell: [], made_of: [], goes_into: [], lines: [] };

export class Plot {
  report = () => {}; // is told {matrix, row, column} of a picked cell
  drawByPlotly = null; // asks for the figure as Plotly draws it, where that is offered
  closeExplained = () => false; // closes what is said of a number; whether there was anything
  pointed = null; // the cell under the pointer or the cursor: {matrix, row, column}
  cursor = null; // the cell where the keyboard is
  isByKeys = false; // whether the cursor went there by keyboard, and not by a click
  picked = null; // the cell that is outlined
  outlined = NO_OUTLINE; // what is lit; the matrices may be in other plots alone
  indices = {}; // what any plot of the page points at
  ofSymbol = []; // the names of the matrices of a symbol that is pointed at
  isPrinting = false;
  isInView = true; // of the window
  reordered = 0; // the number of the newest entry it knows of that put labels in other places
  isLive = false; // whether it shows numbers that this browser has computed
  widens = false; // whether those of its figure are such numbers, too
  screen = null; // what it is fitted to where it is presented: see on_screen.js
  spotlight = new Spotlight();
  zoom = new Zoom();
  lightUp = onceAFrame(() => this.drawLights());
  showLive = onceAFrame(() => this.drawLive());

  // `readTheme` gives the theme at an element.
  constructor(parent, { readTheme }) {
    this.readTheme = readTheme;
    const entries = new Entries();
    this.take({ entries, live: new Live(entries) });
    this.id = `hatch-${Math.random().toString(36).slice(2)}`;
    this.makeElements();
    parent.append(this.root);
    this.listen();
  }

  makeElements() {
    this.ink = svg("svg", { class: "plot-ink", ...UNSEEN });
    this.lights = svg("svg", { class: "plot-ink", ...UNSEEN });
    this.cells = html("canvas", { class: "plot-ink", ...UNSEEN });
    this.editor = new CellEditor(this);
    this.scrub = new Scrub(this);
    this.pen = new MaskPen(this);
    this.zoomDrag = new ZoomDrag(this);
    this.selection = new Selection(this);
    this.labels = new Labels(this);
    const layers = [this.cells, this.ink, this.lights];
    const fields = [this.editor.element, this.scrub.mark, this.labels.editor.element, this.labels.menu.more];
    this.stage = html("div", { class: "plot-stage", role: "application", tabindex: 0 }, ...layers, ...fields);
    this.scroll = html("div", { class: "plot-scroll" }, this.stage);
    this.spoken = html("div", { class: "plot-unseen", "aria-live": "polite" });
    this.tip = new Tip();
    this.table = new Table();
    this.player = new Player(() => cellToPlay(this));
    this.tools = new Tools(this.table.element, this, this.player);
    this.walker = new Walker(this);
    this.refusals = html("div", { class: "plot-refusals", "aria-live": "polite" });
    this.moved = html("p", { class: "plot-moved" });
    this.note = html("p", { class: "plot-live-note", role: "status" });
    this.root = html("div", { class: "plot", role: "figure" });
    const below = [this.refusals, this.note, this.tools.element];
    const over = [this.tip.element, this.labels.menu.element];
    this.root.append(this.scroll, this.walker.element, this.moved, ...below, ...over, this.spoken);
  }

  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    listenToPointer(this, signal);
    listenToKeys(this, signal);
    this.labels.listen(signal);
    this.tools.listen(signal);
    whenPointed((indices) => {
      this.indices = indices;
      this.lightUp();
    }, signal);
    whenSymbol((symbol) => this.followSymbol(symbol), signal);
    this.stage.addEventListener("focus", () => this.lightUp(), { signal });
    this.stage.addEventListener("blur", () => this.point(null), { signal });
    this.scroll.addEventListener("scroll", () => this.hintAtMore(), { signal });
    const scrolled = () => this.live.isOn && this.showLive(); // to matrices that were not seen
    window.addEventListener("scroll", scrolled, { signal, capture: true });
    window.addEventListener("beforeprint", () => this.print(true), { signal });
    window.addEventListener("afterprint", () => this.print(false), { signal });
    this.observer = new ResizeObserver(() => this.followRoom());
    this.observer.observe(this.root);
    this.watcher = new IntersectionObserver(([seen]) => {
      this.isInView = seen.isIntersecting;
      this.showLive();
    });
    this.watcher.observe(this.root);
  }

  remove() {
    this.player.stop();
    this.walker.halt();
    this.point(null);
    this.listening.abort();
    this.stopFollowing();
    this.observer.disconnect();
    this.watcher.disconnect();
    this.root.remove();
  }

  // ---- showing ----

  // `picture` has the figure, `alt` in words for people who do not see it, a name for files, and what
  // it knows of as `reordered`.
  show(picture) {
    Object.assign(this, picture);
    this.root.setAttribute("aria-label", this.alt);
    this.live.noteShown(this);
    this.draw();
  }

  followTheme() {
    if (JSON.stringify(this.readTheme(this.root)) !== this.drawnTheme) this.draw();
  }

  followRoom() {
    const hasPlaceOfItsOwn = this.screen && !this.isPrinting; // whoever gave it says when that changes
    if (!this.board || this.isPrinting || hasPlaceOfItsOwn) return;
    if (this.root.clientWidth !== this.board.room) this.draw();
  }

  // Paper is light, whatever the screen is.
  print(isPrinting) {
    this.isPrinting = isPrinting;
    if (this.board) this.draw();
  }

  draw() {
    const ofPage = this.readTheme(this.root);
    this.drawnTheme = JSON.stringify(ofPage);
    this.theme = this.isPrinting ? { ...LIGHT, font: ofPage.font } : ofPage;
    dress(this.root, this.theme);
    this.board = this.screen && !this.isPrinting ? this.boardOnScreen() : this.boardOnPage();
    this.takeLive();
    if (this.isLive || this.widens) this.board.widen(); // numbers may be beyond the colours of the figure
    this.followEntries();
    this.fitStage();
    this.describe();
    this.drawBoard();
    this.countPaint();
  }

  boardOnPage() {
    const room = this.root.clientWidth;
    const width = this.isPrinting ? Math.min(room, PAPER_ROOM) : room;
    return new Board(this.figure, width, window.innerHeight, this.board);
  }

  boardOnScreen() {
    const fitted = fittedToScreen(this.figure, this.screen);
    this.part = fitted.part;
    return new Board(this.figure, fitted.size.width, window.innerHeight, null, fitted);
  }

  fitStage() {
    const { size: { width, height }, zoom } = this.board;
    const shrink = this.isPrinting ? Math.min(1, PAPER_ROOM / width, PAPER_HEIGHT / height) : 1;
    const scale = zoom === 1 ? "" : zoom;
    Object.assign(this.stage.style, { width: `${width}px`, height: `${height}px`, zoom: shrink, scale });
    for (const layer of [this.ink, this.lights]) setAll(layer, { width, height });
  }

  describe() {
    const { board } = this;
    setAll(this.stage, { "aria-label": `${this.alt}. ${HELP}` });
    const again = (cell) => cell && board.cell(cell.matrix.name, cell.row, cell.column);
    this.cursor = again(this.cursor);
    this.selection.anchor = again(this.selection.anchor);
    this.pointed = again(this.pointed);
    this.picked = board.cellOfArray(...this.outlined.cell);
    this.tools.follow(board, this.theme);
    this.walker.follow(board);
    this.moved.textContent = board.layout.meta?.words ?? "";
  }

  drawBoard() {
    const { board, theme } = this;
    board.showPart(this.zoom);
    this.drawInk();
    paintBoard(this.cells, board, theme);
    this.editor.follow();
    this.labels.follow();
    this.tools.followZoom(board);
    this.table.fill(board);
    if (this.tip.isShown) this.tip.show(this.pointed, this.stage);
    this.sayCursor();
    this.lightUp();
    this.hintAtMore();
  }

  drawInk() {
    const { board, theme } = this;
    setAll(this.ink, { "font-family": theme.font, "font-size": 12, fill: theme.text });
    this.ink.replaceChildren(...inkOf(board, theme, this.id, this.mayZoom ? ZOOM_HINT : ""));
  }

  // Outlines a cell, if it is here: a pick changes no cell, so nothing else is drawn. The same is
  // said once more by each run of the page, and nothing is drawn for it.
  outline(outlined) {
    const isNew = whatIsLit(outlined) !== whatIsLit(this.outlined);
    this.outlined = outlined;
    if (!this.board || !isNew) return;
    this.picked = this.board.cellOfArray(...outlined.cell);
    this.drawLights();
    this.countPaint();
  }

  drawLights() {
    const { theme, pointed, picked, outlined, live } = this;
    const cursor = this.stage.matches(":focus-visible") ? this.cursor : null;
    setAll(this.lights, { "font-family": theme.font, "font-size": 12, fill: "none" });
    const indices = indicesLit(this.indices, outlined.lines);
    const lines = { indices: this.spotlight.lit(indices), frames: !this.spotlight.isOn };
    const lit = { ...lines, pointed, picked, outlined, cursor, live, entries: this.entries, pen: this.pen };
    const own = [...this.selection.lights(theme), ...this.labels.lights(theme), ...this.zoomDrag.lights(theme)];
    const veil = [...this.walker.veil(theme), ...this.spotlight.veil(this.board, theme)];
    const frames = framesOf(this.ofSymbol.map((name) => this.board.named(name)), theme);
    this.lights.replaceChildren(...veil, ...lightsOf(this.board, theme, lit), ...frames, ...own);
    this.scrub.placeMark(this.stage.matches(":focus") ? this.cursor : null, isTouched());
  }

  countPaint() {
    this.root.dataset.painted = 1 + Number(this.root.dataset.painted ?? 0);
  }

  // A picture that is wider than its box fades out at the edge where it is cut off.
  hintAtMore() {
    const { room, size } = this.board;
    const seen = room < size.width ? this.scroll.scrollLeft + room : size.width;
    this.scroll.classList.toggle("plot-goes-on", seen < size.width - 2);
  }

  // ---- pointing and picking ----

  // Whether a drag over cells zooms. There is no zoom where one presents, and a finger scrolls.
  get mayZoom() { return this.board.mayZoom && !this.screen && !isTouched(); }

  cellAt(event) {
    return this.board?.cellAt(...placeIn(this.stage, event)) ?? null;
  }

  // The cell at a place, or else the matrix whose heading or caption is there.
  pointAt(event) {
    this.point(this.cellAt(event));
    tellMatrix(this.board?.matrixAt(...placeIn(this.stage, event))?.name);
  }

  followSymbol({ matrices, isPressed }) {
    this.ofSymbol = matrices;
    if (!this.board) return;
    this.drawLights();
    if (isPressed) this.lights.querySelector(".plot-lit-matrix")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  point(cell) {
    if (isSameCell(cell, this.pointed)) return;
    this.pointed = cell;
    this.spotlight.follow(cell);
    this.stage.classList.toggle("plot-on-editable", Boolean(cell?.matrix.isEditable));
    pointEverywhere(cell);
    tellMatrix(cell?.matrix.name);
    const liesInTheWay = this.spotlight.isOn && this.spotlight.kind !== "cell"; // of a row or a column
    this.tip.show(liesInTheWay ? null : cell, this.stage);
    this.sayCursor();
  }

  // The keyboard's cursor goes to a cell, or away. With Shift it selects those on the way.
  moveTo(cell, isShifted) {
    this.labels.leave();
    this.selection.follow(this.cursor, cell, isShifted);
    this.cursor = cell;
    this.player.follow();
    this.point(cell);
    this.sayCursor(); // the mouse may have pointed there before
    if (cell) this.bringIntoView(cell);
  }

  // The keys belong to the page again.
  leave() {
    this.moveTo(null);
    this.isByKeys = false;
    this.stage.blur();
  }

  // After an entry: what is said of a cell would hide its neighbours, to which a person goes on.
  goOnTo(cell) {
    this.moveTo(cell);
    this.tip.show(null);
  }

  // Where a number can be edited, the first press picks its cell and the second one opens it.
  pickAt(cell, isShifted) {
    this.editor.close({ keeps: true });
    if (isShifted) {
      this.moveTo(cell, isShifted);
      return this.stage.focus({ preventScroll: true });
    }
    this.labels.leave();
    this.selection.clear();
    const isAgain = cell.matrix.isEditable && isSameCell(cell, this.cursor);
    this.cursor = cell;
    this.player.follow();
    this.point(cell);
    if (isAgain) return this.editor.open(cell);
    this.pick(cell);
    this.stage.focus({ preventScroll: true }); // typing goes to the cell
  }

  pick({ matrix, row, column }) {
    const [rowOfArray, columnOfArray] = matrix.turned(row, column);
    this.report({ matrix: matrix.name, row: rowOfArray, column: columnOfArray });
  }

  sayCursor() {
    const { cursor } = this;
    if (this.labels.cursor) return this.labels.say();
    if (!cursor || !this.stage.matches(":focus")) return;
    this.spoken.textContent = this.selection.isOne ? this.sentence(cursor) : this.selection.words();
  }

  bringIntoView({ matrix, row, column }) {
    if (this.zoom.bring({ matrix, row, column })) this.drawBoard();
    const box = matrix.cellBox(row, column);
    if (!box) return;
    const { scrollLeft, clientWidth } = this.scroll;
    if (box.x < scrollLeft) this.scroll.scrollLeft = box.x - 40;
    else if (box.x + box.w > scrollLeft + clientWidth) {
      this.scroll.scrollLeft = box.x + box.w + 40 - clientWidth;
    }
  }

  // ---- live ----

  // Only the matrices that follow from the number are painted anew, and only where they are seen.
  drawLive() {
    if (!this.board) return;
    if (!this.live.isOn) {
      if (this.isLive) this.draw(); // with the numbers of its figure
      return;
    }
    if (!this.isInView && !this.table.isShown) return;
    const { board, theme } = this;
    const size = board.textSize(board.matrices[0]);
    const beginsAnew = this.live.beganWith(this) && board.compareWithFigure();
    const moved = this.takeLive((matrix) => this.table.isShown || this.isSeen(matrix));
    const hasGrown = board.widen() || beginsAnew;
    const isOther = hasGrown || board.textSize(board.matrices[0]) !== size;
    repaint(this.cells, isOther ? board.matrices : moved, board, theme);
    if (hasGrown || this.live.hasMoved(MASK)) this.drawInk(); // which has the hatching
    this.table.fill(board);
    if (this.tip.isShown) this.tip.sayNumber(moved.length ? undefined : this.comingNumber());
    if (!moved.length) this.lightUp(); // the number is on its way
    if (moved.length) this.countPaint();
  }

  // The number that is dragged here, where no picture can follow it yet.
  comingNumber() {
    const { drag } = this.live;
    return drag && this.board.named(drag.matrix) ? drag.number : undefined;
  }

  // The matrices that now have live numbers.
  takeLive(isWanted = () => true) {
    const { board, live } = this;
    if (live.beganWith(this)) board.compareWithFigure();
    const moved = board.matrices.filter((each) => live.hasMoved(each.name) && isWanted(each));
    for (const matrix of moved) matrix.take(live.rows(matrix.name), live.maskOf(matrix.name));
    this.isLive = moved.length > 0 || board.comparesWithFigure;
    this.moved.classList.toggle("plot-outdated", this.isLive); // words follow on release
    return moved;
  }

  // Another drag begins, before the server has answered the last: what moves is told from here on.
  beginAnew() {
    if (!this.board) return;
    this.catchUp();
    if (this.board.compareWithShown()) this.drawBoard();
  }

  // Before all numbers are handed out: those of matrices out of sight may be behind.
  catchUp() {
    if (this.live.isOn) this.takeLive();
  }

  // Whether a part of a matrix is in the window.
  isSeen({ y, h }) {
    const { top } = this.stage.getBoundingClientRect();
    const { zoom } = this.board;
    return top + y * zoom < window.innerHeight && top + (y + h) * zoom > 0;
  }

  // Says so if the numbers that were shown live are not those of the figure.
  compare(forward) {
    for (const matrix of this.board.matrices) {
      const { name, meta, trace, isSingle } = matrix;
      const rows = forward.hasMoved(name) && matrix.asShown(forward.rows(name));
      const share = rows && tooFar(trace.z, rows, isSingle || forward.options.is_single);
      if (share) this.say(`${meta.title} ${WAS_WRONG} ${fourDigits(share)} of its largest number.`, name);
    }
  }

  // Says something below the picture that has a matrix.
  say(words, matrix) {
    if (this.board?.named(matrix)) this.note.textContent = words;
  }

  // ---- editing ----

  // From now on what is entered goes to these, which the plots of a page may share.
  take({ entries, live }) {
    this.stopFollowing?.();
    Object.assign(this, { entries, live });
    const stops = [entries.follow(() => this.board && this.followEntries()), live.follow(this)];
    this.stopFollowing = () => stops.forEach((stop) => stop());
  }

  // Whether labels are on their way to other places here: then a cell or a label may be another one.
  get isBehind() { return this.entries.isReordering(this.reordered); }

  // The number of a cell that was dragged is an entry like any other.
  letGo({ matrix, row, column }, text) {
    this.live.letGo(this.entries.enter({ matrix, row, column }, text));
    this.sayCursor();
  }

  followEntries() {
    const { board, entries } = this;
    const wasEditable = board.isEditable;
    board.isEditable = entries.isOpen;
    for (const matrix of board.matrices) matrix.isEditable = entries.isOpen && matrix.meta.given;
    if (wasEditable !== undefined && wasEditable !== board.isEditable) {
      this.tools.followEditable();
      this.drawBoard();
    }
    this.tools.followPen();
    this.stage.classList.toggle("plot-with-pen", entries.isDrawing && this.canDrawMask);
    this.sayRefused();
    this.lightUp();
  }

  get canDrawMask() { return this.board.matrices.some((matrix) => this.pen.fits(matrix)); }
  get needsPen() { return this.board.matrices.some((matrix) => this.pen.fits(matrix) && !isMask(matrix)); }

  // The reasons stand below the picture, the first few of them.
  sayRefused() {
    const isHere = ({ matrix }) => (matrix === STROKE ? this.canDrawMask : this.board.named(matrix));
    const here = this.entries.refused.filter(isHere);
    const reasons = here.slice(0, MOST_REASONS).map(({ reason }) => reason);
    if (here.length > MOST_REASONS) reasons.push(`${here.length - MOST_REASONS} more.`);
    if (reasons.join() === this.saidRefused) return;
    this.saidRefused = reasons.join();
    this.refusals.replaceChildren(...reasons.map((reason) => html("p", {}, reason)));
  }

  // What a cell holds, as a person would type it: with the minus of a keyboard.
  textIn({ matrix, row, column }) {
    const entered = this.entries.at(matrix, row, column);
    if (entered) return entered.text;
    const isMinusInfinity = matrix.meta.given && matrix.isHidden(row, column);
    return isMinusInfinity ? "-inf" : matrix.exact(row, column).replaceAll("\u2212", "-");
  }

  // The selected cells as a spreadsheet takes them, or the one at the cursor.
  copied() {
    return this.selection.isOne ? this.textIn(this.cursor) : this.selection.asTabs();
  }

  setToZero() {
    this.enter(this.selection.corner, this.selection.zeros());
  }

  // Takes what was typed or pasted into a cell. Nothing typed leaves its number as it was.
  enter(cell, text) {
    if (this.isBehind) return;
    const { matrix, row, column } = cell;
    const isRefused = Boolean(this.entries.at(matrix, row, column)?.reason);
    const isSame = text.trim() === this.textIn(cell);
    if (isSame || (!text.trim() && !isRefused)) return;
    this.entries.enter(cell, text.trim() ? text : "");
  }

  // Takes back the newest refused entry, if there is one, and goes to its cell: what is typed next
  // goes there.
  takeBackRefused() {
    const { board, entries } = this;
    const cells = entries.refused.filter(({ act }) => !act).map(({ matrix, row, column }) => board.cell(matrix, row, column));
    const cell = cells.findLast((each) => each && entries.at(each.matrix, each.row, each.column)?.reason);
    if (!cell) return false;
    this.enter(cell, "");
    this.moveTo(cell);
    return true;
  }

  nameOf({ matrix, row, column }) {
    return [matrix.meta.title, matrix.rowName(row), matrix.columnName(column)].join(", ");
  }

  sentence({ matrix, row, column }) {
    const { text, reason } = this.entries.at(matrix, row, column) ?? {};
    if (reason) return `${this.nameOf({ matrix, row, column })}: ${text}, refused. ${reason}`;
    const edit = matrix.isEditable ? ", can be edited" : "";
    return matrix.sentence(row, column) + edit;
  }

  // ---- what the tools do ----

  likeliest() {
    return (this.picked ?? this.cursor)?.matrix.name;
  }

  showTable() {
    this.catchUp();
    this.table.fill(this.board, this.likeliest());
  }

  async copy(name) {
    this.catchUp();
    const matrix = this.board.named(name);
    try {
      await copy(asTabs(matrix));
      const size = `${matrix.rowCount} × ${matrix.columnCount}`;
      this.tools.say(`Copied ${matrix.meta.title}, ${size} numbers.`);
    } catch (error) {
      this.tools.say(`Nothing was copied: ${error.message}. Save as CSV instead.`);
    }
  }

  saveNumbers(name) {
    this.catchUp();
    const matrix = this.board.named(name);
    const words = this.board.matrices.length > 1 ? `${this.name} ${matrix.meta.title}` : this.name;
    download(new Blob([asCsv(matrix)], { type: "text/csv" }), fileName(words, "csv"));
  }

  async savePicture(format, ground) {
    this.catchUp();
    const theme = { ...GROUNDS[ground].theme, font: this.theme.font };
    const file = await pictureFile(format, this.board, theme, this.stage);
    download(file, fileName(this.name, format));
  }

  resetZoom() {
    this.zoom.leaveAll();
    this.drawBoard();
    this.stage.focus();
  }

  // Of a matrix, and of those that zoom with it.
  leaveZoom(matrix) {
    this.zoom.leave(matrix);
    this.drawBoard();
  }
}

// As text, to be compared.
function whatIsLit({ cell, made_of, goes_into, lines }) {
  return JSON.stringify([cell, made_of, goes_into, lines]);
}
