// Numbers as text, and how wide they are.

const LARGE = 1e5; // from here on powers of ten are written; the same as in ui/number_format.py
const MOST_DIGITS = 4; // of a constant, if the page asks for no more decimals
const FAR = 40; // digits: a number that is no half differs from a half within them
const LETTER = 0.52; // the width of a digit and of a minus, in font sizes
const POINT = 0.26; // the width of a point
const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const OF_TWO_READINGS = /^[+-]?[1-9]\d{0,2},\d{3}$/; // 1,234 may be 1.234 or 1234

// The number with a fixed count of decimals, as ui/number_format.py writes it: a half is rounded to
// the even digit, and a zero has no sign.
export function fixed(value, decimals) {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  const isLarge = size >= LARGE;
  const mayBeHalf = (size * 10 ** decimals) % 1 === 0.5; // the multiplication may have rounded
  const text = isLarge || mayBeHalf ? halfToEven(size, decimals, isLarge) : size.toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `\u2212${text}` : text;
}

// A number in as few letters as there are: one digit, and how many follow it.
export function inPowersOfTen(value) {
  return withMinus(value.toExponential(0).replace("e+", "e"));
}

// A number that stands in no cell, such as the scale, as mha_core/layer/written.py writes it: so that
// one can compute with it, without zeros at its end.
export function constant(value, decimals) {
  const size = Math.abs(value);
  const before = size > 0 && size < LARGE ? Math.floor(Math.log10(size)) : 0;
  const text = fixed(value, Math.max(decimals, Math.min(MOST_DIGITS - 1 - before, FAR)));
  return text.includes(".") ? text.replace(/\.?0+(?=e|$)/, "") : text;
}

// JavaScript's toFixed and toExponential round every half up.
export function halfToEven(size, decimals, isLarge) {
  const inFull = (digits) => (isLarge ? size.toExponential(digits) : size.toFixed(digits));
  const write = (digits) => inFull(digits).split("e");
  const [upper, exponent] = write(decimals);
  const isHalf = write(decimals + FAR)[0].endsWith(`5${"0".repeat(FAR - 1)}`);
  const isOdd = Number(upper.at(-1)) % 2 === 1;
  const nearest = isHalf && isOdd ? (Number(upper) - 10 ** -decimals).toFixed(decimals) : upper;
  return isLarge ? `${nearest}e${Number(exponent)}` : nearest;
}

// All digits of the number, with an ASCII minus. A number in single precision has seven digits; any
// others would be invented.
export function allDigits(value, isSingle) {
  return String((isSingle ? Number(value.toPrecision(7)) : value) + 0);
}

export function notFinite(value) {
  if (Number.isNaN(value)) return "NaN";
  return value < 0 ? "\u2212\u221e" : "\u221e";
}

export function fourDigits(value) {
  if (!Number.isFinite(value)) return notFinite(value);
  return withMinus(String(Number(value.toPrecision(4)) + 0));
}

export function withMinus(text) {
  return text.replaceAll("-", "\u2212");
}

// The width of a number's text, in font sizes.
export function widthOf(text) {
  return text.length * LETTER - (text.includes(".") ? LETTER - POINT : 0);
}

// A number as a person types it: `-2,5`, `1/3`, or with the minus of a picture. NaN for anything else,
// which the server may still read or refuse.
export function numberOf(text) {
  const [above, below = "1", ...more] = text.replaceAll("\u2212", "-").split("/").map((part) => part.trim());
  return more.length ? NaN : partOf(above) / partOf(below);
}

function partOf(text) {
  const plain = text.replace(",", ".");
  return OF_TWO_READINGS.test(text) || !PLAIN.test(plain) ? NaN : Number(plain);
}
