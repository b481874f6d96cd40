// A page as a lecturer presents it: one part at a time, as large as the screen allows, led by keys.
//
// The page does alone what it can: which heads are seen, the spotlight, the bar, the list of keys.
// Another part, head or mask is a wish that the server answers with the next picture.

import { html } from "../dom.js";
import { cellAfter } from "../hand/keyboard.js";
import { say } from "../language.js";
import { SMALLEST_LETTERS, zoomFor } from "./on_screen.js";
import { PresentBar } from "./present_bar.js";
import { fillScreen, giveFocusBack, rememberPart } from "./present_button.js";
import { Cover } from "./present_cover.js";
import { maskAfter, partsSwiped, toCount, toHead, toHeads, toPart } from "./present_steps.js";
import { Sides } from "./sides.js";
import { SliderStrip } from "./slider_strip.js";
import { SPOTLIGHTS } from "../drawing/spotlight.js";
import { stays } from "../stays.js";
import { dress } from "../theme.js";

const WORDS_STAY = 2500; // ms
const NEAR_THE_BAR = 120; // pixels from the upper edge, where the bar comes while there is a spotlight
const IN_A_FIELD = "input:not([type=range]), textarea, select, [contenteditable=true]";
const OF_A_SLIDER = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"];
const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const SPOT_WORDS = {
  "": say("Spotlight off"),
  cell: say("Spotlight on a cell"),
  row: say("Spotlight on a row"),
  column: say("Spotlight on a column"),
};

let wished = 0; // the number of the last wish

export class Presentation {
  /** @type {any} */
  wanted = null; // {part, head, page, mask}, until the server has heard of it
  first = 0; // the number of the first head in sight
  over = ""; // what lies over the picture: "qr", "keys" or nothing
  hasBeenFull = Boolean(document.fullscreenElement);
  isHeld = false; // a button of the pointer, or a finger
  listening = new AbortController();
  observer = new ResizeObserver(() => this.fit());
  /** @type {any} */
  said = null; // what the server says of the part
  /** @type {(name: string, value: any) => void} */
  report = () => {}; // to the server: see `show`
  /** @type {(name: string, value: any) => void} */
  remember = () => {};

  constructor(parent, { readTheme }) {
    this.readTheme = readTheme;
    this.title = html("h1", { class: "present-title" });
    this.formula = html("div", { class: "present-formula" });
    this.sentence = html("p", { class: "present-said" });
    this.which = html("span", { class: "present-which" });
    this.header = html("header", { "aria-live": "polite" }, this.title, this.which, this.formula, this.sentence);
    this.place = html("div", { class: "present-place" });
    this.words = html("p", { class: "present-words", role: "status" });
    this.cover = new Cover();
    this.bar = new PresentBar(this);
    const look = { class: "present", role: "region", "aria-label": say("Presentation"), tabindex: "-1" };
    const over = html("div", { class: "present-top" }, this.bar.element, this.words);
    this.strip = new SliderStrip(readTheme);
    this.strip.toggle(stays.sliders);
    this.root = html("section", look, this.header, this.place, this.strip.element, over, this.cover.element);
    parent.append(this.root);
    this.sides = new Sides(this.place, readTheme);
    this.bar.followLight(stays.light);
    this.listen();
    this.root.focus({ preventScroll: true });
  }

