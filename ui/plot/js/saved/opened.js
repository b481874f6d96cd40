// A page in one file as it opens: its data, its colours, and what every such page offers.

import { button, html } from "../dom.js";
import { say } from "../language.js";
import { Frame } from "./frame.js";
import { partOf } from "./parts.js";
import { FONT, SavedTheme } from "./saved_theme.js";

// Calls `show` with the place of the page, its data, its theme, and the buttons and links of every page.
export async function opened(show) {
  const page = await partOf(0);
  await Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} 14px ${FONT}`))); // for the canvas
  const frame = new Frame();
  const theme = new SavedTheme(frame);
  const ways = [button(say("Light or dark"), () => theme.turn())];
  if (page.link) ways.push(html("a", { href: page.link }, say("Open in the explorer")));
  if (page.home) ways.push(html("a", { href: page.home }, say("All pages")));
  const main = document.querySelector("main");
  frame.follow(main, () => theme.followOutside());
  show(main, page, theme, ways);
}

// Whether a key means to undo. In a field, the keys are the field's own.
export function isUndo(event) {
  const { key, ctrlKey, metaKey, shiftKey, target } = event;
  return (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === "z" && !target.closest("input, textarea, select");
}
