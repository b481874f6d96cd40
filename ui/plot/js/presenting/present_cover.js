// What may lie over a presented picture: the list of keys, or the link as a QR code.

import { html } from "../dom.js";
import { codeAsSvg } from "../drawing/qr_code.js";

const KEYS = [
  ["\u2192, Space", "Next part"],
  ["\u2190", "The part before"],
  ["Page Down, Page Up", "The same, or from stop to stop of a tour: the keys of a remote control"],
  ["Home", "First part"],
  ["\u2193, \u2191", "Next heads, and those before"],
  ["1 to 9, 0", "One head, all heads"],
  ["+, \u2212", "Fewer heads, which are larger, and more again"],
  ["M", "Next mask; Ctrl Z takes it back"],
  ["T", "Sliders of scale and temperature"],
  ["N, B", "Next stop of the tour, and the one before"],
  ["S", "Spotlight: a cell, a row, a column, off; arrow keys move it"],
  ["Q", "The link as a QR code"],
  ["F", "Full screen, or not"],
  ["?", "This list, and the bar"],
  ["P, Esc", "Leave"],
];

export class Cover {
  constructor() {
    this.element = html("div", { class: "present-over", role: "dialog", tabindex: "-1", hidden: "" });
  }

  // `over` is "keys", "qr" or nothing; `code` what the server says of the link, once it has.
  show(over, code) {
    this.element.hidden = !over;
    if (!over) this.element.replaceChildren();
    if (over === "keys") this.#fill("Keys", keysAsTable());
    if (over === "qr") this.#fill("The link to what is on screen", ...codeAndWords(code));
  }

  #fill(name, ...children) {
    this.element.setAttribute("aria-label", name);
    this.element.replaceChildren(...children);
  }
}

function keysAsTable() {
  const rows = KEYS.map(([keys, words]) => html("tr", {}, html("th", { scope: "row" }, keys), html("td", {}, words)));
  return html("table", { class: "present-keys" }, html("tbody", {}, ...rows));
}

function codeAndWords(code) {
  if (!code) return [html("p", {}, "The code is on its way.")];
  const words = [...code.words].map((sentence) => html("p", { class: "present-code-words" }, sentence));
  if (!code.modules.length) return words;
  return [codeAsSvg([...code.modules]), html("p", { class: "present-host" }, code.host), ...words];
}
