// Writes numbers as the page does: a line of JSON with their bytes, and a line with their texts.

import { createInterface } from "node:readline";

import { constant, fixed, inPowersOfTen, sixDigits } from "../../../ui/plot/js/numbers/numbers.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { bytes, decimals } = JSON.parse(line);
  const numbers = [...new Float64Array(new Uint8Array(Buffer.from(bytes, "base64")).buffer)];
  console.log(JSON.stringify({
    fixed: numbers.map((number) => fixed(number, decimals)),
    keepsTiny: numbers.map((number) => fixed(number, decimals, { keepsTiny: true })),
    constant: numbers.map((number) => constant(number, decimals)),
    inPowersOfTen: numbers.map(inPowersOfTen),
    sixDigits: numbers.map(sixDigits),
  }));
}
