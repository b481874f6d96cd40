// What may lie over a presented picture: the list of keys, or the link as a QR code.

import { html } from "../dom.js";
import { say } from "../language.js";
import { codeAsSvg } from "../drawing/qr_code.js";
import { keysAsTable } from "../help/keys_table.js";
import { PRESENTING } from "../help/words.js";

export class Cover {
  constructor() {
    this.element = html("div", { class: "present-over", role: "dialog", tabindex: "-1", hidden: "" });
  }

  // `over` is "keys", "qr" or nothing; `code` what the server says of the link, once it has.
  show(over, code) {
    this.element.hidden = !over;
    if (!over) this.element.replaceChildren();
    if (over === "keys") this.#fill(say("Keys"), keysAsTable(PRESENTING));
    if (over === "qr") this.#fill(say("The link to what is on screen"), ...codeAndWords(code));
  }

  #fill(name, ...children) {
    this.element.setAttribute("aria-label", name);
    this.element.replaceChildren(...children);
  }
}

function codeAndWords(code) {
  if (!code) return [html("p", {}, say("The code is on its way."))];
  const words = [...code.words].map((sentence) => html("p", { class: "present-code-words" }, sentence));
  if (!code.modules.length) return words;
  return [codeAsSvg([...code.modules]), html("p", { class: "present-host" }, code.host), ...words];
}
