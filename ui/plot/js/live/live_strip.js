// The small pictures of the strip while a number is dragged: painted here as ui/figures/strip.py
// paints them. Each says which matrix it shows, and in which colours.

import { rgb } from "../board/colors.js";
import { html } from "../dom.js";

const MOST_CELLS = 12; // along a side; larger matrices are averaged
const PAUSE = 100; // ms from one time to the next: the pictures of the heads come first

export class LiveStrip {
  #painted = new Map(); // by picture: the canvas that stands in its place
  #waits = false;

  // It follows what is live in a group of plots.
  constructor(group, live) {
    this.group = group;
    this.live = live;
    live.follow(this);
  }

  say() {} // words are for the pictures that are large enough to look at

  showLive() {
    if (!this.live.isOn) return this.show();
    if (this.#waits) return;
    this.#waits = true;
    setTimeout(() => {
      this.#waits = false;
      this.show();
    }, PAUSE);
  }

  show() {
    for (const [picture, canvas] of this.#painted) {
      if (this.live.isOn && picture.isConnected) continue;
      canvas.remove();
      picture.hidden = false;
      this.#painted.delete(picture);
    }
    if (this.live.isOn) this.#pictures().forEach((picture) => this.#paint(picture));
  }

  #pictures() {
    return document.querySelectorAll(`.strip[data-group="${CSS.escape(this.group)}"] img[data-matrix]`);
  }

  #paint(picture) {
    const { matrix, colors } = picture.dataset;
    if (!this.live.hasMoved(matrix)) return;
    const cells = reduced(this.live.rows(matrix));
    const canvas = this.#painted.get(picture) ?? this.#putBeside(picture, cells);
    const image = new ImageData(pixelsOf(cells, colors.split(" ").map(rgb)), canvas.width);
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  #putBeside(picture, cells) {
    const { width, height } = picture.getBoundingClientRect();
    const style = `width: ${width}px; height: ${height}px`;
    const size = { width: cells[0].length, height: cells.length };
    const canvas = html("canvas", { "aria-hidden": "true", style, ...size });
    picture.after(canvas);
    picture.hidden = true;
    this.#painted.set(picture, canvas);
    return canvas;
  }
}

// At most so many cells along a side, each the mean of the cells it stands for.
export function reduced(rows, most = MOST_CELLS) {
  const narrow = rows.map((row) => parts(row, most).map(mean));
  return parts(narrow, most).map((part) => part[0].map((_, j) => mean(part.map((row) => row[j]))));
}

// Opacity for size, colour for sign: bytes as a canvas takes them.
export function pixelsOf(cells, [minus, plus]) {
  const numbers = cells.flat();
  const largest = Math.max(...numbers.map(Math.abs)) || 1;
  return Uint8ClampedArray.from(
    numbers.flatMap((number) => [...(number < 0 ? minus : plus), (255 * Math.abs(number)) / largest]),
  );
}

// Parts of a list, as equal in length as they can be, the longer ones first.
function parts(list, most) {
  const count = Math.min(list.length, most);
  const [least, longer] = [Math.floor(list.length / count), list.length % count];
  const start = (part) => part * least + Math.min(part, longer);
  return Array.from({ length: count }, (_, part) => list.slice(start(part), start(part + 1)));
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + (Number.isFinite(number) ? number : 0), 0) / numbers.length;
}
