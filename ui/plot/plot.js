// Shows one Plotly figure and keeps it across reruns.
//
// Plotly holds the figure: its axes, its zoom, its export. What is seen of a heatmap (cells, labels,
// values, hatching, colour bars, highlights) is drawn here, on top, at once; Plotly, which takes ten
// times as long, follows as soon as no newer figure comes. No text is ever read as HTML: a token
// called "<img src=x onerror=...>" stays a token.
//
// Streamlit calls `plot` on every rerun and on every change of the theme, `outline` on every rerun.

const SVG = "http://www.w3.org/2000/svg";
const FOCUS = "attention-focus"; // on window: what is pointed at, {kind: index}, for all plots
const LABEL_SPACING = 13; // pixels that a label needs for itself
const LABEL_LETTER = 7.5; // and a letter of it, at most on average
const SLANTED_SPACING = 17; // and a slanted one
const SLANT = -45; // degrees; the same as in ui/figures/grid_layout.py
const SMALLEST_TEXT = 7.5;
const LETTER = 0.52; // width of a digit and of a minus, in font sizes
const POINT = 0.26; // and of a point
const LARGE = 1e5; // from here on, powers of ten; the same as in ui/number_format.py
const FAR = 40; // digits in which a half would show that it is none
const KINDS = {
  i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array,
  i4: Int32Array, u4: Uint32Array, f4: Float32Array, f8: Float64Array,
};
const HELP =
  "Arrow keys move from cell to cell, Home and End along the row, Page Up and Page Down between " +
  "matrices, Enter picks the cell, Escape leaves.";

const plots = new Map();
const plotly = loadPlotly();
let outlined = []; // the matrix, row and column of the cell that is outlined in every plot

export function plot({ parentElement, data, setTriggerValue }) {
  if (!plots.has(parentElement)) plots.set(parentElement, new Plot(parentElement));
  const plot = plots.get(parentElement);
  const turn = plot.show(data, setTriggerValue);
  // Streamlit also cleans up calls that a newer one overtook; only the last may take the plot away.
  return () => {
    if (plot.turn !== turn) return;
    plot.remove();
    plots.delete(parentElement);
  };
}

export function outline({ data }) {
  outlined = data;
  for (const plot of plots.values()) plot.showPicked();
}

function loadPlotly() {
  const version = new URL(import.meta.url).searchParams.get("plotly");
  const script = document.createElement("script");
  script.src = new URL(`plotly.min.js?v=${version}`, import.meta.url).href;
  return new Promise((resolve, reject) => {
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error(`${script.src} could not be loaded.`));
    document.head.append(script);
  });
}

class Plot {
  turn = 0;
  matrices = [];
  pointed = null; // the cell under the pointer or the keyboard's cursor: {matrix, row, column}
  cursor = null; // where the keyboard is
  focus = {}; // what any plot of the page points at
  light = onceAFrame(() => this.drawLight());
  following = Promise.resolve(); // Plotly's work

  constructor(parent) {
    this.patternId = `hatch-${Math.random().toString(36).slice(2)}`;
    this.graph = html("div", { class: "plot-graph", "aria-hidden": "true" });
    this.ink = svg("svg", { class: "plot-ink", "aria-hidden": "true" });
    this.lights = svg("svg", { class: "plot-ink", "aria-hidden": "true" });
    this.cells = html("canvas", { class: "plot-ink", "aria-hidden": "true" });
    this.stage = html("div", { class: "plot-stage" }, this.graph, this.cells, this.ink, this.lights);
    this.scroll = html("div", { class: "plot-scroll" }, this.stage);
    this.tip = html("div", { class: "plot-tip", "aria-hidden": "true", hidden: "" });
    this.spoken = html("div", { class: "plot-unseen", "aria-live": "polite" });
    this.tools = this.makeTools();
    this.root = html("div", { class: "plot", role: "figure" });
    this.root.append(this.scroll, this.tools, this.tip, this.spoken);
    parent.append(this.root);
    this.listen();
  }

  show(bytes, setTriggerValue) {
    this.report = (cell) => setTriggerValue("pick", cell);
    const theme = JSON.stringify(readTheme(this.root));
    if (theme !== this.drawnTheme || !sameBytes(bytes, this.drawnBytes)) {
      Object.assign(this, { drawnTheme: theme, drawnBytes: bytes, ...unpack(bytes) });
      this.root.setAttribute("aria-label", this.alt);
      this.draw();
    }
    return ++this.turn;
  }

  // A pick changes no cell: what is lit is drawn again, and nothing else.
  showPicked() {
    this.picked = this.find(...outlined);
    this.drawLight();
    this.countPaint();
  }

  remove() {
    clearTimeout(this.waiting);
    this.isAhead = false; // nothing is left for Plotly to do
    this.point(null);
    this.stopListening();
    this.root.remove();
    window.Plotly?.purge(this.graph);
  }

