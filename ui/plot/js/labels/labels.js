// Labels that people edit in place: they rename tokens; add, remove and move tokens and columns; move heads
// and switch them off.

import { placeIn } from "../dom.js";
import { Editor } from "../entering/editor.js";
import { headedMatrices, headGapAt } from "../board/headings.js";
import { labelLights } from "./label_lights.js";
import { LabelMenu } from "./label_menu.js";
import { boxOf, canRename, gapAt, headingOf, holdsPoint, isDrawn, isSameLabel, placeInGap, SIDES } from "./label_sides.js";
import { say } from "../language.js";
import { clamp } from "../board/layout.js";
import { overBorder } from "../hand/over_border.js";

const A_CLICK = 4; // pixels that a pointer may move
const NAME_FIELD = 96; // pixels, at least
const OPENS_MENU = [" ", "ContextMenu"];
const SWITCHES = ["Delete", "Backspace", "o", "O"]; // a head off, or on again

export class Labels {
  /** @type {Label | null} */
  cursor = null; // the label where the keyboard is
  /** @type {Label | null} */
  pointed = null; // the label under the mouse
  /** @type {any} */
  drag = null; // {label, gap, line}: the label that is dragged, and where it would land

  constructor(plot) {
    this.plot = plot;
    this.editor = new LabelEditor(plot, this);
    this.menu = new LabelMenu(this);
    this.fields = [this.editor.element, this.menu.more]; // that lie on the picture
    this.over = [this.menu.element]; // and over the page
  }

  listen(signal) {
    const { stage } = this.plot;
    const on = (type, act) => stage.addEventListener(type, act, { signal });
    on("pointermove", (event) => this.point(event));
    on("pointerleave", () => this.pointAt(null));
    on("pointerdown", (event) => this.begin(event));
    on("mousedown", (event) => this.hold(event));
    this.menu.listen(signal);
  }

  // ---- which label ----

  // Labels of what is computed have no source, and in a page without editors none can be changed.
  isOpen(matrix, side) {
    return this.plot.board.isEditable && Boolean(SIDES[side].source(matrix));
  }

  at(event) {
    const { board, stage } = this.plot;
    if (!board || this.plot.hand.cellAt(event)) return null;
    const [x, y] = placeIn(stage, event);
    return this.all().find((label) => holdsPoint(label, x, y)) ?? null;
  }

  // Every label that is drawn and can be changed.
  all() {
    const sides = this.plot.board.matrices.flatMap((matrix) =>
      Object.keys(SIDES).filter((side) => this.isOpen(matrix, side)).map((side) => [matrix, side]));
    return sides.flatMap(([matrix, side]) =>
      SIDES[side].shown(matrix).map((place) => ({ matrix, side, place })));
  }

  // The same label in the present picture; null if it is not there.
  again(label) {
    const matrix = label && this.plot.board.named(label.matrix.name);
    return matrix && this.isOpen(matrix, label.side) ? { ...label, matrix } : null;
  }

  // The picture has changed.
  follow() {
    this.cursor = this.again(this.cursor);
    const { cursor } = this;
    const last = cursor ? SIDES[cursor.side].count(cursor.matrix) - 1 : 0;
    // One that was added may be on its way.
    if (cursor && cursor.place > last && !this.plot.isBehind) cursor.place = last;
    this.pointAt(this.again(this.pointed));
    this.menu.follow();
    this.editor.follow();
  }

  // ---- the pointer ----

  // A press on a label, or beside the field, leaves the focus to what is done here. A finger's press
  // ends after it has opened the field.
  hold(event) {
    const isInField = event.target === this.editor.element;
    if (!isInField && (this.editor.cell || this.at(event))) event.preventDefault();
  }

  point(event) {
    if (this.drag || event.pointerType === "touch") return;
    if (event.target !== this.menu.more) this.pointAt(this.at(event));
  }

  pointAt(label) {
    if (isSameLabel(label, this.pointed)) return;
    this.pointed = label;
    const isText = Boolean(label && canRename(label));
    this.plot.stage.classList.toggle("plot-on-name", isText);
    this.plot.stage.classList.toggle("plot-on-number", Boolean(label) && !isText);
    this.plot.lightUp();
  }

