// Looks after one st.data_editor, where it would lose or confuse what a person types:
//
// - The part of Streamlit that takes typing is fetched when a cell is first typed in. What is typed
//   until it arrives is lost: 1e-3 becomes 3. Here it is fetched before.
// - A click on a column's header sorts the rows, but the rows of a matrix have their order. Here the
//   header only lets columns be made wider.
// - The grid pastes as much of a block as it has cells for, and drops the rest without a word. Here a
//   block that is too large does not reach the grid. The page gets it, and asks what to do.
//
// Streamlit calls the default export on every rerun; the grid is the one in the same container.

const HEADER = 2.1875; // rem, Streamlit's row height
const SETTLED = 300; // milliseconds of the page's own time in which the grid tells where its cursor is
const TOLD = 200; // milliseconds after a key; Streamlit's grid waits for 150 before it tells
const AGAIN = 20; // milliseconds until a tab that takes no click is asked again
const TAKES_NO_CLICK = '[role="tab"][aria-disabled="true"]'; // while Streamlit renews it
const PRESS = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
const whenIdle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, SETTLED)); // Safari has none

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  fetchEditor(data.editor);
  const container = parentElement.closest(".stVerticalBlock");
  if (!container) return; // a run has taken it off the page before this module came
  parentElement.listening?.abort(); // Streamlit may call again, and cleans up after its last call alone
  const listeners = (parentElement.listening = new AbortController());
  const listen = (target, event, act) =>
    target.addEventListener(event, act, { capture: true, signal: listeners.signal });

  for (const press of ["pointerdown", "mousedown", "touchstart"]) {
    listen(container, press, (event) => isOnHeader(event) && event.stopPropagation());
  }
  const paste = new Paste(container, data, (block) => {
    setStateValue("reports", true); // or a block may hide all later ones: see plot/js/streamlit.js
    setTriggerValue("block", block);
  });
  for (const move of ["pointerup", "keydown"]) listen(container, move, (event) => paste.moved(event));
  listen(window, "paste", (event) => paste.hear(event));
  listen(window, "keydown", () => untold.begin());
  for (const type of PRESS) {
    listen(window, type, (event) => container.contains(event.target) || untold.hold(event));
  }
  return () => listeners.abort();
}

function fetchEditor(name) {
  /** @type {any} */
  const ownScript = document.querySelector('script[type="module"][src*="static/js/"]');
  if (name && ownScript) import(new URL(name, ownScript.src).href);
}

function isOnHeader(event) {
  const canvas = event.target.closest(".stDataFrame")?.querySelector("canvas");
  if (!canvas || canvas.style.cursor === "col-resize") return false;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const y = event.clientY ?? event.touches[0].clientY;
  return y < canvas.getBoundingClientRect().top + HEADER * rem;
}

// Decides whether the grid may paste a block. The grid tells where its cursor is some time after the
// cursor has moved, and once the page has nothing else to do. A block waits for that. Keys that are
// pressed meanwhile are dropped.
class Paste {
  movedAt = performance.now(); // the grid may not have reported its cursor since then
  waits = false;
  /** @type {any} */
  focused = null; // what had the focus
  /** @type {HTMLTextAreaElement | null} */
  field = null; // that holds it meanwhile

  constructor(container, size, send) {
    this.container = container;
    this.size = size;
    this.send = send;
  }

  moved(event) {
    if (this.waits && event.type === "keydown") event.stopImmediatePropagation();
    const isPaste = (event.ctrlKey || event.metaKey) && event.key?.toLowerCase() === "v";
    // Not the event's own time: on a busy machine the event may arrive late.
    if (!isPaste && !["Control", "Meta"].includes(event.key)) this.movedAt = performance.now();
    if (isPaste && !this.waits && document.activeElement?.closest("canvas")) this.catchPaste();
  }

  // The grid listens for pastes too, and may get the event first. It ignores a paste while the
  // focus is elsewhere. So we hold the focus in our own field for the paste that follows this key.
  catchPaste() {
    this.focused = document.activeElement;
    this.field = document.createElement("textarea");
    this.field.style.cssText = "position: fixed; top: 0; opacity: 0;";
    this.field.setAttribute("aria-hidden", "true");
    document.body.append(this.field);
    this.field.focus({ preventScroll: true });
    setTimeout(() => this.giveBackFocus(), SETTLED); // where no paste follows
  }

  giveBackFocus() {
    if (!this.field) return;
    this.focused.focus({ preventScroll: true });
    this.field.remove();
    this.field = null;
  }

  hear(event) {
    const isCaught = Boolean(this.field);
    this.giveBackFocus();
    if (!event.isTrusted || !this.container.contains(document.activeElement?.closest("canvas"))) return;
    const text = event.clipboardData.getData("text/plain");
    if (!isCaught && !/[\t\n]/.test(text.trimEnd())) return; // one cell always fits
    stop(event);
    this.waits = true;
    const left = SETTLED - (performance.now() - this.movedAt);
    setTimeout(() => whenIdle(() => this.afterWaiting(text)), Math.max(0, left));
  }

  afterWaiting(text) {
    this.waits = false;
    if (this.isTooLarge(text)) return;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const again = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", again));
    untold.begin();
  }

  isTooLarge(text) {
    const chosen = [...this.container.querySelectorAll('td[aria-selected="true"]')].map(placeOf);
    if (chosen.length === 0) return false;
    const row = Math.min(...chosen.map((place) => place.row));
    const column = Math.min(...chosen.map((place) => place.column));
    const hasRoom = fits(text, { row, column }, this.size);
    if (!hasRoom) this.send({ row, column, text });
    return !hasRoom;
  }
}

// Whether a grid has a cell for each text of a block that begins at a place.
export function fits(text, { row, column }, { rows, columns }) {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const width = Math.max(...lines.map((line) => line.split("\t").length));
  return row + lines.length <= rows && column + width <= columns;
}

// A press waits until the grid has told what was typed, and happens then. Streamlit calls the default
// export anew meanwhile, so all calls share one object. Timers end in the order in which they are due:
// this one after the grid's own. What was typed makes the page run. While Streamlit renews a tab, the
// tab takes no click: that click waits too.
const untold = {
  timer: 0, // none
  held: /** @type {any[]} */ ([]),

  begin() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), TOLD);
  },

  hold(event) {
    if (!event.isTrusted || this.timer === 0) return;
    event.stopImmediatePropagation();
    if (event.type === "click") event.preventDefault();
    this.held.push(event);
  },

  end() {
    if (this.held.some(({ target }) => target.closest(TAKES_NO_CLICK))) {
      this.timer = setTimeout(() => this.end(), AGAIN);
      return;
    }
    this.timer = 0;
    for (const event of this.held.splice(0)) {
      event.target.dispatchEvent(new event.constructor(event.type, event));
    }
  },
};

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// A cell's id is glide-cell-<column>-<row>; column 0 has the rows' labels.
export function placeOf(cell) {
  const [column, row] = cell.id.split("-").slice(-2).map(Number);
  return { row, column: Math.max(0, column - 1) };
}
