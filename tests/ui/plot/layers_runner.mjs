// Runs layers.js on what comes line by line, as JSON, and answers with the rows of the matrices that are asked for.

import { createInterface } from "node:readline";

import { Layers } from "../../../ui/plot/js/numbers/layers.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { inputs, matrices, changes } = JSON.parse(line);
  const layers = new Layers(inputs);
  const look = () => Object.fromEntries(matrices.map((matrix) => [matrix, written(layers.rows(matrix))]));
  const before = look();
  for (const change of changes) layers.change(...change);
  const after = look();
  const moved = matrices.filter((matrix) => layers.hasMoved(matrix));
  layers.settle();
  const settled = matrices.filter((matrix) => layers.hasMoved(matrix));
  console.log(JSON.stringify({ before, after, moved, settled }));
}

function written(rows) {
  return rows?.map((row) => Array.from(row)) ?? null;
}
