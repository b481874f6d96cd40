// The only file that knows Streamlit. Streamlit calls `plot` on every rerun and on every change of
// the theme, and `outline` on every rerun.

import { Plot } from "./plot.js";
import { streamlitTheme } from "./theme.js";
import { sameBytes, unpack } from "./wire.js";

const plots = new Map(); // by the element that Streamlit gives
const plotly = loadPlotly();
let outlined = []; // the matrix, row and column of the cell that is outlined in every plot

export function plot({ parentElement, data, setTriggerValue }) {
  if (!plots.has(parentElement)) plots.set(parentElement, new PlotInStreamlit(parentElement));
  const shown = plots.get(parentElement);
  const turn = shown.show(data, (cell) => setTriggerValue("pick", cell));
  // Streamlit also cleans up calls that a newer one overtook. Only the last may take the plot away.
  return () => {
    if (shown.turn !== turn) return;
    shown.plot.remove();
    plots.delete(parentElement);
  };
}

export function outline({ data }) {
  outlined = data;
  for (const { plot } of plots.values()) plot.outline(outlined);
}

class PlotInStreamlit {
  turn = 0; // how often Streamlit has called

  constructor(parent) {
    this.plot = new Plot(parent, { plotly, readTheme: streamlitTheme });
    this.plot.outlined = outlined;
  }

  show(bytes, report) {
    this.plot.report = report;
    if (sameBytes(bytes, this.bytes)) this.plot.followTheme();
    else this.plot.show(unpack((this.bytes = bytes)));
    return ++this.turn;
  }
}

// plotly.js is a script, no module. The address of this file says which version there is.
function loadPlotly() {
  const version = new URL(import.meta.url).searchParams.get("plotly");
  const script = document.createElement("script");
  script.src = new URL(`../plotly-${version}/plotly.min.js`, import.meta.url).href;
  return new Promise((resolve, reject) => {
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error(`${script.src} could not be loaded.`));
    document.head.append(script);
  });
}
