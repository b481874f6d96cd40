// The only file that knows Streamlit. Streamlit calls `plot` on every rerun and on every change of
// the theme, and `outline` when a cell is picked.

import { ask } from "./asking.js";
import { onceAFrame } from "./dom.js";
import { Entries } from "./entering/entries.js";
import { Form } from "./entering/form.js";
import { keepSelected } from "./entering/selected.js";
import { Help } from "./help/help.js";
import { Labels } from "./labels/labels.js";
import { Live } from "./live/live.js";
import { LiveStrip } from "./live/live_strip.js";
import { closePanels, hideOlderPanels, panelBelow, panels, tellPicked } from "./around/panel.js";
import { NO_OUTLINE, Plot } from "./plot.js";
import { PresentButton } from "./presenting/present_button.js";
import { Presentation } from "./presenting/presentation.js";
import { Shown } from "./shown.js";
import { followPictures } from "./around/skip_link.js";
import { beginAnew, stays } from "./stays.js";
import { streamlitTheme } from "./theme.js";
import { keepWayInSight, STEP } from "./way_in_sight.js";
import { sameBytes, stampOf, unpack } from "./wire.js";

const plots = new Shown((parent) => new PlotInStreamlit(parent));
const forms = new Shown((parent) => new Form(parent, streamlitTheme));
const presentations = new Shown((parent) => new PresentationInStreamlit(parent));
const presentButtons = new Shown((parent) => new PresentButton(parent));
const helps = new Shown((parent) => new Help(parent, streamlitTheme));
document.addEventListener("attention-another-visit", beginAnew);
keepSelected(document);
document.addEventListener(STEP, (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  const isShown = plots.all().some(({ plot: each }) => detail.place.contains(each.root) && each.bring(detail.step));
  stays.step = isShown ? "" : detail.step; // until a plot shows it
});

/** @param {StreamlitComponent} component */
export function plot({ parentElement, data, ...component }) {
  const shown = plots.at(parentElement);
  const report = reporter(component);
  shown.show(data, (cell) => {
    report("pick", cell);
    if (shown.plot.board.isOfWholes) return void (stays.large = cell.matrix ?? ""); // no number was picked
    tellPicked(shown.plot, cell);
    sayAtOnce(panelBelow(parentElement, shown.group), cell);
  }, (room) => report("plotly", room));
  followPictures(allPlots);
  const leave = plots.leave(parentElement);
  return () => {
    leave();
    followPictures(allPlots);
  };
}

// Streamlit may have called a plot before its style had the new theme, and does not call it again.
const allFollowTheme = onceAFrame(() => {
  for (const shown of allPlots()) shown.followTheme();
});

function allPlots() { return plots.all().map((shown) => shown.plot); }

// A part of the page that did not run again may still hold an older pick.
/** @param {StreamlitComponent} component */
export function outline({ parentElement, data, ...component }) {
  const panel = panels.at(parentElement);
  const report = reporter(component);
  panel.show(data, sharedBy(data.group).live, (asked) => {
    if (asked.edits && editIn(data.group, asked)) return;
    report("asked", asked);
    if (asked.edits) stays.edits.set(data.group, asked);
    else if (asked.matrix) sayAtOnce(panel, asked, { goes_on: "" });
    else letGo(data.group);
  }, (cell) => Boolean(editorOf(data.group, cell)));
  outlineIn(data.group, data);
  return panels.leave(parentElement);
}

function outlineIn(group, outlined) {
  const newest = stays.outlines.get(group)?.picked_at ?? 0;
  hideOlderPanels(group, Math.max(newest, outlined.picked_at));
  if (outlined.picked_at < newest) return;
  stays.outlines.set(group, outlined);
  for (const shown of [...plots.all(), ...presentations.all().flatMap(({ sides }) => sides)]) {
    if (shown.group === group) shown.plot.outline(outlined);
  }
}

