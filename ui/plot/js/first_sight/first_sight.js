// What is seen before Streamlit's script has come: this is part of the first answer of the server, and
// runs before the browser paints. It draws the picture with the modules that the live page draws with, so
// it stands where the live one will, cell for cell. Once that is there, all of it goes.

import { inTheHand } from "../board/arrangement.js";
import { Board } from "../board/board.js";
import { Zoom } from "../board/zoom.js";
import { isTouched, setAll, svg } from "../dom.js";
import { Cells } from "../drawing/cells.js";
import { inkOf, rangesOf } from "../drawing/ink.js";
import { DARK, LIGHT } from "../theme.js";
import { unpack } from "../wire.js";

const FONT = '"Source Sans", sans-serif';
const NEAR = 2; // pixels
const PATIENCE = 500; // ms from the end of a run whose picture stands elsewhere, or that has none
const KEPT = "attention explorer "; // the same as in ui/controls/kept_in_tab.js
const CLOSED = "closed: "; // the same as in ui/controls/closable.js
const BESIDE_WORDS = 10.5; // pixels that stay free, as in closable.css

const PLACE = ".st-key-heads";
const ALIVE = `${PLACE} .plot[data-painted] .plot-stage`;
const HAS_RUN = '[data-test-script-state="notRunning"] .stMainBlockContainer .stElementContainer';
const ASKS = '[role="dialog"]'; // that the server cannot be reached

const IN_TIME = 3000; // ms: what is to be read stands there then, in whatever letters
const SYSTEM = "sans-serif"; // its letters
const ASKED_FIRST = "_stcore/host-config"; // what Streamlit's script asks its server for, when it runs
const LONG = 600; // ms: that script is on a slow line

/** @param {HTMLElement} sight */
async function show(sight) {
  sight.setAttribute("aria-hidden", "true"); // the live page has the same words; without it, these are read
  const isDark = themeOfTheTab() === "Dark";
  sight.dataset.theme = isDark ? "dark" : "light";
  const font = (await areLettersInTime()) ? FONT : SYSTEM;
  sight.style.fontFamily = font; // stays: words that get other letters move
  sight.dataset.ready = "";
  const place = keepsOther() ? null : /** @type {HTMLElement | null} */ (sight.querySelector(".picture"));
  const still = place && new Still(place, { ...(isDark ? DARK : LIGHT), font });
  leaveWhenAlive(sight, still);
}

// Those of the page. A browser that looks for letters of the system takes as long as all of the rest here.
function areLettersInTime() {
  const loaded = document.fonts.load(`12px ${FONT}`).then((faces) => faces.length > 0, () => false);
  return Promise.race([loaded, new Promise((resolve) => setTimeout(() => resolve(false), IN_TIME))]);
}

// The picture is drawn while Streamlit's script waits for its server. Before, it would be in that script's
// way, and the live page would come later.
function whenStreamlitWaits(act) {
  const once = () => {
    watcher.disconnect();
    clearTimeout(late);
    act();
  };
  const late = setTimeout(once, LONG);
  const watcher = new PerformanceObserver((seen) => {
    if (seen.getEntries().some(({ name }) => name.includes(ASKED_FIRST))) once();
  });
  watcher.observe({ type: "resource", buffered: true });
}

// What a person has chosen in Streamlit's menu; else what the system says.
function themeOfTheTab() {
  const chosen = read(localStorage, `stActiveTheme-${location.pathname}-v2`) ?? "";
  const found = /Light|Dark/.exec(chosen)?.[0];
  return found ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "Dark" : "Light");
}

// Whether this tab has kept numbers that no address can hold: the page may show them instead.
function keepsOther() { return Boolean(read(sessionStorage, KEPT)); }

function read(storage, item) {
  try {
    return storage.getItem(item);
  } catch {
    return null; // a browser may forbid it
  }
}

class Still {
  cells = new Cells();
  ink = svg("svg", { class: "ink" });

  constructor(place, theme) {
    this.place = place;
    this.theme = theme;
    this.figure = unpack(bytesOf(place.dataset.picture)).figure;
    this.words = place.querySelector(".words");
    if (read(localStorage, CLOSED + this.words.dataset.name)) this.words.remove();
    this.cells.canvas.className = "ink";
    place.append(this.cells.canvas, this.ink);
    this.observer = new ResizeObserver(() => this.follow());
    whenStreamlitWaits(() => this.begin());
  }

  begin() {
    this.draw();
    this.observer.observe(this.place);
  }

  // The browser tells the size also when it begins to observe.
  follow() {
    if (String(this.room) !== String([this.place.clientWidth, window.innerHeight])) this.draw();
  }

  draw() {
    const { place, theme, figure, ink } = this;
    this.room = [place.clientWidth, window.innerHeight];
    const [width, height] = this.room;
    const board = new Board(inTheHand(figure, isTouched(), width), width, height, null);
    board.showPart(new Zoom());
    for (const matrix of board.matrices) matrix.isEditable = matrix.sent.given;
    const { size } = board;
    setAll(ink, { ...size, "font-family": theme.font, "font-size": 12, fill: theme.text });
    ink.replaceChildren(...inkOf(board, theme, "still"), ...rangesOf(board, theme, "still"));
    Object.assign(this.cells.canvas.style, { width: `${size.width}px`, height: `${size.height}px` });
    this.cells.paint(board, theme);
    this.putWords(board.freePlace);
  }

  // As ui/controls/closable.js does. Where they have no room, they stand further down, out of sight.
  putWords(free) {
    const { words } = this;
    words.hidden = !free;
    if (!free) return;
    const { x, y, w, h } = free;
    Object.assign(words.style, { left: `${x}px`, top: `${y + h / 2}px`, width: `${w - BESIDE_WORDS}px` });
    words.hidden = words.offsetWidth > w || words.offsetHeight > h;
  }

  // Whether the live picture may still come.
  get isAwaited() { return document.querySelector(PLACE) && !document.querySelector(ALIVE); }

  // Whether the live picture stands in its place. A person who has scrolled meanwhile sees no jump either way.
  isCovered() {
    const live = document.querySelector(ALIVE)?.getBoundingClientRect();
    if (!live) return false;
    const scrolled = document.querySelector(".stMain")?.scrollTop ?? 0;
    const { left, top } = this.place.getBoundingClientRect();
    return Math.abs(live.left - left) < NEAR && Math.abs(live.top + scrolled - top) < NEAR;
  }
}

// Fields and pictures have such boxes too, hidden until they are opened.
function isAsked() {
  return Array.from(document.querySelectorAll(ASKS)).some((dialog) => dialog.checkVisibility());
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

// It leaves a frame later than it could: people would see what moves in the frame that uncovers it.
function leaveWhenAlive(sight, picture) {
  let [ended, wasAlive] = [Infinity, false];
  const isThere = () => (picture ? picture.isCovered() : document.querySelector(".stMain h1"));
  const look = (now) => {
    ended = document.querySelector(HAS_RUN) && !picture?.isAwaited ? Math.min(ended, now) : Infinity;
    const isAlive = isThere() || now - ended > PATIENCE || isAsked();
    if (!isAlive || !wasAlive) {
      wasAlive = Boolean(isAlive);
      requestAnimationFrame(look);
      return;
    }
    picture?.observer.disconnect();
    sight.remove();
  };
  requestAnimationFrame(look);
}

const seen = document.getElementById("first-sight");
if (seen) show(seen);