  draw() {
    this.prepare();
    this.isAhead = true; // of Plotly
    if (this.matrices.length) {
      this.drawInk();
      this.countPaint();
    }
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.letPlotlyFollow(), this.matrices.length ? PLOTLY_WAITS : 0);
  }

  // One after the other: while Plotly works on a figure newer ones may come.
  letPlotlyFollow() {
    this.following = this.following.then(() => this.follow());
    return this.following;
  }

  async follow() {
    if (!this.isAhead) return;
    this.isAhead = false;
    try {
      const Plotly = await plotly;
      const { data, layout } = this.forPlotly();
      const staticPlot = this.matrices.length > 0 && !layout.dragmode;
      await Plotly.react(this.graph, data, layout, { ...CONFIG, staticPlot });
      this.graph.removeAllListeners("plotly_relayout");
      this.graph.on("plotly_relayout", () => this.followZoom());
      if (!this.matrices.length) this.countPaint();
    } catch (error) {
      const trouble = `Neither zoom nor saving works: ${error.message}`;
      this.root.querySelector("[role=alert]")?.remove();
      this.root.append(html("p", { role: "alert" }, trouble));
    }
  }

  followZoom() {
    this.drawInk();
    if (this.table.open) this.fillTable();
  }

  countPaint() {
    this.root.dataset.painted = 1 + Number(this.root.dataset.painted ?? 0);
  }

  // The figure fitted to the box and to the theme.
  prepare() {
    const { data, layout } = this.figure;
    this.theme = readTheme(this.root);
    this.shades = {}; // of each colour scale
    this.room = this.root.clientWidth;
    this.size = fit(layout, this.room);
    const { cell, width, height } = this.size;
    const decimals = layout.meta?.decimals ?? null;
    this.matrices = data.filter((trace) => trace.meta?.name).map((trace) => new Matrix(trace, cell, decimals));
    this.stage.style.width = `${width}px`;
    this.stage.style.height = `${height}px`;
    for (const layer of [this.ink, this.lights]) setAll(layer, { width, height });
    this.describe();
  }

  // The same for Plotly, without what is drawn here.
  forPlotly() {
    const { data, layout } = this.figure;
    const { width, height } = this.size;
    // A copy: Plotly writes a zoom into the ranges that it is given.
    const fitted = { ...structuredClone(layout), ...themed(layout, this.theme), width, height };
    for (const { x, y, w, h, trace } of this.matrices) {
      const hidden = { visible: false }; // else Plotly measures what it does not draw
      const [xaxis, yaxis] = [axisName(trace.xaxis), axisName(trace.yaxis)];
      const across = [x / width, (x + w) / width];
      const up = [1 - (y + h) / height, 1 - y / height];
      Object.assign(fitted[xaxis], hidden, { domain: across });
      Object.assign(fitted[yaxis], hidden, { domain: up });
    }
    if (isTouched()) fitted.dragmode = false; // a finger scrolls
    return { data: data.map((trace) => this.bare(trace)), layout: fitted };
  }

  bare(trace) {
    const matrix = this.matrices.find((each) => each.trace === trace);
    if (!matrix) return trace;
    const { texttemplate, colorbar, ...rest } = trace;
    const bare = { xgap: 0, ygap: 0, showscale: false, hoverinfo: "none" };
    return { ...rest, ...bare, ...matrix.inDots(), colorscale: this.colorscale(trace) };
  }

  colorscale(trace) {
    const scale = this.figure.layout.meta?.scales?.[trace.meta.scale];
    return scale?.[this.theme.isDark ? "dark" : "light"] ?? trace.colorscale;
  }

  describe() {
    const hasCells = this.matrices.length > 0;
    this.root.classList.toggle("plot-painted", hasCells);
    setAll(this.stage, {
      role: hasCells ? "application" : "img",
      "aria-label": hasCells ? `${this.alt}. ${HELP}` : this.alt,
    });
    if (hasCells) this.stage.tabIndex = 0;
    this.table.hidden = !hasCells;
    if (this.table.open) this.fillTable();
    const live = (cell) => cell && this.find(cell.matrix.name, cell.row, cell.column);
    this.cursor = live(this.cursor);
    this.pointed = live(this.pointed);
    this.picked = this.find(...outlined);
  }

  // ---- drawing ---------------------------------------------------------------------------------

  drawInk() {
    const { uirevision } = this.figure.layout;
    const zoomed = this.graph.layout?.uirevision === uirevision ? this.graph.layout : {};
    for (const matrix of this.matrices) matrix.follow(zoomed);
    const { theme } = this;
    setAll(this.ink, { "font-family": theme.font, "font-size": 12, fill: theme.text });
    const parts = [this.hatchPattern()];
    for (const matrix of this.matrices) {
      parts.push(...this.inkAround(matrix), this.inkInside(matrix));
    }
    for (const bar of this.figure.layout.meta?.bars ?? []) parts.push(...this.colorBar(bar));
    this.ink.replaceChildren(...parts);
    this.drawCells();
    this.resetButton.hidden = !this.matrices.some((matrix) => matrix.isZoomed);
    this.showTip(this.pointed);
    this.sayCursor();
    this.light();
    this.hintAtMore();
  }

  hatchPattern() {
    const { paper, text } = this.theme;
    const box = { width: 6, height: 6 };
    const look = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    const pattern = svg("pattern", { id: this.patternId, ...box, ...look });
    pattern.append(
      svg("rect", { ...box, fill: paper }),
      svg("rect", { ...box, fill: text, "fill-opacity": 0.05 }),
      svg("path", { d: "M0 0V6", stroke: text, "stroke-opacity": 0.3, "stroke-width": 1.2 }),
    );
    return svg("defs", {}, pattern);
  }

  // Heading, caption and labels.
  inkAround(matrix) {
    const { x, y, w, h, meta } = matrix;
    const quiet = { "fill-opacity": 0.75 };
    const parts = [];
    if (meta.heading) {
      const top = at(meta.heading_top, this.size.cell);
      if (meta.color) parts.push(svg("rect", { x, y: top, width: 4, height: 15, rx: 1.5, fill: meta.color }));
      const look = { x: x + (meta.color ? 10 : 0), y: top + 12, "font-size": 13, "font-weight": 600 };
      parts.push(svg("text", look, meta.heading));
    }
    const { title, axes } = meta.corner;
    const lines = [...axes.map((text) => ({ text, "font-size": 11, ...quiet }))].reverse();
    if (title) lines.push({ text: title, "font-size": 13, "font-weight": 600 });
    lines.forEach(({ text, ...look }, i) => {
      parts.push(svg("text", { x: x - 6, y: y - 7 - i * 15, "text-anchor": "end", ...look }, text));
    });
    if (meta.caption) {
      const look = { x: x + w / 2, y: y + h + 15, "text-anchor": "middle", ...quiet };
      parts.push(svg("text", look, [meta.caption, ...this.onDots(matrix)].join("; ")));
    }
    parts.push(...matrix.bandBoxes().map((box) => svg("rect", { ...box, rx: 1.5 })));
    for (const i of spaced(matrix.rowsInView(), matrix.cellHeight, LABEL_SPACING)) {
      if (meta.row_ticks[i] && matrix.seesRow(i)) parts.push(this.rowLabel(matrix, i));
    }
    for (const i of spaced(matrix.columnsInView(), matrix.cellWidth, SLANTED_SPACING)) {
      if (meta.column_ticks[i] && matrix.seesColumn(i)) parts.push(this.columnLabel(matrix, i));
    }
    return parts;
  }

  // What is said of a matrix whose cells are smaller than a pixel.
  onDots({ dotRows, dotColumns, meta }) {
    const count = dotRows * dotColumns;
    if (count === 1) return [];
    const wayOut = this.figure.layout.dragmode && !isTouched() ? ["drag to zoom in"] : [];
    const cells = meta.masked ? `the visible ones of its ${count} cells` : count;
    return [`a dot is the mean of ${cells}`, ...wayOut];
  }

  rowLabel(matrix, i, look = {}) {
    const place = { x: matrix.x - 6, y: matrix.middle(i) + 4, "text-anchor": "end" };
    return svg("text", { ...place, ...look }, matrix.meta.row_ticks[i]);
  }

  // Slanted, but where every label is as narrow as its column.
  columnLabel(matrix, i, look = {}) {
    const [x, y] = [matrix.center(i), matrix.y - (matrix.meta.bands?.length ? 11 : 6)];
    const place = matrix.hasNarrowLabels()
      ? { x, y, "text-anchor": "middle" }
      : { x, y, transform: `rotate(${SLANT} ${x} ${y})` };
    return svg("text", { ...place, ...look }, matrix.meta.column_ticks[i]);
  }

  // Hatching and cell lines, cut off at the edge of the matrix.
  inkInside(matrix) {
    const inside = matrix.window();
    inside.append(svg("path", { d: matrix.maskedPath(), fill: `url(#${this.patternId})` }));
    const side = Math.min(matrix.cellWidth, matrix.cellHeight);
    if (side >= 6) {
      const line = { stroke: this.theme.paper, "stroke-width": side >= 16 ? 1.5 : 1 };
      inside.append(svg("path", { d: matrix.linesPath(), ...line }));
    }
    return inside;
  }

  // Cells and values go on a canvas: as SVG, four thousand of them took longer than all the rest.
  drawCells() {
    const { width, height } = this.size;
    const sharp = window.devicePixelRatio;
    setAll(this.cells, { width: Math.round(width * sharp), height: Math.round(height * sharp) });
    const pen = this.cells.getContext("2d");
    pen.scale(sharp, sharp);
    pen.textAlign = "center";
    pen.imageSmoothingEnabled = false;
    for (const matrix of this.matrices) {
      const colors = this.colorsOf(matrix);
      pen.save();
      pen.beginPath();
      pen.rect(matrix.x, matrix.y, matrix.w, matrix.h);
      pen.clip();
      matrix.paint(pen, colors);
      pen.font = `${this.textSize(matrix)}px ${this.theme.font}`;
      for (const { text, x, y, fill } of this.valuesOf(matrix, colors)) {
        pen.fillStyle = fill;
        pen.fillText(text, x, y);
      }
      pen.restore();
    }
  }

  colorsOf({ trace }) {
    const { scale } = trace.meta;
    this.shades[scale] ??= shadesOf(this.colorscale(trace));
    return new Colors(this.shades[scale], trace, this.theme.paper);
  }

  // One size for all values of a figure that fit into their cells; 0 for those that do not.
  textSize(matrix) {
    const sizes = this.matrices.map((each) => each.fittingText()).filter((size) => size >= SMALLEST_TEXT);
    return matrix.fittingText() < SMALLEST_TEXT ? 0 : Math.min(...sizes);
  }

  // What is written into the cells in view, if it fits.
  *valuesOf(matrix, colors) {
    const size = this.textSize(matrix);
    if (!size) return;
    for (const row of matrix.rowsInView()) {
      const y = matrix.middle(row) + size * 0.35;
      for (const column of matrix.columnsInView()) {
        const text = matrix.text(row, column);
        if (text) yield { text, x: matrix.center(column), y, fill: colors.inkOn(matrix.value(row, column)) };
      }
    }
  }

  // As Plotly's own picture has them, but for the part in view and its dots.
  cellsAsSvg(matrix) {
    const { x, y, w: width, h: height } = matrix;
    const canvas = html("canvas", { width: width * SHARP, height: height * SHARP });
    const pen = canvas.getContext("2d");
    pen.imageSmoothingEnabled = false;
    pen.scale(SHARP, SHARP);
    pen.translate(-x, -y);
    matrix.paint(pen, this.colorsOf(matrix));
    return svg("image", { x, y, width, height, href: canvas.toDataURL() });
  }

  valuesAsSvg(matrix) {
    const size = this.textSize(matrix);
    const look = { "font-size": size, "font-family": this.theme.font, "text-anchor": "middle" };
    const pen = this.cells.getContext("2d");
    pen.font = `${size}px ${this.theme.font}`;
    const texts = [...this.valuesOf(matrix, this.colorsOf(matrix))].map(({ text, ...place }) =>
      svg("text", { ...place, textLength: pen.measureText(text).width, ...FITTED }, text));
    const inside = matrix.window();
    inside.append(svg("g", look, ...texts));
    return inside;
  }

  colorBar({ scale, range, ticks, left, top, rows }) {
    const { cell } = this.size;
    const [x, y, height] = [at(left, cell), at(top, cell), rows * cell];
    const id = `${this.patternId}-${scale}`;
    const gradient = svg("linearGradient", { id, x1: 0, x2: 0, y1: 1, y2: 0 });
    for (const [offset, color] of this.colorscale({ meta: { scale } })) {
      gradient.append(svg("stop", { offset, "stop-color": color }));
    }
    const parts = [gradient, svg("rect", { x, y, width: 10, height, fill: `url(#${id})` })];
    const fitting = height < 3 * LABEL_SPACING ? [ticks[0], ticks.at(-1)] : ticks;
    for (const [value, text] of fitting) {
      const share = (value - range[0]) / (range[1] - range[0]);
      // The end labels stay within the length of the bar.
      parts.push(svg("text", { x: x + 15, y: y + 9 + (height - 10) * (1 - share), "font-size": 11 }, text));
    }
    return parts;
  }

  // What is pointed at, in every matrix; the picked cell; the cursor.
  drawLight() {
    const { theme, focus } = this;
    setAll(this.lights, { "font-family": theme.font, "font-size": 12, fill: "none" });
    const parts = [];
    const lit = { fill: theme.primary, "font-weight": 700, stroke: theme.paper, "stroke-width": 4, "paint-order": "stroke" };
    for (const matrix of this.matrices) {
      const { rows, columns, row_ticks, column_ticks } = matrix.meta;
      const [row, column] = [focus[rows], focus[columns]];
      if (row < matrix.rowCount) {
        parts.push(...this.outline(matrix.rowBox(row), theme.primary, 1.5));
        if (row_ticks[row] && matrix.seesRow(row)) parts.push(this.rowLabel(matrix, row, lit));
      }
      if (column < matrix.columnCount) {
        parts.push(...this.outline(matrix.columnBox(column), theme.primary, 1.5));
        if (column_ticks[column] && matrix.seesColumn(column)) parts.push(this.columnLabel(matrix, column, lit));
      }
    }
    const { pointed, picked, cursor } = this;
    if (pointed) parts.push(...this.outline(pointed.matrix.cellBox(pointed.row, pointed.column), theme.primary, 2));
    if (picked) parts.push(...this.outline(picked.matrix.cellBox(picked.row, picked.column), theme.text, 2.5));
    if (cursor && this.hasFocus()) {
      parts.push(...this.outline(cursor.matrix.cellBox(cursor.row, cursor.column), theme.text, 2, 3));
    }
    this.lights.replaceChildren(...parts);
  }

  outline(box, stroke, width, outset = 0) {
    if (!box) return [];
    const [x, y] = [box.x - outset, box.y - outset];
    const frame = { x, y, width: box.w + 2 * outset, height: box.h + 2 * outset, rx: 2 };
    return [
      svg("rect", { ...frame, stroke: this.theme.paper, "stroke-width": width + 2 }),
      svg("rect", { ...frame, stroke, "stroke-width": width }),
    ];
  }

  // ---- pointer and keys ------------------------------------------------------------------------

  listen() {
    const stop = new AbortController();
    const on = (target, type, act) => target.addEventListener(type, act, { signal: stop.signal });
    on(this.stage, "pointermove", (event) => this.point(this.cellAt(event)));
    on(this.stage, "pointerleave", ({ pointerType }) => pointerType === "mouse" && this.point(null));
    on(window, "pointerdown", ({ target }) => this.stage.contains(target) || this.point(null));
    on(this.stage, "pointerdown", (event) => this.press(event));
    on(this.stage, "keydown", (event) => this.pressKey(event));
    on(this.stage, "focus", () => this.light());
    on(this.stage, "blur", () => this.point(null));
    on(this.scroll, "scroll", () => this.hintAtMore());
    const scrolled = () => isTouched() && this.point(null); // the tip would stay where the cell was
    window.addEventListener("scroll", scrolled, { signal: stop.signal, capture: true });
    on(window, FOCUS, ({ detail }) => {
      this.focus = detail;
      this.light();
    });
    const observer = new ResizeObserver(() => this.root.clientWidth !== this.room && this.draw());
    observer.observe(this.root);
    this.stopListening = () => {
      stop.abort();
      observer.disconnect();
    };
  }

  // A press that ends where it began is a pick; anything else is a zoom or a scroll.
  press(event) {
    const start = this.cellAt(event);
    if (!start || event.button !== 0) return;
    const stop = new AbortController();
    const end = (type, act) => window.addEventListener(type, act, { capture: true, signal: stop.signal });
    end("pointercancel", () => stop.abort());
    end("pointerup", (up) => {
      stop.abort();
      const distance = Math.hypot(up.clientX - event.clientX, up.clientY - event.clientY);
      if (distance > 4) return;
      this.cursor = start;
      this.point(start);
      this.pick(start);
    });
  }

  pressKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== this.stage || !this.matrices.length) return;
    const here = this.cursor ?? this.picked ?? this.find(this.matrices[0].name, 0, 0);
    const next = this.step(here, event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next === here) this.pick(here);
    this.cursor = next && (this.cursor ? next : here); // the first key only shows where one is
    this.point(this.cursor);
    this.sayCursor(); // the mouse may have pointed there before
    if (this.cursor) this.bringIntoView(this.cursor);
  }

  // Where a key leads: to another cell, to the same (a pick), to null (away); undefined if nowhere.
  step(here, key) {
    const { matrix, row, column } = here;
    const number = this.matrices.indexOf(matrix);
    const turn = (by) => this.matrices[(number + by + this.matrices.length) % this.matrices.length];
    const go = (to, i, j) => ({
      matrix: to,
      row: clamp(i, 0, to.rowCount - 1),
      column: clamp(j, 0, to.columnCount - 1),
    });
    switch (key) {
      case "ArrowUp": return go(matrix, row - 1, column);
      case "ArrowDown": return go(matrix, row + 1, column);
      case "ArrowLeft": return go(matrix, row, column - 1);
      case "ArrowRight": return go(matrix, row, column + 1);
      case "Home": return go(matrix, row, 0);
      case "End": return go(matrix, row, matrix.columnCount);
      case "PageUp": return go(turn(-1), row, column);
      case "PageDown": return go(turn(+1), row, column);
      case "Enter":
      case " ": return here;
      case "Escape": return null;
      default: return undefined;
    }
  }

  point(cell) {
    if (sameCell(cell, this.pointed)) return;
    this.pointed = cell;
    const { rows, columns } = cell?.matrix.meta ?? {};
    // Where both axes have one kind, the row is what is pointed at.
    const detail = cell ? { [columns]: cell.column, [rows]: cell.row } : {};
    window.dispatchEvent(new CustomEvent(FOCUS, { detail }));
    this.showTip(cell);
    this.sayCursor();
  }

  sayCursor() {
    const { cursor } = this;
    if (cursor && this.stage.matches(":focus")) {
      this.spoken.textContent = cursor.matrix.sentence(cursor.row, cursor.column);
    }
  }

  pick({ matrix, row, column }) {
    this.report({ matrix: matrix.name, row, column });
  }

  showTip(cell) {
    this.tip.hidden = !cell;
    if (!cell) return;
    const { matrix, row, column } = cell;
    this.tip.replaceChildren(
      html("div", { class: "plot-tip-title" }, matrix.meta.title),
      html("div", {}, matrix.rowName(row)),
      html("div", {}, matrix.columnName(column)),
      html("div", { class: "plot-tip-value" }, matrix.exactOrNearly(row, column)),
    );
    const stage = this.stage.getBoundingClientRect();
    const box = matrix.cellBox(row, column) ?? matrix;
    const { offsetWidth, offsetHeight } = this.tip;
    const right = stage.left + box.x + box.w + 10;
    const fitsRight = right + offsetWidth < window.innerWidth;
    const left = fitsRight ? right : Math.max(4, stage.left + box.x - offsetWidth - 10);
    const below = stage.top + box.y + box.h + 10;
    const fitsBelow = below + offsetHeight < window.innerHeight;
    const top = fitsBelow ? below : Math.max(4, stage.top + box.y - offsetHeight - 10);
    Object.assign(this.tip.style, { left: `${left}px`, top: `${top}px` });
  }

  // What is wider than its box fades out where it goes on.
  hintAtMore() {
    const seen = this.room < this.size.width ? this.scroll.scrollLeft + this.room : this.size.width;
    this.scroll.classList.toggle("plot-goes-on", seen < this.size.width - 2);
  }

  bringIntoView({ matrix, row, column }) {
    const box = matrix.cellBox(row, column);
    if (!box) return;
    const { scrollLeft, clientWidth } = this.scroll;
    if (box.x < scrollLeft) this.scroll.scrollLeft = box.x - 40;
    else if (box.x + box.w > scrollLeft + clientWidth) this.scroll.scrollLeft = box.x + box.w + 40 - clientWidth;
  }

  hasFocus() {
    return this.stage.matches(":focus-visible");
  }

  cellAt({ clientX, clientY }) {
    const box = this.stage.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const matrix = this.matrices.find((m) => x >= m.x && x < m.x + m.w && y >= m.y && y < m.y + m.h);
    return matrix ? this.find(matrix.name, matrix.rowAt(y), matrix.columnAt(x)) : null;
  }

  find(name, row, column) {
    const matrix = this.matrices.find((m) => m.name === name);
    const exists = matrix && row in matrix.meta.row_labels && column in matrix.meta.column_labels;
    return exists ? { matrix, row, column } : null;
  }

  // ---- tools: table, pictures, zoom ------------------------------------------------------------

  makeTools() {
    const button = (text, act) => {
      const made = html("button", { type: "button" }, text);
      made.addEventListener("click", act);
      return made;
    };
    this.resetButton = button("Reset zoom", () => this.resetZoom());
    this.resetButton.hidden = true;
    this.table = html("details", { class: "plot-table" }, html("summary", {}, "Show as table"));
    this.table.addEventListener("toggle", () => this.table.open && this.fillTable());
    const pictures = html("div", { class: "plot-pictures" });
    pictures.append(
      this.resetButton,
      button("Save as SVG", () => this.save("svg")),
      button("Save as PNG", () => this.save("png")),
    );
    return html("div", { class: "plot-tools" }, this.table, pictures);
  }

  // One matrix at a time: 32 tables of 128 x 128 would stop the browser.
  fillTable() {
    const [summary] = this.table.children;
    const chosen = this.table.querySelector("select")?.value;
    const choice = html("select", { "aria-label": "Matrix to show as a table" });
    for (const { name, meta } of this.matrices) choice.append(html("option", { value: name }, meta.title));
    if (this.matrices.some(({ name }) => name === chosen)) choice.value = chosen;
    const place = html("div", { class: "plot-table-scroll", tabindex: 0, role: "group", "aria-label": "Table" });
    const fill = () => place.replaceChildren(this.matrices.find(({ name }) => name === choice.value).table());
    choice.addEventListener("change", fill);
    fill();
    this.table.replaceChildren(summary, ...(this.matrices.length > 1 ? [choice] : []), place);
  }

  resetZoom() {
    const ranges = {};
    for (const { trace } of this.matrices) {
      for (const axis of [axisName(trace.xaxis), axisName(trace.yaxis)]) {
        ranges[`${axis}.range`] = [...this.figure.layout[axis].range];
      }
    }
    window.Plotly.relayout(this.graph, ranges);
    this.stage.focus();
  }

  // A picture with all that is on screen and a margin, large enough for a slide.
  async save(format) {
    await this.letPlotlyFollow();
    const [width, height] = [this.size.width + 2 * MARGIN, this.size.height + 2 * MARGIN];
    const bare = await window.Plotly.toImage(this.graph, { format: "svg", ...this.size });
    const text = decodeURIComponent(bare.slice(bare.indexOf(",") + 1));
    const cells = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const inside = svg("g", { transform: `translate(${MARGIN} ${MARGIN})` });
    const [pictures, values] = [this.matrices.map((m) => this.cellsAsSvg(m)), this.matrices.map((m) => this.valuesAsSvg(m))];
    inside.append(cells, ...pictures, withLengths(this.ink), ...values);
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    picture.append(svg("rect", { width, height, fill: this.theme.paper }), inside);
    const file = new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
    const scale = Math.max(2, SLIDE / width);
    download(format === "svg" ? file : await asPng(file, width, height, scale), `${this.name}.${format}`);
  }
}

