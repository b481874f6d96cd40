// Pictures and numbers that leave the page: files, and the clipboard.

import { numbersIn, paintCells } from "../drawing/cells.js";
import { html, setAll, svg } from "../dom.js";
import { inkOf, rangesOf, windowOf } from "../drawing/ink.js";
import { say } from "../language.js";
import { DARK, LIGHT } from "../theme.js";

// The grounds that a saved picture may have. Without paper the ground is transparent.
export const GROUNDS = {
  light: { name: say("Light"), theme: LIGHT },
  dark: { name: say("Dark"), theme: DARK },
  "clear-light": { name: say("None, for light slides"), theme: { ...LIGHT, paper: null } },
  "clear-dark": { name: say("None, for dark slides"), theme: { ...DARK, paper: null } },
};

const MARGIN = 16; // pixels around the picture
const SHARP = 2; // dots a pixel, of the cells
const SLIDE = 2560; // pixels that a PNG is wide at least
const FITTED = { lengthAdjust: "spacingAndGlyphs" };

// A picture with all that is on screen, as a file. `host` is an element in the page, where texts can be
// measured.
export async function pictureFile(format, board, theme, host) {
  const [width, height] = [board.size.width + 2 * MARGIN, board.size.height + 2 * MARGIN];
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  if (theme.paper) picture.append(svg("rect", { width, height, fill: theme.paper }));
  const inside = svg("g", { transform: `translate(${MARGIN} ${MARGIN})` });
  inside.append(...cellsOf(board, theme), measuredInk(board, theme, host));
  inside.append(...numbersOf(board, theme));
  picture.append(inside);
  const type = { type: "image/svg+xml" };
  const file = new Blob([new XMLSerializer().serializeToString(picture)], type);
  return format === "svg" ? file : asPng(file, width, height, Math.max(2, SLIDE / width));
}

export function download(file, name) {
  const link = html("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

// A page from an unsafe address has no clipboard; there the browser copies what is selected.
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = html("textarea", { class: "plot-unseen", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error(say("this browser does not let the page copy"));
}

// The ink of the board. Its texts keep their lengths in whatever font they are shown.
function measuredInk(board, theme, host) {
  const look = { "font-family": theme.font, "font-size": 12, fill: theme.text };
  const ink = svg("svg", { class: "plot-ink", ...board.size, ...look });
  ink.append(...inkOf(board, theme, "hatch-saved"), ...rangesOf(board, theme, "hatch-saved"));
  host.append(ink);
  for (const text of ink.querySelectorAll("text")) {
    setAll(text, { textLength: text.getComputedTextLength(), ...FITTED });
  }
  ink.remove();
  return ink;
}

// An image of the cells of each matrix. On a transparent ground the lines between them are cut out.
function cellsOf(board, theme) {
  return board.matrices.map((matrix) => {
    const { x, y, w: width, h: height } = matrix;
    const canvas = html("canvas", { width: width * SHARP, height: height * SHARP });
    const pen = canvas.getContext("2d");
    pen.scale(SHARP, SHARP);
    pen.translate(-x, -y);
    paintCells(pen, matrix, board, theme);
    if (!theme.paper && matrix.lineWidth) {
      pen.globalCompositeOperation = "destination-out";
      pen.lineWidth = matrix.lineWidth;
      pen.stroke(new Path2D(matrix.linesPath()));
    }
    return svg("image", { x, y, width, height, href: canvas.toDataURL() });
  });
}

function numbersOf(board, theme) {
  const pen = html("canvas", {}).getContext("2d");
  return board.matrices.map((matrix) => {
    const size = board.textSize(matrix);
    pen.font = `${size}px ${theme.font}`;
    const texts = [...numbersIn(matrix, board, theme)].map(({ text, room, ...place }) =>
      svg("text", { ...place, textLength: room ?? pen.measureText(text).width, ...FITTED }, text));
    const look = { "font-size": size, "font-family": theme.font, "text-anchor": "middle" };
    const framed = windowOf(matrix);
    framed.append(svg("g", look, ...texts));
    return framed;
  });
}

async function asPng(file, width, height, scale) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  URL.revokeObjectURL(image.src);
  const canvas = html("canvas", { width: width * scale, height: height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
