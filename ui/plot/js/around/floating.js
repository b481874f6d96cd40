// Where something that lies over the page stands, in pixels of the window: {left, top}. `size` is its own,
// `room` that of the window, each {width, height}.

import { clamp } from "../board/layout.js";

const AWAY = 10; // pixels of a tip from its cell
const BELOW_LABEL = 2; // pixels of a menu from its label
const BELOW_BUTTON = 4; // pixels of what a button opens
const EDGE = 4; // pixels from the edge of the window
const EDGE_OF_PANEL = 8; // the same of what a button opens

// A tip: right of its cell and below it, or else on the other side.
export function besideCell(box, size, room) {
  const [right, below] = [box.x + box.w + AWAY, box.y + box.h + AWAY];
  return {
    left: right + size.width < room.width ? right : Math.max(EDGE, box.x - size.width - AWAY),
    top: below + size.height < room.height ? below : Math.max(EDGE, box.y - size.height - AWAY),
  };
}

// On a touch screen, what lies over the page stands at the lower edge of the window, or else at the upper
// one: away from the tapped matrix, or from its cell if the matrix fills the window. So it covers nothing of
// that. `above` and `below` are pixels that are taken there already.
export function atEdge(matrix, cell, size, room, { above, below }) {
  const tops = [room.height - size.height - below, above];
  const isFree = (top, { y, h }) => top >= y + h || top + size.height <= y;
  const top = tops.find((each) => isFree(each, matrix)) ?? tops.find((each) => isFree(each, cell)) ?? tops[0];
  return { left: Math.max(EDGE, (room.width - size.width) / 2), top };
}

// A menu: below its label, or else above it.
export function belowLabel(box, size, room) {
  const below = box.y + box.h + BELOW_LABEL;
  const most = Math.max(EDGE, room.width - size.width - EDGE);
  const above = Math.max(EDGE, box.y - size.height - BELOW_LABEL);
  return { left: clamp(box.x, EDGE, most), top: below + size.height < room.height ? below : above };
}

// What a button opens: below it, or else as far up as it must be to be seen whole, and right of the button, which
// would be covered else and could not close it. A window without room there has it covered.
export function belowButton({ left, right, bottom }, size, room) {
  const most = (length, all) => Math.max(EDGE_OF_PANEL, all - length - EDGE_OF_PANEL);
  const below = bottom + BELOW_BUTTON;
  const top = Math.min(below, most(size.height, room.height));
  const [beside, end] = [right + BELOW_BUTTON, most(size.width, room.width)];
  return { left: top < below && beside <= end ? beside : Math.min(left, end), top };
}
