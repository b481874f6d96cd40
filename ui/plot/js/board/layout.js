// Arithmetic of places and sizes, in pixels.

const SHARE_OF_SCREEN = 0.6; // of its height, for a figure that grows
const WHOLE = 4; // pixels from which on cells have whole sizes, which keeps their lines sharp

// A length of `fixed + cells * cell` pixels, as ui/figures gives it.
export function at([fixed, cells], cell) {
  return fixed + cells * cell;
}

// The cell size that fits a figure into the room, and the size of the whole figure. `readable`
// gives the smallest cell whose numbers can be read: cells stay that large in a narrower room.
export function fit({ cell: sizes, width, height }, room, screenHeight, readable = () => 0) {
  const { least, preferred, most } = sizes;
  const across = (room - width[0]) / width[1];
  const down = (screenHeight * SHARE_OF_SCREEN - height[0]) / height[1];
  const wished = Math.min(across, Math.max(preferred, down)); // larger only where all can be seen
  const whole = wished >= WHOLE ? Math.floor(wished) : wished;
  const smallest = whole >= preferred ? least : smallestCell(sizes, readable);
  const cell = clamp(whole, smallest, most);
  return { cell, width: at(width, cell), height: at(height, cell) };
}

// The smallest cell that a figure is given: its numbers can be read, where it has room for them.
export function smallestCell({ least, preferred }, readable) {
  const wanted = Math.ceil(readable());
  return wanted <= preferred ? Math.max(least, wanted) : least;
}

// Every second, third, ... index, so that neighbours are `spacing` pixels apart.
export function spaced(indices, size, spacing) {
  const step = Math.ceil(spacing / size);
  return indices.filter((i) => i % step === 0);
}

// The whole numbers that begin before `first + count` and end after `first`, below the limit.
export function inView(first, count, limit) {
  const from = Math.max(0, Math.floor(first + 0.01));
  const to = Math.min(limit, Math.ceil(first + count - 0.01));
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

// The part of a box that lies inside another, or null.
export function cut(box, frame) {
  const [left, top] = [Math.max(box.x, frame.x), Math.max(box.y, frame.y)];
  const right = Math.min(box.x + box.w, frame.x + frame.w);
  const bottom = Math.min(box.y + box.h, frame.y + frame.h);
  if (right <= left || bottom <= top) return null;
  return { x: left, y: top, w: right - left, h: bottom - top };
}

export function within(value, start, length) {
  return value >= start && value <= start + length;
}

export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
