import assert from "node:assert/strict";
import { test } from "node:test";

import { Colors, LOST, luminance, pixel, rgb, shadesOf } from "../../../ui/plot/js/board/colors.js";

const RED_TO_BLUE = shadesOf([[0, "#ff0000"], [0.5, "#ffffff"], [1, "#0000ff"]]);
const RANGE = { low: -2, high: 2 };
// The pixel that a value is painted with.
function painted(colors, value) {
  const pixels = new Uint32Array(3);
  colors.fill(pixels, 1, [value]);
  return pixels[1];
}

const asHex = (number) => number.toString(16);

test("a pixel has its bytes in the order of ImageData", () => {
  const bytes = new Uint8Array(Uint32Array.of(pixel([1, 2, 3])).buffer);
  assert.deepEqual([...bytes], [1, 2, 3, 255]);
});

test("the ends and the middle of a colour scale are its stops", () => {
  const colors = new Colors(RED_TO_BLUE, RANGE, "#ffffff", "#808080");
  assert.equal(asHex(painted(colors, -2)), "ff0000ff");
  assert.equal(asHex(painted(colors, 2)), "ffff0000");
  const [red, green, blue] = [0, 8, 16].map((shift) => (painted(colors, 0) >> shift) & 255);
  assert.ok(Math.min(red, green, blue) >= 254);
});

test("values beyond the range have the colours of its ends", () => {
  const colors = new Colors(RED_TO_BLUE, RANGE, "#ffffff", "#808080");
  assert.equal(painted(colors, -9), painted(colors, -2));
  assert.equal(painted(colors, 9), painted(colors, 2));
});

test("a hidden cell has the colour of the paper, or none", () => {
  assert.equal(asHex(painted(new Colors(RED_TO_BLUE, RANGE, "#141210", "#808080"), NaN)), "ff101214");
  assert.equal(painted(new Colors(RED_TO_BLUE, RANGE, null, "#808080"), NaN), 0);
});

test("text is black on light colours and white on dark ones", () => {
  const greys = shadesOf([[0, "#000000"], [1, "#ffffff"]]);
  const colors = new Colors(greys, { low: 0, high: 1 }, "#ffffff", "#808080");
  assert.deepEqual([colors.inkOn(0), colors.inkOn(1)], ["#fff", "#000"]);
});

test("brightness goes from 0 for black to 1 for white", () => {
  assert.equal(luminance(rgb("#000000")), 0);
  assert.ok(Math.abs(luminance(rgb("#ffffff")) - 1) < 1e-12);
  assert.ok(luminance(rgb("#00ff00")) > luminance(rgb("#ff0000")));
});

test("what is no number has a colour of its own, with a text that can be read on it", () => {
  const colors = new Colors(RED_TO_BLUE, RANGE, "#ffffff", "#bdbac6");
  assert.equal(asHex(painted(colors, LOST)), "ffc6babd");
  assert.equal(colors.css(LOST), "rgb(189 186 198)");
  assert.equal(colors.inkOn(LOST), "#000");
});
