// What a tab keeps, and whom it asks before it brings that back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Element, standInForPage } from "./plain_page.js";

const { sessionStorage } = standInForPage();
const { default: keep } = await import("../../../ui/controls/kept_in_tab.js");

const WORDS = {
  lost: "This browser keeps nothing here.",
  kept: "This tab has kept numbers.",
  bring: "Bring them back",
  forget: "Forget them",
};
let names = 0;

// A layer that nothing is kept of, and what a run says of it. `said` is what the server hears.
function layer() {
  const name = `layer ${names++}`;
  const parentElement = new Element();
  const said = [];
  const run = (session, text = "") => keep({
    parentElement,
    data: { session, name, text, ...WORDS },
    setStateValue: (_name, isNeeded) => said.push(isNeeded ? "needed" : "not needed"),
    setTriggerValue: (_name, value) => said.push(value),
  });
  const offer = () => parentElement.querySelector(".kept-offer");
  const press = (text) => offer().children.find(({ textContent }) => textContent === text).onclick();
  return { item: `attention explorer ${name}`, said, run, offer, press };
}

test("what no address can hold is kept, and the server told once that this is needed", () => {
  const { item, said, run, offer } = layer();
  run("s", "numbers");
  run("s", "other numbers");
  assert.equal(sessionStorage.getItem(item), "other numbers");
  assert.deepEqual(said, ["needed"]);
  assert.equal(offer(), null);
});

test("it is forgotten once the numbers fit the address again", () => {
  const { item, said, run } = layer();
  run("s", "numbers");
  run("s");
  assert.equal(sessionStorage.getItem(item), null);
  assert.deepEqual(said, ["needed", "not needed"]);
});

test("a server that was started anew gets it back without a question", () => {
  const { said, run, offer } = layer();
  run("s", "numbers");
  run("after the start");
  assert.deepEqual(said, ["needed", "numbers"]);
  assert.equal(offer(), null);
});

test("after a reload a person is asked, and what they choose is done", () => {
  for (const [choice, told] of [["Bring them back", "numbers"], ["Forget them", "not needed"]]) {
    const { item, said, run, offer, press } = layer();
    sessionStorage.setItem(item, "numbers"); // by the document before
    run("s");
    assert.match(offer().allText, /has kept numbers/);
    press(choice);
    assert.equal(offer(), null);
    assert.deepEqual(said, ["needed", told]);
    assert.equal(sessionStorage.getItem(item), choice === "Forget them" ? null : "numbers");
  }
});

test("the question is asked once, however often the page runs", () => {
  const { item, said, run, offer } = layer();
  sessionStorage.setItem(item, "numbers");
  run("s");
  const asked = offer();
  run("s");
  assert.equal(offer(), asked);
  assert.deepEqual(said, ["needed"]);
});

test("a browser that keeps nothing says so", () => {
  const { setItem } = sessionStorage;
  sessionStorage.setItem = () => { throw new Error("QuotaExceededError"); };
  const { run, offer } = layer();
  run("s", "numbers");
  sessionStorage.setItem = setItem;
  assert.match(offer().allText, /keeps nothing here/);
});
