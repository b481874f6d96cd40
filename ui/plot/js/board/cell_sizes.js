// How large cells must be, so that the numbers in them can be read.

import { BESIDE_TEXT, Matrix } from "./matrix.js";
import { fixed, widthOf, withoutZero } from "../numbers/numbers.js";

const READABLE_TEXT = 9; // pixels of a number that a person reads with ease

// The smallest cell in which all numbers of a matrix can be read, at a size in pixels.
export function readableCell(sent, decimals, size = READABLE_TEXT) {
  const matrix = new Matrix(sent, 1, decimals);
  const widest = widestNumber(sent, decimals);
  const forHeight = matrix.isLow ? size / matrix.shareOfText / sent.row_height : 0;
  return Math.max(cellForWidth(widest, size), forHeight);
}

// The longest number of a matrix, in font sizes; with `write`, as that writes it.
export function widestNumber(sent, decimals, write = (text) => text) {
  const matrix = new Matrix(sent, 1, decimals);
  return matrix.widest((row, column) => write(matrix.fullText(row, column)));
}

// The smallest cell in which a text can be read.
export function cellOfText(text, size = READABLE_TEXT) {
  return cellForWidth(widthOf(text), size);
}

// The same for a zero with its decimals. Weights are no longer: 1.00 may lose one.
export function cellOfZero(decimals, size) {
  return cellOfText(withoutZero(fixed(0, decimals)), size);
}

export function cellForWidth(width, size) {
  return width * size + BESIDE_TEXT;
}
