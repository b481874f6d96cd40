// Shows one figure, keeps it while its numbers change, and reports the cell that a person picks.
//
// Nothing here knows Streamlit: streamlit.js does.

import { Acts } from "./around/acts.js";
import { inTheHand } from "./board/arrangement.js";
import { Board } from "./board/board.js";
import { CellTexts } from "./entering/cell_texts.js";
import { Cells } from "./drawing/cells.js";
import { html, isFocusFree, isTouched, onceAFrame, onceIdle, putChildren, setOthers, svg } from "./dom.js";
import { CellEditor } from "./entering/editor.js";
import { Entries } from "./entering/entries.js";
import { Hand } from "./hand/hand.js";
import { inkOf, rangesOf } from "./drawing/ink.js";
import { HELP, listenToKeys } from "./hand/keyboard.js";
import { NoLabels } from "./labels/no_labels.js";
import { indicesLit, lightsOf, whenPointed } from "./drawing/light.js";
import { Live } from "./live/live.js";
import { MaskPen } from "./hand/mask_pen.js";
import { ZOOM_HINT } from "./board/matrix.js";
import { MovingPicture } from "./live/moving_picture.js";
import { fittedToScreen } from "./presenting/on_screen.js";
import { cellToPlay, Player } from "./hand/play.js";
import { listenToPointer } from "./hand/pointer.js";
import { previewOf } from "./around/preview.js";
import { Scrub } from "./hand/scrub.js";
import { Selection } from "./hand/selection.js";
import { Spotlight } from "./drawing/spotlight.js";
import { framesOf, whenSymbol } from "./drawing/symbols.js";
import { Table } from "./around/table.js";
import { dress, LIGHT } from "./theme.js";
import { Tip } from "./around/tip.js";
import { Tools } from "./around/tools.js";
import { Walker } from "./hand/walk.js";
import { Zoom } from "./board/zoom.js";
import { ZoomDrag } from "./hand/zoom_drag.js";

const WAITS_FOR_FOCUS = 90; // frames
const PAPER_ROOM = 680; // pixels across a printed page
const PAPER_HEIGHT = 940; // and down, so that A4 and Letter have it on one page
const UNSEEN = { "aria-hidden": "true" };

// A picked cell (its matrix, row and column), and boxes of cells: a matrix, the first row and column, the last.
// Lines are rows and columns: a kind of thing, and its place.
/** @type {{cell: any[], made_of: any[], goes_into: any[], lines: any[]}} */
export const NO_OUTLINE = { cell: [], made_of: [], goes_into: [], lines: [] };

export class Plot {
  /** @type {(cell: {matrix: string, row: number, column: number}) => void} */
  report = () => {}; // is told {matrix, row, column} of a picked cell
  /** @type {(() => void) | null} */
  drawByPlotly = null; // asks for the figure as Plotly draws it, where that is offered
  closeExplained = () => false; // closes the words on a number; whether there were any
  /** @type {Cell | null} */
  picked = null; // the cell that is outlined
  outlined = NO_OUTLINE; // what is lit; the matrices may be in other plots alone
  indices = {}; // what any plot of the page points at
  /** @type {string[]} */
  ofSymbol = []; // the names of the matrices of a symbol that is pointed at
  /** @type {any} */
  figure = null; // as the server has sent it
  alt = ""; // what it shows, in words
  name = ""; // for files
  /** @type {any} */
  board = null; // the Board of it, once it is drawn
  /** @type {any} */
  part = null; // which heads are in sight, where it is presented
  isPrinting = false;
  isInView = true; // of the window
  hasKeys = false; // whether its cells have the keyboard, or had it when the picture was taken out of the page
  isToBeDrawn = false; // once the browser is idle, or it comes into view
  reordered = 0; // the number of the newest entry it knows of that put labels in other places
  widens = false; // whether this browser has computed the numbers of its figure
  /** @type {PresentScreen | null} */
  screen = null; // what it is fitted to if it is presented: see on_screen.js
  spotlight = new Spotlight();
  zoom = new Zoom();
  hand = new Hand(this);
  texts = new CellTexts(this);
  moving = new MovingPicture(this);
  lightUp = onceAFrame(() => this.drawLights());
  drawWhenIdle = onceIdle(() => this.drawWaiting());
  listening = new AbortController();
  observer = new ResizeObserver(() => this.followRoom());
  watcher = new IntersectionObserver(([seen]) => {
    this.isInView = seen.isIntersecting;
    if (this.isInView) this.drawWaiting();
    this.moving.showLive();
  });
  stopFollowing = () => {}; // what is entered and what moves: see `take`

