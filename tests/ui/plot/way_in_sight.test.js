import assert from "node:assert/strict";
import { test } from "node:test";

import { mostInView } from "../../../ui/plot/js/way_in_sight.js";

const TOPS = [["first", -500], ["second", 100], ["third", 700]]; // from the top of a window of 800

test("the part that takes up most of the window is marked", () => {
  assert.equal(mostInView(TOPS, 50, 800), "second");
  assert.equal(mostInView([["first", -500], ["second", 600]], 50, 800), "first");
});

test("the last part goes on to the end of the page", () => {
  assert.equal(mostInView([["first", -900], ["second", -100]], 50, 800), "second");
});

test("below the window, and on a page without parts, none is", () => {
  assert.equal(mostInView([["first", 900]], 50, 800), undefined);
  assert.equal(mostInView([], 50, 800), undefined);
});
