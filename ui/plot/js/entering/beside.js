// A button and what it opens, which lies over the page and moves nothing. The browser closes it at
// Escape and at a press elsewhere, and gives the focus back to the button.

import { html, putOver } from "../dom.js";
import { belowButton } from "../around/floating.js";
import { say } from "../language.js";

export class Beside {
  constructor(whenToggled) {
    this.rest = html("span", { class: "plot-unseen" });
    this.button = html("button", { type: "button", class: "form-more", "aria-haspopup": "dialog" },
      say("More"), " ", this.rest);
    this.panel = html("div", { class: "form-beside", popover: "auto", role: "dialog", tabindex: "-1" });
    this.button.popoverTargetElement = this.panel;
    this.panel.addEventListener("toggle", () => {
      if (this.isOpen) this.open();
      else this.panel.classList.remove("is-placed");
      whenToggled();
    });
  }

  get isOpen() { return this.panel.matches(":popover-open"); }

  name(rest) {
    this.rest.textContent = rest;
    this.panel.setAttribute("aria-label", say("More {of_section}", { of_section: rest }));
  }

  // The browser says late that it has opened the panel: until then it is unseen, and nobody can press
  // where it does not stay.
  open() {
    this.place();
    this.panel.classList.add("is-placed");
    this.panel.focus({ preventScroll: true });
  }

  // Below the button, as far up as it must be to be seen whole.
  place() {
    const box = this.button.getBoundingClientRect();
    putOver(this.panel, (size, room) => belowButton(box, size, room));
  }
}
