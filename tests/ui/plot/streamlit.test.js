// What is said of a picked number, when the server's answers and the page's runs come in any order.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Element, standInForPage } from "../controls/plain_page.js";

const page = standInForPage();
Object.assign(page.window, { innerHeight: 720, matchMedia: () => ({ matches: true }) });
page.document.dispatchEvent = ({ type, detail }) => page.document.dispatch(type, { detail });
const { entries, outline, told } = await import("../../../ui/plot/js/streamlit.js");

let answers; // to what is asked beside Streamlit, in the order of asking: each is given by the test
globalThis.fetch = (address) => new Promise((resolve) => {
  answers.push({ address: String(address), give: (said) => resolve({ ok: true, json: async () => said }) });
});

let groups = 0;
let group;
beforeEach(() => {
  group = `group ${groups++}`;
  answers = [];
});

// An element of the page with a panel, and what a run of the page says there. `heard` is what the server hears.
function panel() {
  const parentElement = new Element();
  const heard = [];
  const component = { setStateValue() {}, setTriggerValue: (name, value) => heard.push([name, value]) };
  const say = (words, picked_at) => outline({
    parentElement,
    data: { group, asks_as: "me", picked_at, panel: headed(words), below: "", made_of: [], goes_into: [], lines: [], cell: [] },
    ...component,
  });
  const box = () => parentElement.children[0];
  const press = (dataset) => box().dispatch("click", { target: Object.assign(new Element("button"), { dataset }) });
  return { heard, say, press, words: () => (box().hidden ? "" : box().querySelector("h2").textContent) };
}

const headed = (words) => `<h2>${words}</h2>`;
const answer = (words) => ({ panel: headed(words), made_of: [], goes_into: [], lines: [] });

const settled = () => new Promise((resolve) => setImmediate(resolve));
const CELL = { matrix: "q/0", row: "1", column: "2" };

test("of two panels, the one of the newer pick stays", () => {
  const [older, newer] = [panel(), panel()];
  newer.say("weights", 2);
  older.say("scores", 1); // a part of the page that did not run again
  assert.deepEqual([older.words(), newer.words()], ["", "weights"]);
  older.say("output", 3);
  assert.deepEqual([older.words(), newer.words()], ["output", ""]);
});

test("a link in a panel is followed at once, and the server told", async () => {
  const { heard, say, press, words } = panel();
  say("weights", 1);
  press(CELL);
  assert.deepEqual(heard, [["asked", { matrix: "q/0", row: 1, column: 2 }]]);
  assert.match(answers[0].address, /as=me&matrix=q%2F0&row=1&column=2&goes_on=/);
  answers[0].give(answer("a query"));
  await settled();
  assert.equal(words(), "a query");
});

test("an answer that comes after the run of the page says nothing more", async () => {
  const { say, press, words } = panel();
  say("weights", 1);
  press(CELL);
  say("a query, as the run says it", 2);
  answers[0].give(answer("a query, too late"));
  await settled();
  assert.equal(words(), "a query, as the run says it");
});

test("of two links that follow quickly, the second one counts", async () => {
  const { say, press, words } = panel();
  say("weights", 1);
  press(CELL);
  press({ ...CELL, row: "3" });
  answers[0].give(answer("row 1"));
  await settled();
  assert.equal(words(), "weights");
  answers[1].give(answer("row 3"));
  await settled();
  assert.equal(words(), "row 3");
});

test("a panel that was closed is not opened by an answer that comes late", async () => {
  const { heard, say, press, words } = panel();
  say("weights", 1);
  press(CELL);
  press({});
  assert.deepEqual(heard.at(-1), ["asked", { close: true }]);
  answers[0].give(answer("a query"));
  await settled();
  assert.equal(words(), "");
});

test("where the server has lost the cell, the panel stays as it is", async () => {
  const { say, press, words } = panel();
  say("weights", 1);
  press(CELL);
  answers[0].give(null);
  await settled();
  assert.equal(words(), "weights");
});

// As ui/plot/wire.py packs it.
function packed(said) {
  const text = new TextEncoder().encode(JSON.stringify(said));
  const bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  return bytes;
}

test("what a run says goes to the history of its group", () => {
  const stepped = [];
  page.document.addEventListener("stepped", ({ detail }) => stepped.push(detail));
  entries({ data: { group }, setStateValue() {}, setTriggerValue() {} });
  told({ data: packed({ group, history: { at: 3 }, taken: 0, refused: [], is_open: true }) });
  assert.deepEqual(stepped, [{ group, at: 3 }]);
});
