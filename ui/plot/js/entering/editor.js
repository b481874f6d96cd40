// The field in which a person types the number of a cell, or a name. It stands on what is edited.

import { html, isFocusFree } from "../dom.js";
import { say } from "../language.js";

const LEAST = { width: 64, height: 26 }; // pixels
const DIGIT = 9; // pixels of the widest one in a field
const AROUND = 14; // of its border and its padding, and for the caret
const MOVES = { Enter: [1, 0], Tab: [0, 1] }; // rows and columns to go on by; Shift turns them round

// Subclasses say what is `edited`: `textIn(cell)`, `nameOf(cell)` and `boxOf(cell)`, the same cell
// `again(cell)` in another picture, `enter(cell, text)`, and where a key leads:
// `onward(cell, down, across)` and `goOnTo(cell)`.
export class Editor {
  /** @type {any} */
  cell = null; // what is edited

  // `plot` has `stage`, `board` and `isBehind`.
  constructor(plot) {
    this.plot = plot;
    this.element = html("input", { class: "plot-edit", hidden: "", spellcheck: "false" });
    this.element.autocomplete = "off";
    const on = (type, act) => this.element.addEventListener(type, act);
    on("keydown", (event) => this.press(event));
    on("blur", () => queueMicrotask(() => this.leave()));
    on("pointerdown", (event) => event.stopPropagation()); // it is no press on the cell below
    on("input", () => this.place());
  }

  /** @returns {Edited} */
  get edited() { return /** @type {any} */ (this); }

  // With `text`, typing goes on behind it. Otherwise what stands in the cell is edited.
  // In a picture that is behind, nothing opens: it would be for another row.
  /** @param {any} cell @param {string} [text] */
  open(cell, text) {
    if (this.plot.isBehind) return;
    this.cell = cell;
    const { element } = this;
    const own = this.edited.textIn(cell);
    element.value = text ?? (/[\t\n]/.test(own) ? "" : own); // a refused block has several lines
    this.opened = text === undefined ? element.value : undefined;
    element.setAttribute("aria-label", say("{name}, edit", { name: this.edited.nameOf(cell) }));
    element.hidden = false;
    this.place();
    element.focus({ preventScroll: true });
    if (text === undefined) element.select();
    else element.setSelectionRange(text.length, text.length);
    // Then Ctrl+Z belongs to the field, as after any typing.
    if (text !== undefined) element.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // What is typed, for the field of a picture that comes in the place of this one; null where nothing is open.
  get typed() {
    const { cell, opened, element: { value: text, selectionStart: start, selectionEnd: end } } = this;
    return cell && { cell, opened, text, start, end };
  }

  // Goes on with it. Somebody who works elsewhere by now has left the field, which enters what was typed.
  goOnWith({ cell, opened, text, start, end }) {
    const again = this.edited.again(cell);
    if (!again) return;
    if (!isFocusFree()) return void (text !== opened && this.edited.enter(again, text));
    this.open(again, text);
    this.opened = opened;
    this.element.setSelectionRange(start, end);
  }

  // The picture has changed: the field stays on its cell, or goes with it.
  follow() {
    if (!this.cell) return;
    const again = this.edited.again(this.cell);
    if (!again) return this.close({ keeps: false });
    this.cell = again;
    this.place();
  }

  // It goes beyond a small cell to the right, so that the cell edited before stays in sight.
  place() {
    if (!this.cell) return;
    const box = this.edited.boxOf(this.cell);
    const width = Math.max(this.leastWidth, box.w);
    const height = Math.max(LEAST.height, box.h);
    const left = Math.max(0, Math.min(box.x, this.plot.board.size.width - width));
    const place = { left, top: box.y + (box.h - height) / 2, width, height };
    for (const [name, length] of Object.entries(place)) this.element.style[name] = `${length}px`;
  }

  get leastWidth() { return LEAST.width; }

  press(event) {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") this.close({ keeps: false });
    else if (event.key in MOVES) this.goOn(MOVES[event.key], event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }

  // Looking something up in another window ends nothing, nor does it if the picture is taken out of the page: a
  // browser may tell of that as of any blur, while the field is still there.
  leave() {
    const isLeft = document.activeElement !== this.element && document.hasFocus();
    if (isLeft && this.element.isConnected) this.close({ keeps: true });
  }

  goOn([down, across], sign) {
    const { cell } = this;
    this.close({ keeps: true });
    this.edited.goOnTo(this.edited.onward(cell, sign * down, sign * across));
  }

  close({ keeps }) {
    const { cell, element } = this;
    if (!cell) return;
    this.cell = null; // before the focus goes: a blur closes too
    const hadFocus = element === document.activeElement;
    element.hidden = true;
    if (keeps && element.value !== this.opened) this.edited.enter(cell, element.value);
    if (hadFocus) this.plot.stage.focus({ preventScroll: true });
  }
}

// The field for the number of a cell: {matrix, row, column}.
export class CellEditor extends Editor {
  // `plot` also has `texts` and `hand`.
  constructor(plot) {
    super(plot);
    this.element.addEventListener("paste", (event) => this.paste(event));
  }

  // No wider than what is typed: a mouse goes on to the next cell, which the field would cover.
  get leastWidth() { return Math.min(LEAST.width, AROUND + DIGIT * this.element.value.length); }

  textIn(cell) { return this.plot.texts.textIn(cell); }
  nameOf(cell) { return this.plot.texts.nameOf(cell); }
  enter(cell, text) { this.plot.texts.enter(cell, text); }
  goOnTo(cell) { this.plot.hand.goOnTo(cell); }
  boxOf({ matrix, row, column }) { return matrix.cellBox(row, column) ?? matrix; }
  onward(cell, down, across) { return onward(cell, down, across); }

  again({ matrix, row, column }) {
    const cell = this.plot.board.cell(matrix.name, row, column);
    return cell?.matrix.isEditable ? cell : null;
  }

  // A block goes into the cells from this one on. One number is typed in, as any text.
  paste(event) {
    const text = event.clipboardData.getData("text/plain");
    if (!/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const { cell } = this;
    this.close({ keeps: false });
    this.enter(cell, text);
  }
}

// The next cell as in a spreadsheet: at the end of a row the next row begins.
export function onward({ matrix, row, column }, down, across) {
  const count = matrix.rowCount * matrix.columnCount;
  const place = row * matrix.columnCount + column + across;
  const stays = place < 0 || place >= count;
  const at = stays ? row * matrix.columnCount + column : place;
  const next = Math.floor(at / matrix.columnCount) + down;
  return {
    matrix,
    row: Math.min(Math.max(next, 0), matrix.rowCount - 1),
    column: at % matrix.columnCount,
  };
}
