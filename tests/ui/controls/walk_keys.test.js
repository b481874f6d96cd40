import assert from "node:assert/strict";
import { test } from "node:test";

import { ownersOf, wayOf } from "../../../ui/controls/walk_keys.js";

test("keys lead on and back", () => {
  for (const key of [" ", "ArrowRight", "PageDown"]) assert.equal(wayOf({ key }, false), "on");
  for (const key of ["ArrowLeft", "PageUp"]) assert.equal(wayOf({ key }, false), "back");
  assert.equal(wayOf({ key: "a" }, false), "");
});

test("with another key held, or taken by others, they lead nowhere", () => {
  for (const held of ["altKey", "ctrlKey", "metaKey", "defaultPrevented"]) {
    assert.equal(wayOf({ key: "ArrowRight", [held]: true }, false), "");
  }
});

test("where only a remote control leads, other keys do not", () => {
  assert.equal(wayOf({ key: "PageDown" }, true), "on");
  assert.equal(wayOf({ key: " " }, true), "");
});

test("a button keeps Space for itself, and a picture its arrow keys, but not a remote control's", () => {
  assert.ok(ownersOf(" ").includes("button"));
  assert.ok(!ownersOf("ArrowRight").includes("button"));
  assert.ok(ownersOf("ArrowRight").includes("[role=application]"));
  assert.ok(!ownersOf("PageDown").includes("[role=application]"));
});
