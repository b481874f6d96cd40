// Checks answers to a puzzle that comes with them, line by line, as JSON.

import { createInterface } from "node:readline";

import { linkOf } from "../../../ui/plot/js/building/answer_link.js";
import { verdictOn } from "../../../ui/plot/js/building/check.js";
import { verdictInWords } from "../../../ui/plot/js/building/puzzle_words.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { puzzle, answers } = JSON.parse(line);
  const said = answers.map((arrays) => {
    const verdict = verdictOn(puzzle, arrays);
    return { ...verdict, words: verdictInWords(verdict, puzzle), link: linkOf(puzzle, arrays) };
  });
  console.log(JSON.stringify(said));
}