// A copy whose texts keep their lengths in whatever font they are shown: ours may not be there.
function withLengths(ink) {
  const copy = ink.cloneNode(true);
  const texts = [...ink.querySelectorAll("text")].map((text) => text.getComputedTextLength());
  copy.querySelectorAll("text").forEach((text, i) =>
    setAll(text, { textLength: texts[i], ...FITTED }));
  return copy;
}

const FITTED = { lengthAdjust: "spacingAndGlyphs" };
const MARGIN = 16; // pixels around a picture that is saved
const SHARP = 2; // dots a pixel, in a picture that is saved
const SLIDE = 2560; // pixels that its width has at least, as PNG
const SHADES = 1024; // of a colour scale
const MOST_OF_WINDOW = 0.6; // of its height, for a figure that grows
const MOST_IN_TABLE = 128; // rows, and columns
const PLOTLY_WAITS = 300; // ms without a newer figure
const CONFIG = { displayModeBar: false, doubleClick: "reset", showTips: false, responsive: false };

// ---- one heatmap: where it is and what it says ---------------------------------------------------

class Matrix {
  // `decimals` is null where no values are to be written.
  constructor(trace, cell, decimals) {
    const { meta } = trace;
    Object.assign(this, { trace, meta, name: meta.name, decimals });
    this.rowCount = meta.row_labels.length;
    this.columnCount = meta.column_labels.length;
    [this.x, this.y] = [at(meta.left, cell), at(meta.top, cell)];
    [this.w, this.h] = [meta.across * cell, meta.down * cell];
    this.follow({});
  }

