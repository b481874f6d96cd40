// One scenario of a saved page: its words, its pictures and its walkthrough.

import { button, html, isTouched, onceIdle, onceShown } from "../dom.js";
import { say } from "../language.js";
import { SavedLayer } from "./saved_layer.js";
import { inPlace, SavedNumbers } from "./saved_numbers.js";
import { SavedPlace } from "./saved_place.js";
import { SavedWalk } from "./saved_walk.js";
import { SavedWork } from "./saved_work.js";

const CHANGED_HERE = say("You have changed numbers: this page computes all that follows from them.");

export class SavedStop extends SavedWork {
  warning = ""; // where this browser computes other numbers than the core

  // `unpackWalk` gives the screens of its walkthrough, if it has one.
  constructor(stop, theme, unpackWalk) {
    const { words } = stop.facts;
    const layer = new SavedLayer(stop.inputs, (matrix) => words[matrix]?.symbol ?? matrix);
    super(theme, layer, new SavedNumbers(stop, layer));
    this.stop = stop;
    this.news = html("p", { class: "news", role: "status" });
    this.checked = html("p", { class: "checked", hidden: "" });
    this.again = button(say("As it was saved"), () => this.change(() => this.layer.asSaved()));
    this.unpackWalk = unpackWalk;
    this.sections = stop.parts.map(sectionOf);
    this.element = html("div", { class: "stop" }, ...this.makeParts());
  }

  makeParts() {
    const { configuration, has_given } = this.stop;
    const how = html("p", { class: "how" }, `${configuration}. ${howToUse(has_given)}`);
    const back = html("div", { class: "bar" }, this.undo, this.again, this.news);
    return [...wordsOf(this.stop.sentence), how, back, ...this.sections, this.checked];
  }

  // What is in sight comes at once. The rest comes when that is on the screen, and the browser has nothing else to do:
  // it would take a processor from whoever paints the screen.
  show() {
    super.show();
    const { has_walk, parts } = this.stop;
    const acts = parts.map((_, i) => () => this.showPicture(i));
    acts.shift()?.(); // it sees itself whether it is in sight
    while (acts.length && this.isInSight(this.sections[parts.length - acts.length])) acts.shift()();
    if (has_walk) acts.push(() => this.showWalk());
    acts.push(() => this.check());
    if (!parts.length) acts.shift()(); // there is nothing else to see
    const goOn = onceIdle(() => {
      if (!this.element.isConnected) return;
      acts.shift()();
      if (acts.length) goOn();
    });
    onceShown(goOn);
  }

  isInSight(element) { return element.getBoundingClientRect().top < this.theme.frame.windowHeight; }

  showPicture(i) {
    const place = new SavedPlace(this, this.stop.parts[i]);
    this.sections[i].append(place.element);
    place.show();
  }

  async showWalk() {
    const screens = await this.unpackWalk();
    if (!this.element.isConnected) return;
    this.walk = new SavedWalk(this, screens);
    this.checked.before(this.walk.element);
    this.walk.place.show();
    this.hear();
  }

  // What a person has changed meanwhile does not count.
  check() {
    const { saved, nameOf, isChanged } = this.layer;
    const numbers = isChanged ? new SavedNumbers(this.stop, new SavedLayer(saved, nameOf)) : this.numbers;
    const { isClose, words } = numbers.check();
    if (!isClose) this.warning = words;
    this.checked.textContent = isClose ? words : "";
    this.checked.hidden = !isClose || words === "";
    this.tell();
  }

  tell() {
    const { isChanged } = this.layer;
    this.news.textContent = isChanged ? CHANGED_HERE : this.warning;
    this.news.classList.toggle("is-wrong", !isChanged && this.warning !== "");
    this.again.disabled = !isChanged;
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
    const pictures = stop.parts.map((part) => {
      const section = sectionOf(part);
      section.append(new SavedPlace(this, part).element);
      return section;
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

// Where a picture will stand, below its title.
function sectionOf({ title, caption }) {
  const words = caption ? [html("p", { class: "caption" }, caption)] : [];
  return html("section", {}, html("h2", {}, title), ...words);
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
