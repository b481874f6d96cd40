import assert from "node:assert/strict";
import { test } from "node:test";

import { boxBetween, partIn, partMoved, Zoom } from "../../../ui/plot/js/board/zoom.js";
import { matrixOf } from "./any_matrix.js";

const Z = Array.from({ length: 5 }, () => Float64Array.from({ length: 7 }));
const WHOLE = { rows: [0, 5], columns: [0, 7] };
const matrix = matrixOf(Z); // from 10, 20 on, in cells of ten pixels
const FRAME = { x: 10, y: 20, w: 300, h: 200 };
const LAYOUT = { zoomed_as: "a" };
const onAxes = (rows, columns) => ({ sent: { axes: { rows, columns } }, rowCount: 5, columnCount: 7 });

test("a drag takes the cells that it touches", () => {
  const box = boxBetween([25, 25], [53, 52], matrix);
  assert.deepEqual(box, { x: 25, y: 25, w: 28, h: 27 });
  assert.deepEqual(partIn(box, matrix), { rows: [0, 4], columns: [1, 5] });
  assert.deepEqual(boxBetween([53, 52], [25, 25], matrix), box);
});

test("a drag ends at the edge of its matrix", () => {
  assert.deepEqual(boxBetween([200, 100], [999, -999], FRAME), { x: 200, y: 20, w: 110, h: 80 });
});

test("a drag along a row takes columns alone, one along a column rows, and a short one nothing", () => {
  assert.deepEqual(boxBetween([100, 100], [200, 115], FRAME), { x: 100, y: 20, w: 100, h: 200 });
  assert.deepEqual(boxBetween([100, 100], [85, 200], FRAME), { x: 10, y: 100, w: 300, h: 100 });
  assert.deepEqual(boxBetween([100, 100], [200, 125], FRAME), { x: 100, y: 100, w: 100, h: 25 });
  assert.equal(boxBetween([100, 100], [107, 107], FRAME), null);
  assert.deepEqual(boxBetween([100, 100], [109, 107], FRAME), { x: 100, y: 20, w: 9, h: 200 });
});

test("a zoom into a zoom counts from the first cell of all", () => {
  const zoomed = matrixOf(Z);
  zoomed.showPart({ rows: [2, 5], columns: [0, 7] });
  const { x, y, w, h } = zoomed.cellBox(3, 6);
  assert.deepEqual(partIn({ x, y, w, h }, zoomed), { rows: [3, 4], columns: [6, 7] });
  assert.deepEqual(partIn({ x: zoomed.x, y, w: zoomed.w, h }, zoomed), { rows: [3, 4], columns: [0, 7] });
});

test("at least one cell is shown", () => {
  const edge = { x: matrix.x + matrix.w, y: matrix.y + matrix.h, w: 0, h: 0 };
  assert.deepEqual(partIn(edge, matrix), { rows: [4, 5], columns: [6, 7] });
});

test("a part is moved as far as there are cells", () => {
  assert.deepEqual(partMoved([2, 4], 1.4, 7), [3, 5]);
  assert.deepEqual(partMoved([2, 4], -9, 7), [0, 2]);
  assert.deepEqual(partMoved([2, 4], 9, 7), [5, 7]);
});

test("matrices that show the same things zoom together", () => {
  const [one, other] = [onAxes("query 5", "key 7"), onAxes("value 5", "key 7")];
  const zoom = new Zoom();
  zoom.follow(LAYOUT);
  zoom.show(other, { rows: [1, 2], columns: [3, 5] });
  assert.deepEqual(zoom.partOf(one), { rows: [0, 5], columns: [3, 5] });
  assert.deepEqual(zoom.partOf(other), { rows: [1, 2], columns: [3, 5] });
  zoom.leave(one);
  assert.deepEqual(zoom.partOf(other), { rows: [1, 2], columns: [0, 7] });
  zoom.leaveAll();
  assert.deepEqual(zoom.partOf(other), WHOLE);
});

test("a zoom is kept while the figure says that it is the same, and then is forgotten", () => {
  const zoom = new Zoom();
  zoom.follow(LAYOUT);
  zoom.show(onAxes("query 5", "key 7"), { rows: [1, 2], columns: [3, 5] });
  zoom.follow({ ...LAYOUT });
  assert.deepEqual(zoom.partOf(onAxes("query 5", "key 7")), { rows: [1, 2], columns: [3, 5] });
  zoom.follow({ ...LAYOUT, zoomed_as: "b" });
  zoom.follow(LAYOUT);
  assert.deepEqual(zoom.partOf(onAxes("query 5", "key 7")), WHOLE);
});

test("the part goes along to a cell that is out of sight, and no farther than it must", () => {
  const zoom = new Zoom();
  zoom.follow(LAYOUT);
  const shown = onAxes("query 5", "key 7");
  zoom.show(shown, { rows: [1, 3], columns: [3, 6] });
  assert.equal(zoom.bring({ matrix: shown, row: 2, column: 5 }), false);
  assert.equal(zoom.bring({ matrix: shown, row: 4, column: 2 }), true);
  assert.deepEqual(zoom.partOf(shown), { rows: [3, 5], columns: [2, 5] });
});
