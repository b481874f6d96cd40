// Symbols in formulas and matrices in pictures point at each other, as in ui/blocks/formulas.js.

import { frame } from "./light.js";
import { stays } from "../stays.js";

const SYMBOL = "attention-symbol"; // an event on window: the matrices of a symbol; whether it was pressed
const MATRIX = "attention-matrix"; // an event on window: the name of the matrix that is pointed at

export function tellMatrix(name = "") {
  if (name === stays.matrix) return;
  stays.matrix = name;
  window.dispatchEvent(new CustomEvent(MATRIX, { detail: name }));
}

export function whenSymbol(act, signal) {
  window.addEventListener(SYMBOL, ({ detail }) => act(detail), { signal });
}

// The frames around matrices; each may be missing.
export function framesOf(matrices, theme) {
  return matrices.filter(Boolean).flatMap(({ x, y, w, h }) => {
    const lines = frame({ x, y, w, h }, theme, theme.primary, 3, 3);
    for (const line of lines) line.classList.add("plot-lit-matrix");
    return lines;
  });
}
