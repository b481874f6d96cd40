// Undo and redo, by button and by key, and the browser's Back and Forward.
//
// Streamlit's own buttons lose clicks: if somebody clicks twice before a run begins, Streamlit
// reports one click. These buttons report the place in the history to go to, not a number of steps,
// so that the last report is enough. A report stays, and has a number: so none is lost, and none is
// answered twice or too late. It says which history was known, because steps may have been added,
// and which entry must be taken first, because a report of entries may come later than this one.
// While somebody types in a field, Ctrl+Z belongs to that field, until its text is entered.
// A page may have several histories. Keys go to the one that was changed last. Back and Forward
// belong to the page as a whole, so one row reports them. The tab keeps the name of a session that can
// undo something: after a reload the server goes on from it.

const typedIn = new WeakSet(); // fields with text that is not entered yet
const rows = new Map();
const entered = new Map(); // by group of plots: {newest, count} of the entries that wait
const known = new Set(); // the groups that this document has shown
let changedLast;
let reported = 0; // the number of the last report
let lastPut = 0; // the number of the last address that was put
let lastPage = ""; // where a row was made, until the browser leaves that page
let led; // by Back or Forward: {group, report} until the server has heard, {} until a row reports it
const TYPED = "textarea, input:not([type=range], [type=checkbox], [type=radio])";
const CONNECTION = "data-test-connection-state";
const SCRIPT = "data-test-script-state";
const AGAIN = 2000; // ms until a report that nobody has heard of is made again; then twice as long
const MOST_TIMES = 5;
document.addEventListener("entered", ({ detail: { group, newest, count } }) => {
  entered.set(group, { newest, count });
  for (const row of rows.values()) row.enable();
});
document.addEventListener("attention-another-visit", () => {
  entered.clear();
  known.clear();
  lastPut = 0;
  led = undefined;
});
// Runs of numbers come without these buttons.
document.addEventListener("stepped", ({ detail: { group, ...said } }) => {
  for (const row of rows.values()) if (row.group === group) row.hear(said);
});
// Streamlit adds to the browser's history with every change of the address, and runs the page when
// somebody goes back. It leaves to us what the page shows then. While a presentation begins or ends
// no row is there: the next one reports where the browser was led.
window.addEventListener("popstate", () => {
  const row = speaksForThePage();
  led = location.pathname === lastPage ? {} : undefined;
  row?.visit();
}, { capture: true });
const IS_MAC = /mac/i.test(navigator.userAgentData?.platform ?? navigator.platform);

export default function ({ parentElement, data, setStateValue, setTriggerValue }) {
  if (!rows.has(parentElement)) rows.set(parentElement, new Row(parentElement, data));
  const row = rows.get(parentElement);
  row.show(data, setStateValue, setTriggerValue);
  // Streamlit cleans up after its last call, and after one that came too late, before the newest has come.
  return () => {
    if (parentElement.isConnected) return;
    row.remove();
    rows.delete(parentElement);
  };
}

class Row {
  page = location.pathname;
  group = "";
  // What the server has said: see ui/controls/history.py.
  session = "";
  run = 0;
  at = 0;
  last = 0;
  shift = 0;
  wanted = 0; // the place in the history that was asked for
  asked = 0; // the number of the report that did
  told = 0; // the number of the last report, of going to a place or to an address
  heard = 0; // the number of the newest report that the server knows
  /** @type {(name: string, wish: any) => any} */
  report = () => {};
  /** @type {(name: string, report: any, isAsked?: boolean) => void} */
  ask = () => {};
  reconnected = () => {};
  stopAsking = () => {};
  stopNaming = () => {};