  // A press that ends where it began goes to the label, or opens it if the cursor was there already.
  // A mouse that moves drags it; a finger scrolls.
  begin(down) {
    const label = down.button === 0 ? this.at(down) : null;
    if (!label) return;
    const stop = new AbortController();
    const on = (type, act) => window.addEventListener(type, act, { capture: true, signal: stop.signal });
    const isClick = (event) => Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) <= A_CLICK;
    const end = () => {
      stop.abort();
      this.endDrag();
    };
    on("pointercancel", end);
    on("pointermove", (move) => {
      if (move.pointerType === "touch" || (!this.drag && isClick(move))) return;
      this.dragTo(label, move);
    });
    on("pointerup", (up) => {
      const { drag } = this;
      end();
      if (drag) this.move(label, placeInGap(label.place, drag.gap));
      else if (isClick(up)) this.pickAt(label);
    });
    on("keydown", (event) => {
      if (event.key !== "Escape" || !this.drag) return;
      event.preventDefault();
      event.stopPropagation();
      end();
    });
  }

  dragTo(label, event) {
    if (this.plot.isBehind) return;
    if (!this.drag) this.moveTo(label);
    const [x, y] = placeIn(this.plot.stage, event);
    const landing = label.side === "head" ? headGapAt(this.plot.board, x, y) : gapAt(label, x, y);
    this.drag = { label, ...landing };
    this.plot.root.classList.add("plot-dragging");
    this.plot.lightUp();
  }

  endDrag() {
    this.drag = null;
    this.plot.root.classList.remove("plot-dragging");
    this.plot.lightUp();
  }

  pickAt(label) {
    const isAgain = isSameLabel(label, this.cursor) && this.plot.stage.matches(":focus");
    this.editor.close({ keeps: true });
    this.moveTo(label);
    if (isAgain) this.rename(label);
  }

  openMenu(label) {
    if (this.plot.isBehind) return;
    this.moveTo(label);
    this.menu.open(label);
  }

  // ---- the keyboard ----

  // The cursor goes from the cells to a label.
  moveTo(label) {
    const { plot } = this;
    plot.editor.close({ keeps: true });
    plot.hand.moveTo(null);
    this.cursor = label;
    plot.stage.focus({ preventScroll: true });
    plot.lightUp();
    this.say();
  }

  // The cursor goes to the cells, or away.
  leave() {
    this.cursor = null;
    this.plot.lightUp();
  }

  // Whether a key was one for labels.
  press(event) {
    if (this.cursor) return this.pressOnLabel(this.cursor, event);
    const { cursor } = this.plot.hand;
    if (!cursor || event.altKey || event.shiftKey) return false;
    const { matrix, row, column } = cursor;
    if (event.key === "ArrowLeft" && column === 0) return this.goTo({ matrix, side: "row", place: row });
    if (event.key !== "ArrowUp" || row !== 0) return false;
    return this.goTo({ matrix, side: "column", place: column }) || this.goTo(headingOf(matrix));
  }

  // Whether there is such a label to go to.
  goTo(label) {
    const isThere = this.isOpen(label.matrix, label.side) && isDrawn(label);
    if (isThere) this.moveTo(label);
    return isThere;
  }

  // The label at another place. Each heading has a matrix of its own, which may be in no picture.
  beside(label, place) {
    if (label.side !== "head") return { ...label, place };
    const matrix = headedMatrices(this.plot.board).find(({ sent }) => sent.head.place === place);
    return matrix ? headingOf(matrix) : label;
  }

  pressOnLabel(cursor, { key, altKey }) {
    const { keys, inward, outward, count } = SIDES[cursor.side];
    if (key in keys) {
      const place = clamp(cursor.place + keys[key], 0, count(cursor.matrix) - 1);
      if (altKey) this.move(cursor, place);
      else this.moveTo(this.beside(cursor, place));
      return true;
    }
    if (altKey || key === "Tab" || key === "Escape") return false;
    if (key === inward) this.goInward(cursor);
    else if (key === outward) this.goOutward(cursor);
    else if (OPENS_MENU.includes(key)) this.openMenu(cursor);
    else if (cursor.side === "head" && !SWITCHES.includes(key)) return false;
    else if (cursor.side === "head") this.switchHead(cursor);
    else if (key === "Insert" || key === "+") this.add(cursor);
    else if (key === "Delete" || key === "Backspace") this.removeAt(cursor);
    else if (key === "Enter" || key === "F2") this.rename(cursor);
    else if (key.length > 1 || !canRename(cursor)) return false; // as P, which is the page's
    else this.rename(cursor, key);
    return true;
  }

  // Below a heading are the labels of the columns, where there are any.
  goInward({ matrix, side, place }) {
    if (side === "head") {
      const isLabel = this.goTo({ matrix, side: "column", place: 0 });
      if (!isLabel) this.plot.hand.moveTo({ matrix, row: 0, column: 0 });
    } else this.plot.hand.moveTo(SIDES[side].cell(matrix, place));
  }

  // Above the labels of the columns may be a heading; beyond it, and beyond the labels of the rows, the
  // next matrix.
  goOutward({ matrix, side, place }) {
    if (side === "column" && this.goTo(headingOf(matrix))) return;
    const cell = side === "head" ? { matrix, row: 0, column: 0 } : SIDES[side].cell(matrix, place);
    const next = overBorder(SIDES[side].outward, cell, this.plot.board.matrices);
    if (next) this.plot.hand.moveTo(next);
  }

  // ---- what is done to a label ----

  rename(label, text) {
    if (canRename(label)) this.editor.open(label, text);
  }

  add(label) {
    const place = label.place + 1;
    this.act(label, { place, act: "add" }, { ...label, place }, say("Added."));
  }

  removeAt(label) {
    const last = SIDES[label.side].count(label.matrix) - 2;
    const place = clamp(label.place, 0, Math.max(0, last));
    this.act(label, { act: "remove" }, { ...label, place }, say("Removed."));
  }

  move(label, to) {
    if (to === label.place) return;
    const count = SIDES[label.side].count(label.matrix);
    const said = say("Moved to place {place} of {count}.", { place: to + 1, count });
    this.act(label, { act: "move", to }, this.beside(label, to), said);
  }

  // Off, or on again.
  switchHead(label) {
    this.act(label, { act: "switch" }, label, say("Switched."));
  }

  // The cursor goes with what was moved or added.
  act({ matrix, side, place }, act, cursor, said) {
    this.moveTo(cursor);
    this.plot.entries.act({ matrix, source: SIDES[side].source(matrix), place, ...act });
    this.plot.spoken.textContent = said;
  }

  // ---- words ----

  nameOf({ matrix, side, place }) {
    const name = SIDES[side].name(matrix, place);
    return side === "head" ? name : `${matrix.sent.title}: ${name}`;
  }

  // With what can be done to it.
  sentence(cursor) {
    const label = this.nameOf(cursor);
    if (cursor.side !== "head") {
      if (canRename(cursor)) return say("{label}; can be renamed, moved and removed", { label });
      return say("{label}; can be moved and removed", { label });
    }
    if (cursor.matrix.sent.head.is_off) return say("{label}; can be moved and switched on", { label });
    return say("{label}; can be moved and switched off", { label });
  }

  refusal(cursor, { text, reason }) {
    const label = this.nameOf(cursor);
    if (!text) return say("{label}; no name, refused. {reason}", { label, reason });
    return say("{label}; {text}, refused. {reason}", { label, text, reason });
  }

  say() {
    const { cursor, plot } = this;
    if (!cursor || cursor.place >= SIDES[cursor.side].count(cursor.matrix)) return;
    const entry = this.entered(cursor);
    plot.spoken.textContent = entry?.reason ? this.refusal(cursor, entry) : this.sentence(cursor);
  }

  // What stands there instead of the name: {text}, with the `reason` if it was refused.
  entered({ matrix, side, place }) {
    return this.plot.entries.onLabel(SIDES[side].source(matrix), place);
  }

  // Each label with what stands there instead of its name, as pairs.
  allEntered() {
    if (!this.plot.entries.hasNames) return [];
    return this.all().map((label) => [label, this.entered(label)]).filter(([, entry]) => entry);
  }

  // ---- lights ----

  lights(theme) {
    const { plot, pointed, cursor, drag } = this;
    const isAtWork = this.editor.cell || drag;
    const shown = pointed ?? (plot.stage.matches(":focus") || this.menu.isOpen ? cursor : null);
    this.menu.showAt(!isAtWork && shown && isDrawn(shown) ? shown : null);
    return labelLights(theme, {
      entered: this.allEntered(),
      pointed: pointed && !this.entered(pointed) ? pointed : null,
      cursor: plot.stage.matches(":focus-visible") ? cursor : null,
      drag,
    });
  }
}

