import assert from "node:assert/strict";
import { test } from "node:test";

import { allDigits, constant, fixed, fourDigits, halfToEven, numberOf, sixDigits, widthOf } from "../../../ui/plot/js/numbers/numbers.js";

test("a half is rounded to the even digit, as Python rounds it", () => {
  for (const [value, decimals, text] of [
    [0.125, 2, "0.12"], [0.375, 2, "0.38"], [0.135, 2, "0.14"], [1.005, 2, "1.00"],
    [2.5, 0, "2"], [3.5, 0, "4"], [0.5, 0, "0"], [1.5, 0, "2"], [99999.125, 2, "99999.12"],
  ]) assert.equal(fixed(value, decimals), text);
});

test("large numbers are written in powers of ten, their halves rounded to the even digit", () => {
  for (const [value, decimals, text] of [
    [1e5, 2, "1.00e5"], [125_000, 1, "1.2e5"], [135_000, 1, "1.4e5"], [1e50, 2, "1.00e50"],
    [99999.995, 2, "99999.99"], [1234567, 1, "1.2e6"],
  ]) assert.equal(fixed(value, decimals), text);
});

test("a negative number has a true minus sign, and a zero has no sign", () => {
  assert.equal(fixed(-0.4567, 2), "\u22120.46");
  assert.equal(fixed(-0.001, 2), "0.00");
  assert.equal(fixed(-0, 2), "0.00");
  assert.equal(fixed(-125_000, 1), "\u22121.2e5");
});

test("a constant has digits to compute with, and no zeros at its end", () => {
  for (const [value, decimals, text] of [ // as in mha_core/layer/written.py
    [0.125, 2, "0.125"], [2 ** -0.5, 2, "0.7071"], [8, 2, "8"], [-2, 2, "\u22122"], [1 / 3, 2, "0.3333"],
    [12.3456, 2, "12.35"], [2e6, 2, "2e6"], [2 ** -0.5, 6, "0.707107"], [0, 2, "0"], [Infinity, 2, "\u221e"],
  ]) assert.equal(constant(value, decimals), text);
});

test("only a true half is taken for one", () => {
  assert.equal(halfToEven(0.125, 2), "0.12");
  assert.equal(halfToEven(0.125 + 2 ** -40, 2), "0.13");
});

test("all digits give back the same number, with a minus that other programs read", () => {
  for (const value of [1 / 3, -1 / 3, 5e-324, 1e300, 2]) {
    assert.equal(Number(allDigits(value)), value);
  }
  assert.equal(allDigits(-2.5, false), "-2.5");
  assert.equal(allDigits(-0, false), "0");
});

test("a number in single precision is written with the seven digits that it has", () => {
  assert.equal(allDigits(Math.fround(0.1), true), "0.1");
  assert.equal(allDigits(Math.fround(-1 / 3), true), "-0.3333333");
});

test("a tip has six digits, and no zeros at its end", () => {
  for (const [value, text] of [ // as in mha_core/layer/written.py
    [1 / 3, "0.333333"], [-2.5, "\u22122.5"], [0.1 + 0.2, "0.3"], [123456.78, "1.23457e5"],
    [-1e-7, "\u22121e\u22127"], [Infinity, "\u221e"], [NaN, "NaN"], [-0, "0"],
  ]) assert.equal(sixDigits(value), text);
});

test("where no count of decimals is chosen, four digits are written", () => {
  assert.equal(fourDigits(-1 / 3), "\u22120.3333");
  assert.equal(fourDigits(-0), "0");
});

test("a longer text is wider, and a point is narrower than a digit", () => {
  assert.ok(widthOf("0.00") < widthOf("0000"));
  assert.ok(widthOf("0.00") < widthOf("\u22120.00"));
});

test("what is infinite or no number is written as such", () => {
  const numbers = [NaN, Infinity, -Infinity];
  assert.deepEqual(numbers.map((number) => fixed(number, 2)), ["NaN", "\u221e", "\u2212\u221e"]);
  assert.deepEqual(numbers.map(fourDigits), ["NaN", "\u221e", "\u2212\u221e"]);
});

test("a number is read as a person types it, unless only the server can", () => {
  for (const [text, number] of [
    ["-2,5", -2.5], ["\u22120.5", -0.5], [" 1 / 3 ", 1 / 3], ["1e-3", 0.001], [".5", 0.5], ["2.", 2],
    ["+3", 3], ["0,125", 0.125], ["-1,5/3", -0.5],
  ]) assert.equal(numberOf(text), number, text);
  for (const text of ["", "x", "-inf", "0x10", "1,234", "1/2/3", "1 2", "1\t2", "NaN", "1_000", "1,2,3"]) {
    assert.ok(Number.isNaN(numberOf(text)), text);
  }
});