  // Take over what part of the matrix the axes show. Rows count downwards.
  follow(layout) {
    const { xaxis, yaxis } = this.trace;
    const [from, to] = layout[axisName(xaxis)]?.range ?? [-0.5, this.columnCount - 0.5];
    const [bottom, top] = layout[axisName(yaxis)]?.range ?? [this.rowCount - 0.5, -0.5];
    Object.assign(this, { firstColumn: from + 0.5, firstRow: top + 0.5 });
    this.cellWidth = this.w / (to - from);
    this.cellHeight = this.h / (bottom - top);
    this.isZoomed = to - from < this.columnCount - 0.01 || bottom - top < this.rowCount - 0.01;
    // A dot is a cell, or as many as share a pixel.
    this.dotColumns = Math.ceil(1 / this.cellWidth - 0.01);
    this.dotRows = Math.ceil(1 / this.cellHeight - 0.01);
    this.fitting = undefined; // until it is asked for
    this.dotValues = undefined;
  }

  // The values of the dots: each the mean of its visible cells, NaN where all of them are hidden.
  dots() {
    return (this.dotValues ??= meansOfVisible(this.trace.z, this.dotRows, this.dotColumns));
  }

  // What Plotly is given of a matrix with dots: it knows no means, and takes long over a million cells.
  inDots() {
    const z = this.dots();
    if (z === this.trace.z) return {};
    const edges = (count, size, end) => Array.from({ length: count + 1 }, (_, i) => Math.min(i * size, end) - 0.5);
    return {
      z,
      x: edges(z[0].length, this.dotColumns, this.columnCount),
      y: edges(z.length, this.dotRows, this.rowCount),
    };
  }

