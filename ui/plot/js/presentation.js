// A page as a lecturer presents it: one part at a time, as large as the screen allows, led by keys.
//
// What the page alone can do it does alone: which heads are seen, the spotlight, the bar, the list of keys.
// Another part, head or mask is a wish that the server answers with the next picture.

import { button, html, setOptions } from "./dom.js";
import { cellAfter } from "./keyboard.js";
import { SMALLEST_LETTERS, zoomFor } from "./on_screen.js";
import { Plot } from "./plot.js";
import { codeAsSvg } from "./qr_code.js";
import { SPOTLIGHTS } from "./spotlight.js";
import { dress } from "./theme.js";

const BAR_STAYS = 3000; // ms without a move of the pointer
const WORDS_STAY = 2500; // ms
const NEAR_THE_BAR = 120; // pixels from the lower edge, where the bar comes while there is a spotlight
const SWIPE = 60; // pixels
const IN_A_FIELD = "input, textarea, select, [contenteditable=true]";
const WHERE_LETTERS_GO = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable=true]";
const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const KEYS = [
  ["\u2192, Space", "Next part"],
  ["\u2190", "The part before"],
  ["Page Down, Page Up", "The same, or from stop to stop of a tour: the keys of a remote control"],
  ["Home", "First part"],
  ["\u2193, \u2191", "Next heads, and those before"],
  ["1 to 9, 0", "One head, all heads"],
  ["M", "Next mask; Ctrl Z takes it back"],
  ["N, B", "Next stop of the tour, and the one before"],
  ["S", "Spotlight: a cell, a row, a column, off; arrow keys move it"],
  ["Q", "The link as a QR code"],
  ["F", "Full screen, or not"],
  ["?", "This list, and the bar"],
  ["P, Esc", "Leave"],
];
const LEFT = "attention-left-presentation"; // an event on window
const SPOT_WORDS = { "": "Spotlight off", cell: "Spotlight on a cell", row: "Spotlight on a row", column: "Spotlight on a column" };

let wished = 0; // the number of the last wish
let lastPart = ""; // that was presented, to go on there
let hasLeft = false; // whether the focus goes back to the button that led here
let kindOfLight = ""; // which stays from page to page

export class Presentation {
  wanted = null; // {part, head, page, mask}, until the server has heard of it
  first = 0; // the number of the first head in sight
  over = ""; // what lies over the picture: "qr", "keys" or nothing
  hasBeenFull = Boolean(document.fullscreenElement);
  isHeld = false; // a button of the pointer, or a finger

  constructor(parent, { readTheme }) {
    this.readTheme = readTheme;
    this.makeElements();
    parent.append(this.root);
    this.plot = new Plot(this.place, { readTheme });
    this.plot.spotlight.kind = kindOfLight;
    this.light.setAttribute("aria-pressed", kindOfLight !== "");
    this.listen();
    this.root.focus({ preventScroll: true });
  }

  makeElements() {
    this.title = html("h1", { class: "present-title" });
    this.formula = html("div", { class: "present-formula" });
    this.sentence = html("p", { class: "present-said" });
    this.which = html("span", { class: "present-which" });
    this.header = html("header", { "aria-live": "polite" }, this.title, this.which, this.formula, this.sentence);
    this.place = html("div", { class: "present-place" });
    this.words = html("p", { class: "present-words", role: "status" });
    this.cover = html("div", { class: "present-over", role: "dialog", tabindex: "-1", hidden: "" });
    this.makeBar();
    const look = { class: "present", role: "region", "aria-label": "Presentation", tabindex: "-1" };
    this.root = html("section", look, this.header, this.place, this.words, this.cover, this.bar);
  }

