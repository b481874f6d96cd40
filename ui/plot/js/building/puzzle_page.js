// A puzzle that was saved to disk: ui/saved/puzzle_page.py writes it.

import { html } from "../dom.js";
import { isUndo, opened } from "../saved/opened.js";
import { PuzzleWork } from "./puzzle_work.js";

opened((main, puzzle, theme, ways) => {
  const work = new PuzzleWork(puzzle, theme);
  main.append(html("header", {}, html("h1", {}, puzzle.title), html("div", { class: "bar" }, ...ways)), work.element);
  theme.whenChanged = () => work.followTheme();
  window.addEventListener("keydown", (event) => {
    if (!isUndo(event)) return;
    event.preventDefault();
    work.undo.click();
  });
  work.show();
});