  // A pixel a dot, stretched to where the dots are.
  paint(pen, colors) {
    const dots = this.dots();
    const picture = new ImageData(dots[0].length, dots.length);
    const pixels = new Uint32Array(picture.data.buffer);
    let at = 0;
    for (const row of dots) for (const value of row) pixels[at++] = colors.pixel(value);
    const texture = new OffscreenCanvas(picture.width, picture.height);
    texture.getContext("2d").putImageData(picture, 0, 0);
    const across = picture.width * this.dotColumns * this.cellWidth;
    const down = picture.height * this.dotRows * this.cellHeight;
    pen.drawImage(texture, this.left(0), this.top(0), across, down);
  }

  left(column) { return this.x + (column - this.firstColumn) * this.cellWidth; }
  top(row) { return this.y + (row - this.firstRow) * this.cellHeight; }
  columnAt(x) { return Math.floor(this.firstColumn + (x - this.x) / this.cellWidth); }
  rowAt(y) { return Math.floor(this.firstRow + (y - this.y) / this.cellHeight); }
  rowsInView() { return inView(this.firstRow, this.h / this.cellHeight, this.rowCount); }
  columnsInView() { return inView(this.firstColumn, this.w / this.cellWidth, this.columnCount); }
  // Whether the middle is in view, where the label points.
  seesRow(row) { return within(this.middle(row), this.y, this.h); }
  seesColumn(column) { return within(this.center(column), this.x, this.w); }
  center(column) { return this.left(column) + this.cellWidth / 2; }
  middle(row) { return this.top(row) + this.cellHeight / 2; }