  // `readTheme` gives the theme at an element, `windowHeight` how much a person sees at once. `Labels` is the class
  // of what edits labels, if they can be edited.
  constructor(parent, { readTheme, windowHeight = () => window.innerHeight, Labels = /** @type {any} */ (NoLabels) }) {
    this.readTheme = readTheme;
    this.windowHeight = windowHeight;
    const entries = new Entries();
    this.take({ entries, live: new Live(entries) });
    this.id = `hatch-${Math.random().toString(36).slice(2)}`;
    this.ink = svg("svg", { class: "plot-ink", ...UNSEEN });
    this.ranges = svg("g", { class: "plot-ranges" });
    this.lights = svg("svg", { class: "plot-ink", ...UNSEEN });
    this.cells = new Cells();
    this.editor = new CellEditor(this);
    this.scrub = new Scrub(this);
    this.pen = new MaskPen(this);
    this.zoomDrag = new ZoomDrag(this);
    this.selection = new Selection(this);
    this.labels = new Labels(this);
    const layers = [this.cells.canvas, this.ink, this.lights];
    const fields = [this.scrub.grip, this.editor.element, this.scrub.mark, ...this.labels.fields];
    this.free = html("div", { class: "plot-free", ...UNSEEN });
    this.stage = html("div", { class: "plot-stage", role: "application", tabindex: 0 }, ...layers, ...fields, this.free);
    this.scroll = html("div", { class: "plot-scroll" }, this.stage);
    this.spoken = html("div", { class: "plot-unseen", "aria-live": "polite" });
    this.tip = new Tip((matrix) => previewOf(matrix, this.board, this.theme), (cell) => this.texts.refusedIn(cell));
    this.table = new Table();
    this.player = new Player(() => cellToPlay(this));
    this.tools = new Tools(this.table.element, new Acts(this), this.player);
    this.walker = new Walker(this);
    this.moved = html("p", { class: "plot-moved" });
    this.note = html("p", { class: "plot-live-note", role: "status" });
    this.root = html("div", { class: "plot", role: "figure" });
    const below = [this.texts.refusals, this.note, this.tools.element];
    const over = [this.tip.element, ...this.labels.over];
    this.root.append(this.scroll, this.walker.element, this.moved, ...below, ...over, this.spoken);
    parent.append(this.root);
    this.listen();
  }

  listen() {
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
    this.stage.addEventListener("focus", () => { this.hasKeys = true; }, { signal });
    this.stage.addEventListener("blur", () => queueMicrotask(() => { this.hasKeys &&= !this.root.isConnected; }), { signal });
    this.stage.addEventListener("blur", () => this.hand.point(null), { signal });
    this.scroll.addEventListener("scroll", () => this.hintAtMore(), { signal });
    const scrolled = () => this.live.isOn && this.moving.showLive(); // to matrices that were not seen
    window.addEventListener("scroll", scrolled, { signal, capture: true });
    window.addEventListener("beforeprint", () => this.print(true), { signal });
    window.addEventListener("afterprint", () => this.print(false), { signal });
    this.observer.observe(this.root);
    this.watcher.observe(this.root);
  }

  remove() {
    this.isToBeDrawn = false;
    this.player.stop();
    this.walker.halt();
    this.hand.point(null);
    this.listening.abort();
    this.stopFollowing();
    this.observer.disconnect();
    this.watcher.disconnect();
    this.root.remove();
  }

  // What is in hand when the picture is taken out of the page, for the one that comes in its place: what is typed,
  // or the cell where the keyboard is. Null if nothing is.
  get inHand() {
    const { editor, labels: { editor: ofLabel }, hand: { cursor, isByKeys } } = this;
    if (editor.cell || ofLabel.cell) return { typed: editor.typed, name: ofLabel.typed };
    return this.hasKeys && cursor ? { cursor, isByKeys } : null;
  }

