// A small matrix made large: a cell is a pixel of a picture, which the browser stretches.

import { Colors } from "../board/colors.js";
import { html } from "../dom.js";

// Null if its numbers can be read already.
export function previewOf(matrix, board, { isDark, paper, lost }) {
  if (board.textSize(matrix)) return null;
  const colors = new Colors(board.shades(matrix.sent.scale, isDark), matrix, paper, lost);
  const rows = matrix.drawn();
  const canvas = html("canvas", { class: "plot-preview", width: rows[0].length, height: rows.length });
  const picture = new ImageData(rows[0].length, rows.length);
  const pixels = new Uint32Array(picture.data.buffer);
  rows.forEach((row, i) => colors.fill(pixels, i * row.length, row));
  canvas.getContext("2d").putImageData(picture, 0, 0);
  return canvas;
}
