// Cells and their numbers, painted on a canvas: as SVG, four thousand of them took longer than all
// the rest.

import { Colors } from "../board/colors.js";

const FEW = 1024; // cells
/** @type {any} */
let texturePen = null;

// Paints everything that the board has inside its matrices.
export function paintBoard(canvas, board, theme) {
  const { width, height } = board.size;
  const sharp = window.devicePixelRatio * board.zoom;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  pen.textAlign = "center";
  for (const matrix of board.matrices) paintMatrix(pen, matrix, board, theme);
}

// Paints some matrices anew, on a canvas that has the board.
export function repaint(canvas, matrices, board, theme) {
  const pen = canvas.getContext("2d");
  for (const matrix of matrices) {
    pen.clearRect(matrix.x, matrix.y, matrix.w, matrix.h);
    paintMatrix(pen, matrix, board, theme);
  }
}

function paintMatrix(pen, matrix, board, theme) {
  pen.save();
  pen.beginPath();
  pen.rect(matrix.x, matrix.y, matrix.w, matrix.h);
  pen.clip();
  paintCells(pen, matrix, board, theme);
  pen.font = `${board.textSize(matrix)}px ${theme.font}`;
  for (const { text, x, y, fill } of numbersIn(matrix, board, theme)) {
    pen.fillStyle = fill;
    pen.fillText(text, x, y);
  }
  pen.restore();
}

// A pixel a dot, stretched to where the dots are. A few cells are faster as rectangles.
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

// What is written into the cells in view, if it fits.
export function* numbersIn(matrix, board, theme) {
  const size = board.textSize(matrix);
  if (!size) return;
  const colors = colorsOf(matrix, board, theme);
  for (const row of matrix.rowsInView()) {
    const y = matrix.middle(row) + size * 0.35;
    for (const column of matrix.columnsInView()) {
      const text = matrix.cellText(row, column);
      if (!text) continue;
      yield { text, x: matrix.center(column), y, fill: colors.inkOn(matrix.shade(row, column)) };
    }
  }
}

function colorsOf(matrix, board, { isDark, paper, lost }) {
  return new Colors(board.shades(matrix.meta.scale, isDark), matrix, paper, lost);
}
