// Cells and their numbers, painted on a canvas: as SVG, four thousand of them took longer than all
// the rest.

import { Colors } from "./colors.js";

// Paints everything that the board has inside its matrices.
export function paintBoard(canvas, board, theme) {
  const { width, height } = board.size;
  const sharp = window.devicePixelRatio;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  pen.textAlign = "center";
  for (const matrix of board.matrices) {
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
}

// A pixel a dot, stretched to where the dots are.
export function paintCells(pen, matrix, board, theme) {
  const colors = colorsOf(matrix, board, theme);
  const dots = matrix.dots();
  const picture = new ImageData(dots[0].length, dots.length);
  const pixels = new Uint32Array(picture.data.buffer);
  let at = 0;
  for (const row of dots) for (const value of row) pixels[at++] = colors.pixel(value);
  const texture = new OffscreenCanvas(picture.width, picture.height);
  texture.getContext("2d").putImageData(picture, 0, 0);
  const across = picture.width * matrix.dotColumns * matrix.cellWidth;
  const down = picture.height * matrix.dotRows * matrix.cellHeight;
  pen.imageSmoothingEnabled = false;
  pen.drawImage(texture, matrix.left(0), matrix.top(0), across, down);
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
      yield { text, x: matrix.center(column), y, fill: colors.inkOn(matrix.value(row, column)) };
    }
  }
}

function colorsOf({ trace }, board, { isDark, paper }) {
  return new Colors(board.shades(trace.meta.scale, isDark), trace, paper);
}
