// A page that was saved to disk: the pictures, the walkthrough and what is said of a number, without a
// server. The only file that knows such a page; ui/saved/page.py writes it.

import { Derivations } from "./derive.js";
import { button, html, isTouched, setOptions } from "./dom.js";
import { Entries } from "./entries.js";
import { Live } from "./live.js";
import { fourDigits } from "./numbers.js";
import { NO_OUTLINE, Plot } from "./plot.js";
import { SavedLayer } from "./saved_layer.js";
import { Explained } from "./saved_words.js";
import { DARK, LIGHT } from "./theme.js";
import { WALKED } from "./walk.js";
import { unpack } from "./wire.js";

const FONT = '"Source Sans 3", "Source Sans Pro", system-ui, sans-serif';
const MOST_WALKED = 8; // of a sum that is written out while it is walked over
const CHANGED_HERE = "You have changed numbers: this page computes all that follows from them.";
const AGREES = 1e-9; // of the largest number of a matrix
const AGREES_IN_SINGLE = 1e-4;

start();

async function start() {
  const packed = document.getElementById("packed").textContent;
  const zipped = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = unpack(new Uint8Array(await new Response(stream).arrayBuffer()));
  await Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} 14px ${FONT}`))); // for the canvas
  new SavedPage(document.querySelector("main"), page);
}

class SavedPage {
  constructor(main, { title, link, stops }) {
    Object.assign(this, { main, title, stops });
    this.theme = new PageTheme(() => this.stop.followTheme());
    this.place = html("div", {});
    const bar = html("div", { class: "bar" }, ...this.makeBar(link));
    main.append(html("header", {}, html("h1", {}, title), bar), this.place);
    window.addEventListener("keydown", (event) => this.hear(event));
    window.addEventListener("hashchange", () => this.open(this.asked));
    this.open(this.asked);
  }

  // The stop that the address asks for.
  get asked() {
    const wanted = Number(location.hash.slice(1)) - 1;
    return this.stops[wanted] ? wanted : 0;
  }

  makeBar(link) {
    const own = [button("Light or dark", () => this.theme.turn())];
    if (link) own.push(html("a", { href: link }, "Open in the explorer"));
    if (this.stops.length < 2) return own;
    this.list = html("select", { "aria-label": "Stop" });
    setOptions(this.list, this.stops.map(({ title, sentence }, i) => [String(i), `${i + 1}. ${sentence || title}`]));
    this.list.onchange = () => this.go(Number(this.list.value));
    this.before = button("Back", () => this.go(this.at - 1));
    this.after = button("Next", () => this.go(this.at + 1));
    return [this.before, this.list, this.after, ...own];
  }

  // In a field, the keys are the field's own.
  hear(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    this.stop.undo?.click();
  }

  go(at) { location.hash = at + 1; }

  open(at) {
    this.at = at;
    this.stop?.remove();
    this.stop = this.stops[at].left_out ? new WordsAlone(this.stops[at]) : new Stop(this.stops[at], this.theme);
    this.place.replaceChildren(this.stop.element);
    this.stop.show();
    if (!this.list) return;
    this.list.value = String(at);
    this.before.disabled = at === 0;
    this.after.disabled = at === this.stops.length - 1;
  }
}

// One scenario: its pictures share what is entered and what moves.
class Stop {
  #cell = null; // the number that is explained, and the place below whose picture that is said
  #shown = []; // {plot, picture, place}

  constructor(stop, theme) {
    Object.assign(this, { stop, theme });
    this.single = stop.inputs.is_single;
    const { words } = stop.facts;
    this.layer = new SavedLayer(stop.inputs, (matrix) => words[matrix]?.symbol ?? matrix);
    this.checked = html("p", { class: "checked", role: "status" });
    this.agreement = this.check();
    this.entries = new Entries();
    this.live = new Live(this.entries);
    this.undo = button("Undo", () => this.change(() => this.layer.undo()));
    this.again = button("As it was saved", () => this.change(() => this.layer.asSaved()));
    this.element = html("div", { class: "stop" }, ...this.makeParts());
  }

  get derivations() { return new Derivations(this.stop.facts, this.layer.forward); }

  // ---- its parts ----

  makeParts() {
    const { configuration, parts, screens } = this.stop;
    const pictured = [...parts, ...screens.flatMap((screen) => screen.pictures)];
    const hasGiven = pictured.some(({ figure }) => figure.data.some(({ meta }) => meta?.given));
    const how = html("p", { class: "how" }, `${configuration}. ${howToUse(hasGiven)}`);
    const back = html("div", { class: "bar" }, this.undo, this.again);
    const pictures = parts.map((part) => this.makePart(part));
    const walk = screens.length ? [this.makeWalk(screens)] : [];
    return [...wordsOf(this.stop.sentence), how, back, this.checked, ...pictures, ...walk];
  }

  makePart(part) {
    const place = new Place(this, part);
    const caption = html("p", { class: "caption" }, part.caption);
    return html("section", {}, html("h2", {}, part.title), caption, place.element);
  }

  makeWalk(screens) {
    this.walk = new Walk(this, screens);
    return this.walk.element;
  }

  // Once it stands in the document: a picture is as wide as its place.
  show() {
    this.hear();
    for (const place of this.#shown) place.show();
  }

  add(place) { this.#shown.push(place); }

  remove() {
    for (const place of this.#shown) place.remove();
    this.walk?.remove();
  }

  followTheme() {
    for (const place of this.#shown) place.plot.followTheme();
  }

  // ---- entries ----

  // The pictures get an answer as from a server: what was entered is heard of in the next moment.
  hear({ withInputs = false } = {}) {
    const said = this.layer.said({ withInputs });
    this.entries.hear(said, (waiting) => queueMicrotask(() => this.change(() => this.layer.enter(waiting))));
    this.live.hear(said, () => queueMicrotask(() => this.hear({ withInputs: true })));
    this.checked.textContent = this.layer.isChanged ? CHANGED_HERE : this.agreement;
    this.undo.disabled = !this.layer.canUndo;
    this.again.disabled = !this.layer.isChanged;
  }

  change(act) {
    const before = this.layer.version;
    act();
    if (this.layer.version !== before) for (const place of this.#shown) place.show();
    this.hear();
    if (this.#cell) this.explain(this.#cell.place, this.#cell.cell, this.#cell.trail);
  }

  // ---- where a number comes from ----

  explain(place, cell, trail = []) {
    const said = cell && new Explained(this.derivations, cell, this.stop.decimals, trail);
    this.#cell = cell && { place, cell, trail };
    for (const each of this.#shown) {
      each.say(each === place && said ? said : null);
      each.plot.outline(said ? said.outline : NO_OUTLINE);
    }
  }

  // ---- numbers ----

  // A picture with the numbers that there are now.
  withNumbers({ figure, ...picture }) {
    const data = figure.data.map((trace) => (trace.meta?.name ? this.withItsNumbers(trace) : trace));
    const { walk } = figure.layout.meta;
    const meta = walk ? { ...figure.layout.meta, walk: this.withArithmetic(walk) } : figure.layout.meta;
    return { ...picture, figure: { data, layout: { ...figure.layout, meta } }, widens: this.layer.isChanged, reordered: 0 };
  }

  withItsNumbers(trace) {
    const { name, transposed } = trace.meta;
    if (!this.layer.isChanged) return { ...trace, z: inPlace(this.stop.core[name], transposed) };
    const { rows, hidden } = this.numbersOf(name);
    const lost = [];
    const z = inPlace(rows.map((row, i) => Float64Array.from(row, (number, j) => (hidden?.[i][j] === 0 ? NaN : number))), transposed);
    const seen = inPlace(hidden ?? rows.map((row) => row.map(() => 1)), transposed);
    z.forEach((row, i) => row.forEach((number, j) => !Number.isFinite(number) && seen[i][j] && lost.push(i * row.length + j)));
    return { ...trace, z, meta: { ...trace.meta, lost, masked: trace.meta.masked || Boolean(hidden) } };
  }

  // The rows of a matrix, and those of the mask where it hides cells of it.
  numbersOf(name) {
    const { forward } = this.layer;
    const isAfter = forward.options.after_mask.includes(name.split("/")[0]) && name !== "mask";
    const mask = isAfter ? forward.rows("mask") : null;
    const hidden = mask?.some((row) => row.includes(0)) ? mask : null;
    return { rows: forward.rows(name), hidden };
  }

  withArithmetic({ arithmetic, ...walk }) {
    const { derivations } = this;
    const written = (name) => derivations.rows(name).map((row, i) => Array.from(row, (_, j) => {
      const found = derivations.of({ ...cellOf(name), row: i, column: j });
      return derivations.arithmetic(found, { decimals: this.stop.decimals, mostTerms: MOST_WALKED });
    }));
    return { ...walk, arithmetic: Object.fromEntries(arithmetic.map((name) => [name, written(name)])) };
  }

  // Computes every matrix anew, and says how far that is from what the core has computed.
  check() {
    const { core } = this.stop;
    let [most, where] = [0, ""];
    for (const [name, rows] of Object.entries(core)) {
      const share = farthest(rows, this.layer.forward.rows(name) ?? []);
      if (!(share <= most)) [most, where] = [share, name];
    }
    const count = `${Object.keys(core).length} matrices`;
    const isClose = most <= (this.single ? AGREES_IN_SINGLE : AGREES);
    this.checked.classList.toggle("is-wrong", !isClose);
    if (!isClose) return `This browser computes other numbers than the explorer did: ${where} differs by ${fourDigits(most)} of its largest number. Trust those of the explorer.`;
    const size = most === 0 ? "to the last digit" : `to ${Math.floor(-Math.log10(most))} digits`;
    return `Checked: this page computed all ${count} anew. They agree with those of the explorer's core, which it carries, ${size}.`;
  }
}