  cellBox(row, column) {
    return this.cut(this.left(column), this.top(row), this.cellWidth, this.cellHeight);
  }
  rowBox(row) { return this.cut(this.x, this.top(row), this.w, this.cellHeight); }
  columnBox(column) { return this.cut(this.left(column), this.y, this.cellWidth, this.h); }

  // The coloured lines above the columns, as far as they are in view.
  bandBoxes() {
    return (this.meta.bands ?? []).flatMap(([start, stop, fill]) => {
      const from = Math.max(this.left(start) + 1, this.x);
      const to = Math.min(this.left(stop) - 1, this.x + this.w);
      return to > from ? [{ x: from, y: this.y - 6, width: to - from, height: 4, fill }] : [];
    });
  }

  // The part of a box that is in view, or null.
  cut(x, y, w, h) {
    const [left, top] = [Math.max(x, this.x), Math.max(y, this.y)];
    const right = Math.min(x + w, this.x + this.w);
    const bottom = Math.min(y + h, this.y + this.h);
    return right > left && bottom > top ? { x: left, y: top, w: right - left, h: bottom - top } : null;
  }

  // An SVG element that cuts off what is drawn beyond the matrix.
  window() {
    const { x, y, w, h } = this;
    return svg("svg", { x, y, width: w, height: h, viewBox: `${x} ${y} ${w} ${h}` });
  }

