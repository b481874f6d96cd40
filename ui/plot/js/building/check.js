// Whether an answer does its job, on every sentence of a puzzle: what mha_core/puzzles/checking.py and wants.py
// say, in the browser.

import { Layers } from "../numbers/layers.js";
import { withArrays } from "./answer.js";
import { mistakeIn } from "./mistakes.js";

// `puzzle` is what ui/saved/puzzle_page.py says of it, `arrays` are rows by the names of free arrays.
export function verdictOn(puzzle, arrays) {
  const failures = puzzle.sentences.map((sentence) => failureIn(sentence, arrays, puzzle.tie));
  const first = failures.find(Boolean) ?? null;
  const count = failures.length;
  const passed = failures.filter((failure) => !failure).length;
  const numbers = Object.values(arrays).flatMap((rows) => Array.from(rows, (row) => Array.from(row)).flat());
  const written = numbers.filter((number) => number !== 0).length;
  const isSmall = numbers.every((number) => Math.abs(number) <= puzzle.largest);
  const stars = first ? 0 : 1 + Number(written <= puzzle.most_numbers) + Number(isSmall);
  return { passed, count, stars, written, isSmall, first };
}

// What is missed first in a sentence; null if nothing is.
function failureIn(sentence, arrays, tie) {
  const layers = new Layers(withArrays(sentence.inputs, arrays));
  for (const want of sentence.wants) {
    const rows = layers.rows(want.matrix);
    const missed = MISSED[want.step](rows, want);
    if (missed) return { tokens: sentence.tokens, want, ...missed, mistake: mistakeIn(rows, want, sentence.tokens, tie) };
  }
  return null;
}

// Of what each kind wants: the column of the number that is wrong, that number and the one that is right.
const MISSED = {
  // The wanted key that gets least.
  weights(rows, { query, keys, least }) {
    const weights = rows[query];
    const column = keys.reduce((one, other) => (weights[other] < weights[one] ? other : one));
    return weights[column] >= least ? null : { column, value: weights[column], must: least };
  },

  // The number that is farthest from what it should be.
  output(rows, { query, columns, numbers, within }) {
    const far = columns.map((column, i) => Math.abs(rows[query][column] - numbers[i]));
    const most = Math.max(...far); // not a number, if one of them is not
    if (most <= within) return null;
    const at = Math.max(0, far.indexOf(most));
    return { column: columns[at], value: rows[query][columns[at]], must: numbers[at] };
  },

  // The probability of the right word.
  probabilities(rows, { query, column, times }) {
    const likely = Array.from(rows[query]);
    const isRight = likely.every((other, word) => word === column || likely[column] >= times * other);
    return isRight ? null : { column, value: likely[column], must: times };
  },
};