// A stop whose layer is too large for such a page.
class WordsAlone {
  constructor({ sentence, left_out }) {
    this.element = html("div", { class: "stop" }, ...wordsOf(sentence), html("p", {}, left_out));
  }

  show() {}
  remove() {}
  followTheme() {}
}

function wordsOf(sentence) {
  return sentence ? [html("p", { class: "sentence" }, sentence)] : [];
}

// Where a picture stands, and below it what is said of a number.
class Place {
  constructor(stop, picture) {
    Object.assign(this, { stop, picture });
    const holder = html("div", { class: "picture" });
    this.panel = html("section", { class: "plot-where-from", "aria-label": "Where this number comes from", hidden: "" });
    this.element = html("div", {}, holder, this.panel);
    this.plot = new Plot(holder, { readTheme: () => stop.theme.now });
    this.plot.take({ entries: stop.entries, live: stop.live });
    this.plot.report = (cell) => this.pick({ ...cellOf(cell.matrix), row: cell.row, column: cell.column });
    this.plot.closeExplained = () => this.close();
    this.panel.addEventListener("click", ({ target }) => this.press(target.closest("button")));
    this.panel.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
    this.stopFollowing = stop.live.follow(this);
    stop.add(this);
  }

  show() { this.plot.show(this.stop.withNumbers(this.picture)); }

