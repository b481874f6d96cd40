// Runs derive.js on what comes line by line, as JSON: says how each number of each matrix comes about.

import { createInterface } from "node:readline";

import { Derivations } from "../../../ui/plot/js/numbers/derive.js";
import { lettersOf, operandsOf } from "../../../ui/plot/js/numbers/expressions.js";
import { Forward } from "../../../ui/plot/js/numbers/forward.js";

const placesOf = (found) => found.map((each) => each.cell ?? each).map(({ matrix, row, column }) => [matrix, row, column]);

for await (const line of createInterface({ input: process.stdin })) {
  const { facts, inputs, cells, decimals } = JSON.parse(line, (_, value) => (value === "-inf" ? -Infinity : value));
  const derivations = new Derivations(facts, new Forward(inputs));
  const said = cells.map((cell) => {
    const found = derivations.of(cell);
    const { symbol, labels } = derivations.name(found.cell);
    return {
      name: symbol + labels,
      words: derivations.words(cell, found),
      arithmetic: derivations.arithmetic(found, { decimals }),
      letters: lettersOf(found.expression).map(({ text, value, words }) => [text, value, words]),
      explained: [derivations.explained(cell).names, derivations.furtherDown(derivations.explained(cell))].map(placesOf),
      operands: placesOf(operandsOf(found.expression)),
    };
  });
  console.log(JSON.stringify(said));
}
