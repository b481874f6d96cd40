// Labels on the two sides of a matrix, and the heading of a head above it: what they stand for and
// where they stand. A label is {matrix, side, place}. A matrix has the heading of one head at most,
// whose place is that among all heads.

import { columnLabel, columnsWithLabels, headingText, rowLabel, rowsWithLabels } from "../drawing/ink.js";
import { say } from "../language.js";
import { clamp, within } from "../board/layout.js";

const LABEL_WIDTH = 7.5; // pixels of a letter, at most on average
const LABEL_HEIGHT = 20; // pixels of a line of text that is pressed
const LEAST_WIDTH = 24; // pixels
const BELOW_TEXT = 5; // pixels
const BESIDE_MARK = 8; // pixels of the mark before a heading, and beside it
const RENAMED = ["tokens", "context_tokens"]; // columns have numbers

// How the sides differ. `keys` lead along the side, `inward` to the cells, `outward` away from them.
export const SIDES = {
  row: {
    source: ({ sent }) => sent.row_source,
    count: ({ rowCount }) => rowCount,
    shown: rowsWithLabels,
    draw: rowLabel,
    text: ({ sent }, i) => sent.row_labels[i],
    tick: ({ sent }, i) => sent.row_ticks[i],
    name: (matrix, i) => say("Row {row}, {name}", { row: i + 1, name: matrix.rowName(i) }),
    cell: (matrix, i) => ({ matrix, row: i, column: 0 }),
    keys: { ArrowUp: -1, ArrowDown: 1 },
    inward: "ArrowRight",
    outward: "ArrowLeft",
    words: { add: say("Add a row below"), remove: say("Remove"), back: say("Move up"), on: say("Move down") },
  },
  column: {
    source: ({ sent }) => sent.column_source,
    count: ({ columnCount }) => columnCount,
    shown: columnsWithLabels,
    draw: columnLabel,
    text: ({ sent }, i) => sent.column_labels[i],
    tick: ({ sent }, i) => sent.column_ticks[i],
    name: (matrix, i) => say("Column {column}, {name}", { column: i + 1, name: matrix.columnName(i) }),
    cell: (matrix, i) => ({ matrix, row: 0, column: i }),
    keys: { ArrowLeft: -1, ArrowRight: 1 },
    inward: "ArrowDown",
    outward: "ArrowUp",
    words: {
      add: say("Add a column after it"),
      remove: say("Remove"),
      back: say("Move left"),
      on: say("Move right"),
    },
  },
  head: {
    source: ({ sent }) => (sent.head ? "heads" : ""),
    count: ({ sent }) => sent.head.n_heads,
    shown: ({ sent }) => [sent.head.place],
    draw: (matrix, place, look) => headingText(matrix, look),
    tick: ({ sent }) => sent.heading,
    name: headName,
    keys: { ArrowLeft: -1, ArrowRight: 1 },
    inward: "ArrowDown",
    outward: "ArrowUp",
    words: { back: say("Move left"), on: say("Move right") },
  },
};

function headName({ sent: { head } }) {
  const named = { head: head.place + 1, count: head.n_heads };
  return head.is_off ? say("Head {head} of {count}, off", named) : say("Head {head} of {count}", named);
}

export function headingOf(matrix) {
  return { matrix, side: "head", place: matrix.sent.head?.place };
}

export function isSameLabel(one, other) {
  return one?.matrix === other?.matrix && one?.side === other?.side && one?.place === other?.place;
}

export function canRename({ matrix, side }) {
  return RENAMED.includes(SIDES[side].source(matrix));
}

// Whether its text is drawn: not beside every matrix, and not for every small cell.
export function isDrawn({ matrix, side, place }) {
  return SIDES[side].shown(matrix).includes(place);
}

// Where a label stands. Of a slanted one it is the box where it begins.
export function boxOf({ matrix, side, place }) {
  const letters = (SIDES[side].tick(matrix, place) ?? "").length;
  const wished = Math.max(LEAST_WIDTH, letters * LABEL_WIDTH + 6);
  if (side === "head") {
    return { x: matrix.x - 4, y: Math.max(1, matrix.headingTop - 2), w: wished + BESIDE_MARK, h: LABEL_HEIGHT };
  }
  if (side === "row") {
    const h = clamp(matrix.cellHeight, LABEL_HEIGHT, 1.3 * LABEL_HEIGHT);
    const right = matrix.x - 4;
    const w = Math.min(wished, right);
    return { x: right - w, y: matrix.middle(place) - h / 2, w, h };
  }
  const x = matrix.center(place) - (matrix.hasNarrowLabels() ? wished / 2 : 8);
  return { x, y: foot(matrix) - LABEL_HEIGHT + BELOW_TEXT, w: wished, h: LABEL_HEIGHT };
}

// Whether a label is at a point. A slanted one goes up to the right.
export function holdsPoint({ matrix, side, place }, x, y) {
  const box = boxOf({ matrix, side, place });
  if (side !== "column" || matrix.hasNarrowLabels()) {
    return within(x, box.x, box.w) && within(y, box.y, box.h);
  }
  const [right, up] = [x - matrix.center(place), foot(matrix) - y];
  const [along, above] = [(right + up) * Math.SQRT1_2, (up - right) * Math.SQRT1_2];
  return within(along, -BELOW_TEXT, box.w) && within(above, -BELOW_TEXT, LABEL_HEIGHT - BELOW_TEXT);
}

// The gap between the labels of a side that is nearest to a point: 0 is before the first one. And the
// line there, as an SVG path.
export function gapAt(label, x, y) {
  const { matrix, side } = label;
  const isRow = side === "row";
  const nearest = isRow
    ? matrix.firstRow + (y - matrix.y) / matrix.cellHeight
    : matrix.firstColumn + (x - matrix.x) / matrix.cellWidth;
  const gap = clamp(Math.round(nearest), 0, SIDES[side].count(matrix));
  const box = boxOf(label);
  const line = isRow
    ? `M${box.x} ${matrix.top(gap)}H${matrix.x + matrix.w}`
    : `M${matrix.left(gap)} ${box.y}V${matrix.y + matrix.h}`;
  return { gap, line };
}

// The place of something after it has gone into a gap.
export function placeInGap(place, gap) {
  return gap > place ? gap - 1 : gap;
}

// The line on which the labels above a matrix stand.
function foot({ y, sent }) {
  return y - (sent.bands?.length ? 11 : 6);
}
