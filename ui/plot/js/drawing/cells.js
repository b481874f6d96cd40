// Cells and their numbers, painted on a canvas: as SVG, four thousand of them took longer than all
// the rest.

import { Colors } from "../board/colors.js";
import { html } from "../dom.js";
import { widthOf } from "../numbers/numbers.js";

const FEW = 1024; // cells
const LARGE = 1.5; // heights of the window
const ROUNDING = 1e-6; // pixels
const LOOK = { class: "plot-ink", "aria-hidden": "true" };
/** @type {any} */
let texturePen = null;

// What a board has inside its matrices, on a canvas as large as the board. The browser copies all of a
// canvas after each paint. So if a board is larger than the window, what moves is painted on a second
// canvas, which lies over the first and is only as large as what moves.
export class Cells {
  canvas = html("canvas", LOOK);
  /** @type {HTMLCanvasElement | null} */
  over = null;

  paint(board, theme) {
    this.over?.remove();
    this.over = null;
    const { width: w, height: h } = board.size;
    const pen = penOn(this.canvas, { x: 0, y: 0, w, h }, board.zoom);
    for (const matrix of board.matrices) paintMatrix(pen, matrix, board, theme);
  }

  // Some matrices anew, with the numbers that they have now.
  repaint(matrices, board, theme) {
    if (!matrices.length) return;
    const liesOver = this.over || (isLarge(board) && theme.paper); // also where the window grew meanwhile
    const pen = liesOver ? this.penOver(matrices, board) : this.canvas.getContext("2d");
    for (const matrix of matrices) {
      pen.clearRect(matrix.x, matrix.y, matrix.w, matrix.h);
      if (this.over) fillWith(pen, theme.paper, matrix); // what hidden cells had before lies below
      paintMatrix(pen, matrix, board, theme);
    }
  }

  penOver(matrices, board) {
    const over = (this.over ??= html("canvas", LOOK));
    if (!over.isConnected) this.canvas.after(over);
    const box = boxAround(matrices);
    const { x: left, y: top, w: width, h: height } = box;
    for (const [name, size] of Object.entries({ left, top, width, height })) over.style[name] = `${size}px`;
    return penOn(over, box, board.zoom);
  }
}

const isLarge = ({ size, zoom }) => size.height * zoom > LARGE * window.innerHeight;

// In whole pixels, so that a number is as sharp as on the other canvas.
function boxAround(matrices) {
  const [x, y] = ["x", "y"].map((from) => Math.floor(Math.min(...matrices.map((each) => each[from]))));
  const right = Math.ceil(Math.max(...matrices.map((each) => each.x + each.w)));
  const bottom = Math.ceil(Math.max(...matrices.map((each) => each.y + each.h)));
  return { x, y, w: right - x, h: bottom - y };
}

// A pen for this part of the board, on the emptied canvas.
function penOn(canvas, { x, y, w, h }, zoom) {
  const sharp = window.devicePixelRatio * zoom;
  canvas.width = Math.round(w * sharp);
  canvas.height = Math.round(h * sharp);
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  pen.translate(-x, -y);
  pen.textAlign = "center";
  return pen;
}

function fillWith(pen, color, { x, y, w, h }) {
  pen.fillStyle = color;
  pen.fillRect(x, y, w, h);
}

function paintMatrix(pen, matrix, board, theme) {
  pen.save();
  pen.beginPath();
  pen.rect(matrix.x, matrix.y, matrix.w, matrix.h);
  pen.clip();
  paintCells(pen, matrix, board, theme);
  if (board.textSize(matrix)) paintNumbers(pen, matrix, board, theme);
  pen.restore();
}

// Where there are none, the pen gets no font: for a font the browser styles the whole page first.
function paintNumbers(pen, matrix, board, theme) {
  pen.font = `${board.textSize(matrix)}px ${theme.font}`;
  for (const { text, x, y, fill, room } of numbersIn(matrix, board, theme)) {
    pen.fillStyle = fill;
    pen.fillText(text, x, y, room);
  }
}

// A pixel for each dot, stretched to where the dots are. A few cells are faster as rectangles.
export function paintCells(pen, matrix, board, theme) {
  const colors = colorsOf(matrix, board, theme);
  const dots = matrix.dots();
  const hasLines = matrix.lineWidth && theme.paper; // which cover where rectangles meet
  if (hasLines && dots.length * dots[0].length <= FEW) {
    return paintRectangles(pen, matrix, colors);
  }
  const [width, height] = [dots[0].length, dots.length];
  const picture = new ImageData(width, height);
  const pixels = new Uint32Array(picture.data.buffer);
  dots.forEach((row, i) => colors.fill(pixels, i * width, row));
  const texture = textureFor(width, height);
  texture.putImageData(picture, 0, 0);
  const across = width * matrix.dotColumns * matrix.cellWidth;
  const down = height * matrix.dotRows * matrix.cellHeight;
  pen.imageSmoothingEnabled = false;
  pen.drawImage(texture.canvas, 0, 0, width, height, matrix.left(0), matrix.top(0), across, down);
}

// A canvas of at least this size to put pixels on, the same for all: a new one takes long to make.
function textureFor(width, height) {
  const { canvas } = (texturePen ??= new OffscreenCanvas(width, height).getContext("2d"));
  if (canvas.width < width) canvas.width = width;
  if (canvas.height < height) canvas.height = height;
  return texturePen;
}

function paintRectangles(pen, matrix, colors) {
  const columns = matrix.columnsInView();
  for (const row of matrix.rowsInView()) {
    for (const column of columns) {
      const fill = colors.css(matrix.shade(row, column));
      if (!fill) continue;
      pen.fillStyle = fill;
      pen.fillRect(matrix.left(column), matrix.top(row), matrix.cellWidth, matrix.cellHeight);
    }
  }
}

// What is written into the cells in view, if it fits. A number with a `room` is squeezed into it.
export function* numbersIn(matrix, board, theme) {
  const size = board.textSize(matrix);
  if (!size) return;
  const colors = colorsOf(matrix, board, theme);
  for (const row of matrix.rowsInView()) {
    const y = matrix.middle(row) + size * 0.35;
    for (const column of matrix.columnsInView()) {
      const text = matrix.cellText(row, column);
      if (!text) continue;
      const room = size * widthOf(text) > matrix.roomForText + ROUNDING ? matrix.roomForText : undefined;
      yield { text, x: matrix.center(column), y, fill: colors.inkOn(matrix.shade(row, column)), room };
    }
  }
}

function colorsOf(matrix, board, { isDark, paper, lost }) {
  return new Colors(board.shades(matrix.sent.scale, isDark), matrix, paper, lost);
}