  listen() {
    const { signal } = this.listening;
    const on = (target, type, act, more) => target.addEventListener(type, act, { signal, ...more });
    on(window, "keydown", (event) => this.press(event), { capture: true });
    for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
      on(window, type, () => { this.isHeld = type === "pointerdown"; }, { capture: true });
    }
    on(window, "resize", () => this.fit());
    on(document, "fullscreenchange", () => this.followFull());
    on(this.root, "pointermove", (event) => this.followPointer(event));
    on(this.root, "pointerdown", (event) => this.beginSwipe(event));
    on(this.bar.element, "focusin", () => this.bar.show());
    on(this.cover.element, "click", () => this.lay(""));
    this.observer.observe(this.place);
    document.fonts.ready.then(() => this.said && this.fit());
  }

  remove() {
    this.listening.abort();
    this.observer.disconnect();
    this.bar.remove();
    clearTimeout(this.silencing);
    this.sides.remove();
    this.strip.remove();
    this.root.remove();
    giveFocusBack();
  }

  get plot() { return this.sides.plot; }

  // ---- showing ----

  // `said` is what the server says of the part; `pictures` are as `Sides.take` has them. What this reports
  // goes to `report`, what it remembers there to `remember`, and what its sliders enter to `shared`.
  show(said, pictures, { report, remember, shared }) {
    this.report = report;
    this.remember = remember;
    const isOtherPart = said.part !== this.said?.part;
    const { part, head, page, mask } = said;
    if (!this.wanted || said.heard >= wished) this.wanted = { part, head, page, mask };
    if (said.page !== this.said?.page || said.head !== this.said?.head) this.first = 0;
    this.said = said;
    rememberPart(said.part);
    this.write(isOtherPart);
    this.strip.show(said.sliders, shared);
    this.dressUp();
    const isNew = this.sides.take(pictures);
    this.fit(isNew);
    if (!isNew) for (const plot of this.sides.plots) plot.followTheme();
    const { spotlight } = this.sides;
    if (spotlight.kind && !spotlight.isOn) this.pointAt(this.cellInLight());
    this.followCover();
    if (said.refused && said.refused !== this.saidRefused) this.tell(said.refused);
    this.saidRefused = said.refused;
  }

  write(isOtherPart) {
    const { said } = this;
    this.title.textContent = said.title;
    if (this.formula.shown !== said.formula) this.formula.innerHTML = this.formula.shown = said.formula;
    this.sentence.textContent = said.sentence;
    this.bar.follow(said);
    if (isOtherPart) for (const plot of this.sides.plots) plot.tip.show(null);
  }

  dressUp() {
    dress(this.root, this.readTheme(this.root));
  }

  // Lays the pictures out anew for the room that there is.
  fit(isNew = false) {
    if (!this.sides.all.length) return;
    const zoom = zoomFor({ width: window.innerWidth, height: window.innerHeight });
    this.root.style.setProperty("--letter", `${zoom * SMALLEST_LETTERS}px`);
    this.sides.fit({ zoom, first: this.first, atOnce: stays.atOnce, fewAtATime: this.said.of === "heads" }, isNew);
    if (this.plot.part) this.sayHeads();
  }

  sayHeads() {
    const { count, of } = this.plot.part;
    const isSome = this.said.of === "heads" && count < of;
    this.which.textContent = isSome ? say("{count} of {all} heads", { count, all: this.said.n_heads }) : "";
    const canStep = isSome || this.said.head !== null || this.said.of === "head" || this.said.pages > 1;
    this.bar.followHeads(canStep);
  }

  // ---- what a person wishes ----

  step(by) { this.follow(toPart(this.said, this.wanted, by)); }
  goToHead(head) { this.follow(toHead(this.said, head)); }
  changeCount(by) { this.follow(toCount(this.said, this.wanted, this.plot.part, by)); }
  stepHeads(by) { this.follow(toHeads(this.said, this.wanted, this.plot.part, by)); }

  // Where a key leads: see present_steps.js.
  /** @param {Way} way */
  follow({ wish, first, atOnce, words }) {
    if (wish) this.go(wish);
    else if (words) this.tell(words);
    else {
      stays.atOnce = atOnce ?? stays.atOnce;
      this.first = first ?? this.first;
      this.fit();
    }
  }

  // A remote control has two keys: they follow a tour, where one is running.
  byRemote(by) {
    if (this.said.tour) this.stop(by > 0 ? "on" : "back");
    else this.step(by);
  }

  go(wish) {
    this.lay("");
    this.wanted = { ...this.wanted, ...wish };
    const { part, head, page } = this.wanted;
    this.report("go", { number: ++wished, part, head: head ?? -1, page });
  }

  nextMask() {
    const [name, title] = maskAfter(this.said, this.wanted.mask);
    this.wanted = { ...this.wanted, mask: name };
    this.report("mask", { number: ++wished, mask: name });
    this.tell(say("Mask: {mask}", { mask: title }));
  }

  // To another stop: the way there is an unseen button or link of the page.
  stop(way) {
    const { tour } = this.said;
    if (!tour) return this.tell(say("No tour is running. Begin one on the page \u201CTours\u201D."));
    const place = tour[way] && document.querySelector(`.st-key-${tour[way]} :is(button:not(:disabled), a)`);
    if (!place) return this.tell(way === "on" ? say("This is the last stop.") : say("This is the first stop."));
    this.lay("");
    place.click();
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.hasBeenFull = false;
    stays.light = "";
    stays.atOnce = null;
    stays.sliders = false;
    this.report("leave", true);
  }

  fill() {
    if (document.fullscreenElement) {
      this.hasBeenFull = false; // it was asked for, and is no way out
      return document.exitFullscreen().catch(() => {});
    }
    fillScreen(() => this.tell(say("This browser does not let the page fill the screen.")));
  }

  // Escape ends the full screen in the browser, which tells the page nothing of the key.
  followFull() {
    const isFull = Boolean(document.fullscreenElement);
    const wasFull = this.hasBeenFull;
    this.hasBeenFull = isFull;
    if (isFull || !wasFull) return;
    if (this.over) this.lay("");
    else this.leave();
  }

  toggleSliders() {
    this.strip.toggle();
    stays.sliders = this.strip.isShown;
    this.bar.followSliders(this.strip.isShown);
    if (this.strip.isShown) this.strip.element.querySelector("input")?.focus({ preventScroll: true });
  }

  // ---- the spotlight ----

  nextLight() {
    const { spotlight, plots } = this.sides;
    const kinds = ["", ...SPOTLIGHTS];
    spotlight.kind = stays.light = kinds[(kinds.indexOf(spotlight.kind) + 1) % kinds.length];
    if (spotlight.kind && !spotlight.isOn) this.pointAt(this.cellInLight());
    this.bar.followLight(spotlight.kind);
    for (const plot of plots) plot.lightUp();
    this.tell(SPOT_WORDS[spotlight.kind]);
    if (spotlight.kind && spotlight.kind !== "cell") this.plot.tip.show(null);
  }

  cellInLight() {
    const { board, picked, spotlight, hand: { pointed, cursor } } = this.plot;
    return pointed ?? spotlight.cellIn(board) ?? cursor ?? picked ?? board.cell(board.matrices[0].name, 0, 0);
  }

  pointAt(cell) {
    this.plot.hand.cursor = cell;
    this.plot.hand.point(cell);
    this.plot.tip.show(null);
  }

  moveLight(key) {
    /** @type {any} */ // an arrow key always leads to a cell
    const cell = cellAfter(key, this.cellInLight(), this.plot.board.matrices);
    this.pointAt(cell);
    this.tell("");
    this.plot.spoken.textContent = cell.matrix.sentence(cell.row, cell.column);
  }

  // ---- keys, pointer, fingers ----

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (this.isHeld) return; // the key is for what is dragged
    if (event.key === "Escape" && this.bar.element.contains(event.target)) return this.root.focus({ preventScroll: true });
    if (event.target.closest?.(IN_A_FIELD)) return;
    if (this.strip.element.contains(event.target) && !this.isForPresentation(event)) return;
    const isOnButton = event.target.closest?.("button, a");
    if (event.key === "Tab") return this.bar.show();
    if (isOnButton && [" ", "Enter"].includes(event.key)) return;
    const act = this.actOf(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }

  // A slider keeps the keys that move it. Escape takes back what it does, and then leads out of it.
  isForPresentation({ key }) {
    if (key === "Escape") setTimeout(() => this.root.focus({ preventScroll: true }));
    return key !== "Escape" && !OF_A_SLIDER.includes(key);
  }

  // What a key does; nothing, where it means nothing here.
  actOf(key) {
    if (this.sides.spotlight.kind && ARROWS.includes(key)) return () => this.moveLight(key);
    if (/^[0-9]$/.test(key)) return () => this.goToHead(Number(key) - 1);
    return {
      ArrowRight: () => this.step(+1), " ": () => this.step(+1), ArrowLeft: () => this.step(-1),
      PageDown: () => this.byRemote(+1), PageUp: () => this.byRemote(-1),
      ArrowDown: () => this.stepHeads(+1), ArrowUp: () => this.stepHeads(-1),
      "+": () => this.changeCount(+1), "=": () => this.changeCount(+1), "-": () => this.changeCount(-1),
      Home: () => this.go({ part: this.said.parts[0][0] }),
      m: () => this.nextMask(), n: () => this.stop("on"), b: () => this.stop("back"), s: () => this.nextLight(),
      t: () => this.toggleSliders(),
      q: () => this.lay(this.over === "qr" ? "" : "qr"), f: () => this.fill(), "?": () => this.help(), p: () => this.leave(),
      Escape: () => this.goOutOf(),
    }[key.length === 1 ? key.toLowerCase() : key];
  }

  // What is nearest ends first.
  goOutOf() {
    if (this.over) this.lay("");
    else if (!this.sides.plots.some((plot) => plot.texts.takeBackRefused())) this.leave();
  }

  help() {
    this.bar.show();
    this.lay(this.over === "keys" ? "" : "keys");
  }

  // The keys belong to the presentation again.
  afterPress(act) {
    act();
    if (!this.over && !this.strip.element.contains(document.activeElement)) this.root.focus({ preventScroll: true });
  }

  followPointer({ pointerType, movementX, movementY, clientY }) {
    if (pointerType === "touch" || (!movementX && !movementY)) return;
    const isNear = clientY < NEAR_THE_BAR;
    if (isNear || !this.sides.spotlight.kind) this.bar.show();
  }

  beginSwipe(down) {
    if (down.pointerType !== "touch" || this.strip.element.contains(down.target)) return;
    const stop = new AbortController();
    const on = (type, act) => window.addEventListener(type, act, { capture: true, signal: stop.signal });
    on("pointercancel", () => stop.abort());
    on("pointerup", ({ clientX, clientY }) => {
      stop.abort();
      const [across, along] = [clientX - down.clientX, clientY - down.clientY];
      const by = partsSwiped(across, along);
      if (by) this.step(by);
      else this.bar.show();
    });
  }

  // ---- words, and what lies over the picture ----

  tell(words) {
    this.words.textContent = words;
    this.words.classList.toggle("is-shown", words !== "");
    clearTimeout(this.silencing);
    this.silencing = setTimeout(() => this.words.classList.remove("is-shown"), WORDS_STAY);
  }

  lay(over) {
    if (over === this.over) return;
    const wasCode = this.over === "qr";
    this.over = over;
    if ((over === "qr") !== wasCode) this.remember("qr", over === "qr");
    this.followCover();
    if (over) this.cover.element.focus({ preventScroll: true });
    else this.root.focus({ preventScroll: true });
  }

  followCover() { this.cover.show(this.over, this.said.qr); }
}
