// What stands still around and on the cells: headings, captions, labels, hatching, lines and colour
// bars.
//
// `theme.paper` is null where the ground is transparent.

import { svg } from "../dom.js";
import { at, spaced } from "../board/layout.js";

const LABEL_SPACING = 13; // pixels that a label needs for itself
const SLANTED_SPACING = 17; // pixels that a slanted label needs
const NOTE_LINE = 13; // from one line below a heading to the next; the same as in ui/figures/board.py
const SLANT = -45; // degrees; the same as in ui/figures
const QUIET = { "fill-opacity": 0.75 };
const FRAME = { "stroke-width": 2, "stroke-opacity": 0.45 }; // its outer half is cut off
const LINE = { "stroke-width": 1.5, "stroke-opacity": 0.45 };
const BOLD = { "font-size": 13, "font-weight": 600 };

// All of it as SVG elements, except what `rangesOf` gives. `id` tells the patterns of this plot from those
// of others.
export function inkOf(board, theme, id) {
  const elements = [hatchPatterns(theme, id)];
  for (const matrix of board.matrices) {
    elements.push(...around(matrix), ...feedLines(matrix, board, theme), inside(matrix, theme, id));
  }
  return elements;
}

// What says how far the colours go, which may change while a number is dragged: captions and colour bars.
export function rangesOf(board, theme, id, hint = "") {
  const captions = board.matrices.flatMap((matrix) => caption(matrix, hint));
  return [...captions, ...board.bars.flatMap((bar) => colorBar(bar, board, theme, id))];
}

export function rowLabel(matrix, i, look = {}) {
  const place = { x: matrix.x - 6, y: matrix.middle(i) + 4, "text-anchor": "end" };
  return svg("text", { ...place, ...look }, matrix.sent.row_ticks[i]);
}

// Slanted, unless every label is as narrow as its column.
export function columnLabel(matrix, i, look = {}) {
  const [x, y] = [matrix.center(i), matrix.y - (matrix.sent.bands?.length ? 11 : 6)];
  const place = matrix.hasNarrowLabels()
    ? { x, y, "text-anchor": "middle" }
    : { x, y, transform: `rotate(${SLANT} ${x} ${y})` };
  return svg("text", { ...place, ...look }, matrix.sent.column_ticks[i]);
}

// The rows whose labels stand beside the matrix.
export function rowsWithLabels(matrix) {
  const { labelSpacing = LABEL_SPACING } = matrix.writing;
  const rows = spaced(matrix.rowsInView(), matrix.cellHeight, labelSpacing);
  return rows.filter((i) => matrix.sent.row_ticks[i] && matrix.seesRow(i));
}

// The columns whose labels stand above it.
export function columnsWithLabels(matrix) {
  const columns = spaced(matrix.columnsInView(), matrix.cellWidth, SLANTED_SPACING);
  return columns.filter((i) => matrix.sent.column_ticks[i] && matrix.seesColumn(i));
}

// An SVG element that cuts off what is drawn beyond the matrix.
export function windowOf({ x, y, w, h }, said = {}) {
  return svg("svg", { x, y, width: w, height: h, viewBox: `${x} ${y} ${w} ${h}`, ...said });
}