  // Goes on with it. Returns whether it could: not while labels are on their way to other places.
  goOnWith({ typed, name, cursor, isByKeys }) {
    if (this.isBehind) return false;
    if (typed) this.editor.goOnWith(typed);
    if (name) this.labels.editor.goOnWith(name);
    if (!cursor || !isFocusFree()) return true;
    this.stage.focus({ preventScroll: true });
    this.hand.isByKeys = isByKeys;
    this.hand.moveTo(cursor);
    return true;
  }

  // ---- showing ----

  // `picture` has the figure, `alt` in words for people who do not see it, a name for files, and what
  // it knows of as `reordered`.
  show(picture) {
    Object.assign(this, picture);
    this.root.setAttribute("aria-label", this.alt);
    this.live.noteShown(this.moving);
    this.draw();
  }

  // Tells whether it had to.
  followTheme() {
    const isOther = JSON.stringify(this.readTheme(this.root)) !== this.drawnTheme;
    if (isOther) this.draw();
    return isOther;
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
    this.board = this.screen && !this.isPrinting ? this.boardOn(this.screen) : this.boardOnPage();
    this.moving.takeLive();
    if (this.moving.isLive || this.widens) this.board.widen(); // numbers may be beyond the colours of the figure
    this.followEntries();
    this.fitStage();
    this.describe();
    this.isToBeDrawn = true;
    if (this.isInView || this.isPrinting || this.table.isShown) this.drawWaiting();
    else this.drawWhenIdle(); // so what is seen comes more often while a key is held
  }

  drawWaiting() {
    if (!this.isToBeDrawn) return;
    this.drawBoard();
    this.countPaint();
  }

  boardOnPage() {
    const room = this.root.clientWidth;
    const width = this.isPrinting ? Math.min(room, PAPER_ROOM) : room;
    const figure = this.isPrinting ? this.figure : inTheHand(this.figure, isTouched(), width);
    return new Board(figure, width, this.windowHeight(), this.board);
  }

  /** @param {PresentScreen} screen */
  boardOn(screen) {
    const fitted = fittedToScreen(this.figure, screen);
    this.part = fitted.part;
    return new Board(this.figure, fitted.size.width, this.windowHeight(), null, fitted);
  }

  fitStage() {
    const { size: { width, height }, zoom } = this.board;
    const shrink = this.isPrinting ? Math.min(1, PAPER_ROOM / width, PAPER_HEIGHT / height) : 1;
    const scale = zoom === 1 ? "" : zoom;
    Object.assign(this.stage.style, { width: `${width}px`, height: `${height}px`, zoom: shrink, scale });
    for (const layer of [this.ink, this.lights]) setOthers(layer, { width, height });
    this.markFreePlace();
  }

