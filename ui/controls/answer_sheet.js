// A sheet with blanks. The browser owns the texts in them: it keeps them in its tab, and reports all of
// them, numbered, whenever a blank is left or a person asks. The server only marks what it was sent.

const KEPT = "attention exercise "; // so begins the name of what the tab keeps of a sheet
const HOW_TO_CHECK = "attention exercise: check at once";
const AGAIN = 2000; // ms until a report that nobody has answered is sent again; then twice as long
const MOST_TIMES = 5;
const VERDICTS = { r: "right", y: "yours", w: "wrong", u: "unreadable", e: "" };

const sheets = new Map(); // each sheet that has come, by its name
let lastPut = 0; // the number of the last address that was put
globalThis.document?.addEventListener("attention-another-visit", () => {
  sheets.clear();
  lastPut = 0;
});

export default function ({ parentElement, data, setStateValue }) {
  const sheet = (parentElement.answerSheet ??= new AnswerSheet(parentElement));
  sheet.report = setStateValue;
  sheet.show(data);
  putAddress(data);
  // Streamlit cleans up after its last call, and after one that came too late, before the newest has come.
  return () => { if (!parentElement.isConnected) sheet.stop(); };
}

class AnswerSheet {
  /** @type {any} */
  sheet = undefined; // the name of the one that is shown
  /** @type {any[]} */
  blanks = []; // its fields
  /** @type {(name: string, value: any) => void} */
  report = () => {}; // to the server

  constructor(parent) {
    this.box = parent.appendChild(Object.assign(document.createElement("div"), { className: "answer-sheet" }));
    this.number = 0; // of the last report
    this.sent = new Map(); // the texts of each report that waits for its marks
    const on = (event, act) => this.box.addEventListener(event, act);
    on("focusin", ({ target }) => isBlank(target) && this.enter(target));
    on("focusout", ({ target }) => isBlank(target) && this.leave());
    on("input", ({ target }) => isBlank(target) && this.write(target));
    on("change", ({ target }) => target.name === "at-once" && this.checkAtOnce(target.checked));
    on("keydown", (event) => isBlank(event.target) && this.press(event));
    on("mousedown", (event) => event.target.closest("[data-sign]") && event.preventDefault()); // a blank keeps the focus
    on("click", ({ target }) => this.click(target.closest("button")));
  }

  show({ html, sheet, said, solution, words }) {
    this.words = JSON.parse(words);
    if (!this.listeners) this.listen();
    if (html) sheets.set(sheet, html);
    if (!sheets.has(sheet)) return this.report("answers", null); // then the server sends the sheet
    if (this.sheet !== sheet) this.open(sheets.get(sheet), sheet);
    this.hear(JSON.parse(said));
    this.solve(JSON.parse(solution));
  }

  open(html, sheet) {
    Object.assign(this, { sheet, last: null, left: null, lastSent: "", said: { number: 0 } });
    this.sent.clear();
    clearTimeout(this.timer);
    this.box.innerHTML = html;
    this.blanks = [...this.box.querySelectorAll("input[data-number]")].sort(byNumber);
    this.atOnce.checked = read(HOW_TO_CHECK) !== "no";
    this.showButtons();
    this.put(textsOf(read(KEPT + sheet), this.blanks.length));
    if (this.isAnswered && this.atOnce.checked) this.send();
  }

  listen() {
    this.listeners = new AbortController();
    window.addEventListener("popstate", () => this.visit(), { signal: this.listeners.signal });
  }

  stop() {
    clearTimeout(this.timer);
    this.listeners?.abort();
    this.listeners = null;
  }

  get atOnce() { return this.box.querySelector("[name=at-once]"); }
  get texts() { return this.blanks.map((blank) => blank.value); }
  get isAnswered() { return this.texts.some(Boolean); }

  // ---- what a person does -----------------------------------------------------------------------

  enter(blank) {
    this.last = blank;
    this.beforeEntry = blank.value;
    blank.select();
  }

  leave() { if (this.atOnce.checked) this.send(); }

  write(blank) {
    mark(blank, VERDICTS.e);
    this.left = null;
    this.showButtons();
    this.keep();
  }

