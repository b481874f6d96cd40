import assert from "node:assert/strict";
import { test } from "node:test";

import { numberAtPlace, placeOfNumber } from "../../../ui/plot/js/entering/slider.js";

const LINE = { least: 0, most: 2, by_factors: false, may_be_none: false };
const FACTORS = { least: 0.1, most: 10, by_factors: true, may_be_none: false };
const OR_NONE = { ...FACTORS, may_be_none: true };

test("equal ways along a slider are equal steps, or equal factors", () => {
  assert.deepEqual([0, 250, 500, 1000].map((place) => numberAtPlace(place, LINE)), [0, 0.5, 1, 2]);
  assert.deepEqual([0, 250, 500, 1000].map((place) => numberAtPlace(place, FACTORS)), [0.1, 0.316, 1, 10]);
});

test("a number stands where a person would drag to for it, and at an end if it is beyond", () => {
  for (const range of [LINE, FACTORS]) {
    for (const number of [0.25, 1, 1.9]) {
      const back = numberAtPlace(placeOfNumber(number, range), range);
      assert.ok(Math.abs(back - number) < 0.005 * number, `${number} became ${back}`);
    }
    assert.equal(placeOfNumber(1e9, range), 1000);
    assert.equal(placeOfNumber(-3, range), 0);
  }
});

test("the right end switches off what may be switched off", () => {
  assert.equal(numberAtPlace(1000, OR_NONE), null);
  assert.equal(placeOfNumber(null, OR_NONE), 1000);
  assert.equal(numberAtPlace(999, OR_NONE) < 10, true);
});
