// One scenario of a saved page: its pictures share what is entered and what moves.

import { button, html, isTouched } from "../dom.js";
import { Entries } from "../entering/entries.js";
import { say } from "../language.js";
import { Live } from "../live/live.js";
import { NO_OUTLINE } from "../plot.js";
import { SavedLayer } from "./saved_layer.js";
import { SavedNumbers } from "./saved_numbers.js";
import { SavedPlace } from "./saved_place.js";
import { SavedWalk } from "./saved_walk.js";
import { Explained } from "./saved_words.js";

const CHANGED_HERE = say("You have changed numbers: this page computes all that follows from them.");

export class SavedStop {
  /** @type {{place: any, cell: any, trail: any[]} | null} */
  #cell = null; // the number that is explained, and the place below whose picture that is said
  /** @type {SavedPlace[]} */
  #shown = []; // the places of its pictures

  constructor(stop, theme) {
    this.stop = stop;
    this.theme = theme;
    const { words } = stop.facts;
    this.layer = new SavedLayer(stop.inputs, (matrix) => words[matrix]?.symbol ?? matrix);
    this.numbers = new SavedNumbers(stop, this.layer);
    this.agreement = this.numbers.check();
    this.checked = html("p", { class: this.agreement.isClose ? "checked" : "checked is-wrong", role: "status" });
    this.entries = new Entries();
    this.live = new Live(this.entries);
    this.undo = button(say("Undo"), () => this.change(() => this.layer.undo()));
    this.again = button(say("As it was saved"), () => this.change(() => this.layer.asSaved()));
    this.element = html("div", { class: "stop" }, ...this.makeParts());
  }

  // ---- its parts ----

  makeParts() {
    const { configuration, parts, screens } = this.stop;
    const pictured = [...parts, ...screens.flatMap((screen) => screen.pictures)];
    const hasGiven = pictured.some(({ figure }) => figure.matrices.some(({ given }) => given));
    const how = html("p", { class: "how" }, `${configuration}. ${howToUse(hasGiven)}`);
    const back = html("div", { class: "bar" }, this.undo, this.again);
    const pictures = parts.map((part) => this.makePart(part));
    const walk = screens.length ? [this.makeWalk(screens)] : [];
    return [...wordsOf(this.stop.sentence), how, back, this.checked, ...pictures, ...walk];
  }

  makePart(part) {
    const place = new SavedPlace(this, part);
    const caption = html("p", { class: "caption" }, part.caption);
    return html("section", {}, html("h2", {}, part.title), caption, place.element);
  }

  makeWalk(screens) {
    this.walk = new SavedWalk(this, screens);
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

  // The pictures get an answer as from a server: a moment after something was entered.
  hear({ withInputs = false } = {}) {
    const said = this.layer.said({ withInputs });
    this.entries.hear(said, (waiting) => queueMicrotask(() => this.change(() => this.layer.enter(waiting))));
    this.live.hear(said, () => queueMicrotask(() => this.hear({ withInputs: true })));
    this.checked.textContent = this.layer.isChanged ? CHANGED_HERE : this.agreement.words;
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
    const said = cell && new Explained(this.numbers.derivations, cell, this.stop.decimals, trail);
    this.#cell = cell && { place, cell, trail };
    for (const each of this.#shown) {
      each.say(each === place && said ? said : null);
      each.plot.outline(said ? said.outline : NO_OUTLINE);
    }
  }
}

// A stop whose layer is too large for such a page.
export class WordsAlone {
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

function howToUse(hasGiven) {
  const press = say("Press any number to see where it comes from.");
  if (!hasGiven) return press;
  const touched = say("Tap a framed number twice to change it.");
  const change = isTouched() ? touched : say("Drag a framed number, or click it twice and type.");
  return `${change} ${press}`;
}
