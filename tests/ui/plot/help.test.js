// Help names exactly the keys that the scripts listen to, each where it works.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { test } from "node:test";

import { COLORS, KEYS, PAGES, PRESENTING, TASKS } from "../../../ui/plot/js/help/words.js";
import { standInForPage } from "../controls/plain_page.js";

standInForPage();
const { Presentation } = await import("../../../ui/plot/js/presenting/presentation.js");

const UI = resolve(import.meta.dirname, "..", "..", "..", "ui");
const NAMES = {
  "\u2190": "ArrowLeft", "\u2192": "ArrowRight", "\u2191": "ArrowUp", "\u2193": "ArrowDown", "\u2212": "-",
  Space: " ", Esc: "Escape", "Page Up": "PageUp", "Page Down": "PageDown",
};
const MODIFIERS = /^(Ctrl|Alt|Shift)( \+ |$)/;
const WHERE = { // the scripts that listen, by where Help says that keys work; and which of theirs it leaves out
  Everywhere: {
    scripts: [
      ...["plot/js/help/help.js", "plot/js/presenting/present_button.js", "controls/history.js", "controls/take_text.js"],
      ...["plot/js/entering/fields.js", "plot/js/entering/slider.js", "plot/js/around/tools.js", "plot/js/around/panel.js"],
      ...["plot/js/around/sign.js", "controls/popover_focus.js"],
    ],
  },
  "In a picture": {
    scripts: ["plot/js/hand/keyboard.js", "plot/js/hand/mask_pen.js", "plot/js/hand/scrub.js"],
    byTheBrowser: ["c", "v"], // it tells the script to copy and to paste
  },
  "While you type a number": { scripts: ["plot/js/entering/editor.js"] },
  "At a name beside a matrix": {
    scripts: ["plot/js/labels/labels.js", "plot/js/labels/label_sides.js"],
    usual: ["ContextMenu", "Escape", "Tab"],
  },
  "While you drag": { scripts: ["plot/js/hand/while_down.js"] },
  "Walkthrough and tours": { scripts: ["controls/walk_keys.js"] },
  Exercise: { scripts: ["controls/answer_sheet.js"] },
};
const ELSEWHERE = [
  "plot/js/presenting/presentation.js", // asked below
  "plot/js/labels/label_menu.js", "blocks/formulas.js", // as in any menu, on any button
  "plot/js/hand/over_border.js", // which is told by keyboard.js
  "controls/grid_guard.js", // watches what goes to Streamlit's own grid
  "links_wait.js", // hears that a text was entered
  "plot/js/saved/saved_page.js", "plot/js/saved/saved_place.js", // which have no Help
];

const named = (rows) => new Set(rows.flatMap(([keys]) => keys.split(", ").flatMap(asEvents)));

function asEvents(keys) {
  if (keys === "1 to 9") return [..."123456789"];
  const key = keys.replace(MODIFIERS, "");
  if (!key) return [];
  if (/^arrow keys$/i.test(key)) return ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  return [NAMES[key] ?? (key.length === 1 ? key.toLowerCase() : key)];
}

const WORD = /"(Arrow\w+|Home|End|PageUp|PageDown|Enter|Escape|Insert|Delete|Backspace|Tab|F\d+|ContextMenu)"|\b(Arrow\w+|Home|End|PageUp|PageDown|Enter|Escape|Insert|Delete|Backspace|Tab):/g;
const LETTER = /(?<!html\()"([a-z?+ ])"/gi;
const OF_LETTERS = /\bkey\b|\bcase\b|OPENS_MENU =|SWITCHES =|ON =|"(Undo|Redo)"/; // lines

function listenedTo(script) {
  const lines = readFileSync(resolve(UI, script), "utf-8").replaceAll(/(^|\s)\/\/.*$/gm, "").split("\n");
  const words = lines.flatMap((line) => [...line.matchAll(WORD)].map(([, quoted, field]) => quoted ?? field));
  const letters = lines.filter((line) => OF_LETTERS.test(line)).flatMap((line) => [...line.matchAll(LETTER)].map(([, letter]) => letter));
  return new Set([...words, ...letters.map((letter) => letter.toLowerCase())]);
}

for (const [where, rows] of KEYS) {
  if (rows === PRESENTING) continue;
  test(`the keys of "${where}" are those of its scripts`, () => {
    const { scripts, usual = [], byTheBrowser = [] } = WHERE[where];
    const heard = new Set([...scripts.flatMap((script) => [...listenedTo(script)]), ...byTheBrowser]);
    assert.deepEqual([...named(rows)].sort(), [...heard].filter((key) => !usual.includes(key)).sort());
  });
}

test("every script that listens to a key has its place in Help, or is known to need none", () => {
  const known = [...Object.values(WHERE).flatMap(({ scripts }) => scripts), ...ELSEWHERE];
  const all = globSync(`${UI}/**/*.js`).map((path) => relative(UI, path)).filter((path) => !/built|help.words/.test(path));
  const listening = all.filter((path) => /\bkey(down|up)\b|\bkey [!=]==/.test(readFileSync(resolve(UI, path), "utf-8")) && listenedTo(path).size);
  assert.deepEqual(listening.filter((path) => !known.includes(path)), []);
});

test("the keys of a presentation are those that do something there", () => {
  const printable = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place).toLowerCase());
  const others = [..."\u2190\u2192\u2191\u2193"].map((arrow) => NAMES[arrow]);
  const more = ["Home", "End", "PageUp", "PageDown", "Enter", "Escape", "Insert", "Delete", "Backspace", "Tab", "F2"];
  const quiet = { sides: { spotlight: { kind: "" } } };
  const act = new Set([...printable, ...others, ...more].filter((key) => Presentation.prototype.actOf.call(quiet, key)));
  act.delete("="); // the key of + without Shift
  assert.deepEqual([...named(PRESENTING)].sort(), [...act].sort());
});

test("what Help says is said once, and no part is empty", () => {
  for (const rows of [TASKS, PAGES, COLORS, KEYS]) {
    assert.ok(rows.length > 5);
    assert.equal(new Set(rows.map(([name]) => name)).size, rows.length);
  }
});
