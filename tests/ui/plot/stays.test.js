import assert from "node:assert/strict";
import { test } from "node:test";

import { beginAnew, stays } from "../../../ui/plot/js/stays.js";

test("another visit finds nothing of the one before", () => {
  beginAnew();
  const first = structuredClone(stays);
  stays.groups.set("a", 1);
  stays.asks.set("a", 1);
  stays.edits.set("a", 1);
  stays.inHand.set("a", 1);
  stays.outlines.set("a", 1);
  Object.assign(stays, { isUsed: true, matrix: "q", speed: "fast", goesOn: true, part: "q", hasLeft: true, light: "row" });
  Object.assign(stays, { seen: ["weights"], atOnce: 2, sliders: true, step: "q", large: "q" });
  for (const [name, value] of Object.entries(first)) assert.notDeepEqual(stays[name], value, name);
  beginAnew();
  assert.deepEqual(stays, first);
});
