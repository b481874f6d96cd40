// What is lit of labels: the one that is pointed at, the cursor, names that wait or were refused, and
// where a dragged label would land.

import { svg } from "../dom.js";
import { boxOf, canRename, isDrawn, SIDES } from "./label_sides.js";
import { say } from "../language.js";

const NAME_LETTER = 7.5; // pixels
const NO_NAME = say("(no name)"); // where an empty one was refused

// As SVG elements. `entered` has pairs of a label and what stands there instead of its name.
export function labelLights(theme, { entered, pointed, cursor, drag }) {
  return [
    ...entered.flatMap(([label, entry]) => otherName(label, entry, theme)),
    ...(pointed && canRename(pointed) ? [underlined(pointed, theme)] : []),
    ...(cursor && isDrawn(cursor) ? [frameAround(cursor, theme)] : []),
    ...(drag ? landing(drag, theme) : []),
  ];
}

function underlined({ matrix, side, place }, { text, paper }) {
  const halo = { stroke: paper, "stroke-width": 4, "paint-order": "stroke" };
  return SIDES[side].draw(matrix, place, { fill: text, "text-decoration": "underline", ...halo });
}

function frameAround(label, { text }) {
  const { x, y, w, h } = boxOf(label);
  const frame = { class: "plot-label-cursor", rx: 2, stroke: text, "stroke-width": 2 };
  return svg("rect", { x, y, width: w, height: h, ...frame });
}

function otherName(label, { text, reason }, theme) {
  const { x, y, w, h } = boxOf(label);
  const name = text || NO_NAME;
  const width = Math.max(w, name.length * NAME_LETTER + 6);
  const left = label.side === "row" ? Math.max(0, x + w - width) : x;
  const color = reason ? theme.wrong : theme.text;
  const outline = { fill: theme.paper, stroke: color, "stroke-width": reason ? 2 : 1, rx: 2 };
  const look = { class: "plot-entered", fill: color, "text-anchor": "middle" };
  return [
    svg("rect", { x: left, y, width, height: h, ...outline }),
    svg("text", { x: left + width / 2, y: y + h / 2 + 4, ...look }, name),
  ];
}

// The line where a label would land, and the label itself.
function landing({ label, line }, { primary }) {
  const { matrix, side, place } = label;
  return [
    svg("path", { class: "plot-landing", d: line, stroke: primary, "stroke-width": 3 }),
    SIDES[side].draw(matrix, place, { fill: primary, "font-weight": 700 }),
  ];
}