  remove() {
    this.stopFollowing();
    this.plot.remove();
  }

  say(said) {
    if (typeof said === "string") return; // of a drag: it stands below the picture
    this.said = said;
    this.panel.hidden = !said;
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.innerHTML = said ? said.html : "";
    if (hadFocus) this.panel.querySelector("h3")?.focus({ preventScroll: true });
  }

  showLive() { this.said?.follow(this.panel, this.stop.live); }

  // Who picks a given number means to change it: the page stays where it is.
  pick(cell) {
    this.stop.explain(this, cell);
    if (!this.said.isGiven) this.panel.scrollIntoView({ block: "nearest" });
  }

  press(pressed) {
    if (!pressed) return;
    const { matrix, row, column } = pressed.dataset;
    if (!matrix) return void this.close();
    const cell = { ...cellOf(matrix), row: Number(row), column: Number(column) };
    this.stop.explain(this, cell, this.said.trailTo(cell));
    this.panel.scrollIntoView({ block: "nearest" });
  }

  close() {
    if (this.panel.hidden) return false;
    this.stop.explain(this, null);
    return true;
  }
}

// One operation after the other.
class Walk {
  constructor(stop, screens) {
    Object.assign(this, { stop, screens, at: 0 });
    this.list = html("select", { "aria-label": "Operation" });
    setOptions(this.list, screens.map(({ title }, i) => [String(i), `${i + 1}. ${title}`]));
    this.list.onchange = () => this.show(Number(this.list.value));
    this.heads = html("select", { "aria-label": "Head" });
    this.heads.onchange = () => this.show(this.at);
    this.back = button("Back", () => this.show(this.at - 1));
    this.next = button("Next", () => this.show(this.at + 1));
    this.title = html("h3", {});
    this.why = html("p", {});
    this.formula = html("div", { class: "formula-of-step", tabindex: "0", role: "group", "aria-label": "Formula" });
    this.shapes = html("p", { class: "caption" });
    this.place = new Place(stop, this.picture);
    const bar = html("div", { class: "bar" }, this.back, this.list, this.next, this.heads);
    for (const way of [this.back, this.list, this.next]) way.hidden = screens.length < 2;
    const words = [this.title, this.why, this.formula, this.shapes];
    this.element = html("section", {}, html("h2", {}, "One operation after the other"), bar, ...words, this.place.element);
    this.onward = () => this.at < screens.length - 1 && this.show(this.at + 1);
    window.addEventListener(WALKED, this.onward);
    this.write();
  }

