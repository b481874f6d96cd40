// The headings of heads among each other: where a dragged head lands.

const BESIDE = 7; // pixels from a head to the middle of the gap beside it

// The matrices below such headings, in the order of their heads.
export function headedMatrices({ matrices }) {
  return matrices.filter(({ sent }) => sent.head);
}

// Whether heads stand below each other, one in a row.
export function areStacked(board) {
  const [first, ...others] = headedMatrices(board);
  return others.length > 0 && others.every(({ x }) => x === first.x);
}

// The gap between heads that is nearest to a point: 0 is before the first of all heads. And the line
// there, as an SVG path.
export function headGapAt(board, x, y) {
  return areStacked(board) ? gapBelow(board, y) : gapBeside(board, x, y);
}

function gapBelow(board, y) {
  const headed = headedMatrices(board);
  const above = headed.filter((each) => (each.headingTop + each.y + each.h) / 2 < y).length;
  const line = above < headed.length ? headed[above].headingTop - BESIDE : board.size.height - 2;
  const [{ x, w }] = headed;
  return { gap: gapBefore(headed, above), line: `M${x} ${Math.max(2, line)}H${x + w}` };
}

// Heads that do not fit into one row go on in the next.
function gapBeside(board, x, y) {
  const headed = headedMatrices(board);
  const row = headed.findLast(({ headingTop }) => headingTop <= y) ?? headed[0];
  const inRow = headed.filter(({ headingTop }) => headingTop === row.headingTop);
  const left = inRow.filter((each) => each.x + each.w / 2 < x).length;
  const line = left < inRow.length ? inRow[left].x - BESIDE : inRow.at(-1).x + inRow.at(-1).w + BESIDE;
  return { gap: gapBefore(inRow, left), line: `M${line} ${row.headingTop}V${row.y + row.h}` };
}

// The gap before one of these heads, or behind the last: they may be sorted.
function gapBefore(headed, number) {
  const place = ({ sent }) => sent.head.place;
  return number < headed.length ? place(headed[number]) : place(headed.at(-1)) + 1;
}
