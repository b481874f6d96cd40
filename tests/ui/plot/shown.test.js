import assert from "node:assert/strict";
import { test } from "node:test";

import { Shown } from "../../../ui/plot/js/shown.js";

class Thing {
  isGone = false;
  remove() { this.isGone = true; }
}

test("one thing stands in an element, however often Streamlit calls", () => {
  const shown = new Shown(() => new Thing());
  const [element, other] = [{ isConnected: true }, { isConnected: true }];
  assert.equal(shown.at(element), shown.at(element));
  assert.notEqual(shown.at(element), shown.at(other));
  assert.equal(shown.all().length, 2);
});

test("what cleans up after a call that came too late leaves it to the newer call that is to come", () => {
  const shown = new Shown(() => new Thing());
  const element = { isConnected: true };
  const thing = shown.at(element);
  shown.leave(element)();
  assert.equal(shown.at(element), thing);
  assert.equal(thing.isGone, false);
});

test("it goes once its element has left the page, by whichever call's cleaning", () => {
  const shown = new Shown(() => new Thing());
  const element = { isConnected: true };
  const thing = shown.at(element);
  const [older, newer] = [shown.leave(element), shown.leave(element)];
  element.isConnected = false;
  older();
  assert.equal(thing.isGone, true);
  assert.deepEqual(shown.all(), []);
  newer();
});
