// Mouse, pen and finger: what is pointed at, and which cell is picked.

import { isTouched } from "./dom.js";

const STILL = 4; // pixels that a pointer may move during a click

// `plot` has `stage`, `editor`, `cellAt(event)`, `point(cell)` and `pickAt(cell)`.
export function listenToPointer(plot, signal) {
  const on = (target, type, act) => target.addEventListener(type, act, { signal });
  const { stage } = plot;
  on(stage, "pointermove", (event) => plot.point(plot.cellAt(event)));
  on(stage, "pointerleave", ({ pointerType }) => pointerType === "mouse" && plot.point(null));
  on(stage, "pointerdown", (event) => press(plot, event));
  // A press takes the focus away when it ends, by finger even after it has opened the field.
  on(stage, "mousedown", (event) => {
    if (plot.editor.cell && event.target !== plot.editor.element) event.preventDefault();
  });
  on(window, "pointerdown", ({ target }) => stage.contains(target) || plot.point(null));
  const scrolled = () => isTouched() && plot.point(null); // the tip would stay where the cell was
  window.addEventListener("scroll", scrolled, { signal, capture: true });
}

// A press that ends where it began picks the cell. Any other press is a zoom or a scroll.
function press(plot, down) {
  const cell = plot.cellAt(down);
  if (!cell || down.button !== 0) return;
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  const onEnd = (type, act) => window.addEventListener(type, act, options);
  onEnd("pointercancel", () => stop.abort());
  onEnd("pointerup", (up) => {
    stop.abort();
    const moved = Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY);
    if (moved <= STILL) plot.pickAt(cell);
  });
}
