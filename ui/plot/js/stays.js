// What stays from page to page, for as long as the document is open. All of it stands here, so that
// another visit in the same document can begin without it.

const beginning = () => ({
  groups: new Map(), // what the plots of a group share: its entries, what is live, and who reports them
  asks: new Map(), // by group of plots: the last cell that was picked in this browser
  inHand: new Map(), // by group and name of a plot that was taken out of the page: what somebody had in hand there
  edits: new Map(), // by group of plots: a given number that a person wants to edit, until a plot shows it
  outlines: new Map(), // by group of plots: what is outlined, and when it was picked
  isUsed: false, // whether anybody has done anything since a link opened the page
  large: "", // a matrix that a person wants to see large, until a plot shows it
  step: "", // the one that the strip has led to, until a plot shows it
  matrix: "", // the one that was pointed at last
  speed: "normal", // of operations that move over their result: people want it again on the next screen
  goesOn: false, // by itself, to the next screen
  part: "", // the one that was presented, to go on there
  seen: /** @type {string[] | null} */ (null), // what was in view when that began
  hasLeft: false, // whether the focus goes back to the button that led to the presentation
  light: "", // the kind of spotlight
  sliders: false, // whether those of a presentation are shown
  atOnce: /** @type {number | null} */ (null), // how many heads are presented beside each other; null: as many as can be seen
});

export const stays = beginning();

export function beginAnew() {
  Object.assign(stays, beginning());
}
