// Help: a button on the line of the links to the pages, and what it or the key ? opens. What it
// opens is made then, and goes when it is closed.

import { button, html } from "../dom.js";
import { dress } from "../theme.js";
import { keysAsTable } from "./keys_table.js";
import { isForPage } from "./page_keys.js";
import { CLOSE, COLORS, HEADINGS, KEYS, PAGES, TASKS, TITLE } from "./words.js";

const OF_NUMBERS = ["diverging", "sequential", "difference"]; // samples that are colour scales
const TITLE_ID = "help-title";

export class Help {
  /** @type {HTMLDialogElement | null} */
  dialog = null; // while it is open
  /** @type {any} */
  colors = {}; // see ui/blocks/help_button.py
  drawn = ""; // what it was drawn with
  /** @type {(name: string, value: any) => void} */
  report = () => {}; // to the server

  constructor(parent, readTheme) {
    this.parent = parent;
    this.readTheme = readTheme;
    this.element = button(TITLE, () => this.open());
    this.element.className = "page-button";
    this.element.setAttribute("aria-keyshortcuts", "?");
    this.element.setAttribute("aria-haspopup", "dialog");
    this.element.append(html("kbd", { "aria-hidden": "true" }, "?"));
    parent.append(this.element);
    this.listening = new AbortController();
    window.addEventListener("keydown", (event) => this.followKey(event), { signal: this.listening.signal });
  }

  show(colors, report) {
    Object.assign(this, { colors, report });
    if (this.dialog && this.drawn !== this.look) this.draw(this.dialog);
  }

  followKey(event) {
    if (event.key !== "?" || !isForPage(event)) return;
    event.preventDefault();
    this.open();
  }

  // The browser handles Escape, and gives the focus back to where it was opened from. It tells only
  // later that a dialog was closed: a key may come before.
  open() {
    if (this.dialog?.open) return;
    this.leave();
    const look = { class: "help", role: "dialog", "aria-labelledby": TITLE_ID, tabindex: "-1" };
    const dialog = /** @type {HTMLDialogElement} */ (html("dialog", look));
    this.dialog = dialog;
    this.draw(dialog);
    dialog.addEventListener("keydown", (event) => this.press(event));
    dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
    dialog.addEventListener("close", () => dialog === this.dialog && this.leave());
    this.parent.append(dialog);
    dialog.showModal();
  }

  // It follows the theme and the palette while it is open, and keeps the focus.
  draw(dialog) {
    const theme = this.readTheme(this.element);
    dress(dialog, theme);
    dialog.style.setProperty("--lost", theme.lost);
    const hadFocus = dialog.contains(document.activeElement);
    dialog.replaceChildren(...this.content(theme));
    if (hadFocus) dialog.focus();
    this.drawn = this.look;
  }

  get look() { return JSON.stringify([this.colors, this.readTheme(this.element)]); }

  // No key means anything to the page behind it.
  press(event) {
    event.stopPropagation();
    if (event.key === "?") this.dialog?.close();
  }

  leave() {
    this.dialog?.remove();
    this.dialog = null;
  }

  remove() {
    this.listening.abort();
    this.dialog?.close();
    this.element.remove();
  }

  // ---- what it says ----

  content(theme) {
    const close = button("\u2715", () => this.dialog?.close());
    close.setAttribute("aria-label", CLOSE);
    const top = html("header", {}, html("h2", { id: TITLE_ID }, TITLE), close);
    const { tasks, colors, keys } = HEADINGS;
    const first = html("div", {}, part(tasks, tasksAsList(), this.pagesAsList()), part(colors, this.colorsAsList(theme)));
    const groups = KEYS.map(([where, rows]) => html("div", { class: "help-group" }, html("h4", {}, where), keysAsTable(rows)));
    const second = part(keys, html("div", { class: "help-keys" }, ...groups));
    return [top, html("div", { class: "help-parts" }, first, second)];
  }

  pagesAsList() {
    const items = PAGES.map(([page, title, words]) => {
      const link = button(title, () => this.goTo(page));
      return html("li", {}, link, ": ", words);
    });
    return html("ul", {}, ...items);
  }

  // The server knows what the other page is to show.
  goTo(page) {
    this.dialog?.close();
    this.report("go", page);
  }

  colorsAsList({ isDark }) {
    const items = COLORS.map(([name, words]) => {
      const sample = html("span", { class: `help-sample is-${name}`, "aria-hidden": "true" });
      const stops = OF_NUMBERS.includes(name) && this.colors[name][isDark ? "dark" : "light"];
      if (stops) sample.style.background = `linear-gradient(to right, ${stops})`;
      if (name === "heads") sample.append(...this.colors.heads.map(dot));
      return html("li", {}, sample, html("span", {}, ...withNames(words)));
    });
    return html("ul", { class: "help-colors" }, ...items);
  }
}

function part(heading, ...children) {
  return html("section", {}, html("h3", {}, heading), ...children);
}

function tasksAsList() {
  const items = TASKS.map(([task, how]) => html("li", {}, html("strong", {}, `${task}:`), " ", ...withNames(how)));
  return html("ul", {}, ...items);
}

function dot(color) {
  const made = html("i", {});
  made.style.background = color;
  return made;
}

// Text in which the names of buttons stand between stars.
function withNames(text) {
  return text.split("**").map((words, place) => (place % 2 ? html("b", {}, words) : words));
}
