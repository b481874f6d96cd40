// One field of the form, of each kind that ui/controls/form.py knows.

import { button, html, setOptions } from "../dom.js";
import { say } from "../language.js";
import { HeldKey } from "./held_key.js";
import { Slider } from "./slider.js";
import { streamlitTheme } from "../theme.js";

let countOfFields = 0;

export function fieldOfKind(kind) {
  return new FIELD_KINDS[kind]();
}

// What every field has: a label, words of help, and why the last entry was refused.
class Field {
  /** @type {any} */
  said = {}; // what the server says of it
  drawn; // what the field showed last
  staysTyped = false; // whether what was refused stays there, to be mended

  constructor() {
    this.id = `form-field-${++countOfFields}`;
    this.label = html("label", { for: this.id });
    this.help = new Help(this.id);
    this.reasonAt = html("p", { class: "form-refusal", id: `${this.id}-refused`, role: "alert", hidden: "" });
    this.root = html("div", { class: "form-field" });
  }

  put(control) {
    this.control = control;
    const named = html("div", { class: "form-label" }, this.label, this.help.root);
    this.root.append(html("div", { class: "form-row" }, named, control), this.reasonAt);
  }

  show(said, { entries, live }) {
    this.said = said;
    this.entries = entries;
    this.live = live;
    this.root.dataset.field = said.key;
    this.label.textContent = said.label;
    this.help.say(said.label, said.help);
    this.build();
    this.draw();
  }

  // What is on its way to the server; else what was refused and is to be mended; else what the server shows.
  get value() {
    const waiting = this.entries.intoField(this.said.key);
    if (waiting) return waiting.value;
    return this.staysTyped && this.said.refused ? this.said.refused.entered : this.said.shown;
  }

  get reason() {
    return this.entries.intoField(this.said.key) ? "" : this.said.refused?.reason ?? "";
  }

  draw() {
    const { reason } = this;
    this.reasonAt.hidden = !reason;
    if (this.reasonAt.textContent !== reason) this.reasonAt.textContent = reason;
    this.control.setAttribute("aria-invalid", Boolean(reason));
    this.fill(this.value);
  }

  // Returns the number of the entry.
  enter(value) {
    return this.entries.enterField(this.said.key, value);
  }

  describe(element) {
    element.setAttribute("aria-describedby", `${this.help.textId} ${this.reasonAt.id}`);
  }

  build() {} // what is the same until the server says something else
  fill(_value) {} // shows a value
  remove() {}
}

// Enter, or leaving the field, enters what is typed. Escape takes it back.
class TextField extends Field {
  staysTyped = true;
  /** @type {Slider | null} */
  slider = null;

  constructor() {
    super();
    this.input = html("input", { id: this.id, type: "text", autocomplete: "off", spellcheck: "false" });
    this.describe(this.input);
    this.input.addEventListener("change", () => this.take());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("paste", (event) => this.paste(event));
    this.put(this.input);
  }

  build() {
    const { placeholder = "", slider } = this.said;
    this.input.placeholder = placeholder;
    if (!slider) return;
    this.slider ??= this.addSlider();
    this.slider.show(slider, { entries: this.entries, live: this.live });
  }

  addSlider() {
    const place = html("div", {});
    this.root.insertBefore(place, this.reasonAt);
    return new Slider(place, streamlitTheme);
  }

  // What somebody is typing stays, until it is entered.
  get isBeingTyped() {
    return document.activeElement === this.input && this.input.value !== this.drawn;
  }

  fill(value) {
    if (this.isBeingTyped || (value === this.drawn && this.input.value === value)) return;
    this.input.value = this.drawn = value;
  }

  press(event) {
    if (event.key === "Enter") this.take();
    if (event.key !== "Escape" || !this.isBeingTyped) return;
    event.preventDefault(); // what is open stays open
    event.stopPropagation();
    this.input.value = this.drawn;
  }

  // A field of one line joins lines that are pasted: "0 1" and "1 0" would be "0 11 0". So each gets an end.
  paste(event) {
    const { end_of_line: end } = this.said;
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    if (!end || !/[\r\n]/.test(text)) return;
    event.preventDefault();
    const { selectionStart: from, selectionEnd: to } = this.input;
    this.input.setRangeText(inOneLine(text, end), from, to, "end");
  }

  // Returns the number of the entry; 0 if what is typed is none.
  take() {
    const { value } = this.input;
    if (value === this.drawn) return 0;
    this.drawn = value;
    return this.enter(value);
  }

