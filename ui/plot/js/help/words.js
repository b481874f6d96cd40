// All that Help says, and the list of keys while a page is presented. A translator finds the words of both
// here. **What stands between stars** is the name of a button.

export const TITLE = "Help";
export const CLOSE = "Close";
export const HEADINGS = { tasks: "What you can do", keys: "Keys", colors: "What the colours mean" };

// What one can do on the first page, each with how.
export const TASKS = [
  ["Type a sentence", "in the box above the pictures."],
  ["Change a number", "click a framed one and type, or drag it. **Undo** takes it back."],
  ["Ask where a number comes from", "click it; the answer stands below the picture."],
  ["Change heads, weights, mask or scores", "in the sidebar."],
  ["Rename, add or move a token", "at its name beside X."],
  ["See one of many heads large", "click it; Esc leads back."],
  ["Draw the mask", "with the **Mask pen** below a picture."],
  ["Zoom", "drag over a part of a large picture."],
  ["See what a change moved", "**Moved**, above the heads."],
  ["Open an example, a file or a link", "**Open**, or drop a file on the page."],
  ["Present", "**Present**, at the top right."],
  ["Share what you see", "**Share** makes a link, **Download** files."],
  ["Put it beside another", "**Compare** keeps it as A."],
  ["Make a tour", "**Add to my tour**, at each thing that you want to show."],
];

// The other pages: the name of each, its title in the navigation, and what one can do there.
export const PAGES = [
  ["", "Explore", "the whole computation on one page."],
  ["walkthrough", "Walkthrough", "follow it, one operation at a time."],
  ["compare", "Compare", "see two settings and their difference."],
  ["patterns", "Patterns", "learn what heads do."],
  ["tours", "Tours", "take a tour, or write your own."],
  ["exercise", "Exercise", "fill in numbers; each is marked at once."],
  ["for_class", "For class", "make slides, a handout, a worksheet, a picture."],
];

export const PRESENTING = [
  ["\u2192, Space", "Next part"],
  ["\u2190", "The part before"],
  ["Page Down, Page Up", "The same, or from stop to stop of a tour: the keys of a remote control"],
  ["Home", "First part"],
  ["\u2193, \u2191", "Next heads, and those before"],
  ["1 to 9, 0", "One head, all heads"],
  ["+, \u2212", "Fewer, larger heads; more heads"],
  ["M", "Next mask; Ctrl + Z takes it back"],
  ["T", "Sliders of scale and temperature"],
  ["N, B", "Next stop, and the one before"],
  ["S", "Spotlight: a cell, a row, a column, off; arrow keys move it"],
  ["Q", "The link as a QR code"],
  ["F", "Full screen, or not"],
  ["?", "This list, and the bar"],
  ["P, Esc", "Leave"],
];

// By where they work, [keys, what they do].
export const KEYS = [
  ["Everywhere", [
    ["?", "Help"],
    ["P", "Present"],
    ["Ctrl + Z, Ctrl + Y", "Undo, redo"],
    ["Esc", "Close what is open"],
    ["Ctrl + Enter", "Take a text of several lines"],
    ["\u2191, \u2193", "One more or less, in a field"],
  ]],
  ["In a picture", [
    ["Arrow keys", "Go from number to number"],
    ["Home, End", "To the ends of the row"],
    ["Page Up, Page Down", "To another matrix"],
    ["Space", "Ask where the number comes from"],
    ["Enter, F2", "Edit the number; typing replaces it"],
    ["Delete, Backspace", "Set it to 0"],
    ["Alt + arrow keys", "Change it in steps, with Shift large ones"],
    ["Shift + arrow keys", "Select several"],
    ["Ctrl + C, Ctrl + V", "Copy, paste"],
    ["M", "Hide a key from a query, or show it"],
    ["Esc", "Take back, close, show all heads, leave"],
  ]],
  ["While you type a number", [
    ["Enter, Tab", "Go down, right; with Shift back"],
    ["Esc", "Leave it as it was"],
  ]],
  ["At a name beside a matrix", [
    ["Enter, F2", "Rename; typing replaces the name"],
    ["Insert, +", "Add one behind it"],
    ["Delete, Backspace", "Remove it"],
    ["Alt + arrow keys", "Move it"],
    ["O", "Switch a head off or on"],
    ["Space", "Open a menu"],
  ]],
  ["While you drag", [
    ["Shift", "Ten times as fast; move a zoom"],
    ["Alt", "Drag a number in a small cell"],
    ["Ctrl", "Draw the mask"],
    ["Esc", "Give it back"],
  ]],
  ["Walkthrough and tours", [
    ["Space, \u2192, Page Down", "Next"],
    ["\u2190, Page Up", "Back"],
  ]],
  ["Exercise", [
    ["Enter", "Next blank; with Shift the one before"],
    ["Arrow keys", "The blank on that side"],
    ["Esc", "Bring back what stood there"],
  ]],
  ["While you present", PRESENTING],
];

// What is drawn, by the name of its sample in help.css or of a colour scale, and what it means.
export const COLORS = [
  ["diverging", "negative, 0, positive"],
  ["sequential", "weights, from 0 to 1"],
  ["difference", "**Moved**: less, same, more"],
  ["hidden", "hidden by the mask"],
  ["lost", "infinite, or no number"],
  ["heads", "each head has one"],
  ["editable", "can be changed"],
  ["pointed", "what you point at"],
  ["picked", "the number explained"],
  ["made-of", "what it is made of"],
  ["goes-into", "what it goes into"],
];
