// The pictures that are presented beside each other, most often only one. Each has its own place below its
// caption. They share the spotlight.

import { html } from "../dom.js";
import { Spotlight } from "../drawing/spotlight.js";
import { Labels } from "../labels/labels.js";
import { Plot } from "../plot.js";
import { roomOfRowLabels, withoutRowLabels } from "./on_screen.js";
import { stays } from "../stays.js";

export class Sides {
  spotlight = new Spotlight();
  /** @type {Side[]} */
  all = [];
  /** @type {Side | null} */
  used = null; // the one in which somebody has worked last

  /** @type {(plot: Plot, place: number, picture: any) => void} */
  prepare = () => {}; // is told of each plot that gets another picture, before it is drawn

  constructor(parent, readTheme) {
    this.parent = parent;
    this.readTheme = readTheme;
    this.spotlight.kind = stays.light;
  }

  get plots() { return this.all.map(({ plot }) => plot); }
  get plot() { return (this.used ?? this.all[0]).plot; }

  // `pictures` are as `Plot.show` takes them, each with its caption. Returns whether any is new.
  take(pictures) {
    while (this.all.length > pictures.length) this.all.pop()?.remove();
    while (this.all.length < pictures.length) this.all.push(new Side(this));
    if (this.used && !this.all.includes(this.used)) this.used = null;
    const others = this.all.filter((side, i) => side.take(pictures[i]));
    for (const side of others) this.prepare(side.plot, this.all.indexOf(side), side.picture);
    return others.length > 0;
  }

  // Each as large as its place allows, all alike. `asked` says which heads. The labels of rows are said
  // once, where all have the same and stand side by side.
  fit(asked, isNew) {
    const [first] = this.all;
    const labelled = first.picture.figure;
    const isSaidOnce = this.parent.clientWidth > this.parent.clientHeight && this.all.every(({ picture }) => haveSameRows(picture.figure, labelled));
    first.element.style.flexBasis = isSaidOnce ? `${asked.zoom * roomOfRowLabels(labelled)}px` : "";
    for (const side of this.all) {
      const { plot, room } = side;
      const picture = isSaidOnce && side !== first ? side.withoutRowLabels() : side.picture;
      const beside = this.all.filter((other) => other !== side).map((other) => other.picture.figure);
      const screen = { width: room.clientWidth, height: room.clientHeight, ...asked, beside };
      const isSame = whatIsAsked(screen) === whatIsAsked(plot.screen);
      const isOther = isNew || picture.figure !== plot.figure;
      if (!screen.width || !screen.height || (isSame && !isOther)) continue;
      plot.screen = screen;
      if (isOther) plot.show(picture);
      else plot.draw();
      const { size, zoom } = plot.board;
      Object.assign(plot.scroll.style, { width: `${size.width * zoom}px`, height: `${size.height * zoom}px` });
    }
  }

  remove() {
    for (const side of this.all) side.remove();
  }
}

class Side {
  /** @type {any} */
  picture = null;
  /** @type {any} */
  bare = null; // the same without the labels of its rows, once that was asked for

  constructor(sides) {
    this.caption = html("h2", { class: "present-caption" });
    this.room = html("div", { class: "present-room" });
    this.element = html("div", { class: "present-side" }, this.caption, this.room);
    for (const type of ["pointerenter", "focusin"]) this.element.addEventListener(type, () => { sides.used = this; });
    sides.parent.append(this.element);
    this.plot = new Plot(this.room, { readTheme: sides.readTheme, Labels });
    this.plot.spotlight = sides.spotlight;
  }

  withoutRowLabels() {
    return (this.bare ??= { ...this.picture, figure: withoutRowLabels(this.picture.figure) });
  }

  // Whether it is another picture.
  take(picture) {
    const isNew = picture !== this.picture;
    if (isNew) this.bare = null;
    this.picture = picture;
    this.caption.textContent = this.caption.title = picture.caption;
    this.plot.reordered = picture.reordered;
    return isNew;
  }

  remove() {
    this.plot.remove();
    this.element.remove();
  }
}

function haveSameRows({ matrices: [one] }, { matrices: [other] }) {
  return String(one.row_labels) === String(other.row_labels);
}

// As text, to be compared: the figures that stand beside another one are new where that is.
function whatIsAsked(screen) {
  return JSON.stringify({ ...screen, beside: null });
}