  remove() { this.slider?.remove(); }
}

const STEP_OF_KEY = { ArrowUp: 1, ArrowDown: -1 };

// A whole number, with buttons and arrow keys for one less and one more.
class WholeField extends TextField {
  held = new HeldKey(() => this.take());
  isPressed = false; // an arrow key, while the field had the focus

  constructor() {
    super();
    this.input.addEventListener("keyup", ({ key }) => key in STEP_OF_KEY && this.release());
    this.input.addEventListener("blur", () => this.release());
    this.input.setAttribute("inputmode", "numeric");
    this.input.setAttribute("role", "spinbutton");
    const step = (sign, by) => {
      const made = button(sign, () => this.step(by));
      made.tabIndex = -1; // arrow keys do the same
      return made;
    };
    this.less = step("\u2212", -1);
    this.more = step("+", 1);
    this.control = html("div", { class: "form-whole" });
    this.input.replaceWith(this.control);
    this.control.append(this.input, this.less, this.more);
  }

  build() {
    super.build();
    this.less.setAttribute("aria-label", say("{label}: one less", { label: this.said.label }));
    this.more.setAttribute("aria-label", say("{label}: one more", { label: this.said.label }));
  }

  fill(value) {
    super.fill(value);
    this.sayValue();
  }

  sayValue() {
    const { value } = this.input;
    this.input.setAttribute("aria-valuenow", Number(value) || 0);
    this.input.setAttribute("aria-valuetext", value);
  }

  press(event) {
    const by = STEP_OF_KEY[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return super.press(event);
    event.preventDefault();
    this.isPressed ||= !event.repeat;
    if (event.repeat && this.mayFollow) this.follow(by);
    else this.step(by);
  }

  step(by) {
    if (this.goOn(by)) this.take();
  }

  // Shows the next number. Returns whether there is one.
  goOn(by) {
    const number = Number(this.input.value);
    if (Number.isInteger(number)) this.input.value = String(number + by);
    return Number.isInteger(number);
  }

  // Whether pictures follow a held key: it was pressed here, and what else was entered, the server has heard of.
  get mayFollow() {
    const isOwn = ({ field }) => field === this.said.key;
    const isAsked = this.said.asks_as && this.isPressed && !this.held.isRefused;
    return Boolean(isAsked) && this.entries.waiting.every(isOwn);
  }

  // A key that is held changes the number many times. It is one entry, made when the key goes up.
  follow(by) {
    if (!this.held.isOn) this.held.begin(this.said, this.live);
    if (!this.goOn(by)) return;
    this.sayValue();
    this.held.moveTo(this.input.value);
  }

  enter(value) {
    return this.entries.enterField(this.said.key, value, this.held.isOn);
  }

  take() {
    const entry = super.take();
    this.held.end(entry);
    return entry;
  }

  release() {
    this.isPressed = false;
    this.held.isRefused = false;
    if (this.held.isOn) this.take();
  }

  remove() {
    this.release();
    super.remove();
  }
}

class ListField extends Field {
  constructor() {
    super();
    this.select = html("select", { id: this.id });
    this.describe(this.select);
    this.select.addEventListener("change", () => this.enter(this.said.choices[this.select.selectedIndex][0]));
    this.put(html("div", { class: "form-list" }, this.select));
  }

  build() {
    const options = JSON.stringify(this.said.choices);
    if (options !== this.options) setOptions(this.select, this.said.choices);
    this.options = options;
  }

  fill(value) { this.select.value = value; }
}

// Choices that are all in sight. `one` of them, as radio buttons; or `some`, as buttons that stay down.
class ChoicesField extends Field {
  constructor(role) {
    super();
    this.label = html("span", { "aria-hidden": "true" });
    this.box = html("div", { class: "form-choices", role });
    this.describe(this.box);
    this.put(this.box);
  }

  build() {
    const choices = JSON.stringify(this.said.choices);
    this.box.setAttribute("aria-label", this.said.label);
    this.root.classList.toggle("form-many", this.said.choices.length > MOST_BUTTONS);
    if (choices === this.choices) return;
    this.choices = choices;
    this.buttons = this.said.choices.map(([value, title]) => this.choice(value, title));
    this.box.replaceChildren(...this.buttons.map(({ root }) => root));
  }

  // One choice, as each subclass makes it.
  /** @returns {{value: any, root: HTMLElement, input?: any}} */
  choice(_value, title) { return { value: null, root: html("span", {}, title) }; }
}

const MOST_BUTTONS = 24; // more of them scroll

class OneField extends ChoicesField {
  constructor() { super("radiogroup"); }

