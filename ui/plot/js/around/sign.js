// A small button at the lower edge of the window, if a panel has opened below it: without the button, a click
// on a number would seem to do nothing. A link to a number leads to the panel by itself.

import { boxInWindow, button, isCalm, isTouched } from "../dom.js";
import { atEdge } from "./floating.js";
import { say } from "../language.js";
import { stays } from "../stays.js";

const AT_EDGE = { above: 52, below: 15 }; // pixels of the strip, and from the lower edge
const ALMOST = 48; // pixels of a panel in the window that say too little

export class Sign {
  /** @type {Plot | null} */
  plot = null; // in which the number was picked

  // `box` is the panel, `readHeading()` gives its heading.
  constructor(box, readHeading) {
    this.box = box;
    this.readHeading = readHeading;
    this.element = button("", () => this.lead());
    this.element.className = "plot-sign";
    this.element.hidden = true;
    this.watcher = new IntersectionObserver((seen) => this.follow(seen[seen.length - 1]), { rootMargin: `0px 0px -${ALMOST}px` });
    // The watcher does not tell of a panel that had no place on the page and gets one below the window.
    this.sizes = new ResizeObserver(() => this.look());
    this.listening = new AbortController();
    const hear = ({ key }) => key === "Escape" && this.hide();
    document.addEventListener("keydown", hear, { signal: this.listening.signal, capture: true });
    // A person who scrolls on from the panel has seen it. The observer misses a jump to below it.
    const scrolled = () => {
      if (this.isSeen || isAbove(this.box.getBoundingClientRect())) this.hide();
      this.place();
    };
    document.addEventListener("scroll", scrolled, { signal: this.listening.signal, capture: true });
  }

  // From now on, until a person has seen the panel. The observers tell at once where it is.
  show({ isQuiet }) {
    this.hide();
    this.isQuiet = isQuiet;
    this.isSeen = false;
    this.sizes.observe(this.box);
  }

  look() {
    this.watcher.unobserve(this.box);
    this.watcher.observe(this.box);
  }

  // What comes above the panel, such as the rest of a page that opens, may move it out of the window again.
  follow({ isIntersecting, boundingClientRect }) {
    if (!boundingClientRect.height) return; // it has no place on the page yet
    if (isAbove(boundingClientRect)) return this.hide();
    this.isSeen = isIntersecting;
    if (!isIntersecting && isJustOpened()) return this.lead({ behavior: "instant" });
    this.element.hidden = isIntersecting || this.isQuiet;
    this.say();
  }

  // The number may change while the sign is seen.
  say() {
    if (this.element.hidden) return;
    const words = say("{number}: explained below", { number: this.readHeading().innerHTML });
    this.element.innerHTML = `${words} <span aria-hidden="true">↓</span>`;
    this.place();
  }

  // On a touch screen, away from what was tapped.
  place() {
    const { element, plot } = this;
    if (element.hidden || !plot?.picked || !isTouched()) return;
    const { matrix, row, column } = plot.picked;
    const [whole, cell] = [matrix, matrix.cellBox(row, column) ?? matrix].map((each) => boxInWindow(plot.stage, each));
    const size = { width: element.offsetWidth, height: element.offsetHeight };
    const room = { width: window.innerWidth, height: window.innerHeight };
    const { top } = atEdge(whole, cell, size, room, AT_EDGE);
    Object.assign(element.style, { top: `${top}px`, bottom: "auto" });
  }

  lead({ behavior = isCalm() ? "auto" : "smooth" } = {}) {
    const { box } = this;
    const block = box.offsetHeight < window.innerHeight / 2 ? "nearest" : "start";
    box.scrollIntoView({ block, behavior });
    this.readHeading().focus({ preventScroll: true });
  }

  hide() {
    this.sizes.disconnect();
    this.watcher.disconnect();
    this.element.hidden = true;
  }

  remove() {
    this.hide();
    this.listening.abort();
    this.element.remove();
  }
}

// Whether nobody has done anything yet on a page that a link has opened. A stop of a tour begins with
// its sentence, at the top.
function isJustOpened() {
  return !stays.isUsed && !new URLSearchParams(location.search).has("tour");
}

for (const act of ["pointerdown", "keydown", "wheel", "touchmove"]) {
  document.addEventListener(act, () => { stays.isUsed = true; }, { capture: true, passive: true });
}

// Whether a panel stands above the window.
function isAbove({ height, bottom }) {
  return height > 0 && bottom <= 0;
}
