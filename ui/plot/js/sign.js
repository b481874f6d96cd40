// A small button at the lower edge of the window, where a panel has opened below it: else a click on a
// number would seem to do nothing.

import { button, isCalm } from "./dom.js";

const ALMOST = 48; // pixels of a panel that may be in the window, which say too little

export class Sign {
  // `box` is the panel, `readHeading()` gives its heading.
  constructor(box, readHeading) {
    Object.assign(this, { box, readHeading });
    this.element = button("", () => this.lead());
    this.element.className = "plot-sign";
    this.element.hidden = true;
    this.watcher = new IntersectionObserver(([seen]) => this.follow(seen), { rootMargin: `0px 0px -${ALMOST}px` });
    this.listening = new AbortController();
    const hear = ({ key }) => key === "Escape" && this.hide();
    document.addEventListener("keydown", hear, { signal: this.listening.signal, capture: true });
    // The observer does not notice who jumps from above the panel to below it.
    const scrolled = () => this.element.hidden || this.box.getBoundingClientRect().bottom > 0 || this.hide();
    document.addEventListener("scroll", scrolled, { signal: this.listening.signal, capture: true });
  }

  // From now on, until the panel has been in the window. The observer tells at once where it is.
  show() {
    this.hide();
    this.watcher.observe(this.box);
  }

  follow({ isIntersecting, boundingClientRect }) {
    if (isIntersecting || boundingClientRect.bottom <= 0) return this.hide();
    this.element.hidden = false;
    this.say();
  }

  // The number may change while the sign is seen.
  say() {
    if (this.element.hidden) return;
    this.element.innerHTML = `${this.readHeading().innerHTML}: explained below <span aria-hidden="true">↓</span>`;
  }

  lead() {
    const { box } = this;
    const block = box.offsetHeight < window.innerHeight / 2 ? "nearest" : "start";
    box.scrollIntoView({ block, behavior: isCalm() ? "auto" : "smooth" });
    this.readHeading().focus({ preventScroll: true });
  }

  hide() {
    this.watcher.disconnect();
    this.element.hidden = true;
  }

  remove() {
    this.hide();
    this.listening.abort();
    this.element.remove();
  }
}