// The field for a name.
class LabelEditor extends Editor {
  constructor(plot, labels) {
    super(plot);
    this.element.className = "plot-name";
    this.labels = labels;
  }

  textIn(label) {
    return this.labels.entered(label)?.text ?? SIDES[label.side].text(label.matrix, label.place);
  }
  nameOf(label) { return this.labels.nameOf(label); }
  goOnTo(label) { this.labels.moveTo(label); }

  again(label) {
    const again = this.labels.again(label);
    return again && isDrawn(again) ? again : null;
  }

  // The field of a row ends where the cells begin, so that it hides none if there is room.
  boxOf(label) {
    const { x, y, w, h } = boxOf(label);
    if (label.side !== "row") return { x, y, w: Math.max(NAME_FIELD, w), h };
    const width = Math.min(Math.max(NAME_FIELD, w), x + w);
    return { x: x + w - width, y, w: width, h };
  }

  enter({ matrix, side, place }, text) {
    this.plot.entries.act({ matrix, source: SIDES[side].source(matrix), place, act: "rename", text });
  }

  // Enter stays on the label; Tab goes to the next one.
  onward(label, down, across) {
    const last = SIDES[label.side].count(label.matrix) - 1;
    return { ...label, place: clamp(label.place + across, 0, last) };
  }
}
