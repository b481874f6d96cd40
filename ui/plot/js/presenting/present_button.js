// The button that leads to the presentation, and its key.

import { button, html } from "../dom.js";
import { say } from "../language.js";
import { isForPage } from "../help/page_keys.js";
import { stepsInView } from "./in_view.js";
import { stays } from "../stays.js";

const LEFT = "attention-left-presentation"; // an event on window

export class PresentButton {
  /** @type {(name: string, value: any) => void} */
  report = () => {}; // to the server
  /** @type {() => Plot[]} */
  plots = () => []; // of the page

  constructor(parent) {
    const hint = html("kbd", { "aria-hidden": "true" }, "P");
    this.element = button(say("Present"), () => this.press());
    this.element.className = "page-button";
    this.element.setAttribute("aria-keyshortcuts", "P");
    this.element.append(hint);
    parent.append(this.element);
    this.listening = new AbortController();
    const { signal } = this.listening;
    window.addEventListener("keydown", (event) => this.followKey(event), { signal });
    // It may come before the presentation has gone, or after that.
    window.addEventListener(LEFT, () => this.takeFocus(), { signal });
    if (stays.hasLeft) this.takeFocus();
  }

  // A person who comes back from the presentation, in whatever way, is where they began.
  takeFocus() {
    stays.hasLeft = false;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.element.focus({ preventScroll: true });
  }

  followKey(event) {
    if (event.key.toLowerCase() !== "p" || !isForPage(event)) return;
    event.preventDefault();
    this.press();
  }

  // Only a press may ask for the full screen; where it is refused, the window is filled.
  press() {
    fillScreen(() => {});
    const seen = stepsInView(this.plots(), { w: window.innerWidth, h: window.innerHeight });
    const isWhereItWas = String(seen.most) === String(stays.seen);
    stays.seen = seen.most;
    this.report("present", { part: isWhereItWas ? stays.part : "", ...seen });
  }

  // Streamlit may make it anew while somebody is there.
  remove() {
    const hasFocus = this.element.matches(":focus");
    this.listening.abort();
    this.element.remove();
    if (hasFocus) giveFocusBack();
  }
}

// The button leads back to this part.
export function rememberPart(part) {
  stays.part = part;
}

// To the button that is there, or else to the next one that comes.
export function giveFocusBack() {
  stays.hasLeft = true;
  window.dispatchEvent(new CustomEvent(LEFT));
}

export function fillScreen(whenRefused) {
  const asked = document.documentElement.requestFullscreen?.({ navigationUI: "hide" });
  if (asked) asked.catch(whenRefused);
  else whenRefused();
}
