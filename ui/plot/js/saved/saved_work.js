// What a person does with the pictures of a page without a server: they share what is entered and what moves.

import { button } from "../dom.js";
import { Entries } from "../entering/entries.js";
import { say } from "../language.js";
import { Live } from "../live/live.js";
import { NO_OUTLINE } from "../plot.js";
import { Explained } from "./saved_words.js";

export class SavedWork {
  /** @type {{place: any, cell: any, trail: any[]} | null} */
  #cell = null; // the number that is explained, and the place below whose picture that is said
  /** @type {import("./saved_place.js").SavedPlace[]} */
  #shown = []; // the places of its pictures

  // `layer` is a SavedLayer, `numbers` are SavedNumbers of it.
  constructor(theme, layer, numbers) {
    this.theme = theme;
    this.layer = layer;
    this.numbers = numbers;
    this.entries = new Entries();
    this.live = new Live(this.entries);
    this.undo = button(say("Undo"), () => this.change(() => this.layer.undo()));
  }

  // Says beside the pictures what has become of the numbers.
  tell() {}

  // Once it stands in the document: a picture is as wide as its place.
  show() {
    this.hear();
    for (const place of this.#shown) place.show();
  }

  add(place) { this.#shown.push(place); }

  remove() {
    for (const place of this.#shown) place.remove();
  }

  followTheme() {
    for (const place of this.#shown) place.plot.followTheme();
  }

  // The pictures get an answer as from a server: a moment after something was entered.
  hear({ withInputs = false } = {}) {
    const said = this.layer.said({ withInputs });
    this.entries.hear(said, (waiting) => queueMicrotask(() => this.change(() => this.layer.enter(waiting))));
    this.live.hear(said, () => queueMicrotask(() => this.hear({ withInputs: true })));
    this.undo.disabled = !this.layer.canUndo;
    this.tell();
  }

  change(act) {
    const before = this.layer.version;
    act();
    if (this.layer.version !== before) for (const place of this.#shown) place.show();
    this.hear();
    if (this.#cell) this.explain(this.#cell.place, this.#cell.cell, this.#cell.trail);
  }

  // Says where a number comes from, if that is known; of none, it says nothing.
  explain(place, asked, trail = []) {
    const cell = asked && this.numbers.knows(asked) ? asked : null;
    const said = cell && new Explained(this.numbers.derivations, cell, this.numbers.stop.decimals, trail);
    this.#cell = cell && { place, cell, trail };
    for (const each of this.#shown) {
      each.say(each === place && said ? said : null);
      each.plot.outline(said ? said.outline : NO_OUTLINE);
    }
  }
}
