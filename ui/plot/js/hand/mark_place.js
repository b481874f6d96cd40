// Where the mark that is dragged instead of a cell stands: beside the cell's matrix, and on no cell.

export const MARK = 28; // pixels across
const AWAY = 4; // pixels from the matrix

// {left, top}; undefined where there is no such place. `box` is that of the cell, `seen` the part of the
// picture that is in sight: {x, y, w, h}.
export function markPlace(box, matrix, matrices, seen) {
  const [middle, center] = [box.y + (box.h - MARK) / 2, box.x + (box.w - MARK) / 2];
  const places = [
    { left: matrix.x + matrix.w + AWAY, top: middle },
    { left: center, top: matrix.y + matrix.h + AWAY },
    { left: matrix.x - AWAY - MARK, top: middle },
    { left: center, top: matrix.y - AWAY - MARK },
  ];
  const isSeen = ({ left, top }) =>
    left >= seen.x && left + MARK <= seen.x + seen.w && top >= seen.y && top + MARK <= seen.y + seen.h;
  const covers = ({ left, top }, { x, y, w, h }) =>
    left < x + w && left + MARK > x && top < y + h && top + MARK > y;
  return places.find((place) => isSeen(place) && !matrices.some((each) => covers(place, each)));
}
