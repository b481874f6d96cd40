// Mouse, pen and finger: what is pointed at, and which cell is picked.

import { isTouched } from "../dom.js";
import { isSameCell } from "./keyboard.js";
import { tellMatrix } from "../drawing/symbols.js";
import { whileDown } from "./while_down.js";

const STILL = 4; // pixels that a pointer may move during a click

// `plot` has `stage`, `hand`, `editor`, `tip`, `scrub`, `pen`, `labels`, `selection`, `zoomDrag`, `mayZoom` and
// `leaveZoom(matrix)`.
export function listenToPointer(plot, signal) {
  const on = (target, type, act) => target.addEventListener(type, act, { signal });
  const { stage } = plot;
  on(stage, "pointermove", (event) => plot.scrub.cell || plot.labels.drag || plot.zoomDrag.isOn || plot.hand.pointAt(event));
  on(stage, "pointerleave", ({ pointerType }) => {
    if (pointerType !== "mouse" || plot.scrub.cell || plot.zoomDrag.isOn) return;
    plot.hand.point(null);
    tellMatrix();
  });
  on(stage, "pointerdown", (event) => press(plot, event));
  on(stage, "mousedown", (event) => hold(plot, event));
  on(stage, "dblclick", (event) => showAll(plot, event));
  on(window, "pointerdown", ({ target }) => stage.contains(target) || plot.hand.point(null));
  const scrolled = ({ target }) => target.contains(stage) && goAlong(plot);
  window.addEventListener("scroll", scrolled, { signal, capture: true });
}

// When the page scrolls, the pointer is on another cell, but the cursor and a dragged number keep theirs.
function goAlong(plot) {
  if (isTouched()) return plot.hand.point(null);
  if (!plot.tip.isShown) return; // as while an operation moves by itself
  const keepsItsCell = plot.scrub.cell || (plot.hand.isByKeys && isSameCell(plot.hand.pointed, plot.hand.cursor));
  if (keepsItsCell) plot.tip.follow(plot.stage);
  else plot.hand.point(null);
}

function hold(plot, event) {
  const { cell, element } = plot.editor;
  if (event.target === element) return;
  const pressed = plot.hand.cellAt(event);
  const mayDrag = pressed && (plot.mayZoom || changesCells(plot, pressed, event));
  // A press takes the focus away when it ends, by finger even after it has opened the field. And text
  // would be marked on the way of a drag.
  if (cell || mayDrag) event.preventDefault();
}

// Whether a drag that begins at a cell draws the mask, or drags its number: then it is no zoom.
function changesCells({ pen, scrub }, cell, event) {
  return (pen.takes(cell, event) && pen.canDrag(cell, event)) || scrub.canDrag(cell, event);
}

// A second press on a cell that can be edited opens it.
function showAll(plot, event) {
  const cell = event.target === plot.editor.element ? null : plot.hand.cellAt(event);
  if (cell && plot.mayZoom && !changesCells(plot, cell, event)) plot.leaveZoom(cell.matrix);
}

// A press that ends where it began picks the cell. A press that moves drags the number of a cell that
// can be edited, by finger if it was chosen before. Any other is a zoom or a scroll. With the pen it draws.
function press(plot, down) {
  plot.hand.isByKeys = false;
  const cell = plot.hand.cellAt(down);
  if (!cell || down.button !== 0) return;
  if (plot.pen.takes(cell, down)) return draw(plot, cell, down);
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  const onEnd = (type, act) => window.addEventListener(type, act, options);
  onEnd("pointercancel", () => stop.abort());
  const isFinger = down.pointerType === "touch";
  const mayDrag = (!isFinger || down.target === plot.scrub.grip) && plot.scrub.canDrag(cell, down);
  const zooms = !isFinger && !mayDrag && plot.mayZoom;
  onEnd("pointermove", (move) => {
    if (!(mayDrag || zooms) || distance(down, move) <= STILL) return;
    stop.abort();
    if (zooms) return plot.zoomDrag.begin(cell, down, move);
    plot.editor.close({ keeps: true });
    goTo(plot, cell);
    plot.scrub.drag(cell, down);
    plot.scrub.by(0, false);
  });
  onEnd("pointerup", (up) => {
    stop.abort();
    if (distance(down, up) <= STILL) plot.hand.pickAt(cell, up.shiftKey);
  });
}

function draw(plot, cell, down) {
  const { pen } = plot;
  const end = (keeps) => pen.end({ keeps });
  const follow = (move) => {
    if (distance(down, move) <= STILL) return;
    if (pen.canDrag(cell, down)) return pen.goTo(plot.hand.cellAt(move));
    end(false);
    if (plot.mayZoom && down.pointerType !== "touch") plot.zoomDrag.begin(cell, down, move);
  };
  pen.begin(cell, whileDown(follow, end));
  goTo(plot, cell);
}

// The cursor goes to a cell that is dragged, and the keys with it.
function goTo(plot, cell) {
  plot.selection.clear();
  plot.hand.cursor = cell;
  plot.hand.point(cell);
  plot.stage.focus({ preventScroll: true });
}

function distance(one, other) {
  return Math.hypot(other.clientX - one.clientX, other.clientY - one.clientY);
}
