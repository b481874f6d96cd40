// Numbers as text for other programs: all digits, an ASCII minus, nothing where a cell is hidden; inf
// and nan as most of them write it.

import { allDigits } from "./numbers.js";

// Tab-separated numbers alone, as a spreadsheet takes them from the clipboard.
export function asTabs(matrix) {
  return linesOf(matrix).map((line) => line.join("\t")).join("\n") + "\n";
}

// Comma-separated numbers with their labels.
export function asCsv(matrix) {
  const { row_word, column_word, row_labels, column_labels } = matrix.sent;
  const head = [`${row_word} \\ ${column_word}`, ...column_labels];
  const lines = linesOf(matrix).map((line, row) => [noFormula(row_labels[row]), ...line]);
  return [head.map(noFormula), ...lines].map((line) => line.join(",")).join("\r\n") + "\r\n";
}

function linesOf(matrix) {
  const text = (value, i, j) => (matrix.isHidden(i, j) ? "" : forPrograms(value, matrix.isSingle));
  return matrix.numbers.map((row, i) => Array.from(row, (value, j) => text(value, i, j)));
}

function forPrograms(value, isSingle) {
  if (Number.isNaN(value)) return "nan";
  if (Number.isFinite(value)) return allDigits(value, isSingle);
  return value < 0 ? "-inf" : "inf";
}

// A label that a spreadsheet would run as a formula gets an apostrophe, as one writes it there. Some
// skip blanks and unseen signs before it, and some take the wide signs of East Asian keyboards.
const FORMULA = /^[\s\p{C}]*[=+@\-＝＋－＠]./su;
const NUMBER = /^-?\d+([.,]\d+)?(e-?\d+)?$/i;

function noFormula(label) {
  return quoted(FORMULA.test(label) && !NUMBER.test(label) ? `'${label}` : label);
}

// Also where a semicolon or a tab is: in many countries these end a cell.
function quoted(text) {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A file name that every system takes.
export function fileName(words, ending) {
  const plain = words.replace(/[^\p{L}\p{N}._]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "");
  return `${plain || "picture"}.${ending}`;
}
