// The walkthrough of a saved page: one operation after the other.

import { button, html, list, setOptions } from "../dom.js";
import { say } from "../language.js";
import { SavedPlace } from "./saved_place.js";
import { WALKED } from "../hand/walk.js";

export class SavedWalk {
  at = 0; // the number of the operation

  constructor(stop, screens) {
    this.screens = screens;
    const titles = screens.map(({ title }, i) => [String(i), `${i + 1}. ${title}`]);
    this.list = list(say("Operation"), titles, (at) => this.show(Number(at)));
    this.heads = list(say("Head"), [], () => this.show(this.at));
    this.back = button(say("Back"), () => this.show(this.at - 1));
    this.next = button(say("Next"), () => this.show(this.at + 1));
    this.title = html("h3", {});
    this.why = html("p", {});
    this.formula = html("div", { class: "formula-of-step", tabindex: "0", role: "group", "aria-label": say("Formula") });
    this.shapes = html("p", { class: "caption" });
    this.place = new SavedPlace(stop, this.picture);
    const bar = html("div", { class: "bar" }, this.back, this.list, this.next, this.heads);
    for (const way of [this.back, this.list, this.next]) way.hidden = screens.length < 2;
    const words = [this.title, this.why, this.formula, this.shapes];
    this.element = html("section", {}, html("h2", {}, say("One operation after the other")), bar, ...words, this.place.element);
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
    setOptions(this.heads, pictures.map((_, i) => [String(i), say("Head {head}", { head: i + 1 })]));
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
