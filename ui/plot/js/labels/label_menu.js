// The button beside a label, and the menu of what can be done there.

import { boxInWindow, button, html, putOver } from "../dom.js";
import { belowLabel } from "../around/floating.js";
import { areStacked } from "../board/headings.js";
import { boxOf, canRename, SIDES } from "./label_sides.js";
import { say } from "../language.js";

const MORE = 24; // pixels of the button

export class LabelMenu {
  // `labels` has `plot`, `nameOf(label)`, and for the choices `rename`, `add`, `removeAt` and `switchHead`,
  // each of a label, and `move(label, to)`.
  constructor(labels) {
    this.labels = labels;
    this.more = button("\u22ef", () => labels.openMenu(this.label));
    this.more.className = "plot-more";
    this.more.tabIndex = -1; // the keyboard has Space
    this.more.hidden = true;
    // It is no press on what lies below, and takes no focus.
    this.more.addEventListener("pointerdown", (event) => event.stopPropagation());
    this.more.addEventListener("mousedown", (event) => event.preventDefault());
    this.element = html("div", { class: "plot-label-menu", role: "menu", hidden: "" });
    this.element.addEventListener("keydown", (event) => this.press(event));
  }

  get isOpen() { return !this.element.hidden; }

  listen(signal) {
    const close = ({ target }) => this.element.contains(target) || this.close();
    window.addEventListener("pointerdown", close, { signal, capture: true });
    window.addEventListener("scroll", () => this.follow(), { signal, capture: true });
  }

  // An open menu stays with its label: a page still scrolls a little after the tap that opened it, and
  // an answer may move the picture.
  follow() {
    if (!this.isOpen) return;
    this.openOn = this.labels.again(this.openOn);
    if (this.openOn && this.isInWindow(this.openOn)) this.place(this.openOn);
    else this.close();
  }

  isInWindow(label) {
    const { y, h } = boxInWindow(this.labels.plot.stage, boxOf(label));
    return y + h > 0 && y < window.innerHeight;
  }

  // The button stands beside this label; without one it goes. If there is no room left of a row's label,
  // it stands on the first cell. It stays inside the picture, which would otherwise scroll.
  showAt(label) {
    this.label = label;
    this.more.hidden = !label;
    if (!label) return;
    const [left, top] = this.placeOfButton(label);
    Object.assign(this.more.style, { left: `${left}px`, top: `${top}px` });
    const named = { label: this.labels.nameOf(label) };
    const isHead = label.side === "head";
    const words = isHead ? say("{label}: switch, move", named) : say("{label}: add, remove, move", named);
    this.more.setAttribute("aria-label", words);
  }

  placeOfButton(label) {
    const { matrix, side, place } = label;
    const { x, y, w, h } = boxOf(label);
    const beside = Math.max(0, y + (h - MORE) / 2);
    if (side === "head") return [Math.min(x + w, this.labels.plot.board.size.width - MORE), beside];
    if (side === "row") return [x >= MORE ? x - MORE - 1 : matrix.x - 2, y + (h - MORE) / 2];
    return [matrix.center(place) - MORE / 2, Math.max(0, y - MORE)];
  }

  open(label) {
    const items = this.itemsFor(label);
    this.element.replaceChildren(...items);
    this.element.setAttribute("aria-label", this.labels.nameOf(label));
    this.element.hidden = false;
    this.openOn = label;
    this.place(label);
    items[0].focus({ preventScroll: true });
  }

  itemsFor(label) {
    const { labels } = this;
    const { side, place, matrix } = label;
    const last = SIDES[side].count(matrix) - 1;
    const isUpright = side === "head" && areStacked(labels.plot.board);
    const { back, on } = SIDES[isUpright ? "row" : side].words;
    return [
      ...(side === "head" ? this.itemsForHead(label) : this.itemsForLine(label, last)),
      this.item(back, () => labels.move(label, place - 1), place > 0),
      this.item(on, () => labels.move(label, place + 1), place < last),
    ];
  }

  itemsForHead(label) {
    const words = label.matrix.sent.head.is_off ? say("Switch on") : say("Switch off");
    return [this.item(words, () => this.labels.switchHead(label))];
  }

  // For a row or a column.
  itemsForLine(label, last) {
    const { labels } = this;
    const { add, remove } = SIDES[label.side].words;
    const rename = canRename(label) ? [this.item(say("Rename"), () => labels.rename(label))] : [];
    return [
      ...rename,
      this.item(add, () => labels.add(label)),
      this.item(remove, () => labels.removeAt(label), last > 0),
    ];
  }

  item(text, act, isPossible = true) {
    const made = button(text, () => {
      this.close();
      act();
    });
    made.setAttribute("role", "menuitem");
    made.disabled = !isPossible;
    return made;
  }

  place(label) {
    const box = boxInWindow(this.labels.plot.stage, boxOf(label));
    putOver(this.element, (size, room) => belowLabel(box, size, room));
  }

  press(event) {
    const items = [...this.element.children].filter(({ disabled }) => !disabled);
    const at = items.indexOf(document.activeElement);
    const goesTo = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    if (event.key in goesTo) items.at(goesTo[event.key] % items.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") this.close();
    else return;
    event.preventDefault();
  }

  close() {
    if (!this.isOpen) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (hadFocus) this.labels.plot.stage.focus({ preventScroll: true });
    this.labels.plot.lightUp();
  }
}
