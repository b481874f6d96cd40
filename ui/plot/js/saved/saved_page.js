// A page that was saved to disk: the pictures, the walkthrough and the words on a number, without a
// server. The only file that knows such a page; ui/saved/page.py writes it.

import { button, html, setOptions } from "../dom.js";
import { say } from "../language.js";
import { SavedStop, WordsAlone } from "./saved_stop.js";
import { FONT, SavedTheme } from "./saved_theme.js";
import { unpack } from "../wire.js";

start();

async function start() {
  const packed = document.getElementById("packed")?.textContent ?? "";
  const zipped = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = unpack(new Uint8Array(await new Response(stream).arrayBuffer()));
  await Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} 14px ${FONT}`))); // for the canvas
  new SavedPage(document.querySelector("main"), page);
}

class SavedPage {
  /** @type {any} */
  stop = null; // the one that is shown

  constructor(main, { title, link, home, stops }) {
    this.stops = stops;
    this.theme = new SavedTheme(() => this.stop.followTheme());
    this.place = html("div", {});
    const bar = html("div", { class: "bar" }, ...this.makeBar(link, home));
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

  makeBar(link, home) {
    const own = [button(say("Light or dark"), () => this.theme.turn())];
    if (link) own.push(html("a", { href: link }, say("Open in the explorer")));
    if (home) own.push(html("a", { href: home }, say("All pages")));
    if (this.stops.length < 2) return own;
    this.list = html("select", { "aria-label": say("Stop") });
    setOptions(this.list, this.stops.map(({ title, sentence }, i) => [String(i), `${i + 1}. ${sentence || title}`]));
    this.list.onchange = () => this.go(Number(this.list.value));
    this.before = button(say("Back"), () => this.go(this.at - 1));
    this.after = button(say("Next"), () => this.go(this.at + 1));
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
    this.stop = this.stops[at].left_out ? new WordsAlone(this.stops[at]) : new SavedStop(this.stops[at], this.theme);
    this.place.replaceChildren(this.stop.element);
    this.stop.show();
    if (!this.list) return;
    this.list.value = String(at);
    this.before.disabled = at === 0;
    this.after.disabled = at === this.stops.length - 1;
  }
}
