// How an expression is written: brackets where it would fall apart without, and the rest of a long sum.

import assert from "node:assert/strict";
import { test } from "node:test";

import { operandsOf, withNumbers } from "../../../ui/plot/js/numbers/expressions.js";

const leaf = (value, column = 0) => ({ kind: "operand", value, cell: { matrix: "x", row: 0, column } });
const sum = (...parts) => ({ kind: "sum", parts });
const product = (...parts) => ({ kind: "product", parts });
const write = ({ value }) => String(value).replace("-", "\u2212");
const written = (expression, most = 6) => withNumbers(expression, leaf(0), most, write);

test("a sum in a product stands in brackets, and a product in a sum does not", () => {
  assert.equal(written(product(sum(leaf(1), leaf(2)), leaf(3))), "(1 + 2)\u00b73");
  assert.equal(written(sum(product(leaf(1), leaf(2)), leaf(3))), "1\u00b72 + 3");
});

test("a negative number stands in brackets, but for the first of a sum", () => {
  assert.equal(written(sum(leaf(-1), leaf(-2))), "\u22121 + (\u22122)");
  assert.equal(written(product(leaf(-1), leaf(2))), "(\u22121)\u00b72");
  assert.equal(written({ kind: "difference", parts: [leaf(-1), leaf(-2)] }), "\u22121 \u2212 (\u22122)");
});

test("of a long sum the largest terms are written in their order, and the rest as one number", () => {
  const terms = [1, -9, 2, 8, 0.5].map((value, column) => leaf(value, column));
  assert.equal(written(sum(...terms), 2), "\u22129 + 8 + 3.5 (3 more)");
});

test("each cell is named once", () => {
  const [a, b] = [leaf(1, 0), leaf(2, 1)];
  assert.deepEqual(operandsOf(sum(product(a, b), product(a, a))), [a, b]);
});
