// Streamlit calls a script again when its data or the theme change, and cleans up after the last call
// alone. What an older call listened to must not answer any more: it would eat keys, or act twice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { standInForPage } from "./plain_page.js";

standInForPage();

const listening = []; // the signal of each listener
const watching = new Set();
const count = () => listening.filter((signal) => !signal?.aborted).length + watching.size;

class Place extends EventTarget {
  style = {};
  dataset = {};
  innerHTML = "";
  closest() { return this; }
  querySelector() { return this; }
  querySelectorAll() { return []; }
  setAttribute() {}
  replaceChildren() {}
  remove() {}
  addEventListener(name, act, { signal } = /** @type {any} */ ({})) {
    listening.push(signal);
  }
}

class Observer {
  observe() { watching.add(this); }
  disconnect() { watching.delete(this); }
}

const scripts = {
  "controls/walk_keys.js": { on: "on", back: "back" },
  "controls/grid_guard.js": {},
  "controls/take_text.js": {},
  "controls/kept_typing.js": { field: "a", taken: 0 },
  "controls/file_field.js": { words: "{}" },
  "controls/drop_file.js": { menu: "a", field: "b", words: "" },
  "blocks/formulas.js": { lines: "" },
};

for (const [file, data] of Object.entries(scripts)) {
  test(`${file} ends what it did before it begins anew`, async () => {
    const { default: script } = await import(`../../../ui/${file}`);
    const before = Object.fromEntries(["window", "document", "MutationObserver"].map((name) => [name, globalThis[name]]));
    Object.assign(globalThis, {
      window: new Place(), MutationObserver: Observer,
      document: Object.assign(new Place(), { createElement: () => new Place() }),
    });
    const parentElement = new Place();
    script({ parentElement, data });
    const once = count();
    const cleanUp = script({ parentElement, data });
    assert.ok(once > 0);
    assert.equal(count(), once);
    cleanUp();
    assert.equal(count(), 0);
    Object.assign(globalThis, before);
  });
}
