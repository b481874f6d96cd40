// One scenario of a saved page: its words, its pictures and its walkthrough.

import { button, html, isTouched, onceIdle } from "../dom.js";
import { say } from "../language.js";
import { SavedLayer } from "./saved_layer.js";
import { inPlace, SavedNumbers } from "./saved_numbers.js";
import { SavedPlace } from "./saved_place.js";
import { SavedWalk } from "./saved_walk.js";
import { SavedWork } from "./saved_work.js";

const CHANGED_HERE = say("You have changed numbers: this page computes all that follows from them.");

export class SavedStop extends SavedWork {
  // `unpackWalk` gives the screens of its walkthrough, if it has one.
  constructor(stop, theme, unpackWalk) {
    const { words } = stop.facts;
    const layer = new SavedLayer(stop.inputs, (matrix) => words[matrix]?.symbol ?? matrix);
    super(theme, layer, new SavedNumbers(stop, layer));
    this.stop = stop;
    this.agreement = this.numbers.check();
    this.checked = html("p", { class: this.agreement.isClose ? "checked" : "checked is-wrong", role: "status" });
    this.again = button(say("As it was saved"), () => this.change(() => this.layer.asSaved()));
    this.unpackWalk = unpackWalk;
    this.element = html("div", { class: "stop" }, ...this.makeParts());
  }

  makeParts() {
    const { configuration, parts, has_given } = this.stop;
    const how = html("p", { class: "how" }, `${configuration}. ${howToUse(has_given)}`);
    const back = html("div", { class: "bar" }, this.undo, this.again);
    const pictures = parts.map((part) => this.makePart(part));
    return [...wordsOf(this.stop.sentence), how, back, this.checked, ...pictures];
  }

  makePart(part) {
    const place = new SavedPlace(this, part);
    const caption = html("p", { class: "caption" }, part.caption);
    return html("section", {}, html("h2", {}, part.title), caption, place.element);
  }

  show() {
    super.show();
    if (!this.stop.has_walk) return;
    if (this.stop.parts.length) onceIdle(() => this.showWalk())();
    else this.showWalk(); // there is nothing else to see
  }

  async showWalk() {
    const screens = await this.unpackWalk();
    if (!this.element.isConnected) return;
    this.walk = new SavedWalk(this, screens);
    this.element.append(this.walk.element);
    this.walk.place.show();
    this.hear();
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

// Those of the core, which such a page carries.
class StillNumbers extends SavedNumbers {
  knows() { return false; }

  withItsNumbers(matrix) { return { ...matrix, values: inPlace(this.stop.core[matrix.name], matrix.transposed) }; }
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
