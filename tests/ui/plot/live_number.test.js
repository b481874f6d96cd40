import assert from "node:assert/strict";
import { test } from "node:test";

import { showLiveNumber } from "../../../ui/plot/js/live/live_number.js";

const ROWS = { q: [[2, -3]], k: [[4, 5]], raw_scores: [[20]] };

function liveWith(moved, options = {}) {
  return {
    isOn: true,
    hasMoved: (name) => moved.includes(name),
    rows: (matrix) => ROWS[matrix],
    option: (name) => options[name],
  };
}

function numberOf(said, where, before = null, after = null) {
  const signs = [before, after].map((sign) => sign && { textContent: sign });
  const [previousElementSibling, nextElementSibling] = signs;
  return { textContent: said, dataset: { live: "2", ...where }, previousElementSibling, nextElementSibling };
}

const q = (column) => ({ matrix: "q", row: "0", column });

test("a number follows its cell while that moves, and is the server's again afterwards", () => {
  const number = numberOf("1.00", q("0"));
  showLiveNumber(number, liveWith(["q"]));
  assert.equal(number.textContent, "2.00");
  showLiveNumber(number, liveWith(["v"]));
  assert.equal(number.textContent, "1.00");
  showLiveNumber(number, { isOn: false });
  assert.equal(number.textContent, "1.00");
});

test("a number of a matrix that the browser does not know stays", () => {
  const number = numberOf("1.00", { matrix: "unknown", row: "0", column: "0" });
  showLiveNumber(number, liveWith(["unknown"]));
  assert.equal(number.textContent, "1.00");
});

test("the rest of a long sum is the result less the terms before it", () => {
  const less = JSON.stringify([[["q", 0, 0], ["k", 0, 0]], [["k", 0, 1]]]);
  const number = numberOf("0.00", { matrix: "raw_scores", row: "0", column: "0", less });
  showLiveNumber(number, liveWith(["raw_scores"]));
  assert.equal(number.textContent, "7.00"); // 20 - 2 * 4 - 5
});

test("an option is written without zeros at its end", () => {
  const number = numberOf("0.7071", { option: "scale" });
  showLiveNumber(number, liveWith(["scale"], { scale: 0.25 }));
  assert.equal(number.textContent, "0.25");
});

test("a factor that becomes negative stands in brackets, once", () => {
  for (const [said, before, after, text] of [
    ["1.00", null, "\u00b7", "(\u22123.00)"], ["1.00", "\u00b7", null, "(\u22123.00)"],
    ["1.00", "\u2212", null, "(\u22123.00)"], ["1.00", "=", null, "\u22123.00"], ["1.00", null, null, "\u22123.00"],
    ["\u22121.00", "(", ")", "\u22123.00"], ["\u22121.00", "\u00b7", null, "\u22123.00"],
  ]) {
    const number = numberOf(said, q("1"), before, after);
    showLiveNumber(number, liveWith(["q"]));
    assert.equal(number.textContent, text);
  }
});
