// Colours of values, as pixels, and black or white for the text on them. Colours are "#rrggbb".

const SHADES = 1024; // of a colour scale

// The colours of one matrix. `paper` fills hidden cells; null leaves them transparent.
export class Colors {
  constructor(shades, { zmin, zmax }, paper) {
    Object.assign(this, { shades, zmin, zmax, hidden: paper === null ? 0 : pixel(rgb(paper)) });
  }

  pixel(value) {
    return Number.isNaN(value) ? this.hidden : this.shades[this.shadeOf(value)];
  }

  shadeOf(value) {
    const share = (value - this.zmin) / (this.zmax - this.zmin);
    return Math.round(Math.min(Math.max(share, 0), 1) * (SHADES - 1));
  }

  inkOn(value) {
    const color = this.shades[this.shadeOf(value)];
    const light = luminance([color & 255, (color >> 8) & 255, (color >> 16) & 255]) + 0.05;
    return 1.05 / light > light / 0.05 ? "#fff" : "#000";
  }
}

// A colour scale in small even steps, each as a pixel.
export function shadesOf(scale) {
  const stops = scale.map(([stop, color]) => [stop, rgb(color)]);
  return Uint32Array.from({ length: SHADES }, (_, i) => {
    const share = i / (SHADES - 1);
    const next = Math.max(1, stops.findIndex(([stop]) => stop >= share));
    const [[from, low], [to, high]] = [stops[next - 1], stops[next]];
    return pixel(low.map((c, j) => Math.round(c + ((high[j] - c) * (share - from)) / (to - from))));
  });
}

// A pixel as ImageData holds it on machines that store the least byte first. Browsers run on no
// others.
export function pixel([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

export function rgb(color) {
  return [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
}

// How bright a colour looks, from 0 for black to 1 for white, as WCAG defines it.
export function luminance(channels) {
  const [r, g, b] = channels.map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
