// All that Help says, and the list of keys while a page is presented. A translator finds the words of both
// here. **What stands between stars** is the name of a button.

import { say } from "../language.js";

export const TITLE = say("Help");
export const CLOSE = say("Close");
export const HEADINGS = { tasks: say("What you can do"), keys: say("Keys"), colors: say("What the colours mean") };

// What one can do on the first page, each with how.
export const TASKS = [
  [say("Type a sentence"), say("in the box above the pictures.")],
  [say("Change a number"), say("click a framed one and type, or drag it. **Undo** takes it back.")],
  [say("Ask where a number comes from"), say("click it; the answer stands below the picture.")],
  [say("Change heads, weights, mask or scores"), say("in the sidebar.")],
  [say("Rename, add or move a token"), say("at its name beside X.")],
  [say("See one of many heads large"), say("click it; Esc leads back.")],
  [say("Draw the mask"), say("with the **Mask pen** below a picture.")],
  [say("Zoom"), say("drag over a part of a large picture.")],
  [say("See what a change moved"), say("**Moved**, above the heads.")],
  [say("Open an example, a file or a link"), say("**Open**, or drop a file on the page.")],
  [say("Present"), say("**Present**, at the top right.")],
  [say("Share what you see"), say("**Share** makes a link, **Download** files.")],
  [say("Put it beside another"), say("**Compare** keeps it as A.")],
  [say("Make a tour"), say("**Add to my tour**, at each thing that you want to show.")],
];

// The other pages: the name of each, its title in the navigation, and what one can do there.
export const PAGES = [
  ["", say("Explore"), say("the whole computation on one page.")],
  ["walkthrough", say("Walkthrough"), say("follow it, one operation at a time.")],
  ["compare", say("Compare"), say("see two settings and their difference.")],
  ["patterns", say("Patterns"), say("learn what heads do.")],
  ["tours", say("Tours"), say("take a tour, or write your own.")],
  ["build", say("Build a head"), say("write its numbers so that it does a job.")],
  ["exercise", say("Exercise"), say("fill in numbers; each is marked at once.")],
  ["real_layers", say("Real layers"), say("see all heads of a trained model.")],
  ["for_class", say("For class"), say("make slides, a handout, a worksheet, a picture.")],
];

export const PRESENTING = [
  [say("\u2192, Space"), say("Next part")],
  ["\u2190", say("The part before")],
  [say("Page Down, Page Up"), say("The same, or from stop to stop of a tour: the keys of a remote control")],
  [say("Home"), say("First part")],
  ["\u2193, \u2191", say("Next heads, and those before")],
  [say("1 to 9, 0"), say("One head, all heads")],
  ["+, \u2212", say("Fewer, larger heads; more heads")],
  ["M", say("Next mask; Ctrl + Z takes it back")],
  ["T", say("Sliders of scale and temperature")],
  ["N, B", say("Next stop, and the one before")],
  ["S", say("Spotlight: a cell, a row, a column, off; arrow keys move it")],
  ["Q", say("The link as a QR code")],
  ["F", say("Full screen, or not")],
  ["?", say("This list, and the bar")],
  [say("P, Esc"), say("Leave")],
];

// By where they work, [keys, what they do].
export const KEYS = [
  [say("Everywhere"), [
    ["?", say("Help")],
    ["P", say("Present")],
    [say("Ctrl + Z, Ctrl + Y"), say("Undo, redo")],
    [say("Esc"), say("Close what is open")],
    [say("Ctrl + Enter"), say("Take a text of several lines")],
    ["\u2191, \u2193", say("One more or less, in a field")],
  ]],
  [say("In a picture"), [
    [say("Arrow keys"), say("Go from number to number")],
    [say("Home, End"), say("To the ends of the row")],
    [say("Page Up, Page Down"), say("To another matrix")],
    [say("Space"), say("Ask where the number comes from")],
    [say("Enter, F2"), say("Edit the number; typing replaces it")],
    [say("Delete, Backspace"), say("Set it to 0")],
    [say("Alt + arrow keys"), say("Change it in steps, with Shift large ones")],
    [say("Shift + arrow keys"), say("Select several")],
    [say("Ctrl + C, Ctrl + V"), say("Copy, paste")],
    ["M", say("Hide a key from a query, or show it")],
    [say("Esc"), say("Take back, close, show all heads, leave")],
  ]],
  [say("While you type a number"), [
    [say("Enter, Tab"), say("Go down, right; with Shift back")],
    [say("Esc"), say("Leave it as it was")],
  ]],
  [say("At a name beside a matrix"), [
    [say("Enter, F2"), say("Rename; typing replaces the name")],
    [say("Insert, +"), say("Add one behind it")],
    [say("Delete, Backspace"), say("Remove it")],
    [say("Alt + arrow keys"), say("Move it")],
    ["O", say("Switch a head off or on")],
    [say("Space"), say("Open a menu")],
  ]],
  [say("While you drag"), [
    [say("Shift"), say("Ten times as fast; move a zoom")],
    [say("Alt"), say("Drag a number in a small cell")],
    [say("Ctrl"), say("Draw the mask")],
    [say("Esc"), say("Give it back")],
  ]],
  [say("Walkthrough and tours"), [
    [say("Space, \u2192, Page Down"), say("Next")],
    [say("\u2190, Page Up"), say("Back")],
  ]],
  [say("Exercise"), [
    [say("Enter"), say("Next blank; with Shift the one before")],
    [say("Arrow keys"), say("The blank on that side")],
    [say("Esc"), say("Bring back what stood there")],
  ]],
  [say("While you present"), PRESENTING],
];

// What is drawn, by the name of its sample in help.css or of a colour scale, and what it means.
export const COLORS = [
  ["diverging", say("negative, 0, positive")],
  ["sequential", say("weights, from 0 to 1")],
  ["difference", say("**Moved**: less, same, more")],
  ["hidden", say("hidden by the mask")],
  ["lost", say("infinite, or no number")],
  ["heads", say("each head has one")],
  ["editable", say("can be changed")],
  ["pointed", say("what you point at")],
  ["picked", say("the number explained")],
  ["made-of", say("what it is made of")],
  ["goes-into", say("what it goes into")],
];
