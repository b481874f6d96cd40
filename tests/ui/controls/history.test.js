// Where undo and redo lead, while answers come late, and Back and Forward.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Element, standInForPage } from "./plain_page.js";

const page = standInForPage();
mock.timers.enable({ apis: ["setTimeout"] });
const { default: history } = await import("../../../ui/controls/history.js");

const KNOWN = { group: "a", session: "s", run: 1, at: 3, last: 5, shift: 0, heard: 0 };

let reported;
let parent;
let cleanUp;

function say(said = {}) {
  cleanUp = history({
    parentElement: parent,
    data: { ...KNOWN, ...said },
    setStateValue: (name, wish) => reported.push([name, wish]),
    setTriggerValue: (name) => reported.push([name]),
  });
}

function press(key, held = {}) {
  const event = { key, ctrlKey: true, target: new Element("div"), preventDefault() {}, ...held };
  page.window.dispatch("keydown", event);
}

const wait = (seconds) => mock.timers.tick(1e3 * seconds);
const named = () => reported.filter(([name]) => name === "before");
const places = () => reported.filter(([name]) => name === "go").map(([, { place }]) => place);
const number = () => reported.at(-1)[1].number;

beforeEach(() => {
  if (parent) {
    parent.isConnected = false;
    cleanUp();
  }
  reported = [];
  parent = new Element();
  page.document.dispatch("entered", { detail: { group: "a", newest: 0, count: 0 } });
  say();
});

test("what can be undone is kept for a reload, and a document that finds another session reports it", () => {
  assert.equal(page.sessionStorage.getItem("attention explorer undo a"), "s");
  page.document.dispatch("attention-another-visit", {});
  say({ session: "new", at: 0, last: 0 });
  say({ session: "new", at: 0, last: 0 });
  assert.deepEqual(named(), [["before", "s"]]);
  assert.equal(page.sessionStorage.getItem("attention explorer undo a"), "s"); // it has nothing to undo
  say({ session: "new", at: 0, last: 0, before: "s" });
  wait(100);
  assert.equal(named().length, 1);
});

test("a session before is named again until the server knows that its visitor has gone", () => {
  page.document.dispatch("attention-another-visit", {});
  say({ session: "new", at: 0, last: 0 });
  wait(3);
  assert.deepEqual(named(), [["before", "s"], ["before", "s"]]);
  say({ session: "new", at: 0, last: 0, before: null });
  wait(4);
  assert.equal(named().length, 3);
  say({ session: "new", at: 3, last: 5, before: "s" });
  wait(100);
  assert.equal(named().length, 3);
});

test("each press is reported as a place, so that the last report is enough", () => {
  press("z");
  press("z");
  press("y");
  assert.deepEqual(places(), [2, 1, 2]);
});

test("it stays within the history", () => {
  for (let i = 0; i < 9; i++) press("z");
  assert.deepEqual(places(), [2, 1, 0]);
  for (let i = 0; i < 9; i++) press("z", { shiftKey: true });
  assert.equal(places().at(-1), KNOWN.last);
});

test("a run that has not heard of a press changes nothing of where it led", () => {
  press("z");
  say({ run: 2 });
  press("z");
  assert.deepEqual(places(), [2, 1]);
});

test("steps that were added meanwhile move the place that was asked for", () => {
  press("z");
  say({ run: 2, at: 4, last: 6, shift: 1 });
  press("z");
  assert.deepEqual(places(), [2, 2]);
});

test("what the server has heard of is where the next press counts from", () => {
  press("z");
  say({ run: 2, at: 2, heard: number() });
  press("z");
  assert.deepEqual(places(), [2, 1]);
  say({ run: 3, at: 0, heard: number() });
  press("z");
  assert.equal(places().length, 2);
});

test("an older run that Streamlit shows once more says nothing", () => {
  say({ run: 7, at: 1 });
  say({ run: 6, at: 5 });
  press("z");
  assert.deepEqual(places(), [0]);
});

test("a server that was started anew counts from its own beginning", () => {
  press("z");
  say({ session: "other", run: 0, at: 0, last: 0 });
  press("z");
  assert.deepEqual(places(), [2]);
});

test("an entry that waits can be taken back before the server knows of it, and is named", () => {
  say({ run: 2, at: 0, last: 0 });
  page.document.dispatch("entered", { detail: { group: "a", newest: 9, count: 2 } });
  press("z");
  assert.deepEqual(places(), [-1]);
  assert.equal(reported.at(-1)[1].after, 9);
});

test("the buttons say whether there is a step", () => {
  const [undo, redo] = parent.children[0].children;
  const areOff = () => [undo, redo].map((each) => each.getAttribute("aria-disabled"));
  assert.deepEqual(areOff(), ["false", "false"]);
  say({ run: 2, at: 0, last: 0 });
  assert.deepEqual(areOff(), ["true", "true"]);
});

test("while somebody types in a field, the key belongs to the field until its text is entered", () => {
  const target = Object.assign(new Element("input"), { matches: () => true });
  page.window.dispatch("input", { target });
  press("z", { target });
  assert.deepEqual(places(), []);
  press("Enter", { target, ctrlKey: false });
  press("z", { target });
  assert.deepEqual(places(), [2]);
});

