// Runs forward.js on what comes line by line, as JSON, and answers with the arrays that it made.

import { createInterface } from "node:readline";

import { Forward } from "../../../ui/plot/js/numbers/forward.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { inputs, steps, changes } = JSON.parse(line);
  const look = (forward) => Object.fromEntries(steps.map((step) => [step, numbersOf(forward[step])]));
  const before = look(new Forward(structuredClone(inputs)));
  const changed = changes.map((change) => {
    const forward = new Forward(structuredClone(inputs));
    for (const step of steps) forward[step]; // what has been made must be made anew after the change
    if (change[0] === "stroke") forward.draw(change[1], forward.drawn);
    else forward.change(...change);
    const moved = steps.filter((step) => forward.hasMoved(step));
    return [look(forward), moved];
  });
  console.log(JSON.stringify({ before, changed }));
}

// JSON has no infinity and no NaN: they become texts.
function numbersOf({ heads, rows, columns, data }) {
  const written = (number) => (Number.isFinite(number) ? number : String(number));
  return { shape: [heads, rows, columns], data: Array.from(data, written) };
}
