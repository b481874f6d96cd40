// Runs derive.js on what comes line by line, as JSON: says how each number of each matrix comes about.

import { createInterface } from "node:readline";

import { Derivations } from "../../../ui/plot/js/numbers/derive.js";
import { operandsOf } from "../../../ui/plot/js/numbers/expressions.js";
import { Forward } from "../../../ui/plot/js/numbers/forward.js";

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
      operands: operandsOf(found.expression).map(({ cell: { matrix, row, column } }) => [matrix, row, column]),
    };
  });
  console.log(JSON.stringify(said));
}
