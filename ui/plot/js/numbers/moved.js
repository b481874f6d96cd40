// What moved: by how much numbers differ from those before.

import { sixDigits } from "./numbers.js";

const ROUNDING = { single: 1e-5, double: 1e-9 }; // of the largest number, as in distances.py of the core
const KNOWN_DIGITS = { single: 7, double: 15 }; // that a number has, whatever its size

// The differences as rows. What is hidden in one of both is hidden.
export function differences(rows, before) {
  return rows.map((row, i) => {
    const then = before[i];
    const moved = new Float64Array(row.length);
    for (let j = 0; j < row.length; j++) moved[j] = row[j] - then[j];
    return moved;
  });
}

// A difference with the digits that both numbers have: further digits come from rounding.
export function exactDifference(now, before, isSingle) {
  const moved = now - before;
  const larger = Math.max(Math.abs(now), Math.abs(before));
  const lost = placeOf(larger) - placeOf(moved);
  const digits = (isSingle ? KNOWN_DIGITS.single : KNOWN_DIGITS.double) - lost;
  return moved === 0 || digits < 1 ? 0 : Number(moved.toPrecision(digits));
}

// Where the first digit of a number stands.
function placeOf(number) {
  return Math.floor(Math.log10(Math.abs(number)));
}

// A difference in words has a sign.
export function signed(text) {
  return /^\u2212|^0[.0]*$/.test(text) ? text : `+${text}`;
}

export function signedDigits(difference) {
  return signed(sixDigits(difference));
}

// How far numbers whose largest is `reach` may differ by rounding alone.
export function restOf(reach, isSingle) {
  return (isSingle ? ROUNDING.single : ROUNDING.double) * (reach || 1);
}