  value(row, column) { return this.trace.z[row][column]; }

  // A single-precision number has seven digits; the rest would be invented.
  get isSingle() { return this.trace.z[0] instanceof Float32Array; }

  exact(row, column) {
    const value = this.value(row, column);
    if (Number.isNaN(value)) return "masked";
    const digits = this.isSingle ? Number(value.toPrecision(7)) : value;
    return withMinus(String(digits + 0));
  }

  // The same for the tip, which says where digits are missing.
  exactOrNearly(row, column) {
    const isRounded = this.isSingle && !Number.isNaN(this.value(row, column));
    return (isRounded ? "\u2248 " : "") + this.exact(row, column);
  }

  short(row, column) {
    const value = this.value(row, column);
    if (Number.isNaN(value)) return "masked";
    return this.decimals === null ? withMinus(String(Number(value.toPrecision(4)) + 0)) : fixed(value, this.decimals);
  }

  // What is written into a cell, where anything is.
  text(row, column) {
    const value = this.value(row, column);
    return Number.isNaN(value) ? "" : fixed(value, this.decimals);
  }

  rowName(row) { return `${this.meta.rows} ${this.meta.row_labels[row]}`; }
  columnName(column) { return `${this.meta.columns} ${this.meta.column_labels[column]}`; }

  sentence(row, column) {
    const names = [this.meta.title, this.rowName(row), this.columnName(column)];
    return `${names.join(", ")}: ${this.short(row, column)}`;
  }

  hasNarrowLabels() {
    const longest = Math.max(...this.meta.column_ticks.map((label) => label.length));
    return longest * LABEL_LETTER <= this.cellWidth - 4;
  }

  // The size at which the longest value in view fits into its cell; 0 where not even a zero does.
  fittingText() {
    return (this.fitting ??= this.findFittingText());
  }

  findFittingText() {
    if (this.decimals === null || this.textFor(widthOf(fixed(0, this.decimals))) < SMALLEST_TEXT) return 0;
    const [rows, columns] = [this.rowsInView(), this.columnsInView()];
    const widths = rows.map((row) => Math.max(...columns.map((column) => widthOf(this.text(row, column)))));
    return this.textFor(Math.max(...widths));
  }

  // The size of a text in a cell, `width` font sizes wide.
  textFor(width) {
    const wished = Math.max(13, this.cellHeight * 0.28);
    return Math.min(wished, this.cellHeight * 0.6, (this.cellWidth - 2.5) / width);
  }

  // The strips of dots that have no visible cell.
  maskedPath() {
    if (!this.meta.masked) return "";
    const [across, down] = [this.dotColumns * this.cellWidth, this.dotRows * this.cellHeight];
    const strips = this.dots().map((dots, i) => {
      const y = this.top(i * this.dotRows);
      if (y + down < this.y || y > this.y + this.h) return [];
      return runsOfNaN(dots).map(([from, to]) => {
        const x = this.left(from * this.dotColumns);
        return `M${x} ${y}h${(to - from) * across}v${down}H${x}z`;
      });
    });
    return strips.flat().join("");
  }

  linesPath() {
    const across = this.rowsInView().map((row) => `M${this.x} ${this.top(row)}h${this.w}`);
    const down = this.columnsInView().map((column) => `M${this.left(column)} ${this.y}v${this.h}`);
    return [...across, ...down].join("");
  }

  // The cells in view; of very many, as many as a browser takes.
  table() {
    const { title, row_labels, column_labels, rows, columns } = this.meta;
    const [down, across] = [this.rowsInView(), this.columnsInView()].map((all) => all.slice(0, MOST_IN_TABLE));
    const head = html("tr", {}, html("td", {}, `${rows} \\ ${columns}`));
    head.append(...across.map((column) => html("th", { scope: "col" }, column_labels[column])));
    const body = down.map((row) => {
      const cells = across.map((column) =>
        html("td", { title: this.exact(row, column) }, this.short(row, column)));
      return html("tr", {}, html("th", { scope: "row" }, row_labels[row]), ...cells);
    });
    const isPart = down.length < this.rowCount || across.length < this.columnCount;
    const part = ` (${down.length} × ${across.length} of ${this.rowCount} × ${this.columnCount} numbers)`;
    const caption = html("caption", {}, isPart ? title + part : title);
    return html("table", {}, caption, html("thead", {}, head), html("tbody", {}, ...body));
  }
}

// Colours of values, and black or white for the text on them.
class Colors {
  constructor(shades, { zmin, zmax }, paper) {
    Object.assign(this, { shades, zmin, zmax, paper: pixel(rgb(paper)) });
  }

  pixel(value) {
    return Number.isNaN(value) ? this.paper : this.shades[this.shadeOf(value)];
  }

  shadeOf(value) {
    return Math.round(clamp((value - this.zmin) / (this.zmax - this.zmin), 0, 1) * (SHADES - 1));
  }

  inkOn(value) {
    const color = this.shades[this.shadeOf(value)];
    const light = luminance([color & 255, (color >> 8) & 255, (color >> 16) & 255]) + 0.05;
    return 1.05 / light > light / 0.05 ? "#fff" : "#000";
  }
}

// A colour scale in small even steps, each as a pixel.
function shadesOf(scale) {
  const stops = scale.map(([stop, color]) => [stop, rgb(color)]);
  return Uint32Array.from({ length: SHADES }, (_, i) => {
    const share = i / (SHADES - 1);
    const next = Math.max(1, stops.findIndex(([stop]) => stop >= share));
    const [[from, low], [to, high]] = [stops[next - 1], stops[next]];
    return pixel(low.map((c, j) => Math.round(c + ((high[j] - c) * (share - from)) / (to - from))));
  });
}

// As ImageData holds it, on machines that put the least byte first: all that browsers run on.
function pixel([red, green, blue]) {
  return (255 << 24) | (blue << 16) | (green << 8) | red;
}

// ---- theme and size ------------------------------------------------------------------------------

