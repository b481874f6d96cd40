// Where a picture of a saved page stands, and below it the words on a number.

import { html } from "../dom.js";
import { say } from "../language.js";
import { Plot } from "../plot.js";
import { cellOf } from "./saved_numbers.js";

export class SavedPlace {
  constructor(stop, picture) {
    this.stop = stop;
    this.picture = picture;
    const holder = html("div", { class: "picture" });
    this.panel = html("section", { class: "plot-where-from", "aria-label": say("Where this number comes from"), hidden: "" });
    this.element = html("div", {}, holder, this.panel);
    const { theme } = stop;
    this.plot = new Plot(holder, { readTheme: () => theme.now, windowHeight: () => theme.frame.windowHeight });
    this.plot.take({ entries: stop.entries, live: stop.live });
    this.plot.report = (cell) => this.pick({ ...cellOf(cell.matrix), row: cell.row, column: cell.column });
    this.plot.closeExplained = () => this.close();
    this.panel.addEventListener("click", ({ target }) => this.press(target.closest("button")));
    this.panel.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
    this.stopFollowing = stop.live.follow(this);
    stop.add(this);
  }

  // Before it is drawn for the first time, nobody has told the picture whether it is in sight.
  show() {
    if (!this.plot.board) this.plot.isInView = this.element.getBoundingClientRect().top < this.plot.windowHeight();
    this.plot.show(this.stop.numbers.shownIn(this.picture));
  }

  remove() {
    this.stopFollowing();
    this.plot.remove();
  }

  say(said) {
    if (typeof said === "string") return; // of a drag: it stands below the picture
    this.said = said;
    this.panel.hidden = !said;
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.innerHTML = said ? said.html : "";
    if (hadFocus) this.panel.querySelector("h2")?.focus({ preventScroll: true });
  }

  showLive() { this.said?.follow(this.panel, this.stop.live); }

  // A person who picks a given number means to change it: the page stays where it is.
  pick(cell) {
    this.stop.explain(this, cell);
    if (this.said && !this.said.isGiven) this.panel.scrollIntoView({ block: "nearest" });
  }

  press(pressed) {
    if (!pressed) return;
    const { matrix, row, column } = pressed.dataset;
    if (!matrix) return void this.close();
    const cell = { ...cellOf(matrix), row: Number(row), column: Number(column) };
    this.stop.explain(this, cell, this.said.trailTo(cell));
    this.panel.scrollIntoView({ block: "nearest" });
  }

  close() {
    if (this.panel.hidden) return false;
    this.stop.explain(this, null);
    return true;
  }
}
