// The sliders of a presentation, in a line below the picture: while one moves, the pictures follow.

import { html } from "../dom.js";
import { Slider } from "../entering/slider.js";

export class SliderStrip {
  #sliders = new Map(); // by name

  constructor(readTheme) {
    this.readTheme = readTheme;
    this.element = html("div", { class: "present-sliders", hidden: "" });
  }

  get isShown() { return !this.element.hidden; }

  toggle(isShown = !this.isShown) { this.element.hidden = !isShown; }

  // `said` is what the server says of each: see `Slider.show`. `shared` is where its number is entered.
  show(said, shared) {
    for (const each of said) this.#at(each).show(each, shared);
    for (const [name, slider] of this.#sliders) slider.root.parentElement.hidden = !said.some((each) => each.name === name);
  }

  #at({ name, label }) {
    if (!this.#sliders.has(name)) {
      const place = html("div", { class: "present-slider" }, html("span", { "aria-hidden": "true" }, label));
      this.element.append(place);
      this.#sliders.set(name, new Slider(place, this.readTheme));
    }
    return this.#sliders.get(name);
  }

  remove() {
    for (const slider of this.#sliders.values()) slider.remove();
  }
}
