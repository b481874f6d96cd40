// What a person looks at on the page.

import { boxInWindow } from "../dom.js";
import { cut } from "../board/layout.js";

const ALIKE = 0.5; // of the pixels of the step of which most is seen

// The steps of the picture that takes up most of the window: those of which `most` is seen, the last one
// first, because the others lead to it; and the `others`.
export function stepsInView(plots, size) {
  const window_ = { x: 0, y: 0, ...size };
  const areas = plots.filter(({ board }) => board).map((plot) => areasOf(plot, window_));
  const ofAll = (areasOfSteps) => [...areasOfSteps.values()].reduce((sum, area) => sum + area, 0);
  const [inView = new Map()] = areas.toSorted((one, other) => ofAll(other) - ofAll(one));
  const seen = [...inView].filter(([, area]) => area > 0);
  const least = ALIKE * Math.max(...seen.map(([, area]) => area));
  const named = (steps) => steps.map(([step]) => step);
  return { most: named(seen.filter(([, area]) => area >= least)).reverse(), others: named(seen.filter(([, area]) => area < least)) };
}

// How many pixels of each step are in the window.
function areasOf({ board, stage }, window_) {
  const areas = new Map();
  for (const matrix of board.matrices) {
    const [step] = matrix.name.split("/");
    const part = cut(boxInWindow(stage, matrix), window_);
    areas.set(step, (areas.get(step) ?? 0) + Math.round(part ? part.w * part.h : 0));
  }
  return areas;
}
