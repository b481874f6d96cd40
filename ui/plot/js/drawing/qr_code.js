// A QR code, dark on light whatever the page looks like: cameras look for that.

import { svg } from "../dom.js";
import { say } from "../language.js";

export const QUIET_ZONE = 4; // modules around the code that have to be light

// `rows` are texts of 0 and 1, where 1 is dark.
export function codeAsSvg(rows) {
  const side = rows.length + 2 * QUIET_ZONE;
  const seen = { class: "present-code", viewBox: `0 0 ${side} ${side}`, "shape-rendering": "crispEdges" };
  const look = { ...seen, role: "img", "aria-label": say("QR code of the link") };
  const ground = svg("rect", { width: side, height: side, fill: "#ffffff" });
  return svg("svg", look, ground, svg("path", { d: pathOfDark(rows), fill: "#000000" }));
}

// The dark modules as an SVG path, a stretch of them at a time.
export function pathOfDark(rows) {
  const strips = rows.map((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: dark, index }) => `M${index + QUIET_ZONE} ${y + QUIET_ZONE}h${dark.length}v1h-${dark.length}z`).join(""));
  return strips.join("");
}