  makeBar() {
    const named = (text, name, act) => {
      const made = button(text, () => this.afterPress(act));
      made.setAttribute("aria-label", name);
      made.title = name;
      return made;
    };
    this.parts = html("select", { "aria-label": "Part" });
    this.parts.onchange = () => this.afterPress(() => this.go({ part: this.parts.value }));
    this.heads = html("select", { "aria-label": "Head" });
    this.heads.onchange = () => this.afterPress(() => this.goToHead(Number(this.heads.value)));
    this.backPart = named("\u2190", "The part before", () => this.step(-1));
    this.nextPart = named("\u2192", "Next part", () => this.step(+1));
    this.backHeads = named("\u2191", "The heads before", () => this.stepHeads(-1));
    this.nextHeads = named("\u2193", "Next heads", () => this.stepHeads(+1));
    this.backStop = named("\u2190 Stop", "The stop before", () => this.stop("back"));
    this.nextStop = named("Stop \u2192", "Next stop", () => this.stop("on"));
    this.mask = named("Mask", "Next mask", () => this.nextMask());
    this.light = named("Spot", "Spotlight", () => this.nextLight());
    this.stops = html("span", { class: "present-group" }, this.backStop, this.nextStop);
    this.ofHeads = html("span", { class: "present-group" }, this.heads, this.backHeads, this.nextHeads);
    this.bar = html("div", { class: "present-bar", role: "toolbar", "aria-label": "Presenting" },
      html("span", { class: "present-group" }, this.backPart, this.parts, this.nextPart),
      this.ofHeads,
      this.mask,
      this.light,
      this.stops,
      named("QR", "The link as a QR code", () => this.lay("qr")),
      named("Full", "Full screen", () => this.fill()),
      named("?", "Keys", () => this.lay("keys")),
      named("\u2715", "Leave", () => this.leave()));
  }

  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    const on = (target, type, act, more) => target.addEventListener(type, act, { signal, ...more });
    on(window, "keydown", (event) => this.press(event), { capture: true });
    for (const [type, isHeld] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
      on(window, type, () => { this.isHeld = isHeld; }, { capture: true });
    }
    on(window, "resize", () => this.fit());
    on(document, "fullscreenchange", () => this.followFull());
    on(this.root, "pointermove", (event) => this.followPointer(event));
    on(this.root, "pointerdown", (event) => this.beginSwipe(event));
    on(this.bar, "focusin", () => this.showBar());
    on(this.cover, "click", () => this.lay(""));
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.place);
    document.fonts.ready.then(() => this.said && this.fit());
  }

  remove() {
    this.listening.abort();
    this.observer.disconnect();
    clearTimeout(this.hiding);
    clearTimeout(this.silencing);
    this.plot.remove();
    this.root.remove();
    giveFocusBack();
  }

  // ---- showing ----

  // `said` is what the server says of the part; `picture` is as `Plot.show` takes it. What this reports
  // goes to `report`, and what it remembers there to `remember`.
  show(said, picture, { report, remember }) {
    Object.assign(this, { report, remember });
    const isOtherPart = said.part !== this.said?.part;
    const { part, head, page, mask } = said;
    if (!this.wanted || said.heard >= wished) this.wanted = { part, head, page, mask };
    if (said.page !== this.said?.page || said.head !== this.said?.head) this.first = 0;
    this.said = said;
    lastPart = said.part;
    this.write(isOtherPart);
    const isNew = picture !== this.picture;
    this.picture = picture;
    this.dressUp();
    if (isNew) Object.assign(this.plot, picture);
    this.fit(isNew);
    if (!isNew) this.plot.followTheme();
    if (this.plot.spotlight.kind && !this.plot.spotlight.isOn) this.pointAt(this.cellInLight());
    this.followCover();
    if (said.refused && said.refused !== this.saidRefused) this.say(said.refused);
    this.saidRefused = said.refused;
  }

  write(isOtherPart) {
    const { said } = this;
    this.title.textContent = said.title;
    if (this.formula.shown !== said.formula) this.formula.innerHTML = this.formula.shown = said.formula;
    this.sentence.textContent = said.sentence;
    setOptions(this.parts, said.parts.map(([name, title]) => [name, title]), said.part);
    const heads = Array.from({ length: said.n_heads }, (_, i) => [i, `Head ${i + 1}`]);
    setOptions(this.heads, [[-1, "All heads"], ...heads], String(said.head ?? -1));
    this.ofHeads.hidden = said.n_heads < 2 || said.of === "";
    const [, mask = "another"] = said.masks.find(([name]) => name === said.mask) ?? [];
    this.mask.title = `Mask: ${mask}`;
    this.stops.hidden = !said.tour;
    this.backStop.disabled = !said.tour?.back;
    this.nextStop.disabled = !said.tour?.on;
    const place = this.placeOfPart(said.part);
    this.backPart.disabled = place === 0;
    this.nextPart.disabled = place === said.parts.length - 1;
    if (isOtherPart) this.plot.tip.show(null);
  }

  dressUp() {
    dress(this.root, this.readTheme(this.root));
  }

  // Lays the picture out anew for the room that there is.
  fit(isNew = false) {
    if (!this.said) return;
    const zoom = zoomFor({ width: window.innerWidth, height: window.innerHeight });
    this.root.style.setProperty("--letter", `${zoom * SMALLEST_LETTERS}px`);
    const { clientWidth: width, clientHeight: height } = this.place;
    const screen = { width, height, zoom, first: this.first, fewAtATime: this.said.of === "heads" };
    const isSame = JSON.stringify(screen) === JSON.stringify(this.plot.screen);
    if (!width || !height || (isSame && !isNew)) return;
    this.plot.screen = screen;
    if (isNew) this.plot.show(this.picture);
    else this.plot.draw();
    this.center();
    this.sayHeads();
  }

  center() {
    const { size: { width, height }, zoom } = this.plot.board;
    Object.assign(this.plot.scroll.style, { width: `${width * zoom}px`, height: `${height * zoom}px` });
  }

  sayHeads() {
    const { count, of } = this.plot.part;
    const isSome = this.said.of === "heads" && count < of;
    this.which.textContent = isSome ? `${count} of ${this.said.n_heads} heads` : "";
    const canStep = isSome || this.said.head !== null || this.said.of === "head" || this.said.pages > 1;
    this.backHeads.hidden = this.nextHeads.hidden = !canStep;
  }

  // ---- what a person wishes ----

  placeOfPart(part) { return this.said.parts.findIndex(([name]) => name === part); }

  step(by) {
    const { parts } = this.said;
    const next = this.placeOfPart(this.wanted.part) + by;
    const onward = this.said.tour?.on ? " N leads to the next stop." : "";
    if (next < 0) this.say("This is the first part.");
    else if (next >= parts.length) this.say(`This is the last part.${onward}`);
    else this.go({ part: parts[next][0] });
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

  goToHead(head) {
    const { n_heads, of } = this.said;
    if (n_heads === 1) this.say("There is one head.");
    else if (head >= n_heads) this.say(`There are ${n_heads} heads.`);
    else if (of === "") this.say("This part is about all heads together.");
    else if (head < 0 && of === "head") this.say("This part shows one head at a time.");
    else this.go({ head: head < 0 ? null : head });
  }

  stepHeads(by) {
    const { of } = this.said;
    if (of === "") this.say("This part is about all heads together.");
    else if (of === "head" || this.wanted.head !== null) this.stepHead(by);
    else this.stepThroughHeads(by);
  }

  // From the head that is shown alone to another one.
  stepHead(by) {
    const next = (this.wanted.head ?? this.said.shown_head) + by;
    if (next < 0) this.say("This is the first head.");
    else if (next >= this.said.n_heads) this.say("This is the last head.");
    else this.go({ head: next });
  }

  // To the heads that have no room beside those in sight. The browser has those of this page of heads.
  stepThroughHeads(by) {
    const { page, pages } = this.said;
    const { first, count, of } = this.plot.part;
    const [next, nextPage] = [first + by * count, page + by];
    if (next >= 0 && next < of) {
      this.first = next;
      this.fit();
    } else if (nextPage >= 1 && nextPage <= pages) this.go({ page: nextPage });
    else if (count === of && pages === 1) this.say("All heads are there.");
    else this.say(by < 0 ? "These are the first heads." : "These are the last heads.");
  }

  nextMask() {
    const { masks } = this.said;
    const place = masks.findIndex(([name]) => name === this.wanted.mask);
    const [name, title] = masks[(place + 1) % masks.length];
    this.wanted = { ...this.wanted, mask: name };
    this.report("mask", { number: ++wished, mask: name });
    this.say(`Mask: ${title}`);
  }

  // To another stop: the way there is a button or a link of the page, which cannot be seen.
  stop(way) {
    const { tour } = this.said;
    if (!tour) return this.say("No tour is running. Begin one on the page \u201CTours\u201D.");
    const place = tour[way] && document.querySelector(`.st-key-${tour[way]} :is(button:not(:disabled), a)`);
    if (!place) return this.say(way === "on" ? "This is the last stop." : "This is the first stop.");
    this.lay("");
    place.click();
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.hasBeenFull = false;
    kindOfLight = "";
    this.report("leave", true);
  }

  fill() {
    if (document.fullscreenElement) {
      this.hasBeenFull = false; // it was asked for, and is no way out
      return document.exitFullscreen().catch(() => {});
    }
    fillScreen(() => this.say("This browser does not let the page fill the screen."));
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

  // ---- the spotlight ----

  nextLight() {
    const { spotlight } = this.plot;
    const kinds = ["", ...SPOTLIGHTS];
    spotlight.kind = kindOfLight = kinds[(kinds.indexOf(spotlight.kind) + 1) % kinds.length];
    if (spotlight.kind && !spotlight.isOn) this.pointAt(this.cellInLight());
    this.light.setAttribute("aria-pressed", spotlight.kind !== "");
    this.plot.lightUp();
    this.say(SPOT_WORDS[spotlight.kind]);
    if (spotlight.kind && spotlight.kind !== "cell") this.plot.tip.show(null);
  }

  cellInLight() {
    const { board, pointed, cursor, picked, spotlight } = this.plot;
    return pointed ?? spotlight.cellIn(board) ?? cursor ?? picked ?? board.cell(board.matrices[0].name, 0, 0);
  }

  pointAt(cell) {
    this.plot.cursor = cell;
    this.plot.point(cell);
    this.plot.tip.show(null);
  }

  moveLight(key) {
    this.pointAt(cellAfter(key, this.cellInLight(), this.plot.board.matrices));
    const { matrix, row, column } = this.plot.cursor;
    this.say("");
    this.plot.spoken.textContent = matrix.sentence(row, column);
  }

  // ---- keys, pointer, fingers ----

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (this.isHeld) return; // the key is for what is dragged
    if (event.key === "Escape" && this.bar.contains(event.target)) return this.root.focus({ preventScroll: true });
    if (event.target.closest?.(IN_A_FIELD)) return;
    const isOnButton = event.target.closest?.("button, a");
    if (event.key === "Tab") return this.showBar();
    if (isOnButton && [" ", "Enter"].includes(event.key)) return;
    const act = this.actOf(event.key);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }

  // What a key does; nothing, where it means nothing here.
  actOf(key) {
    if (this.plot.spotlight.kind && ARROWS.includes(key)) return () => this.moveLight(key);
    if (/^[0-9]$/.test(key)) return () => this.goToHead(Number(key) - 1);
    return {
      ArrowRight: () => this.step(+1), " ": () => this.step(+1), ArrowLeft: () => this.step(-1),
      PageDown: () => this.byRemote(+1), PageUp: () => this.byRemote(-1),
      ArrowDown: () => this.stepHeads(+1), ArrowUp: () => this.stepHeads(-1),
      Home: () => this.go({ part: this.said.parts[0][0] }),
      m: () => this.nextMask(), n: () => this.stop("on"), b: () => this.stop("back"), s: () => this.nextLight(),
      q: () => this.lay(this.over === "qr" ? "" : "qr"), f: () => this.fill(), "?": () => this.help(), p: () => this.leave(),
      Escape: () => this.goOutOf(),
    }[key.length === 1 ? key.toLowerCase() : key];
  }

  // What is nearest ends first.
  goOutOf() {
    if (this.over) this.lay("");
    else if (!this.plot.takeBackRefused()) this.leave();
  }

  help() {
    this.showBar();
    this.lay(this.over === "keys" ? "" : "keys");
  }

  // The keys belong to the presentation again.
  afterPress(act) {
    act();
    if (!this.over) this.root.focus({ preventScroll: true });
  }

  followPointer({ pointerType, movementX, movementY, clientY }) {
    if (pointerType === "touch" || (!movementX && !movementY)) return;
    const isNear = clientY > window.innerHeight - NEAR_THE_BAR;
    if (isNear || !this.plot.spotlight.kind) this.showBar();
  }

  beginSwipe(down) {
    if (down.pointerType !== "touch") return;
    const stop = new AbortController();
    const on = (type, act) => window.addEventListener(type, act, { capture: true, signal: stop.signal });
    on("pointercancel", () => stop.abort());
    on("pointerup", ({ clientX, clientY }) => {
      stop.abort();
      const [across, along] = [clientX - down.clientX, clientY - down.clientY];
      if (Math.abs(across) < SWIPE || Math.abs(across) < 1.5 * Math.abs(along)) return this.showBar();
      this.step(across < 0 ? +1 : -1);
    });
  }

  showBar() {
    this.bar.classList.add("is-shown");
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.hideBar(), BAR_STAYS);
  }

  hideBar() {
    if (this.bar.matches(":hover, :focus-within")) return this.showBar();
    this.bar.classList.remove("is-shown");
  }

  // ---- words, and what lies over the picture ----

  say(words) {
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
    if (over) this.cover.focus({ preventScroll: true });
    else this.root.focus({ preventScroll: true });
  }

  followCover() {
    this.cover.hidden = !this.over;
    if (!this.over) this.cover.replaceChildren();
    if (this.over === "keys") this.fillCover("Keys", keysAsTable());
    if (this.over === "qr") this.fillCover("The link to what is on screen", ...codeAndWords(this.said.qr));
  }

  fillCover(name, ...children) {
    this.cover.setAttribute("aria-label", name);
    this.cover.replaceChildren(...children);
  }
}

