// The strip is the map of the page. It marks the part in view, and a click on a stage opens the part
// that the stage leads to, where it is folded.

import { onceAFrame } from "./dom.js";

const AT_THE_TOP = 40; // pixels, at most, from the top of the window to a strip that stays there
export const STEP = "attention-step"; // an event on document: where a link leads, and the step of its stage

let way; // the one of the page that is shown

// Call it with each run of a page. The place of a strip is there before the strip, which the browser
// may show later than all else. A page without such a place has no map.
export function keepWayInSight() {
  const box = document.querySelector(".st-key-way");
  if (way?.box !== box) {
    way?.remove();
    way = box && new Way(box);
  }
  way?.follow();
}

class Way {
  markInNextFrame = onceAFrame(() => this.mark());

  constructor(box) {
    this.box = box; // of the strip, which is made anew with every change
    this.listening = new AbortController();
    const { signal } = this.listening;
    const later = this.markInNextFrame;
    window.addEventListener("scroll", later, { signal, capture: true, passive: true });
    window.addEventListener("resize", later, { signal });
    this.box.addEventListener("click", (event) => this.goTo(event), { signal });
    // The strip is made anew with every change, and the parts of the page open and close.
    this.observer = new MutationObserver(later);
    this.observer.observe(this.box, { childList: true, subtree: true });
    this.sizes = new ResizeObserver(later);
    signal.addEventListener("abort", () => this.sizes.disconnect());
  }

  remove() {
    this.listening.abort();
    this.observer.disconnect();
  }

  follow() {
    this.sizes.disconnect();
    this.sizes.observe(this.box.parentElement.parentElement); // as high as the page
    // What scrolls below the strip must not shine through.
    const { backgroundColor } = getComputedStyle(this.box.closest(".stApp"));
    this.box.style.setProperty("--page", backgroundColor);
    this.markInNextFrame();
  }

  get links() {
    return [...this.box.querySelectorAll("nav a")];
  }

  // The address adds no step to the history: the page would take each for one of Back or Forward.
  goTo(event) {
    const name = event.target.closest("nav a")?.hash.slice(1);
    const place = name && this.placeOf(name);
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(history.state, "", `#${name}`);
    place.scrollIntoView();
    place.tabIndex = -1; // as a link does: Tab goes on from there
    place.style.outline = "none";
    place.focus({ preventScroll: true });
    open(place);
    const { step } = event.target.closest("nav a").dataset;
    if (step) document.dispatchEvent(new CustomEvent(STEP, { detail: { place, step } }));
  }

  placeOf(name) {
    const link = this.links.find(({ hash }) => hash.slice(1) === name);
    return document.querySelector(`.st-key-${link.dataset.place}`);
  }

  mark() {
    const names = [...new Set(this.links.map((link) => link.hash.slice(1)))];
    const seen = mostInView(this.topsOf(names), this.endOfCovered(), window.innerHeight);
    const marked = this.links.filter((link) => link.hash.slice(1) === seen);
    if (marked[0] && !marked[0].hasAttribute("aria-current")) scrollStripTo(marked[0]);
    for (const link of this.links) {
      if (marked.includes(link)) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  }

  // How far down the strip covers the page: not at all before it has come to the top of the window.
  endOfCovered() {
    const { top, bottom } = this.box.getBoundingClientRect();
    return top <= AT_THE_TOP ? bottom : 0;
  }

  // Where each part begins, from the top of the window, in the order of the page.
  topsOf(names) {
    const found = names.map((name) => [name, this.placeOf(name)]).filter(([, at]) => at);
    return found
      .map(([name, at]) => [name, at.getBoundingClientRect().top])
      .sort(([, one], [, other]) => one - other);
  }
}

// For a strip that is longer than its line, as on a phone. Only the strip scrolls, not the page. It begins
// at its first part if that leaves the part in view in sight, and while the page is at its top.
function scrollStripTo(link) {
  const strip = link.closest("ol");
  const [its, whole] = [link, strip].map((each) => each.getBoundingClientRect());
  const start = its.left - whole.left + strip.scrollLeft;
  const isAtTop = !link.closest(".stMain")?.scrollTop;
  strip.scrollLeft = isAtTop || start + its.width <= whole.width ? 0 : start - (whole.width - its.width) / 2;
}

// First there is either a fold, which it opens, or a choice of heads: then it shows one head.
function open(place) {
  const first = place.querySelector('details, [data-testid="stButtonGroup"]');
  if (first?.matches("details")) unfold(first);
  else if (first) chooseOne([...first.querySelectorAll("button")]);
}

function chooseOne(buttons) {
  if (!buttons.some((button) => button.matches('[aria-checked="true"], [aria-pressed="true"]'))) buttons[0]?.click();
}

function unfold(fold) {
  const isClosing = fold?.querySelector('[data-testid="stExpanderDetails"]')?.inert;
  if (fold && (!fold.open || isClosing)) fold.querySelector("summary").click();
}

// The part that takes up most of the window. Each part ends where the next one begins.
export function mostInView(tops, from, to) {
  const heights = tops.map(([name, top], i) => {
    const end = tops[i + 1]?.[1] ?? Infinity;
    return [name, Math.min(end, to) - Math.max(top, from)];
  });
  const [most] = heights.toSorted(([, one], [, other]) => other - one);
  return most?.[1] > 0 ? most[0] : undefined;
}
