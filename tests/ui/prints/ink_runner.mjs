// Draws figures as the page does, without a page: what stands where, as JSON, one line a figure.

import { createInterface } from "node:readline";

import { Board } from "../../../ui/plot/js/board/board.js";
import { numbersIn } from "../../../ui/plot/js/drawing/cells.js";
import { Colors } from "../../../ui/plot/js/board/colors.js";
import { inkOf, rangesOf } from "../../../ui/plot/js/drawing/ink.js";
import { DARK, LIGHT } from "../../../ui/plot/js/theme.js";
import { unpack } from "../../../ui/plot/js/wire.js";

class Element {
  constructor(tag) { Object.assign(this, { tag, attributes: {}, children: [] }); }
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...children) { this.children.push(...children); }
}
globalThis.document = { createElementNS: (_, tag) => new Element(tag) };

for await (const line of createInterface({ input: process.stdin })) {
  const { packed, room, isDark } = JSON.parse(line);
  const figure = unpack(new Uint8Array(Buffer.from(packed, "base64")));
  console.log(JSON.stringify(drawn(new Board(figure, ...room), isDark ? DARK : LIGHT)));
}

function drawn(board, theme) {
  const ink = [...inkOf(board, theme, "hatch"), ...rangesOf(board, theme, "hatch")].flatMap(flat);
  return {
    cell: board.size.cell,
    texts: ink.filter(({ tag }) => tag === "text").map(({ attributes, children }) => ({ ...attributes, text: children.join("") })),
    bands: ink.filter(({ tag, attributes }) => tag === "rect" && attributes.rx === 1.5).map(({ attributes }) => attributes),
    matrices: board.matrices.map((matrix) => matrixOf(matrix, board, theme)),
  };
}

function matrixOf(matrix, board, theme) {
  const { x, y, w, h } = matrix;
  const colors = new Colors(board.shades(matrix.sent.scale, theme.isDark), matrix, theme.paper, theme.lost);
  const dots = matrix.dots().map((row) => Array.from(row, (value) => (Number.isNaN(value) ? "" : rgbOf(colors.css(value)))));
  return { x, y, w, h, dots, size: board.textSize(matrix), numbers: [...numbersIn(matrix, board, theme)] };
}

// Hatches come as patterns, which hold rectangles of their own.
function flat(element) {
  if (["defs", "linearGradient"].includes(element.tag)) return [];
  return [element, ...element.children.filter((child) => child instanceof Element).flatMap(flat)];
}

function rgbOf(css) { return css.match(/\d+/g).map(Number); }
