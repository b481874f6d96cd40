// Words in the language of the page.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { say } from "../../../ui/plot/js/language.js";

afterEach(() => { delete globalThis.explorerWords; });

test("without another language, English is said as it stands in the code", () => {
  assert.equal(say("Copy or save"), "Copy or save");
});

test("what the language of the page has words for is said in them, the rest in English", () => {
  globalThis.explorerWords = { "Head {head}": "Kopf {head}" };
  assert.equal(say("Head {head}", { head: 2 }), "Kopf 2");
  assert.equal(say("Copy or save"), "Copy or save");
});

test("a name may stand anywhere, and several times", () => {
  assert.equal(say("{count} of {all}, {count} left", { count: 0, all: 3 }), "0 of 3, 0 left");
});

test("what is named may have brackets of its own, and a name that nobody gave stays", () => {
  assert.equal(say("{label}: {text}", { label: "{text}", text: "$&" }), "{text}: $&");
  assert.equal(say("{unknown}"), "{unknown}");
});
