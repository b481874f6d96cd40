// Reads an expression for a block of a size, line by line, as JSON.

import { createInterface } from "node:readline";

import { blockOf } from "../../../ui/plot/js/building/block_text.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { text, rows, columns } = JSON.parse(line);
  console.log(JSON.stringify(blockOf(text, rows, columns)));
}
