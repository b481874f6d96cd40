// What a puzzle's page says of an answer: the same words as the page "Build a head".

import { say } from "../language.js";
import { fixed } from "../numbers/numbers.js";

const STARS = 3;

export function verdictInWords({ passed, count, stars, written, isSmall, first }, { most_numbers, largest, decimals, mistakes }) {
  if (first) {
    const passes = count === 1
      ? say("The sentence does not pass.")
      : say("{passed} of {count} sentences pass.", { passed, count });
    return { isRight: false, first: passes, more: `${failureInWords(first, decimals)} ${mistakes[first.mistake] ?? ""}`.trim() };
  }
  const pass = count === 1 ? say("The sentence passes.") : say("All {count} sentences pass.", { count });
  const more = [say("Numbers that are not zero: {count}.", { count: written })];
  if (written > most_numbers) more.push(say("A star for at most {most}.", { most: most_numbers }));
  if (!isSmall) more.push(say("A star if none is larger than {largest}.", { largest }));
  return { isRight: true, first: `${pass} ${"★".repeat(stars)}${"☆".repeat(STARS - stars)}`, more: more.join(" ") };
}

function failureInWords(failure, decimals) {
  return say("In “{sentence}”, {words}", { sentence: failure.tokens.join(" "), words: missedInWords(failure, decimals) });
}

function missedInWords({ tokens, want, column, value, must }, decimals) {
  const named = (place) => `${place + 1} (${tokens[place]})`;
  const said = { query: named(want.query), value: fixed(value, decimals), must: fixed(must, decimals) };
  if (want.step === "weights") {
    return say("token {query} gives token {key} a weight of {value}, at least {must} is right.", { ...said, key: named(column) });
  }
  if (want.step === "output") {
    return say("token {query} makes {value} in the column of {column}, {must} is right.", {
      ...said, column: want.names[want.columns.indexOf(column)],
    });
  }
  return say(
    "after token {query}, the right word “{word}” has a probability of {value}; it must be {must} times that of any other.",
    { ...said, word: want.word, must },
  );
}
