// A page that was saved to disk: the pictures, the walkthrough and the words on a number, without a
// server. The only file that knows such a page; ui/saved/page.py writes it.

import { button, html, list } from "../dom.js";
import { say } from "../language.js";
import { isUndo, opened } from "./opened.js";
import { partOf } from "./parts.js";
import { SavedStop, StillStop } from "./saved_stop.js";

const PARTS = 2; // of each stop: itself, and its walkthrough

class SavedPage {
  /** @type {any} */
  stop = null; // the one that is shown

  constructor(main, { title, stops }, theme, ways) {
    this.stops = stops;
    this.theme = theme;
    this.place = html("div", {});
    const bar = html("div", { class: "bar" }, ...this.makeBar(ways));
    main.append(html("header", {}, html("h1", {}, title), bar), this.place);
    window.addEventListener("keydown", (event) => this.hear(event));
    window.addEventListener("hashchange", () => this.open(this.asked));
    theme.whenChanged = () => this.stop?.followTheme();
    this.open(this.asked);
  }

  // The stop that the address asks for.
  get asked() {
    const wanted = Number(location.hash.slice(1)) - 1;
    return this.stops[wanted] ? wanted : 0;
  }

  makeBar(ways) {
    if (this.stops.length < 2) return ways;
    const titles = this.stops.map(({ title, sentence }, i) => [String(i), `${i + 1}. ${sentence || title}`]);
    this.list = list(say("Stop"), titles, (at) => this.go(Number(at)));
    this.before = button(say("Back"), () => this.go(this.at - 1));
    this.after = button(say("Next"), () => this.go(this.at + 1));
    return [this.before, this.list, this.after, ...ways];
  }

  hear(event) {
    if (!isUndo(event)) return;
    event.preventDefault();
    this.stop?.undo.click();
  }

  go(at) { location.hash = at + 1; }

  async open(at) {
    this.at = at;
    this.tell();
    const stop = await partOf(1 + at * PARTS);
    if (this.at !== at) return; // a person has gone on
    this.stop?.remove();
    this.stop = stop.left_out ? new StillStop(stop, this.theme) : new SavedStop(stop, this.theme, () => partOf(2 + at * PARTS));
    this.place.replaceChildren(this.stop.element);
    this.stop.show();
  }

  tell() {
    if (!this.list) return;
    this.list.value = String(this.at);
    this.before.disabled = this.at === 0;
    this.after.disabled = this.at === this.stops.length - 1;
  }
}

opened((main, page, theme, ways) => new SavedPage(main, page, theme, ways));
