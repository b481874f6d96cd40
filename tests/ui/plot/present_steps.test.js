// Where keys lead while a page is presented.

import assert from "node:assert/strict";
import { test } from "node:test";

import { maskAfter, partsSwiped, toCount, toHead, toHeads, toPart } from "../../../ui/plot/js/presenting/present_steps.js";

const PARTS = [["x", "X"], ["scores", "Scores"], ["output", "Output"]];
const SAID = {
  parts: PARTS, of: "heads", n_heads: 5, head: null, shown_head: 0, page: 1, pages: 1, tour: null,
  masks: [["none", "none"], ["causal", "causal"]],
};

test("keys lead from part to part, counted from the last wish", () => {
  assert.deepEqual(toPart(SAID, { part: "x" }, +1), { wish: { part: "scores" } });
  assert.deepEqual(toPart(SAID, { part: "output" }, -1), { wish: { part: "scores" } });
});

test("beyond the first and the last part, words say so", () => {
  assert.deepEqual(toPart(SAID, { part: "x" }, -1), { words: "This is the first part." });
  assert.deepEqual(toPart(SAID, { part: "output" }, +1), { words: "This is the last part." });
  const onTour = { ...SAID, tour: { on: "next" } };
  assert.match(toPart(onTour, { part: "output" }, +1).words, /N leads to the next stop/);
});

test("a digit leads to a head, and 0 to all", () => {
  assert.deepEqual(toHead(SAID, 4), { wish: { head: 4 } });
  assert.deepEqual(toHead(SAID, -1), { wish: { head: null } });
  assert.match(toHead(SAID, 5).words, /There are 5 heads/);
  assert.match(toHead({ ...SAID, n_heads: 1 }, 3).words, /There is one head/);
  assert.match(toHead({ ...SAID, of: "" }, 1).words, /all heads together/);
  assert.match(toHead({ ...SAID, of: "head" }, -1).words, /one head at a time/);
  assert.deepEqual(toHead({ ...SAID, of: "head" }, 2), { wish: { head: 2 } });
});

test("from one head a key leads to its neighbour", () => {
  const one = { head: 3 };
  assert.deepEqual(toHeads(SAID, one, null, +1), { wish: { head: 4 } });
  assert.match(toHeads(SAID, { head: 4 }, null, +1).words, /last head/);
  assert.match(toHeads(SAID, { head: 0 }, null, -1).words, /first head/);
  const alone = { ...SAID, of: "head", shown_head: 2 };
  assert.deepEqual(toHeads(alone, { head: null }, null, -1), { wish: { head: 1 } });
  assert.match(toHeads({ ...SAID, of: "" }, one, null, +1).words, /all heads together/);
});

test("of many heads the next have no room: they come by themselves, or with the next page of heads", () => {
  const all = { head: null };
  assert.deepEqual(toHeads(SAID, all, { first: 0, count: 2, of: 5 }, +1), { first: 2 });
  assert.deepEqual(toHeads(SAID, all, { first: 2, count: 2, of: 5 }, -1), { first: 0 });
  const paged = { ...SAID, page: 1, pages: 2 };
  assert.deepEqual(toHeads(paged, all, { first: 4, count: 2, of: 5 }, +1), { wish: { page: 2 } });
  assert.match(toHeads(paged, all, { first: 0, count: 2, of: 5 }, -1).words, /first heads/);
  assert.match(toHeads(SAID, all, { first: 4, count: 2, of: 5 }, +1).words, /last heads/);
  assert.match(toHeads(SAID, all, { first: 0, count: 5, of: 5 }, +1).words, /All heads are there/);
});

test("behind the last mask stands the first, as behind one that has no name here", () => {
  assert.equal(maskAfter(SAID, "none")[0], "causal");
  assert.equal(maskAfter(SAID, "causal")[0], "none");
  assert.equal(maskAfter(SAID, "drawn")[0], "none");
});

test("a finger that goes left leads on, and one that scrolls does nothing", () => {
  assert.equal(partsSwiped(-100, 10), 1);
  assert.equal(partsSwiped(100, 10), -1);
  for (const [across, along] of [[40, 0], [-100, 80], [0, 200]]) assert.equal(partsSwiped(across, along), 0);
});

test("a key leads to fewer and larger heads, and another one back", () => {
  const all = { atOnce: 4, counts: [8, 4, 2, 1] };
  assert.deepEqual(toCount(SAID, { head: null }, all, +1), { atOnce: 2 });
  assert.deepEqual(toCount(SAID, { head: null }, all, -1), { atOnce: 8 });
  assert.match(toCount(SAID, { head: null }, { ...all, atOnce: 8 }, -1).words, /All heads are there/);
  assert.match(toCount({ ...SAID, pages: 2 }, { head: null }, { ...all, atOnce: 8 }, -1).words, /no room/);
  assert.match(toCount(SAID, { head: null }, { ...all, atOnce: 1 }, +1).words, /one head alone/);
  assert.match(toCount(SAID, { head: 2 }, { atOnce: 1, counts: [1] }, +1).words, /one head alone/);
  assert.deepEqual(toCount(SAID, { head: 2 }, { atOnce: 1, counts: [1] }, -1), { wish: { head: null } });
  assert.match(toCount({ ...SAID, n_heads: 1 }, { head: null }, all, +1).words, /There is one head/);
  assert.match(toCount({ ...SAID, of: "head" }, { head: null }, all, -1).words, /beside each other/);
});
