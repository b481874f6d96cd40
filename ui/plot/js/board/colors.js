// Colours of values, as pixels, and black or white for the text on them. Colours are "#rrggbb".
//
// Infinity stands for all that is infinite or not a number: it has its own colour.

const SHADES = 1024; // of a colour scale

export const LOST = Infinity;

// The colours of one matrix. `paper` fills hidden cells; null leaves them transparent. `lost` fills those
// of LOST.
export class Colors {
  constructor(shades, { low, high }, paper, lost) {
    this.shades = shades;
    this.low = low;
    this.high = high;
    this.hidden = paper === null ? 0 : pixel(rgb(paper));
    this.lost = pixel(rgb(lost));
  }

  shadeOf(value) {
    const share = (value - this.low) / (this.high - this.low);
    return Math.round(Math.min(Math.max(share, 0), 1) * (SHADES - 1));
  }

  // The pixels of a row of values, from `at` on: the shade of each, in a loop that is fast.
  fill(pixels, at, values) {
    const { shades, low, hidden, lost } = this;
    const last = SHADES - 1;
    const steep = last / (this.high - low);
    for (let i = 0; i < values.length; i++) {
      const place = (values[i] - low) * steep;
      if (place !== place) pixels[at + i] = hidden; // NaN
      else if (place === LOST) pixels[at + i] = lost;
      else pixels[at + i] = shades[place <= 0 ? 0 : place >= last ? last : (place + 0.5) | 0];
    }
  }

  // The colour of a value for a pen; "" where nothing is to be painted.
  css(value) {
    const isHidden = Number.isNaN(value);
    if (isHidden && this.hidden === 0) return "";
    if (isHidden) return words(this.hidden);
    if (value === LOST) return words(this.lost);
    const shade = this.shadeOf(value);
    this.shades.words ??= []; // a word takes longer to make than a rectangle to fill
    return (this.shades.words[shade] ??= words(this.shades[shade]));
  }

  inkOn(value) {
    const color = value === LOST ? this.lost : this.shades[this.shadeOf(value)];
    const light = luminance([color & 255, (color >> 8) & 255, (color >> 16) & 255]) + 0.05;
    return 1.05 / light > light / 0.05 ? "#fff" : "#000";
  }
}

// A colour scale in small even steps, each as a pixel.
export function shadesOf(scale) {
  const shades = new Uint32Array(SHADES);
  for (let next = 1, i = 0; next < scale.length; next++) {
    const [[from, low], [to, high]] = [scale[next - 1], scale[next]];
    const [[red, green, blue], [lastRed, lastGreen, lastBlue]] = [rgb(low), rgb(high)];
    for (; i <= to * (SHADES - 1); i++) {
      const share = (i / (SHADES - 1) - from) / (to - from);
      const between = (first, last) => Math.round(first + (last - first) * share);
      shades[i] = pixel([between(red, lastRed), between(green, lastGreen), between(blue, lastBlue)]);
    }
  }
  return shades;
}

// A pixel as ImageData holds it on machines that store the least byte first. Browsers run on no
// others.
export function pixel([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function words(color) {
  return `rgb(${color & 255} ${(color >> 8) & 255} ${(color >> 16) & 255})`;
}

/** @returns {[number, number, number]} */
export function rgb(color) {
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  return [red, green, blue];
}

// How bright a colour looks, from 0 for black to 1 for white, as WCAG defines it.
export function luminance(channels) {
  const [r, g, b] = channels.map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