  constructor(parent, { undo, redo }) {
    this.undo = button("Undo", undo, "Z", () => this.go(-1));
    this.redo = button("Redo", redo, "Y", () => this.go(+1));
    this.box = Object.assign(document.createElement("div"), { className: "history" });
    this.box.append(this.undo, this.redo);
    if (this.page !== lastPage) led = undefined;
    lastPage = this.page;
    parent.append(this.box);
    this.stopListening = listen((by) => changedLast === this && this.go(by));
    this.stopWatching = onReconnection(
      () => speaksForThePage() === this && this.reconnected(),
    );
  }

  /** @param {any} told */
  show({ group, put, before, undo, redo, ...said }, setStateValue, setTriggerValue) {
    if (put) putAddress(...put);
    const isNew = !this.session;
    this.group = group;
    this.report = (name, wish) => {
      this.told = ++reported;
      const report = { session: this.session, number: this.told, after: this.waiting.newest, ...wish };
      this.ask(name, report);
      return report;
    };
    this.ask = (name, report, isAsked) => {
      this.stopAsking();
      this.stopAsking = tell(() => setStateValue(name, report), () => this.knows(report), isAsked);
    };
    this.reconnected = () => setTriggerValue("reconnected", true);
    this.hear(/** @type {any} */ (said));
    if (isNew) this.goOnAsking();
    this.before = before;
    if (known.has(group)) return;
    known.add(group);
    const kept = keptSession(group);
    if (!kept || kept === this.session) return;
    this.stopNaming = tell(() => setStateValue("before", kept), () => this.before === kept);
  }

  // Streamlit may show once more what it had shown before a run of numbers.
  hear({ run, at, last, shift, heard, session, again }) {
    // The page may be some runs behind fast clicks. Until it has heard of the last one, `wanted`
    // keeps the place that was asked for. That moves, as all places do, with steps that were added.
    const isOther = session !== this.session; // than the one before: the server was started anew
    if (!isOther && run < this.run) return;
    const isChanged = shift !== this.shift || at !== this.at;
    if ((!isOther && isChanged) || !changedLast) changedLast = this;
    const isAhead = !isOther && this.asked > heard;
    this.wanted = isAhead ? Math.min(this.wanted + shift - this.shift, last) : at;
    Object.assign(this, { run, at, last, shift, session, heard });
    if (led?.report && led.group === this.group && this.knows(led.report)) led = undefined;
    if (again && !led && (isOther || this.told <= heard)) pushAddress(again);
    if (last) keepSession(this.group, session);
    this.box.dataset.at = at; // which step it knows to be shown: undo counts from there
    this.enable();
  }

  get waiting() {
    return entered.get(this.group) ?? { newest: 0, count: 0 };
  }

  // Each waiting entry will be a step: so people can undo it, even before the first known step.
  get first() {
    return -this.waiting.count;
  }

  go(by) {
    const place = Math.min(Math.max(this.wanted + by, this.first), this.last);
    if (place === this.wanted) return;
    this.wanted = place;
    this.report("go", { place, shift: this.shift });
    this.asked = reported;
    this.enable();
  }

  // The browser takes this row with it to another page.
  visit() {
    if (location.pathname !== this.page) return;
    led = { group: this.group, report: this.report("visit", { address: location.search }) };
  }

  // The row before may have gone before anybody heard where the browser was led.
  goOnAsking() {
    if (!led) return;
    if (!led.report) this.visit();
    else if (led.group === this.group) this.ask("visit", led.report, true);
  }

  // What was said to a session before is of no use.
  knows({ number, session }) {
    return this.heard >= number || this.session !== session;
  }

  enable() {
    this.undo.setAttribute("aria-disabled", String(this.wanted <= this.first));
    this.redo.setAttribute("aria-disabled", String(this.wanted >= this.last));
  }

  remove() {
    this.stopAsking();
    this.stopNaming();
    this.stopListening();
    this.stopWatching();
    if (changedLast === this) changedLast = undefined;
    if (lastPage === this.page && location.pathname !== lastPage) lastPage = "";
    this.box.remove();
  }
}