function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const paper = read("background-color");
  return {
    paper,
    text: read("text-color"),
    primary: read("primary-color"),
    border: read("border-color"),
    font: read("font"),
    isDark: luminance(rgb(paper)) < 0.2,
  };
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

// The cell size that fits the figure into the box, and the size of the whole.
function fit({ meta, width, height }, room) {
  if (!meta?.cell) return { cell: 0, width: width ?? room, height: height ?? 360 };
  const { least, preferred, most } = meta.cell;
  const across = (room - meta.width[0]) / meta.width[1];
  const down = (window.innerHeight * MOST_OF_WINDOW - meta.height[0]) / meta.height[1];
  const wished = Math.min(across, Math.max(preferred, down)); // larger only where all can be seen
  const whole = wished >= 4 ? Math.floor(wished) : wished; // whole pixels keep the lines sharp
  const cell = clamp(whole, least, most);
  return { cell, width: at(meta.width, cell), height: at(meta.height, cell) };
}

function isTouched() {
  return window.matchMedia("(pointer: coarse)").matches;
}

function at([fixed, cells], cell) {
  return fixed + cells * cell;
}

// ---- small things --------------------------------------------------------------------------------

// What ui/plot/wire.py packed.
function unpack(bytes) {
  const { buffer } = bytes.slice(); // numbers begin at multiples of 8 bytes
  const length = new DataView(buffer).getUint32(0, true);
  const start = Math.ceil((4 + length) / 8) * 8;
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  return withNumbers(JSON.parse(text), buffer, start);
}

// The same with its arrays where the text only says which they are.
function withNumbers(part, buffer, start) {
  if (part?.wire) return numbers(buffer, start, part);
  const isPlain = typeof part !== "object" || typeof part?.[0] === "string"; // labels, by the thousand
  if (!isPlain) for (const name in part) part[name] = withNumbers(part[name], buffer, start);
  return part;
}

// An array as Plotly takes it, a list of rows where it has two axes.
function numbers(buffer, start, { wire, at, shape: [count, width] }) {
  const Kind = KINDS[wire];
  const all = new Kind(buffer, start + at, count * (width ?? 1));
  if (width === undefined) return all;
  return Array.from({ length: count }, (_, row) => all.subarray(row * width, (row + 1) * width));
}

function sameBytes(one, other) {
  if (one.length !== other?.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

// A grid of dots, each the mean of the visible cells (those that are numbers) of a block of cells.
function meansOfVisible(z, dotRows, dotColumns) {
  if (dotRows * dotColumns === 1) return z;
  const [rowCount, columnCount] = [z.length, z[0].length];
  return Array.from({ length: Math.ceil(rowCount / dotRows) }, (_, i) => {
    const rows = z.slice(i * dotRows, (i + 1) * dotRows);
    return Float64Array.from({ length: Math.ceil(columnCount / dotColumns) }, (_, j) => {
      const end = Math.min((j + 1) * dotColumns, columnCount);
      let [sum, count] = [0, 0];
      for (const row of rows) {
        for (let column = j * dotColumns; column < end; column++) {
          const value = row[column];
          if (value !== value) continue; // NaN, the only value that is not equal to itself
          sum += value;
          count += 1;
        }
      }
      return sum / count; // NaN where no cell is visible
    });
  });
}

// [from, to) of each run of NaN.
function runsOfNaN(values) {
  const runs = [];
  let start = null;
  for (let i = 0; i <= values.length; i++) {
    const isMasked = i < values.length && Number.isNaN(values[i]);
    if (isMasked) start ??= i;
    else if (start !== null) {
      runs.push([start, i]);
      start = null;
    }
  }
  return runs;
}

function inView(first, count, limit) {
  const [from, to] = [Math.max(0, Math.floor(first + 0.01)), Math.min(limit, Math.ceil(first + count - 0.01))];
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

// As ui/number_format.py writes it: a half goes to the even digit, and no zero has a sign.
function fixed(value, decimals) {
  const size = Math.abs(value);
  const isLarge = size >= LARGE;
  const mayBeHalf = (size * 10 ** decimals) % 1 === 0.5; // the multiplication may have rounded
  const text = isLarge || mayBeHalf ? halfToEven(size, decimals, isLarge) : size.toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `\u2212${text}` : text;
}

// toFixed and toExponential take a half up.
function halfToEven(size, decimals, isLarge) {
  const write = (digits) => (isLarge ? size.toExponential(digits) : size.toFixed(digits)).split("e");
  const [upper, exponent] = write(decimals);
  const isHalf = write(decimals + FAR)[0].endsWith(`5${"0".repeat(FAR - 1)}`);
  const isOdd = Number(upper.at(-1)) % 2 === 1;
  const nearest = isHalf && isOdd ? (Number(upper) - 10 ** -decimals).toFixed(decimals) : upper;
  return isLarge ? `${nearest}e${Number(exponent)}` : nearest;
}

function widthOf(number) {
  return number.length * LETTER - (number.includes(".") ? LETTER - POINT : 0);
}

function spaced(indices, size, spacing) {
  const step = Math.ceil(spacing / size);
  return indices.filter((i) => i % step === 0);
}

function onceAFrame(act) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      act();
    });
  };
}

function sameCell(a, b) {
  return a?.matrix === b?.matrix && a?.row === b?.row && a?.column === b?.column;
}

function axisName(id) {
  return `${id[0]}axis${id.slice(1)}`;
}

function withMinus(text) {
  return text.replaceAll("-", "\u2212");
}

function within(value, start, length) {
  return value >= start && value <= start + length;
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

function rgb(color) {
  if (!/^#[0-9a-f]{6}$/i.test(color)) color = asHex(color);
  return [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
}

function asHex(color) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = color;
  return probe.fillStyle;
}

function luminance(channels) {
  const [r, g, b] = channels.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

function html(tag, attributes, ...children) {
  const element = document.createElement(tag);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

async function asPng(file, width, height, scale) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  URL.revokeObjectURL(image.src);
  const canvas = html("canvas", { width: width * scale, height: height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function download(file, name) {
  const link = html("a", { href: URL.createObjectURL(file), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
