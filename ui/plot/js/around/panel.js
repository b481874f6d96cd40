// Where a number comes from: what the server has written about the picked cell, with links to others.
// While a number is dragged, the numbers in it follow; how much one moves with another waits for the server.

import { ask } from "../asking.js";
import { say } from "../language.js";
import { showLiveNumber } from "../live/live_number.js";
import { Shown } from "../shown.js";
import { Sign } from "./sign.js";

export const panels = new Shown((parent) => new Panel(parent));

// The panel below a plot, which tells of a number in it.
export function panelBelow(element, group) {
  const below = panels.all().filter((panel) => panel.group === group && isBefore(element, panel.parent));
  return below.find((panel) => below.every((other) => other === panel || isBefore(panel.parent, other.parent)));
}

function isBefore(one, other) {
  return Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
}

// In a part of the page that did not run again, a panel may still tell of an older pick.
export function hideOlderPanels(group, picked_at) {
  for (const panel of panels.all()) {
    if (panel.group === group && panel.pickedAt < picked_at) panel.hide();
  }
}

// A number was picked in a plot: nobody needs the sign for another one any more.
export function tellPicked(plot, { matrix, row, column }) {
  const isOther = String(plot.outlined.cell) !== String([matrix, row, column]);
  for (const { sign } of panels.all()) {
    sign.plot = plot;
    if (isOther) sign.hide();
  }
}

// Closes the words on a number, wherever they are. Returns whether there were any.
export function closePanels() {
  const open = panels.all().filter(({ isOpen }) => isOpen);
  for (const panel of open) panel.close();
  return open.length > 0;
}

class Panel {
  #html = "";
  #isMoving = false;
  /** @type {(asked: any) => void} */
  #report = () => {}; // is told which cell is asked for next, or to close
  /** @type {(cell: any) => boolean} */
  #isShown = () => false; // whether a picture shows a given number, where it can be edited

  constructor(parent) {
    this.parent = parent;
    this.box = Object.assign(document.createElement("section"), { className: "plot-where-from", hidden: true });
    this.box.setAttribute("aria-label", say("Where this number comes from"));
    this.box.addEventListener("click", ({ target }) => target instanceof Element && this.press(target.closest("button")));
    this.box.addEventListener("toggle", (event) => this.fill(event.target), { capture: true });
    this.sign = new Sign(this.box, () => this.heading);
    parent.append(this.box, this.sign.element);
    this.listening = new AbortController();
    document.addEventListener("keydown", (event) => this.hear(event), { signal: this.listening.signal });
  }

  show({ group, asks_as, picked_at, panel, below }, live, report, isShown) {
    this.#follow(live);
    this.group = group;
    this.below = below;
    this.asksAs = asks_as;
    this.#report = report;
    this.#isShown = isShown;
    this.write(panel, picked_at);
    this.#hideBelow(!panel);
  }

  write(panel, picked_at) {
    this.pickedAt = picked_at;
    const before = this.named;
    if (panel !== this.#html) this.#write(panel);
    this.box.hidden = !panel;
    if (!panel) this.sign.hide();
    else if (this.named !== before) this.sign.show({ isQuiet: this.isOfGiven }); // another number, not the same one anew
    else this.sign.say();
  }

  get isOpen() { return !this.box.hidden; }

  /** @returns {any} */
  get heading() { return this.box.querySelector("h2"); }

  // Whoever picks a given number means to change it: a sign would lie over what is edited.
  get isOfGiven() { return "given" in this.heading.dataset; }

  // The number of which it tells now, without its value.
  get named() { return this.box.hidden ? "" : this.heading.textContent.split(" = ")[0]; }

  hide() {
    this.box.hidden = true;
    this.sign.hide();
    this.#hideBelow(true);
  }

  #hideBelow(isHidden) {
    /** @type {HTMLCollectionOf<HTMLElement>} */
    const parts = /** @type {any} */ (document.getElementsByClassName(`st-key-${this.below}`));
    for (const part of parts) {
      part.style.display = isHidden ? "none" : "";
    }
  }

  #follow(live) {
    if (this.live === live) return;
    this.stopFollowing?.();
    this.live = live;
    this.stopFollowing = live.follow(this);
  }

  say() {} // words are for the picture in which the number is dragged

  showLive() {
    const { live } = this;
    if (this.box.hidden || (!live.isOn && !this.#isMoving)) return;
    this.#isMoving = live.isOn;
    this.box.classList.toggle("is-moving", live.isOn);
    for (const number of this.box.querySelectorAll("[data-live]")) showLiveNumber(number, live);
    this.sign.say();
  }

  remove() {
    this.listening.abort();
    this.stopFollowing?.();
    this.sign.remove();
    this.box.remove();
  }

  // Whoever follows links by keyboard goes on from the new number.
  #write(html) {
    const hadFocus = this.box.contains(document.activeElement);
    this.#html = html;
    this.box.classList.remove("is-moving");
    this.box.innerHTML = html;
    if (html) this.box.append(closeButton());
    this.#offerEdit();
    if (hadFocus) this.heading?.focus({ preventScroll: true });
  }

  // A page may have neither a picture of a given number nor the part that would show one.
  #offerEdit() {
    /** @type {HTMLElement | null} */
    const button = this.box.querySelector("[data-edits]");
    if (!button) return;
    const hasPart = document.querySelector(`.st-key-${button.dataset.edits}`);
    button.hidden = !hasPart && !this.#isShown(cellOf(button));
  }

  press(button) {
    if (!button) return;
    const { matrix, edits, copy } = button.dataset;
    if (copy) copyFrom(button, copy);
    else if (matrix) this.#report(edits ? { ...cellOf(button), edits: true } : cellOf(button));
    else this.close();
  }

  // Puts all that belongs into a fold there, once it is opened.
  async fill(fold) {
    const { allOf, ...cell } = fold.dataset;
    if (!fold.open || !allOf) return;
    const said = await ask(this.asksAs, cell, { all_of: allOf }).catch(() => null);
    if (!said || fold.dataset.allOf !== allOf) return;
    delete fold.dataset.allOf;
    const [summary] = fold.children;
    fold.innerHTML = said.fold;
    fold.prepend(summary);
  }

  hear({ key, target, defaultPrevented }) {
    const isElsewhere = target.closest?.("input, textarea, [role=dialog], [role=listbox], [role=menu]");
    if (key === "Escape" && this.isOpen && !defaultPrevented && !isElsewhere) this.close();
  }

  close() {
    this.hide();
    this.#report({ close: true });
  }
}

/** @param {HTMLElement} button */
function cellOf({ dataset: { matrix, row, column } }) {
  return { matrix, row: Number(row), column: Number(column) };
}

function closeButton() {
  const look = { type: "button", className: "close", textContent: "×" };
  const made = Object.assign(document.createElement("button"), look);
  made.setAttribute("aria-label", say("Close"));
  return made;
}

async function copyFrom(button, text) {
  const name = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = say("Copied");
  } catch {
    button.textContent = say("The browser does not allow it");
  }
  setTimeout(() => { button.textContent = name; }, 2000);
}
