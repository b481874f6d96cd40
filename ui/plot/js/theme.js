// The colours of everything but the values.

import { luminance, rgb } from "./board/colors.js";

// For pictures that are saved or printed, whatever the page looks like. The same as in
// .streamlit/config.toml.
export const LIGHT = {
  paper: "#ffffff", field: "#ffffff", text: "#1c1830", primary: "#2e1f8f", link: "#2e1f8f", border: "#d3cfe3",
  wrong: "#b3261e", lost: "#bdbac6", isDark: false,
};
export const DARK = {
  paper: "#14121f", field: "#1f1c2e", text: "#eceaf6", primary: "#a99cff", link: "#b9aeff", border: "#413c5a",
  wrong: "#ff8a80", lost: "#5d5a69", isDark: true,
};

// Streamlit's theme at an element. Nothing else in this folder reads Streamlit's CSS variables.
export function streamlitTheme(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const paper = asHex(read("background-color"));
  const isDark = luminance(rgb(paper)) < 0.2;
  const own = isDark ? DARK : LIGHT;
  return {
    paper,
    field: read("secondary-background-color"), // where something is typed
    text: read("text-color"),
    primary: read("primary-color"),
    link: read("link-color"),
    border: read("border-color"),
    font: read("font"),
    wrong: own.wrong,
    lost: own.lost,
    isDark,
  };
}

// Gives the theme to plot.css.
export function dress(root, theme) {
  for (const name of ["paper", "field", "text", "primary", "link", "border", "wrong", "font"]) {
    root.style.setProperty(`--plot-${name}`, theme[name]);
  }
}

export function asHex(color) {
  if (/^#[0-9a-f]{6}$/i.test(color)) return color;
  const [red, green, blue] = pixelOf(color);
  return `#${[red, green, blue].map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

// Red, green, blue and how opaque, each up to 255. CSS has many ways to write a colour: the browser reads them all.
export function pixelOf(color) {
  /** @type {any} */
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data];
}