// At Back and Forward Streamlit asks for a run of its own, beside a report. One of the two may get lost.
function tell(send, isHeard, isTold = false) {
  let reminding;
  const wait = (times, ms) => {
    reminding = setTimeout(() => {
      if (isHeard()) return;
      if (isRunning()) wait(times, AGAIN);
      else attempt(times + 1);
    }, ms);
  };
  const attempt = (times) => {
    send();
    if (times < MOST_TIMES) wait(times, AGAIN * 2 ** (times - 1));
  };
  if (isTold) wait(1, AGAIN);
  else attempt(1);
  return () => clearTimeout(reminding);
}

function speaksForThePage() {
  return [...rows.values()].find(({ box }) => box.isConnected);
}

// A browser may forbid it: then a reload forgets what could be undone.
function keepSession(group, session) {
  try {
    sessionStorage.setItem(`attention explorer undo ${group}`, session);
  } catch { /* it does */ }
}

function keptSession(group) {
  try {
    return sessionStorage.getItem(`attention explorer undo ${group}`);
  } catch {
    return null;
  }
}

// A link from another page brings this one without its own address. It gets one, without a step in
// the browser's history, once Streamlit has led the browser to the page.
function putAddress(number, query) {
  if (number === lastPut) return;
  lastPut = number;
  setTimeout(() => {
    const isEmpty = parameters(withEmbed("")).length === parameters(location.search).length;
    if (query && isEmpty) history.replaceState(history.state, "", withEmbed(query));
  });
}

// Streamlit may not have sent it (see Address.again). If it has, it is there.
function pushAddress(query) {
  const wanted = withEmbed(query);
  const isThere = String(parameters(wanted).sort()) === String(parameters(location.search).sort());
  if (!isThere) history.pushState(history.state, "", wanted);
}

function withEmbed(query) {
  const embed = parameters(location.search).filter(([name]) => name.startsWith("embed"));
  return `?${[new URLSearchParams(embed), query].filter(String).join("&")}`;
}

function parameters(search) {
  return [...new URLSearchParams(search)];
}

function button(name, words, key, act) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", name, textContent: words, onclick: act });
  const hint = document.createElement("kbd");
  hint.textContent = IS_MAC ? `\u2318${key}` : `Ctrl + ${key}`;
  hint.setAttribute("aria-hidden", "true");
  made.setAttribute("aria-keyshortcuts", `${IS_MAC ? "Meta" : "Control"}+${key}`);
  made.append(hint);
  return made;
}

function isRunning() {
  return (document.querySelector(`[${SCRIPT}]`)?.getAttribute(SCRIPT) ?? "notRunning") !== "notRunning";
}

// Streamlit writes on the page whether it is connected. Where it no longer does, nothing is reported.
function onReconnection(act) {
  const app = document.querySelector(`[${CONNECTION}]`);
  if (!app) return () => {};
  let isConnected = true;
  const observer = new MutationObserver(() => {
    const wasConnected = isConnected;
    isConnected = app.getAttribute(CONNECTION) === "CONNECTED";
    // Where a run was under way, Streamlit asks for another by itself.
    if (isConnected && !wasConnected && !isRunning()) act();
  });
  observer.observe(app, { attributeFilter: [CONNECTION] });
  return () => observer.disconnect();
}

function listen(go) {
  const listeners = new AbortController();
  const on = (event, act) =>
    window.addEventListener(event, act, { capture: true, signal: listeners.signal });
  on("input", ({ target }) => target.matches(TYPED) && typedIn.add(target));
  on("focusout", ({ target }) => typedIn.delete(target));
  on("keydown", (event) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (isCommand && !event.altKey && "zy".includes(key) && !typedIn.has(event.target)) {
      event.preventDefault();
      go(key === "y" || event.shiftKey ? +1 : -1);
    }
    const enters = event.target.tagName !== "TEXTAREA" || isCommand;
    if (event.key === "Enter" && enters) typedIn.delete(event.target);
  });
  return () => listeners.abort();
}
