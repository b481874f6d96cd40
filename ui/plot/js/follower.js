// Plotly, which follows the picture. It holds the axes and the zoom. It takes ten times as long to
// draw, and so waits until no newer figure comes. Figures without matrices it draws alone.

import { html, isTouched } from "./dom.js";
import { axisName } from "./layout.js";

const WAIT = 300; // ms without a newer figure
const CONFIG = { displayModeBar: false, doubleClick: "reset", showTips: false, responsive: false };

export class Follower {
  working = Promise.resolve();

  // `plotly` is a promise of the library. `onZoom` and `onDrawn` are called after Plotly has acted.
  constructor(plotly, { onZoom, onDrawn }) {
    Object.assign(this, { plotly, onZoom, onDrawn });
    this.element = html("div", { class: "plot-graph", "aria-hidden": "true" });
    this.complaint = html("p", { role: "alert", hidden: "" });
  }

  // What Plotly's axes show now.
  get layout() {
    return this.element.layout;
  }

  follow(board, theme) {
    this.next = { board, theme };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.catchUp(), board.hasMatrices ? WAIT : 0);
  }

  // One figure after the other: newer ones may come while Plotly works.
  catchUp() {
    this.working = this.working.then(() => this.draw());
    return this.working;
  }

  async draw() {
    if (!this.next) return;
    const { board, theme } = this.next;
    this.next = null;
    try {
      const Plotly = await this.plotly;
      const { data, layout } = forPlotly(board, theme);
      const staticPlot = board.hasMatrices && !layout.dragmode;
      await Plotly.react(this.element, data, layout, { ...CONFIG, staticPlot });
      this.element.removeAllListeners("plotly_relayout");
      this.element.on("plotly_relayout", () => this.onZoom());
      this.complaint.hidden = true;
      this.onDrawn(board);
    } catch (error) {
      this.complaint.textContent = `The picture cannot be zoomed: ${error.message}`;
      this.complaint.hidden = false;
    }
  }

  async resetZoom({ matrices, layout }) {
    const ranges = {};
    for (const { trace } of matrices) {
      for (const axis of [axisName(trace.xaxis), axisName(trace.yaxis)]) {
        ranges[`${axis}.range`] = [...layout[axis].range];
      }
    }
    (await this.plotly).relayout(this.element, ranges);
  }

  // A picture of a figure that has no matrices, as the text of an SVG.
  async asSvg(board, theme) {
    const look = { format: "svg", ...board.size };
    const address = await (await this.plotly).toImage(forPlotly(board, theme), look);
    return decodeURIComponent(address.slice(address.indexOf(",") + 1));
  }

  remove() {
    clearTimeout(this.timer);
    this.next = null; // nothing is left to draw
    window.Plotly?.purge(this.element);
  }
}

// The figure fitted to its room, without what this folder draws itself.
function forPlotly(board, theme) {
  const { data, layout } = board;
  const { width, height } = board.size;
  // A copy: Plotly writes a zoom into the ranges that it is given.
  const fitted = { ...structuredClone(layout), ...themed(layout, theme), width, height };
  for (const { x, y, w, h, trace } of board.matrices) {
    const hidden = { visible: false }; // else Plotly measures labels that it does not draw
    const [across, up] = [[x / width, (x + w) / width], [1 - (y + h) / height, 1 - y / height]];
    Object.assign(fitted[axisName(trace.xaxis)], hidden, { domain: across });
    Object.assign(fitted[axisName(trace.yaxis)], hidden, { domain: up });
  }
  if (isTouched()) fitted.dragmode = false; // a finger scrolls
  return { data: data.map((trace) => bare(trace, board, theme)), layout: fitted };
}

function bare(trace, board, { isDark }) {
  const matrix = board.matrices.find((each) => each.trace === trace);
  if (!matrix) return trace;
  const { texttemplate, colorbar, meta: { before, ...meta }, ...rest } = trace;
  const look = { xgap: 0, ygap: 0, showscale: false, hoverinfo: "none" };
  const colorscale = board.colorscale(trace.meta.scale, isDark);
  return { ...rest, meta, ...look, ...matrix.dotsForPlotly(), colorscale };
}

function themed(layout, { text, font, border, paper }) {
  const clear = "rgba(0,0,0,0)";
  const axis = { gridcolor: border, zerolinecolor: border, linecolor: border };
  return {
    font: { size: 13, ...layout.font, color: text, family: font },
    paper_bgcolor: clear,
    plot_bgcolor: clear,
    hoverlabel: { bgcolor: paper, bordercolor: border, font: { color: text, family: font } },
    template: layout.template ?? { layout: { xaxis: axis, yaxis: axis } },
  };
}
