import assert from "node:assert/strict";
import { test } from "node:test";

import { noteOnDots } from "../../../ui/plot/js/around/tools.js";
import { matrixOf } from "./any_matrix.js";

const dotted = (count) => matrixOf(Array.from({ length: count }, () => Array(count).fill(1)), { cell: 1 / count });

test("where all dots are alike, they are said as a matrix says them", () => {
  assert.equal(noteOnDots([dotted(2), dotted(2)]), "a dot is the mean of 4 cells");
});

test("of different dots the largest is said", () => {
  assert.equal(noteOnDots([dotted(2), dotted(3)]), "a dot is the mean of up to 9 cells");
});
