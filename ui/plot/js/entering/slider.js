// A slider for a number of the scenario that stands in no cell, such as the scale of the scores. While
// it moves, every picture follows. When it is let go, its number is an entry like a typed one.

import { html } from "../dom.js";
import { say } from "../language.js";
import { withMinus } from "../numbers/numbers.js";
import { Player } from "../hand/play.js";
import { dress } from "../theme.js";
import { opener } from "../around/tools.js";

const PLACES = 1000; // of the thumb
const DIGITS_OF_TRACK = 3; // of a number that is dragged
const SAYS_NONE = say("none");
const NONE = "none"; // at the right end of a slider that may switch its number off

export class Slider {
  #isMoving = false;
  #isKeyDown = false;
  #whenEnded = () => {};
  stopFollowing = () => {}; // what is entered and what moves

  // `readTheme` gives the theme at an element.
  constructor(parent, readTheme) {
    this.readTheme = readTheme;
    this.track = html("input", { type: "range", class: "plot-track", min: 0, max: PLACES, step: 1 });
    this.output = html("output", { class: "plot-track-number" });
    this.player = new Player(() => this.toPlay());
    this.openPlayer = opener(say("Play"), this.player.element, () => this.player.open(), () => this.player.stop());
    this.note = html("p", { class: "plot-live-note", role: "status" });
    const row = html("div", { class: "plot-track-row" }, this.track, this.output, this.openPlayer);
    this.root = html("div", { class: "plot-slider plot-tools" }, row, this.player.element, this.note);
    parent.append(this.root);
    this.listen();
  }

  listen() {
    const on = (type, act) => this.track.addEventListener(type, act);
    on("input", () => this.moveTo(numberAtPlace(Number(this.track.value), this.said)));
    // A key that is held changes the number many times. It is one entry, made when the key goes up.
    on("change", () => this.#isKeyDown || this.end({ keeps: true }));
    on("keydown", (event) => this.press(event));
    on("keyup", () => this.release());
    on("blur", () => this.release());
  }

  // `said` has the name of the entry, a label, the present value (null where it is switched off), the
  // ends of the slider, whether equal ways are equal factors, and whether it may be switched off.
  show(said, { entries, live }) {
    this.said = said;
    dress(this.root, this.readTheme(this.root));
    if (this.live !== live) this.follow(entries, live);
    this.track.setAttribute("aria-label", say("{label}, slider", { label: said.label }));
    this.draw();
  }

  follow(entries, live) {
    this.stopFollowing();
    this.entries = entries;
    this.live = live;
    const stops = [entries.follow(() => this.draw()), live.follow(this)];
    this.stopFollowing = () => stops.forEach((stop) => stop());
  }

  remove() {
    this.player.stop();
    this.end({ keeps: false });
    this.stopFollowing();
    this.root.remove();
  }

  // ---- what live asks of those that follow it ----

  showLive() { this.draw(); }
  compare() {} // pictures compare
  say(words, name) { if (name === this.said.name) this.note.textContent = words; }

  // ---- the number ----

  get number() {
    if (this.#isMoving) return this.live.drag.number;
    const entered = this.entries.at(this.said, 0, 0);
    if (!entered) return this.said.value;
    return entered.text === NONE ? null : Number(entered.text);
  }

  draw() {
    const { number } = this;
    this.track.value = placeOfNumber(number, this.said);
    this.output.textContent = number === null ? SAYS_NONE : withMinus(String(Number(number.toPrecision(4))));
    this.track.setAttribute("aria-valuetext", this.output.textContent);
  }

  // ---- moving ----

  begin(whenEnded = () => {}) {
    this.live.endOther();
    this.#whenEnded = whenEnded;
    this.start = this.number;
    this.note.textContent = "";
    this.live.begin(this.cell, this.start, () => this.end({ keeps: false }));
    this.#isMoving = true;
  }

  get cell() { return { matrix: { name: this.said.name }, row: 0, column: 0 }; }

  moveTo(number) {
    if (this.player.isPlaying) this.player.stop();
    if (!this.#isMoving) this.begin();
    this.live.move(number);
    this.draw();
  }

  end({ keeps }) {
    if (!this.#isMoving) return;
    const { number } = this;
    this.#isMoving = false;
    this.#whenEnded();
    if (keeps && number !== this.start) {
      this.live.letGo(this.entries.enter(this.cell, number === null ? NONE : String(number)));
    } else this.live.cancel(this.start);
    this.draw();
  }

  press(event) {
    if (event.key === "Escape" && this.#isMoving) {
      event.stopPropagation();
      this.end({ keeps: false });
    } else this.#isKeyDown = true;
  }

  release() {
    if (!this.#isKeyDown) return;
    this.#isKeyDown = false;
    this.end({ keeps: true });
  }

  toPlay() {
    const { least, most, label: name } = this.said;
    return {
      ...{ name, from: least, to: most },
      begin: (whenEnded) => this.begin(whenEnded),
      swing: (number) => {
        this.live.move(Number(number.toPrecision(DIGITS_OF_TRACK)));
        this.draw();
      },
      end: () => this.end({ keeps: false }),
    };
  }
}

export function numberAtPlace(place, { least, most, by_factors, may_be_none }) {
  if (may_be_none && place === PLACES) return null;
  const share = place / PLACES;
  const number = by_factors ? least * (most / least) ** share : least + share * (most - least);
  return Number(number.toPrecision(DIGITS_OF_TRACK));
}

// A number beyond an end stands at the end.
export function placeOfNumber(number, { least, most, by_factors }) {
  if (number === null) return PLACES;
  const inside = Math.min(Math.max(number, least), most);
  const way = by_factors ? Math.log(inside / least) / Math.log(most / least) : (inside - least) / (most - least);
  return Math.round(PLACES * way);
}