// The plot in which a given number can be edited, and its cell there.
function editorOf(group, { matrix, row, column }) {
  for (const shown of plots.all()) {
    const cell = shown.group === group ? shown.plot.board?.cellOfArray(matrix, row, column) : null;
    if (cell?.matrix.isEditable) return { plot: shown.plot, cell };
  }
  return null;
}

// Leads to a given number in its matrix: what is typed then goes there. Returns whether a plot has it.
function editIn(group, asked) {
  const found = editorOf(group, asked);
  if (!found) return false;
  stays.edits.delete(group);
  found.plot.goTo(found.cell);
  return true;
}

// Nothing is lit any more as soon as a person closes the panel.
function letGo(group) {
  stays.asks.delete(group);
  const before = stays.outlines.get(group);
  outlineIn(group, { ...before, ...NO_OUTLINE, picked_at: justAfter(before) });
}

// The server counts by its own clock, and its next word is later than its last by more than this.
function justAfter({ picked_at }) { return picked_at + 1e-6; }

// Says where a picked number comes from before the page has run, unless that or another pick is sooner.
async function sayAtOnce(panel, cell, also) {
  if (!panel?.asksAs) return;
  const { group } = panel;
  const before = stays.outlines.get(group);
  const asked = { cell };
  stays.asks.set(group, asked);
  const said = await ask(panel.asksAs, cell, also).catch(() => null);
  if (!said || stays.asks.get(group) !== asked || stays.outlines.get(group) !== before) return;
  const picked_at = justAfter(before);
  panel.write(said.panel, picked_at);
  outlineIn(group, { ...before, ...said, picked_at, cell: [cell.matrix, cell.row, cell.column] });
}

// The way to the server of what is entered into cells: all plots of a group share it.
/** @param {StreamlitComponent} component */
export function entries({ data, ...component }) {
  sharedBy(data.group).report = reporter(component);
}

// And the way back, at the end of each run.
/** @param {StreamlitComponent} component */
export function told({ data }) {
  const { group, history, ...said } = unpack(data);
  const shared = sharedBy(group);
  shared.entries.hear(said, (waiting) => shared.report("entered", waiting));
  shared.live.hear(said, (version) => shared.report("wanted", version));
  document.dispatchEvent(new CustomEvent("stepped", { detail: { group, ...history } }));
  keepWayInSight();
}

// The fields of a group, whose sliders move what is live in it.
/** @param {StreamlitComponent} component */
export function form({ parentElement, data }) {
  const { group, ...said } = unpack(data);
  forms.at(parentElement).show(said, sharedBy(group));
  return forms.leave(parentElement);
}

// A page as it is presented. Its pictures are plots as others are: what is outlined, is outlined there.
/** @param {StreamlitComponent} component */
export function present({ parentElement, data, ...component }) {
  presentations.at(parentElement).show(data, reporter(component), component.setStateValue);
  return presentations.leave(parentElement);
}

// The button that leads to the presentation.
/** @param {StreamlitComponent} component */
export function presentButton({ parentElement, ...component }) {
  Object.assign(presentButtons.at(parentElement), { report: reporter(component), plots: allPlots });
  return presentButtons.leave(parentElement);
}

// Help, with its button.
/** @param {StreamlitComponent} component */
export function help({ parentElement, data, ...component }) {
  helps.at(parentElement).show(JSON.parse(data.colors), reporter(component));
  return helps.leave(parentElement);
}

// Reports events to the server. When one event overtakes another there, Streamlit may take
// the older one for the component's state, and that would hide every later event. A state that the
// browser itself reports, whatever it says, takes its place.
function reporter({ setStateValue, setTriggerValue }) {
  return (event, value) => {
    setStateValue("reports", true);
    setTriggerValue(event, value);
  };
}

function sharedBy(group) {
  if (!stays.groups.has(group)) {
    const ofGroup = new Entries();
    ofGroup.follow(() => tellUndo(group, ofGroup));
    const live = new Live(ofGroup);
    new LiveStrip(group, live);
    stays.groups.set(group, { entries: ofGroup, live, report: () => {} });
  }
  return stays.groups.get(group);
}