test("keys go to the history that was changed last", () => {
  const other = new Element();
  const heard = [];
  const sayOther = (said) => history({
    parentElement: other,
    data: { ...KNOWN, group: "b", ...said },
    setStateValue: (_name, { place }) => heard.push(place),
    setTriggerValue() {},
  });
  sayOther({});
  press("z");
  assert.deepEqual([places(), heard], [[2], []]);
  const gone = sayOther({ run: 2, at: 4 });
  press("z");
  assert.deepEqual([places(), heard], [[2], [3]]);
  other.isConnected = false;
  gone();
});

test("Back and Forward report the address, once, and not on another page", () => {
  page.location.search = "?example=pizza";
  page.window.dispatch("popstate", {});
  page.location.pathname = "/compare";
  page.window.dispatch("popstate", {});
  page.location.pathname = "/";
  assert.deepEqual(reported.map(([name, { address }]) => [name, address]), [["visit", "?example=pizza"]]);
});

function takeItsPlace() {
  parent.isConnected = false;
  cleanUp();
  parent = new Element();
}

test("Back while no row is there is reported by the next one, but not on another page", () => {
  const { location } = page;
  const visits = (path) => {
    takeItsPlace();
    Object.assign(location, { pathname: path, search: "?example=pizza" });
    page.window.dispatch("popstate", {});
    reported = [];
    say();
    Object.assign(location, { pathname: "/", search: "" });
    return reported.map(([name, { address }]) => [name, address]);
  };
  assert.deepEqual(visits("/"), [["visit", "?example=pizza"]]);
  assert.deepEqual(visits("/compare"), []);
});

test("whoever comes back from a page without these buttons has come anew: nothing is reported", () => {
  const { location } = page;
  location.pathname = "/patterns";
  takeItsPlace();
  location.pathname = "/";
  page.window.dispatch("popstate", {});
  say();
  assert.deepEqual(reported, []);
});

test("a row whose place another takes leaves it to that one to report where the browser was led", () => {
  const { location, history: { pushed } } = page;
  location.search = "?example=pizza";
  page.window.dispatch("popstate", {}); // Back
  const [[, { number: led }]] = reported;
  takeItsPlace();
  pushed.length = 0;
  say({ run: 2, heard: led - 1, again: "example=pizza&scale=2" }); // begun before the server heard
  assert.deepEqual(pushed, []);
  wait(3);
  assert.deepEqual(reported.map(([name, wish]) => [name, wish.number]), [["visit", led], ["visit", led]]);
  say({ run: 3, heard: led });
  wait(100);
  assert.equal(reported.length, 2);
  say({ run: 4, heard: led, again: "example=pizza&scale=3" });
  assert.deepEqual(pushed, ["?example=pizza&scale=3"]);
  location.search = "";
});

test("an address that is told again is a step of the browser's, unless the browser is there or is led elsewhere", () => {
  const { location, history: { pushed } } = page;
  location.search = "?embed=true&example=pizza&tokens=a+b";
  pushed.length = 0;
  say({ run: 2, again: "tokens=a%20b&example=pizza" });
  assert.deepEqual(pushed, []);
  say({ run: 3, again: "example=pizza&scale=2" });
  assert.deepEqual(pushed, ["?embed=true&example=pizza&scale=2"]);
  location.search = "?example=pizza";
  page.window.dispatch("popstate", {}); // Back
  say({ run: 4, again: "example=pizza&scale=2" });
  assert.equal(pushed.length, 1);
  say({ run: 5, heard: number() });
  assert.equal(location.search, "?example=pizza");
  location.search = "";
});

test("an address is put where there is none", () => {
  const { location } = page;
  for (const [search, after] of [["?embed=true", "?embed=true&heads=4"], ["?heads=2", "?heads=2"]]) {
    location.search = search;
    say({ put: [search.length, "heads=4"] });
    wait(1);
    assert.equal(location.search, after);
  }
  location.search = "";
});

test("a cleaning that comes too late leaves the row, one whose element has gone takes its keys away", () => {
  cleanUp();
  press("z");
  assert.deepEqual(places(), [2]);
  parent.isConnected = false;
  cleanUp();
  press("z");
  assert.deepEqual(places(), [2]);
});

test("a wish of which the server has not heard is reported again, as the same wish", () => {
  press("z");
  const [first] = reported;
  wait(10);
  assert.ok(reported.length > 1);
  for (const each of reported) assert.deepEqual(each, first);
  say({ run: 2, at: 2, heard: number() });
  const { length } = reported;
  wait(100);
  assert.equal(reported.length, length);
});

test("nobody is asked for ever, nor for the wish of a row that has gone, or of another session", () => {
  press("z");
  wait(1000);
  assert.ok(reported.length < 9);
  reported = [];
  press("z");
  say({ session: "other", run: 0 });
  wait(100);
  assert.equal(reported.length, 1);
  press("y");
  parent.isConnected = false;
  cleanUp();
  wait(100);
  assert.equal(reported.length, 2);
});

test("while a run is under way, nothing is reported again", () => {
  const app = new Element();
  app.setAttribute("data-test-script-state", "running");
  page.document.querySelector = () => app;
  press("z");
  wait(9);
  assert.equal(reported.length, 1);
  app.setAttribute("data-test-script-state", "notRunning");
  wait(3);
  page.document.querySelector = () => null;
  assert.equal(reported.length, 2);
});
