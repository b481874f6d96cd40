// Numbers as text, and how wide they are.

const LARGE = 1e5; // from here on powers of ten are written; the same as in ui/number_format.py
const SMALL = 1e-5; // below it they are written for numbers that must not read 0
const MOST_DIGITS = 4; // of a constant, if the page asks for no more decimals
const DIGITS_OF_A_TIP = 6;
const FAR = 40; // digits: a number that is no half differs from a half within them
const LETTER = 0.52; // the width of a digit and of a minus, in font sizes
const POINT = 0.26; // the width of a point
const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const OF_TWO_READINGS = /^[+-]?[1-9]\d{0,2},\d{3}$/; // 1,234 may be 1.234 or 1234

// The number with a fixed count of decimals, as ui/number_format.py writes it: a half is rounded to
// the even digit, and a zero has no sign. With `keepsTiny`, what would read 0 and is not is written in
// powers of ten.
export function fixed(value, decimals, { keepsTiny = false } = {}) {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (size >= LARGE) return withSign(value, powersOfTen(size, decimals));
  const mayBeHalf = (size * 10 ** decimals) % 1 === 0.5; // the multiplication may have rounded
  const text = mayBeHalf ? halfToEven(size, decimals) : size.toFixed(decimals);
  if (Number(text) !== 0) return withSign(value, text);
  return keepsTiny && size !== 0 ? withSign(value, powersOfTen(size, decimals)) : text;
}

// A number in as few letters as there are: one digit, and how many follow it.
export function inPowersOfTen(value) {
  return Number.isFinite(value) ? withSign(value, powersOfTen(Math.abs(value), 0)) : notFinite(value);
}

function withSign(value, text) {
  return value < 0 ? `\u2212${text}` : text;
}

// A number that stands in no cell, such as the scale, as mha_core/layer/written.py writes it: so that
// one can compute with it, without zeros at its end.
export function constant(value, decimals) {
  return withoutLastZeros(withDigits(value, MOST_DIGITS, decimals));
}

// A number as a tooltip says it, here and in Python: more digits would take a while to read.
export function sixDigits(value) {
  return withoutLastZeros(withDigits(value, DIGITS_OF_A_TIP, 0));
}

function withDigits(value, digits, decimals) {
  const size = Math.abs(value);
  if (size === 0 || !Number.isFinite(value)) return fixed(value, decimals);
  if (size < SMALL) return withSign(value, powersOfTen(size, digits - 1));
  const before = size < LARGE ? Math.floor(Math.log10(size)) : 0;
  return fixed(value, Math.max(decimals, digits - 1 - before));
}

function withoutLastZeros(text) {
  return text.replace(/\.(\d*?)0*(?=e|$)/, (_, digits) => digits && `.${digits}`);
}

// JavaScript's toFixed rounds every half up, to a digit that may be odd: then the even one is below it.
export function halfToEven(size, decimals) {
  return isHalf(size.toFixed(decimals + FAR)) ? toEven(size.toFixed(decimals)) : size.toFixed(decimals);
}

// The same with toExponential. A half below a power of ten is rounded up to it, as 9 is odd.
function powersOfTen(size, decimals) {
  const [digits, exponent] = size.toExponential(decimals).split("e");
  const [inFull, itsExponent] = size.toExponential(decimals + FAR).split("e");
  const rounded = isHalf(inFull) && exponent === itsExponent ? toEven(digits) : digits;
  return withMinus(`${rounded}e${Number(exponent)}`);
}

function isHalf(inFull) {
  return inFull.endsWith(`5${"0".repeat(FAR - 1)}`);
}

function toEven(text) {
  const last = Number(text.at(-1));
  return last % 2 ? `${text.slice(0, -1)}${last - 1}` : text;
}

// A number without the zero before its point, for narrow cells.
export function withoutZero(text) {
  return text.replace(/^([+\u2212]?)0\./, "$1.");
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