// The buttons of undo are another component, which waits for what was entered before a click.
function tellUndo(group, { newest, waiting }) {
  document.dispatchEvent(new CustomEvent("entered", { detail: { group, newest, count: waiting.length } }));
}

class PlotInStreamlit {
  hasLeft = false; // the page

  constructor(parent) {
    this.plot = new Plot(parent, { readTheme: streamlitTheme, Labels });
    this.plot.closeExplained = closePanels;
  }

  show(bytes, report, reportPlotly) {
    this.plot.report = report;
    this.reportPlotly = reportPlotly;
    if (!sameBytes(bytes, this.bytes)) this.showNew((this.bytes = bytes));
    else if (this.plot.followTheme()) allFollowTheme();
  }

  remove() {
    this.leave();
    this.plot.remove();
  }

  // Streamlit may take a picture out of the page and bring it anew while somebody works in it. Whoever goes on
  // elsewhere meanwhile does not come back.
  leave() {
    const { inHand } = this.plot;
    if (inHand && !this.hasLeft) stays.inHand.set(this.name, inHand);
    if (inHand?.cursor) document.addEventListener("focusin", () => stays.inHand.delete(this.name), { once: true });
    this.hasLeft = true;
  }

  goOn() {
    for (const other of plots.all()) if (!other.plot.root.isConnected) other.leave();
    const inHand = stays.inHand.get(this.name);
    if (inHand && this.plot.goOnWith(inHand)) stays.inHand.delete(this.name);
  }

  get name() { return `${this.group} ${this.plot.name}`; }

  showNew(bytes) {
    const picture = unpack(bytes);
    this.group = picture.group;
    this.plot.take(sharedBy(this.group));
    this.plot.outlined = stays.outlines.get(this.group) ?? NO_OUTLINE;
    this.plot.drawByPlotly = picture.has_switch ? () => this.reportPlotly(this.plot.board.room) : null;
    this.plot.show({ ...picture, reordered: stampOf(bytes) });
    this.goOn();
    if (stays.edits.has(this.group)) editIn(this.group, stays.edits.get(this.group));
    if (stays.large && !this.plot.board.isOfWholes && this.plot.board.named(stays.large)) {
      stays.large = "";
      bringIntoSight(this.plot.root);
    }
    if (stays.step && this.plot.bring(stays.step)) stays.step = "";
  }
}

class PresentationInStreamlit {
  pictures = []; // that are shown, each with the bytes that it came as

  constructor(parent) {
    this.presentation = new Presentation(parent, { readTheme: streamlitTheme });
  }

  // Each plot with its group.
  get sides() {
    return this.presentation.sides.all.map(({ plot: shown, picture: { group } }) => ({ plot: shown, group }));
  }

  show(bytes, report, remember) {
    let end = stampOf(bytes); // behind the words stand the pictures
    const said = unpack(bytes.subarray(0, end));
    this.pictures = said.pictures.map(([caption, length], i) => {
      const its = bytes.subarray(end, (end += length));
      return sameBytes(its, this.pictures[i]?.bytes) ? this.pictures[i] : { ...unpack(its), bytes: its.slice(), caption };
    });
    this.presentation.sides.prepare = (shown, side, { group }) => {
      shown.take(sharedBy(group));
      shown.outlined = stays.outlines.get(group) ?? NO_OUTLINE;
      shown.report = (cell) => report("pick", { ...cell, side });
    };
    for (const picture of this.pictures) picture.reordered = said.reordered;
    this.presentation.show(said, this.pictures, { report, remember, shared: sharedBy(said.changed) });
  }

  remove() { this.presentation.remove(); }
}

// What begins in the upper half of the window is in sight: then nothing moves.
function bringIntoSight(element) {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > window.innerHeight / 2) element.scrollIntoView({ block: "start" });
}
