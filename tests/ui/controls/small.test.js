// What small scripts decide.

import assert from "node:assert/strict";
import { test } from "node:test";

import { reasonOf } from "../../../ui/controls/file_field.js";
import { moved } from "../../../ui/controls/order_list.js";

test("a line that is moved keeps the others in their order", () => {
  assert.deepEqual(moved([0, 1, 2, 3], 0, 2), [1, 2, 0, 3]);
  assert.deepEqual(moved([0, 1, 2, 3], 3, 0), [3, 0, 1, 2]);
});

// A field whose files say this, the newest last.
function fieldSaying(...alerts) {
  const chips = alerts.map((text) => ({ querySelector: () => text && { textContent: text } }));
  return { querySelectorAll: () => chips };
}

test("why the newest file did not arrive is said in words of the page, where Streamlit has none", () => {
  const words = { full: "The server is full.", lost: "The way was lost.", large: "It is too large." };
  const said = (...alerts) => reasonOf(fieldSaying(...alerts), words).reason;
  assert.equal(said("AxiosError: status code 413"), words.full);
  assert.equal(said("AxiosError: Network Error"), words.lost);
  assert.equal(said("File must be 48MB or smaller."), words.large);
  assert.equal(said("AxiosError", ""), "");
  assert.equal(said(), "");
});

const SAID = { refused: "{file} cannot be read here.", nameless: "Such a file" };

test("a file of another kind is told what to save it as, with a program that names it", () => {
  const others = { ".pt": { words: "Save it as .npz, with:", program: "load('NAME')" } };
  const kinds = { others, usual: "Save it as .npz.", name_in_program: "NAME", ...SAID };
  const said = (name) => {
    const title = { title: name };
    const alert = { textContent: "Error: application/zip files are not allowed." };
    const chip = { querySelector: (what) => (what.includes("alert") ? alert : title) };
    return reasonOf({ querySelectorAll: () => [chip] }, { kinds });
  };
  const program = `python -c "load('my layer.PT')"`;
  assert.deepEqual(said("my layer.PT"), { reason: ".pt cannot be read here. Save it as .npz, with:", program });
  assert.equal(said("a'b.pt").program, `python -c "load('layer.pt')"`);
  assert.deepEqual(said("w.doc"), { reason: ".doc cannot be read here. Save it as .npz.", program: "" });
  assert.equal(said("w").reason, "Such a file cannot be read here. Save it as .npz.");
});