// Hatching that covers a cell, and lines alone for cells that keep their colour and their number.
function hatchPatterns({ paper, text }, id) {
  const box = { width: 6, height: 6 };
  const look = { ...box, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const lines = () => svg("path", { d: "M0 0V6", stroke: text, "stroke-opacity": 0.3, "stroke-width": 1.2 });
  const shade = svg("rect", { ...box, fill: text, "fill-opacity": 0.05 });
  const cover = paper ? [svg("rect", { ...box, fill: paper })] : [];
  return svg("defs", {},
    svg("pattern", { id, ...look }, ...cover, shade, lines()),
    svg("pattern", { id: linesAlone(id), ...look }, lines()));
}

const linesAlone = (id) => `${id}-lines`;

function around(matrix) {
  return [
    ...heading(matrix),
    ...corner(matrix),
    ...matrix.bandBoxes().map((box) => svg("rect", { ...box, rx: 1.5 })),
    ...labels(matrix),
  ];
}

// The heading of a head that is off is grey, and says so.
function heading(matrix) {
  const { x, headingTop: y, sent } = matrix;
  if (!sent.heading) return [];
  const isOff = sent.head?.is_off;
  const color = isOff ? QUIET : { fill: sent.color };
  const mark = svg("rect", { x, y, width: 4, height: 15, rx: 1.5, ...color });
  const notes = sent.notes.filter(Boolean)
    .map((line, number) => svg("text", { x, y: y + 28 + NOTE_LINE * number, "font-size": 11, ...QUIET }, line));
  const look = isOff ? { ...QUIET, "font-weight": 400 } : {};
  return [...(sent.color ? [mark] : []), headingText(matrix, look), ...notes];
}

export function headingText({ x, headingTop, sent }, look = {}) {
  const place = { x: sent.color ? x + 10 : x, y: headingTop + 12 };
  return svg("text", { ...place, ...BOLD, ...look }, sent.heading);
}

// From an input to its products in the same row, above the headings.
function feedLines({ x, w, headingTop, sent }, board, { text }) {
  const products = (sent.feeds ?? []).map((name) => board.named(name))
    .filter((product) => product?.headingTop === headingTop && product.x > x);
  if (!products.length) return [];
  const [above, below] = [headingTop - 9, headingTop - 1];
  const middles = products.map((product) => product.x + product.w / 2);
  const way = `M${x + w / 2} ${below}V${above}H${Math.max(...middles)}`;
  const arrows = middles.map((middle) => `M${middle} ${above}V${below}m-3 -4l3 4l3 -4`);
  return [svg("path", { class: "plot-feeds", d: [way, ...arrows].join(""), fill: "none", stroke: text, ...LINE })];
}

// Above the matrix at the left, from below: what its axes are, then the title of its row.
function corner({ x, y, sent: { corner: { title, axes } } }) {
  const lines = axes.map((text) => ({ text, "font-size": 11, ...QUIET })).reverse();
  if (title) lines.push({ text: title, ...BOLD });
  return lines.map(({ text, ...look }, i) =>
    svg("text", { x: x - 6, y: y - 7 - i * 15, "text-anchor": "end", ...look }, text));
}

function caption(matrix, hint) {
  const { x, y, w, h } = matrix;
  if (!matrix.caption) return [];
  const look = { x: x + w / 2, y: y + h + 15, "text-anchor": "middle", ...QUIET };
  const words = [matrix.caption, ...(matrix.saysOfDots ? [matrix.dotNote(), hint] : [])];
  return [svg("text", look, words.filter(Boolean).join("; "))];
}

function labels(matrix) {
  return [
    ...rowsWithLabels(matrix).map((i) => rowLabel(matrix, i)),
    ...columnsWithLabels(matrix).map((i) => columnLabel(matrix, i)),
  ];
}

// Hatching over what is hidden, and lines between cells.
// Around what can be edited there is a quiet frame.
function inside(matrix, { paper, text }, id) {
  const framed = windowOf(matrix, { "data-matrix": matrix.name, "data-rows": matrix.rowCount });
  const hatching = `url(#${matrix.colorsHidden ? linesAlone(id) : id})`;
  framed.append(svg("path", { d: matrix.hiddenPath(), fill: hatching }));
  if (matrix.lineWidth && paper) {
    const look = { stroke: paper, "stroke-width": matrix.lineWidth };
    framed.append(svg("path", { d: matrix.linesPath(), ...look }));
  }
  if (matrix.isEditable) {
    const { x, y, w, h } = matrix;
    framed.append(svg("rect", { x, y, width: w, height: h, fill: "none", stroke: text, ...FRAME }));
  }
  return framed;
}

function colorBar({ scale, group, title, range, ticks, left, top }, board, { isDark }, id) {
  const { cell, down = cell } = board.size;
  const isBeside = ({ sent }) => sent.group === group && at(sent.top, down) === at(top, down);
  const { y, h: height } = board.matrices.find(isBeside);
  const x = at(left, cell);
  const gradientId = `${id}-${scale}`;
  const stops = board.colorscale(scale, isDark).map(([offset, color]) =>
    svg("stop", { offset, "stop-color": color }));
  const gradient = svg("linearGradient", { id: gradientId, x1: 0, x2: 0, y1: 1, y2: 0 }, ...stops);
  const bar = svg("rect", { x, y, width: 10, height, fill: `url(#${gradientId})` });
  const isLow = ticks.length > 2 && height < 3 * LABEL_SPACING;
  const fitting = isLow ? [ticks[0], ticks.at(-1)] : ticks;
  const texts = fitting.map(([value, text]) => {
    const share = (value - range[0]) / (range[1] - range[0]);
    // The labels at the ends stay within the length of the bar.
    const place = { x: x + 15, y: y + 9 + (height - 10) * (1 - share) };
    return svg("text", { ...place, "font-size": 11 }, text);
  });
  const name = title ? [svg("text", { x, y: y - 7, "font-size": 11, ...QUIET }, title)] : [];
  return [gradient, bar, ...texts, ...name];
}