  choice(value, title) {
    const input = html("input", { type: "radio", name: this.id });
    input.addEventListener("change", () => this.enter(value));
    return { value, input, root: html("label", { class: "form-choice" }, input, html("span", {}, title)) };
  }

  fill(value) {
    for (const each of this.buttons) each.input.checked = each.value === value;
  }
}

class SomeField extends ChoicesField {
  constructor() { super("group"); }

  choice(value, title) {
    const root = button(title, () => this.switch(value));
    root.className = "form-choice";
    return { value, root };
  }

  switch(value) {
    this.enter(switched(this.buttons.map((each) => each.value), this.value, value));
  }

  fill(on) {
    for (const { value, root } of this.buttons) root.setAttribute("aria-pressed", on.includes(value));
  }
}

class TickField extends Field {
  constructor() {
    super();
    this.input = html("input", { id: this.id, type: "checkbox" });
    this.describe(this.input);
    this.input.addEventListener("change", () => this.enter(this.input.checked));
    this.says = html("p", { class: "form-said" });
    this.control = this.input;
    this.root.classList.add("form-tick");
    this.root.append(html("div", {}, this.input, this.label, this.help.root), this.says, this.reasonAt);
  }

  build() {
    this.says.replaceChildren(...withCode(this.said.says));
    this.says.hidden = !this.said.says;
  }

  fill(isOn) { this.input.checked = isOn; }
}

class PressField extends Field {
  constructor() {
    super();
    this.control = button("", () => this.enter(true));
    this.control.className = "form-press";
    this.root.append(this.control, this.reasonAt);
  }

  build() { this.control.textContent = this.said.label; }
  fill() {}
}

// Words between fields.
class Words {
  reason = "";

  constructor(tag, look) { this.root = html(tag, { class: look }); }

  show({ text }) {
    if (this.root.textContent !== text) this.root.textContent = text;
  }

  draw() {}
  remove() {}
}

class SaidBetween extends Words {
  constructor() { super("p", "form-said"); }
}

class TitleBetween extends Words {
  constructor() { super("h3", "form-title"); }
}

// Which of all are on after one was switched off or on, in the order of all.
export function switched(all, on, value) {
  return all.filter((each) => on.includes(each) !== (each === value));
}

// Lines as one, with a sign where each ends. Tabs, as between the cells of a spreadsheet, become blanks.
export function inOneLine(text, end) {
  return text.split(/[\r\n]+/).map((line) => line.trim().replaceAll("\t", " ")).filter(Boolean).join(`${end} `);
}

// What stands between two backticks is code.
function withCode(words) {
  return words.split("`").map((part, place) => (place % 2 ? html("code", {}, part) : part));
}

// A question mark that says more while it is pointed at or has the focus.
class Help {
  constructor(id) {
    this.textId = `${id}-help`;
    this.mark = html("button", { type: "button", class: "form-help" }, "?");
    this.text = html("span", { class: "form-help-text", id: this.textId, role: "tooltip", popover: "manual" });
    this.root = html("span", {}, this.mark, this.text);
    for (const type of ["pointerenter", "focus", "click"]) this.mark.addEventListener(type, () => this.open());
    for (const type of ["pointerleave", "blur"]) this.mark.addEventListener(type, () => this.text.hidePopover());
    this.mark.addEventListener("keydown", ({ key }) => key === "Escape" && this.text.hidePopover());
  }

  say(label, words) {
    this.root.hidden = !words;
    this.mark.setAttribute("aria-label", say("Help for {label}", { label }));
    this.mark.setAttribute("aria-describedby", this.textId);
    if (this.words === words) return;
    this.words = words;
    this.text.replaceChildren(...withCode(words));
  }

  open() {
    this.text.showPopover();
    const { left, right, bottom, top } = this.mark.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = this.text;
    const isBelow = bottom + 6 + offsetHeight < window.innerHeight;
    style.top = `${isBelow ? bottom + 6 : top - offsetHeight - 6}px`;
    const middle = (left + right - offsetWidth) / 2;
    style.left = `${Math.min(Math.max(middle, 8), window.innerWidth - offsetWidth - 8)}px`;
  }
}

const FIELD_KINDS = {
  text: TextField,
  whole: WholeField,
  list: ListField,
  one: OneField,
  some: SomeField,
  tick: TickField,
  press: PressField,
  said: SaidBetween,
  title: TitleBetween,
};
