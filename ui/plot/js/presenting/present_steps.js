// Where a key leads while a page is presented: to a `wish` that the server answers, to the `first` head of
// those that the browser has, or nowhere, with `words` that say why.
//
// `said` is what the server says of the part that is shown, `wanted` the part, head and page of the last wish.

import { say } from "../language.js";

const SWIPE = 60; // pixels
const LAST = say("This is the last part.");
const LAST_OF_STOP = say("This is the last part. N leads to the next stop.");
const OF_ALL = { words: say("This part is about all heads together.") };

// The place of a part among all.
export function placeOfPart({ parts }, part) {
  return parts.findIndex(([name]) => name === part);
}

/** @returns {Way} */
export function toPart(said, wanted, by) {
  const next = placeOfPart(said, wanted.part) + by;
  if (next < 0) return { words: say("This is the first part.") };
  if (next >= said.parts.length) return { words: said.tour?.on ? LAST_OF_STOP : LAST };
  return { wish: { part: said.parts[next][0] } };
}

// To the head of this number, or to all heads by -1.
/** @returns {Way} */
export function toHead({ n_heads, of }, head) {
  if (n_heads === 1) return { words: say("There is one head.") };
  if (head >= n_heads) return { words: say("There are {count} heads.", { count: n_heads }) };
  if (of === "") return OF_ALL;
  if (head < 0 && of === "head") return { words: say("This part shows one head at a time.") };
  return { wish: { head: head < 0 ? null : head } };
}

// To other heads than the `seen` ones: {first, count, of}.
/** @returns {Way} */
export function toHeads(said, wanted, seen, by) {
  if (said.of === "") return OF_ALL;
  const isOne = said.of === "head" || wanted.head !== null;
  return isOne ? fromHead(said, wanted.head ?? said.shown_head, by) : throughHeads(said, seen, by);
}

// From the head that is shown alone to another one.
/** @returns {Way} */
function fromHead({ n_heads }, head, by) {
  const next = head + by;
  if (next < 0) return { words: say("This is the first head.") };
  if (next >= n_heads) return { words: say("This is the last head.") };
  return { wish: { head: next } };
}

// To the heads that have no room beside those in sight. The browser has those of this page of heads.
/** @returns {Way} */
function throughHeads({ page, pages }, { first, count, of }, by) {
  const [next, nextPage] = [first + by * count, page + by];
  if (next >= 0 && next < of) return { first: next };
  if (nextPage >= 1 && nextPage <= pages) return { wish: { page: nextPage } };
  if (count === of && pages === 1) return { words: say("All heads are there.") };
  return { words: by < 0 ? say("These are the first heads.") : say("These are the last heads.") };
}

// To fewer heads at once, which are larger, or to more: as many as the `seen` ones could be.
/** @returns {Way} */
export function toCount({ of, n_heads, pages }, wanted, { atOnce, counts }, by) {
  if (n_heads === 1) return { words: say("There is one head.") };
  if (of !== "heads") return { words: say("This part does not show heads beside each other.") };
  if (wanted.head !== null) return by < 0 ? { wish: { head: null } } : { words: say("This is one head alone.") };
  const next = counts[counts.indexOf(atOnce) + by];
  if (next) return { atOnce: next };
  if (by > 0) return { words: say("This is one head alone.") };
  return { words: pages > 1 ? say("More heads have no room here.") : say("All heads are there.") };
}

// The name and the title of the next mask. Behind the last one stands the first.
export function maskAfter({ masks }, mask) {
  const place = masks.findIndex(([name]) => name === mask);
  return masks[(place + 1) % masks.length];
}

// The part, where a finger has gone so far across and along: by one, or by none.
export function partsSwiped(across, along) {
  const isSwipe = Math.abs(across) >= SWIPE && Math.abs(across) >= 1.5 * Math.abs(along);
  return isSwipe ? -Math.sign(across) : 0;
}
