// One scenario of a saved page: its words, its pictures and its walkthrough.

import { button, html, isTouched } from "../dom.js";
import { say } from "../language.js";
import { SavedLayer } from "./saved_layer.js";
import { SavedNumbers } from "./saved_numbers.js";
import { SavedPlace } from "./saved_place.js";
import { SavedWalk } from "./saved_walk.js";
import { SavedWork } from "./saved_work.js";

const CHANGED_HERE = say("You have changed numbers: this page computes all that follows from them.");

export class SavedStop extends SavedWork {
  constructor(stop, theme) {
    const { words } = stop.facts;
    const layer = new SavedLayer(stop.inputs, (matrix) => words[matrix]?.symbol ?? matrix);
    super(theme, layer, new SavedNumbers(stop, layer));
    this.stop = stop;
    this.agreement = this.numbers.check();
    this.checked = html("p", { class: this.agreement.isClose ? "checked" : "checked is-wrong", role: "status" });
    this.again = button(say("As it was saved"), () => this.change(() => this.layer.asSaved()));
    this.element = html("div", { class: "stop" }, ...this.makeParts());
  }

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

  tell() {
    this.checked.textContent = this.layer.isChanged ? CHANGED_HERE : this.agreement.words;
    this.again.disabled = !this.layer.isChanged;
  }

  remove() {
    super.remove();
    this.walk?.remove();
  }
}

// A stop whose layer is too large for such a page: its words, and small pictures, which stand still.
export class StillStop extends SavedWork {
  constructor(stop, theme) {
    const layer = new StillLayer();
    super(theme, layer, new StillNumbers(stop, layer));
    const pictures = stop.parts.map(({ title, caption, ...picture }) => {
      const words = caption ? [html("p", { class: "caption" }, caption)] : [];
      return html("section", {}, html("h2", {}, title), ...words, new SavedPlace(this, picture).element);
    });
    this.element = html("div", { class: "stop" }, ...wordsOf(stop.sentence), html("p", {}, stop.left_out), ...pictures);
  }
}

class StillLayer {
  version = 1;
  taken = 0;
  refused = [];
  isChanged = false;
  canUndo = false;

  said() { return { version: 1, taken: 0, refused: [], is_open: true, inputs: null, why_not: "" }; }
  enter() { return false; }
  undo() {}
}

class StillNumbers extends SavedNumbers {
  knows() { return false; }
}

function wordsOf(sentence) {
  return sentence ? [html("p", { class: "sentence" }, sentence)] : [];
}

export function howToUse(hasGiven) {
  const press = say("Press any number to see where it comes from.");
  if (!hasGiven) return press;
  const touched = say("Tap a framed number twice to change it.");
  const change = isTouched() ? touched : say("Drag a framed number, or click it twice and type.");
  return `${change} ${press}`;
}