// The button that leads to the presentation, and its key.
export class PresentButton {
  constructor(parent) {
    const hint = html("kbd", { "aria-hidden": "true" }, "P");
    this.element = button("Present", () => this.press());
    this.element.className = "present-button";
    this.element.setAttribute("aria-keyshortcuts", "P");
    this.element.append(hint);
    parent.append(this.element);
    this.listening = new AbortController();
    const { signal } = this.listening;
    window.addEventListener("keydown", (event) => this.followKey(event), { signal });
    // It may come before the presentation has gone, or after that.
    window.addEventListener(LEFT, () => this.takeFocus(), { signal });
    if (hasLeft) this.takeFocus();
  }

  // Whoever comes back from the presentation, by whatever way, is where they began.
  takeFocus() {
    hasLeft = false;
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.element.focus({ preventScroll: true });
  }

  followKey(event) {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || key.toLowerCase() !== "p") return;
    if (target.closest?.(`${WHERE_LETTERS_GO}, [role=grid], [role=dialog], [role=menu], [data-testid=stDataFrame]`)) return;
    event.preventDefault();
    this.press();
  }

  // Only a press may ask for the full screen; where it is refused, the window is filled.
  press() {
    fillScreen(() => {});
    this.report("present", { part: lastPart });
  }

  // Streamlit may make it anew while somebody is there.
  remove() {
    const hasFocus = this.element.matches(":focus");
    this.listening.abort();
    this.element.remove();
    if (hasFocus) giveFocusBack();
  }
}

// To the button that is there, or else to the next one that comes.
function giveFocusBack() {
  hasLeft = true;
  window.dispatchEvent(new CustomEvent(LEFT));
}

function fillScreen(whenRefused) {
  const asked = document.documentElement.requestFullscreen?.({ navigationUI: "hide" });
  if (asked) asked.catch(whenRefused);
  else whenRefused();
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
