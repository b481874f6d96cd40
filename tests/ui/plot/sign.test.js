// When a sign says that a number is explained below, and when the page leads there by itself.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Element, standInForPage } from "../controls/plain_page.js";

const page = standInForPage();
Object.assign(page.window, { innerHeight: 720, matchMedia: () => ({ matches: true }) });
const { Sign } = await import("../../../ui/plot/js/around/sign.js");

const IN_SIGHT = { height: 200, top: 300, bottom: 500 };
const BELOW = { height: 200, top: 900, bottom: 1100 };
const ABOVE = { height: 200, top: -500, bottom: -300 };

// A panel, its sign, and whether the page has led to it.
function opened(said = { isQuiet: false }) {
  const heading = Object.assign(new Element("h2"), { innerHTML: "weight 2", focus() {} });
  const box = Object.assign(new Element(), { offsetHeight: 200, hasLed: false, at: BELOW });
  box.scrollIntoView = () => { box.hasLed = true; };
  box.getBoundingClientRect = () => box.at;
  const sign = new Sign(box, () => heading);
  const stands = (at) => {
    box.at = at;
    sign.follow({ isIntersecting: at === IN_SIGHT, boundingClientRect: at });
  };
  sign.show(said);
  return { sign, box, heading, stands };
}

test("on a page that a link has opened, the page leads to the panel by itself", () => {
  const { sign, box, stands } = opened();
  stands(BELOW);
  assert.ok(box.hasLed);
  assert.ok(sign.element.hidden);
});

test("a stop of a tour begins at the top, with its sentence", () => {
  page.location.search = "?tour=softmax&stop=2";
  const { box, stands } = opened();
  stands(BELOW);
  page.location.search = "";
  assert.ok(!box.hasLed);
});

test("once a person has done anything, a sign says what is below, and follows the number", () => {
  page.document.dispatch("pointerdown", {});
  const { sign, box, heading, stands } = opened();
  stands(BELOW);
  assert.ok(!box.hasLed);
  assert.ok(!sign.element.hidden);
  assert.match(sign.element.innerHTML, /^weight 2: explained below/);
  heading.innerHTML = "weight 3";
  sign.say();
  assert.match(sign.element.innerHTML, /^weight 3/);
});

test("a panel in the window needs none, unless the page moves it out again", () => {
  const { sign, stands } = opened();
  stands(IN_SIGHT);
  assert.ok(sign.element.hidden);
  stands(BELOW);
  assert.ok(!sign.element.hidden);
});

test("of a given number, which a person means to change, there is none", () => {
  const { sign, stands } = opened({ isQuiet: true });
  stands(BELOW);
  assert.ok(sign.element.hidden);
});

test("a panel without a place on the page yet says nothing", () => {
  const { sign, box, stands } = opened();
  stands({ height: 0, top: 0, bottom: 0 });
  assert.ok(sign.element.hidden);
  assert.ok(!box.hasLed);
});

test("whoever has seen the panel, or jumped to below it, is not led back", () => {
  for (const at of [IN_SIGHT, ABOVE]) {
    const { sign, box, stands } = opened();
    stands(at === IN_SIGHT ? at : BELOW);
    assert.equal(sign.element.hidden, at === IN_SIGHT);
    box.at = at;
    page.document.dispatch("scroll", {});
    assert.equal(sign.watcher.watched.size, 0);
    assert.ok(sign.element.hidden);
  }
});

test("Escape takes the sign away", () => {
  const { sign, stands } = opened();
  stands(BELOW);
  page.document.dispatch("keydown", { key: "Escape" });
  assert.ok(sign.element.hidden);
});