  // What the page shows there is placed by CSS.
  markFreePlace() {
    const place = this.screen || this.isPrinting ? null : this.board.freePlace;
    this.free.hidden = !place;
    if (!place) return;
    const { x, y, w, h } = place;
    Object.assign(this.free.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  }

  describe() {
    const { board } = this;
    setOthers(this.stage, { "aria-label": `${this.alt}. ${HELP}` });
    this.hand.follow(board);
    this.selection.anchor = board.again(this.selection.anchor);
    this.picked = board.cellOfArray(...this.outlined.cell);
    this.tools.follow(board, this.theme);
    this.walker.follow(board);
    this.moved.textContent = board.figure.words ?? "";
  }

  drawBoard() {
    const { board, theme } = this;
    this.isToBeDrawn = false;
    board.showPart(this.zoom);
    this.drawInk();
    this.cells.paint(board, theme);
    this.editor.follow();
    this.labels.follow();
    this.tools.followZoom(board);
    this.table.fill(board);
    if (this.tip.isShown) this.tip.show(this.hand.pointed, this.stage);
    this.hand.sayCursor();
    this.lightUp();
    this.hintAtMore();
  }

  drawInk() {
    const { board, theme } = this;
    setOthers(this.ink, { "font-family": theme.font, "font-size": 12, fill: theme.text });
    putChildren(this.ink, [...inkOf(board, theme, this.id), this.ranges]);
    this.drawRanges();
  }

  // What says how far the colours go.
  drawRanges() {
    const { board, theme } = this;
    putChildren(this.ranges, rangesOf(board, theme, this.id, this.mayZoom ? ZOOM_HINT : ""));
  }

  // Outlines a cell, if it is here: a pick changes no cell, so nothing else is drawn. Each run of the page
  // says the same again, and nothing is drawn for it.
  outline(outlined) {
    const isNew = whatIsLit(outlined) !== whatIsLit(this.outlined);
    this.outlined = outlined;
    if (!this.board || !isNew) return;
    this.picked = this.board.cellOfArray(...outlined.cell);
    this.drawLights();
    this.countPaint();
  }

  drawLights() {
    const { theme, picked, outlined, live, hand: { pointed, ...hand } } = this;
    const cursor = this.stage.matches(":focus-visible") ? hand.cursor : null;
    setOthers(this.lights, { "font-family": theme.font, "font-size": 12, fill: "none" });
    const indices = indicesLit(this.indices, outlined.lines);
    const lines = { indices: this.spotlight.lit(indices), frames: !this.spotlight.isOn };
    const lit = { ...lines, pointed, picked, outlined, cursor, live, entries: this.entries, pen: this.pen };
    const own = [...this.selection.lights(theme), ...this.labels.lights(theme), ...this.zoomDrag.lights(theme)];
    const veil = [...this.walker.veil(theme), ...this.spotlight.veil(this.board, theme)];
    const frames = framesOf(this.ofSymbol.map((name) => this.board.named(name)), theme);
    this.lights.replaceChildren(...veil, ...lightsOf(this.board, theme, lit), ...frames, ...own);
    this.scrub.placeMark(this.stage.matches(":focus") ? hand.cursor : null, isTouched());
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

  // The keyboard goes to a cell, which comes into sight. What is opening takes no focus yet.
  goTo(cell, tries = WAITS_FOR_FOCUS) {
    const there = this.board.again(cell);
    if (!there || !this.root.isConnected) return;
    this.root.scrollIntoView({ block: "center" });
    this.stage.focus({ preventScroll: true });
    if (!this.stage.matches(":focus") && tries) return void requestAnimationFrame(() => this.goTo(there, tries - 1));
    this.hand.isByKeys = true;
    this.hand.moveTo(there);
  }

  // Brings a step's matrices into sight. Returns whether any is here.
  bring(step) {
    const names = this.board?.matrices.map(({ name }) => name).filter((name) => name.split("/")[0] === step) ?? [];
    if (names.length) this.followSymbol({ matrices: names, isPressed: true });
    return names.length > 0;
  }

  followSymbol({ matrices, isPressed }) {
    this.ofSymbol = matrices;
    if (!this.board) return;
    this.drawLights();
    if (isPressed) this.lights.querySelector(".plot-lit-matrix")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // ---- zooming ----

  // Whether a drag over cells zooms. There is no zoom where one presents, and a finger scrolls.
  get mayZoom() { return this.board.mayZoom && !this.screen && !isTouched(); }

  // Leaves the zoom of a matrix, and of those that zoom with it.
  leaveZoom(matrix) {
    this.zoom.leave(matrix);
    this.drawBoard();
  }

  // ---- editing ----

  // From now on what is entered goes to these, which the plots of a page may share.
  take({ entries, live }) {
    this.stopFollowing();
    this.entries = entries;
    this.live = live;
    const stops = [entries.follow(() => this.board && this.followEntries()), live.follow(this.moving)];
    this.stopFollowing = () => stops.forEach((stop) => stop());
  }

  // Whether labels are on their way to other places here: then a cell or a label may be another one.
  get isBehind() { return this.entries.isReordering(this.reordered); }

  followEntries() {
    const { board, entries } = this;
    const wasEditable = board.isEditable;
    board.isEditable = entries.isOpen;
    for (const matrix of board.matrices) matrix.isEditable = entries.isOpen && matrix.sent.given;
    if (wasEditable !== undefined && wasEditable !== board.isEditable) {
      this.tools.followEditable();
      this.drawBoard();
    }
    this.tools.followPen();
    this.stage.classList.toggle("plot-with-pen", entries.isDrawing && this.texts.canDrawMask);
    this.texts.sayRefused();
    this.lightUp();
  }
}

// As text, to be compared.
function whatIsLit({ cell, made_of, goes_into, lines }) {
  return JSON.stringify([cell, made_of, goes_into, lines]);
}
