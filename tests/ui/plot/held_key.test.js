import assert from "node:assert/strict";
import { test } from "node:test";

import { Entries } from "../../../ui/plot/js/entering/entries.js";
import { HeldKey } from "../../../ui/plot/js/entering/held_key.js";
import { Live } from "../../../ui/plot/js/live/live.js";
import { INPUTS } from "./any_layer.js";

const FIELD = { key: "weights-seed", asks_as: "me" };
// What a value draws: V is as many times the identity.
const drawn = (number, version = 7) => {
  const w_v = [[number, 0], [0, number]];
  return { version, moved: ["w_v"], inputs: { ...INPUTS, arrays: { ...INPUTS.arrays, w_v } } };
};
const told = { version: 7, inputs: null, why_not: "", taken: 0, refused: [] };

// A key that is held; the test answers each question when it likes.
function held() {
  const entries = new Entries();
  const live = new Live(entries);
  const [asked, wanted, given, shown] = [[], [], [], []];
  const plot = { showLive: () => shown.push(live.hasMoved("v") && live.rows("v")[0][0]), compare: () => shown.push("compared") };
  live.follow(plot);
  const hear = (said) => live.hear({ ...told, ...said }, (version) => wanted.push(version));
  hear({});
  const ask = (who, field, value) => new Promise((resolve, reject) => {
    const answer = async (what) => void (resolve(what), await new Promise(setImmediate));
    const fail = async () => void (reject(new Error("no line")), await new Promise(setImmediate));
    asked.push({ who, field, value, answer, fail });
  });
  const key = new HeldKey(() => given.push("now"), ask);
  key.begin(FIELD, live);
  return { key, live, asked, wanted, given, shown, plot, hear };
}

test("each value is asked about, and shown at once; nothing is asked of the page", async () => {
  const { key, live, asked, wanted, shown } = held();
  key.moveTo("2");
  const [{ who, field, value, answer }] = asked;
  assert.deepEqual([who, field, value], ["me", "weights-seed", "2"]);
  await answer(drawn(2));
  assert.equal(shown.at(-1), 2);
  assert.equal(live.hasMoved("w_v"), true);
  assert.equal(live.hasMoved("q"), false);
  key.moveTo("3");
  await asked[1].answer(drawn(3));
  assert.equal(shown.at(-1), 3);
  assert.deepEqual(wanted, []);
});

test("on a slow line few questions are under way, and the next is about the newest value", async () => {
  const { key, asked } = held();
  for (const value of ["1", "2", "3", "4", "5", "6"]) key.moveTo(value);
  assert.deepEqual(asked.map(({ value }) => value), ["1", "2", "3", "4"]);
  await asked[0].answer(drawn(1));
  assert.deepEqual(asked.map(({ value }) => value), ["1", "2", "3", "4", "6"]);
  await asked[1].answer(drawn(2));
  assert.equal(asked.length, 5); // the newest is under way
});

test("an answer that a newer one has overtaken is not shown", async () => {
  const { key, asked, shown } = held();
  key.moveTo("1");
  key.moveTo("2");
  await asked[1].answer(drawn(2));
  await asked[0].answer(drawn(1));
  assert.equal(shown.at(-1), 2);
});

test("what the server does not say is entered at once", async () => {
  for (const act of ["answer", "fail"]) {
    const { key, asked, given } = held();
    key.moveTo("-1");
    await asked[0][act](null);
    assert.deepEqual(given, ["now"]);
    assert.equal(key.isRefused, true);
  }
});

test("what was shown stays until the server has heard of the entry, and is compared then", async () => {
  const { key, live, asked, shown, plot, hear } = held();
  key.moveTo("2");
  await asked[0].answer(drawn(2));
  key.end(1);
  hear({});
  assert.equal(live.isOn, true);
  assert.equal(shown.at(-1), 2);
  live.noteShown(plot);
  hear({ version: 8, taken: 1 });
  assert.equal(live.isOn, false);
  assert.ok(shown.includes("compared"));
});

test("the first entry of a held key is heard of meanwhile, and takes nothing away", async () => {
  const { key, asked, wanted, shown, hear } = held();
  key.moveTo("2");
  await asked[0].answer(drawn(2));
  hear({ version: 8, taken: 1 });
  assert.equal(shown.at(-1), 2);
  assert.deepEqual(wanted, []);
});

test("what a newer scenario draws begins with all of its numbers", async () => {
  const { key, live, asked } = held();
  key.moveTo("2");
  await asked[0].answer(drawn(2));
  key.moveTo("3");
  const newer = drawn(3, 8);
  newer.inputs.arrays.x = [[9, 9], [9, 9]];
  await asked[1].answer(newer);
  assert.deepEqual([...live.rows("v")[0]], [27, 27]);
});

test("a key that leads back to where it began leaves nothing", async () => {
  const { key, live, asked, shown } = held();
  key.moveTo("2");
  await asked[0].answer(drawn(2));
  key.end(0);
  assert.equal(live.isOn, false);
  assert.equal(shown.at(-1), false);
});

test("an answer that comes when the key is up is not shown", async () => {
  const { key, live, asked } = held();
  key.moveTo("2");
  key.end(0);
  await asked[0].answer(drawn(2));
  assert.equal(live.isOn, false);
});

test("another drag enters the value of the key that is held", async () => {
  const { live, given } = held();
  live.endOther();
  assert.deepEqual(given, ["now"]);
});
