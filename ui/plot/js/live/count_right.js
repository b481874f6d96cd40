// What is wanted of a matrix, and how many of its rows are so: while a number is dragged, the caption
// says it here, afterwards the server.

import { say } from "../language.js";

// Returns whether a caption is another now.
export function countRight(board) {
  const wanted = board.matrices.filter(({ sent }) => sent.wanted_of);
  return wanted.map((matrix) => tell(matrix, board.named(matrix.sent.wanted_of.matrix))).some(Boolean);
}

function tell(wanted, made) {
  if (!made) return false;
  const words = rightInWords(wanted.numbers, made.numbers, wanted.sent.wanted_of);
  const isNew = wanted.caption !== words;
  wanted.caption = words;
  return isNew;
}

// How many rows are as they are wanted; `passes` says how near to it they must be.
export function rightInWords(wanted, made, passes) {
  const asked = Array.from(wanted, (row, i) => [row, made[i]]).filter(([row]) => !row.every(Number.isNaN));
  const right = asked.filter(([row, now]) => row.every((number, j) => isRight(number, now[j], passes, leastOf(row, now))));
  return say("{right} of {count} tokens are right", { right: right.length, count: asked.length });
}

// Of a prediction: how likely the right word is.
function leastOf(row, now) {
  return now[row.indexOf(1)];
}

function isRight(number, now, { least, within, times }, likely) {
  if (Number.isNaN(number)) return true;
  if (times) return number === 1 || likely >= times * now;
  return least ? number === 0 || now >= least * number : Math.abs(now - number) <= within;
}