  press(event) {
    const { key, target, shiftKey, ctrlKey, altKey, metaKey, isComposing } = event;
    if (isComposing || ctrlKey || altKey || metaKey) return;
    if (key === "Enter") this.goOn(target, shiftKey ? -1 : 1);
    else if (key === "Escape" && target.value !== this.beforeEntry) this.restore(target);
    else if (!shiftKey && key in ARROWS && isFreeToLeave(key, target)) this.go(target, key);
    else return;
    event.preventDefault();
  }

  goOn(blank, by) {
    const inOrder = [...this.box.querySelectorAll("input[data-number]")];
    const next = inOrder[inOrder.indexOf(blank) + by];
    if (next) next.focus();
    else this.leave();
  }

  restore(blank) {
    blank.value = this.beforeEntry;
    this.write(blank);
    blank.select();
  }

  go(blank, key) {
    const others = this.blanks.filter((other) => other.dataset.part === blank.dataset.part);
    const next = neighbour(key, placeOf(blank), others.map(placeOf));
    if (next >= 0) others[next].focus();
  }

  click(button) {
    if (!button) return;
    if (button.dataset.sign) this.insert(button.dataset.sign);
    else if (button.name === "check") this.send();
    else if (button.name === "empty") this.left ? this.bringBack() : this.empty();
  }

  insert(sign) {
    const blank = this.last;
    if (!blank) return;
    const { value: text, selectionStart: start, selectionEnd: end } = blank;
    if (document.activeElement !== blank) blank.focus(); // which selects all of it
    if (text.length - (end - start) + sign.length > blank.maxLength) return;
    blank.setRangeText(sign, start, end, "end");
    this.write(blank);
  }

  checkAtOnce(isAtOnce) {
    write(HOW_TO_CHECK, isAtOnce ? "" : "no");
    this.showButtons();
    if (isAtOnce) this.send();
  }

  empty() {
    if (!this.isAnswered) return;
    const left = this.texts;
    this.put([]);
    this.afterAll(left);
  }

  bringBack() {
    this.put(this.left);
    this.afterAll(null);
  }

  afterAll(left) {
    this.left = left;
    this.showButtons();
    this.keep();
    this.send();
  }

  put(texts) {
    this.blanks.forEach((blank, i) => {
      blank.value = texts[i] ?? "";
      mark(blank, VERDICTS.e);
    });
  }

  showButtons() {
    this.box.querySelector("[name=check]").hidden = this.atOnce.checked;
    this.box.querySelector("[name=empty]").textContent = this.left ? this.words.bring : this.words.again;
  }

  keep() { write(KEPT + this.sheet, this.isAnswered ? JSON.stringify(this.texts) : ""); }

  // ---- what is reported, and what is said of it -------------------------------------------------

  send() {
    const texts = this.texts;
    const all = JSON.stringify(texts);
    if (all === this.lastSent) return this.hear(this.said);
    this.lastSent = all;
    this.sendAll(texts, 1);
  }

  // A report may be lost on its way, or its marks on theirs.
  sendAll(texts, times) {
    this.number = Math.max(Date.now(), this.number + 1); // also above those of a page that was reloaded
    this.sent.set(this.number, texts);
    this.report("answers", { number: this.number, sheet: this.sheet, texts });
    clearTimeout(this.timer);
    const isAnswered = () => this.said.number === this.number;
    const again = () => isAnswered() || this.sendAll(texts, times + 1);
    if (times < MOST_TIMES) this.timer = setTimeout(again, AGAIN * 2 ** (times - 1));
  }

  hear(said) {
    const texts = this.sent.get(said.number);
    if (!texts) return;
    this.said = said;
    for (const number of this.sent.keys()) if (number < said.number) this.sent.delete(number);
    this.blanks.forEach((blank, i) => {
      const isStill = blank.value === texts[i]; // else its mark is of another text
      const verdict = VERDICTS[said.verdicts[i]];
      if (isStill) mark(blank, verdict, this.words[verdict], said.why[i]);
    });
    this.say(said);
  }

  say({ points, of, words, mistakes, why }) {
    const result = this.words.points.replace("{points}", points).replace("{all}", of);
    writeOnce(this.box.querySelector(".result strong"), result);
    writeOnce(this.box.querySelector(".first-mistake"), words);
    const unreadable = this.blanks[Math.min(...Object.keys(why).map(Number))];
    for (const block of this.box.querySelectorAll(".block")) {
      const parts = new Set(this.blanks.filter((blank) => block.contains(blank)).map((blank) => blank.dataset.part));
      const said = [...parts].flatMap((part) => mistakes[part] ?? []);
      if (unreadable && block.contains(unreadable)) {
        said.push(`${unreadable.getAttribute("aria-label")}: ${why[unreadable.dataset.number]}`);
      }
      writeOnce(block.querySelector(".said"), said.join("\n"));
    }
  }