  get screen() { return this.screens[this.at]; }

  get head() { return Math.min(Number(this.heads.value) || 0, this.screen.pictures.length - 1); }

  get picture() { return this.screen.pictures[this.head]; }

  show(at) {
    this.at = at;
    this.write();
    this.place.close();
    this.place.picture = this.picture;
    this.place.show();
  }

  write() {
    const { title, why, formulas, pictures } = this.screen;
    this.list.value = String(this.at);
    setOptions(this.heads, pictures.map((_, i) => [String(i), `Head ${i + 1}`]));
    this.heads.hidden = pictures.length < 2;
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at === this.screens.length - 1;
    this.title.textContent = title;
    this.why.textContent = why;
    this.formula.innerHTML = formulas.join("");
    this.formula.hidden = !formulas.length;
    this.shapes.textContent = this.picture.shapes;
  }

  remove() { window.removeEventListener(WALKED, this.onward); }
}

// Light or dark: as the system is, until a person chooses.
class PageTheme {
  constructor(whenChanged) {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.isDark = system.matches;
    system.addEventListener("change", ({ matches }) => this.become(matches));
    this.whenChanged = () => {};
    this.become(this.isDark);
    this.whenChanged = whenChanged;
  }

  get now() { return { ...(this.isDark ? DARK : LIGHT), font: FONT }; }

  turn() { this.become(!this.isDark); }

  become(isDark) {
    this.isDark = isDark;
    const root = document.documentElement;
    root.style.colorScheme = isDark ? "dark" : "light";
    for (const name of ["paper", "field", "text", "primary", "link", "border", "wrong"]) {
      root.style.setProperty(`--${name}`, this.now[name]);
    }
    this.whenChanged();
  }
}

function howToUse(hasGiven) {
  const press = "Press any number to see where it comes from.";
  if (!hasGiven) return press;
  return `${isTouched() ? "Tap a framed number twice to change it" : "Drag a framed number, or click it twice and type"}. ${press}`;
}

// A matrix by its name in pictures.
function cellOf(matrix) {
  const [step, head] = matrix.split("/");
  return { step, head: head === undefined ? null : Number(head) };
}

function inPlace(rows, transposed) {
  return transposed ? Array.from(rows[0], (_, j) => Float64Array.from(rows, (row) => row[j])) : rows;
}

// How far two matrices are from each other, as a share of the largest number.
function farthest(rows, others) {
  let [largest, most] = [0, 0];
  rows.forEach((row, i) => row.forEach((number, j) => {
    if (!Number.isFinite(number)) return; // hidden, or lost in the softmax
    largest = Math.max(largest, Math.abs(number));
    const gap = Math.abs(number - (others[i]?.[j] ?? NaN));
    if (!(gap <= most)) most = gap;
  }));
  return most === 0 ? 0 : most / largest;
}