  // The right number of each blank, or none at all.
  solve(solution) {
    this.blanks.forEach((blank, i) => {
      const cell = blank.parentElement;
      cell.querySelector(".solution")?.remove();
      if (!solution.length) return;
      cell.append(Object.assign(document.createElement("span"), { className: "solution", textContent: solution[i] }));
    });
  }

  visit() {
    if (isHere()) this.report("visited", { number: Date.now(), query: location.search });
  }
}

function isBlank(element) { return element.matches("input[data-number]"); }
function byNumber(one, other) { return one.dataset.number - other.dataset.number; }
/** @returns {[number, number]} */
function placeOf({ dataset: { row, column } }) { return [Number(row), Number(column)]; }

function mark(blank, name, words = "", why = "") {
  const cell = blank.parentElement;
  if (name) cell.dataset.verdict = name;
  else delete cell.dataset.verdict;
  cell.querySelector(".unseen").textContent = why ? `${words}: ${why}` : words;
  blank.title = why;
  if (name === "wrong" || name === "unreadable") blank.setAttribute("aria-invalid", "true");
  else blank.removeAttribute("aria-invalid");
}

// What is said again is not read aloud again.
function writeOnce(element, text) { if (element.textContent !== text) element.textContent = text; }

// ---- without a page -----------------------------------------------------------------------------

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// Which of these places is the nearest in the direction of an arrow, on the same row or column; -1 for none.
export function neighbour(key, [row, column], places) {
  const [down, right] = ARROWS[key];
  let [found, nearest] = [-1, Infinity];
  places.forEach(([otherRow, otherColumn], i) => {
    const [below, beside] = [otherRow - row, otherColumn - column];
    const isOnTheWay = down ? beside === 0 && below * down > 0 : below === 0 && beside * right > 0;
    const distance = Math.abs(below + beside);
    if (isOnTheWay && distance < nearest) [found, nearest] = [i, distance];
  });
  return found;
}

// Inside of a text, the arrows to the sides move its cursor.
export function isFreeToLeave(key, { selectionStart, selectionEnd, value }) {
  if (key === "ArrowUp" || key === "ArrowDown") return true;
  if (selectionStart === 0 && selectionEnd === value.length) return true; // all of it, or it is empty
  if (selectionStart !== selectionEnd) return false;
  return selectionStart === (key === "ArrowLeft" ? 0 : value.length);
}

// The texts that the tab has kept of so many blanks; none if it has kept something else.
export function textsOf(kept, count) {
  try {
    const texts = JSON.parse(kept);
    const isOurs = Array.isArray(texts) && texts.length === count && texts.every((text) => typeof text === "string");
    return isOurs ? texts : [];
  } catch {
    return [];
  }
}

// What the address says, with what Streamlit reads of it.
export function withEmbedding(search, query) {
  const embed = [...new URLSearchParams(search)].filter(([name]) => name.startsWith("embed"));
  return [new URLSearchParams(embed).toString(), query].filter(Boolean).join("&");
}

// ---- outside of the sheet -----------------------------------------------------------------------

function isHere() { return location.pathname.endsWith("/exercise"); }

// Once Streamlit has led the browser to the page.
function putAddress({ put, is_step, sheet }) {
  if (!put || put === lastPut) return;
  lastPut = put;
  setTimeout(() => {
    const query = withEmbedding(location.search, sheet);
    if (!isHere() || location.search.slice(1) === query) return;
    const address = location.pathname + (query && `?${query}`);
    if (is_step) history.pushState({}, "", address);
    else history.replaceState(history.state, "", address);
  });
}

// A browser may forbid it, and its room is limited: then a reload loses the answers, and nothing else.
function write(item, text) {
  try {
    if (text) sessionStorage.setItem(item, text);
    else sessionStorage.removeItem(item);
  } catch { /* see above */ }
}

function read(item) {
  try {
    return sessionStorage.getItem(item) ?? "";
  } catch {
    return "";
  }
}
