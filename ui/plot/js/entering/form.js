// The fields of a scenario, in sections. Their entries travel as those into cells do: see entries.js. A
// field shows an entry at once, and the server's answer when that has come.

import { Beside } from "./beside.js";
import { html } from "../dom.js";
import { fieldOfKind } from "./fields.js";
import { say } from "../language.js";
import { dress } from "../theme.js";

export class Form {
  #sections = new Map(); // by name

  // `readTheme` gives the theme at an element.
  constructor(parent, readTheme) {
    this.readTheme = readTheme;
    this.gone = html("p", { class: "form-refusal", role: "alert", hidden: "" });
    this.place = html("div", { class: "form-sections" });
    this.root = html("div", { class: "form" }, this.gone, this.place);
    parent.append(this.root);
  }

  show({ sections, gone }, shared) {
    dress(this.root, this.readTheme(this.root));
    if (this.entries !== shared.entries) this.follow(shared.entries);
    keepParagraph(this.gone, gone);
    for (const said of sections) this.section(said.name).show(said, shared);
    arrange(this.place, this.#keep(sections).map((each) => each.root));
  }

  follow(entries) {
    this.stopFollowing?.();
    this.entries = entries;
    this.stopFollowing = entries.follow(() => this.draw());
  }

  draw() {
    for (const section of this.#sections.values()) section.draw();
  }

  section(name) {
    if (!this.#sections.has(name)) this.#sections.set(name, new FormSection());
    return this.#sections.get(name);
  }

  #keep(said) {
    const names = said.map(({ name }) => name);
    for (const name of [...this.#sections.keys()].filter((each) => !names.includes(each))) {
      this.#sections.get(name).remove();
      this.#sections.delete(name);
    }
    return names.map((name) => this.#sections.get(name));
  }

  remove() {
    this.stopFollowing();
    this.#keep([]);
    this.root.remove();
  }
}

// Fields that are often used, and a button that opens the rare ones beside it; a few are folded there.
class FormSection {
  constructor() {
    this.number = html("span", { "aria-hidden": "true" });
    this.title = document.createTextNode("");
    const heading = html("h2", { class: "section" }, this.number, this.title);
    this.notes = html("small", { class: "form-notes" });
    this.more = new Beside(() => this.draw());
    this.often = new FieldList();
    this.rare = new FieldList();
    this.few = new FieldList();
    this.lists = [this.often, this.rare, this.few];
    this.fold = html("details", { class: "form-few" }, html("summary", {}, say("As in a few trained models")), this.few.root);
    this.fold.addEventListener("toggle", () => this.more.isOpen && this.more.place());
    this.more.panel.append(this.rare.root, this.fold);
    this.refused = html("div", { class: "form-refusals" });
    const head = html("div", { class: "form-head" }, heading, this.notes, this.more.button, this.more.panel);
    this.root = html("section", { class: "form-section" }, head, this.often.root, this.refused);
  }

  show({ number, name, title, notes, often, rare, few, isFewOpen }, shared) {
    this.root.dataset.section = name;
    this.number.textContent = number;
    this.title.data = title;
    this.notes.textContent = notes;
    this.more.name(say("of {section}", { section: title }));
    this.more.button.hidden = !rare.length;
    this.fold.hidden = !few.length;
    if (isFewOpen && !this.wasFewOpen) this.fold.open = true;
    this.wasFewOpen = isFewOpen;
    this.often.show(often, shared);
    this.rare.show(rare, shared);
    this.few.show(few, shared);
    this.draw();
  }

  // While the rare fields are closed, it says here what was refused there.
  draw() {
    for (const list of this.lists) list.draw();
    if (this.few.reasons.length) this.fold.open = true;
    const reasons = this.more.isOpen ? [] : [...this.rare.reasons, ...this.few.reasons];
    keepParagraphs(this.refused, reasons);
  }

  remove() {
    for (const list of this.lists) list.remove();
  }
}

// Fields, and words between them, in one order.
class FieldList {
  #fields = new Map(); // by key, and words by their place
  root = html("div", { class: "form-often" });

  show(items, shared) {
    const before = this.#fields;
    this.#fields = new Map(items.map((item, place) => {
      const name = `${item.kind} ${item.key ?? place}`;
      const field = before.get(name) ?? fieldOfKind(item.kind);
      before.delete(name);
      field.show(item, shared);
      return [name, field];
    }));
    for (const gone of before.values()) gone.remove();
    arrange(this.root, [...this.#fields.values()].map((field) => field.root));
  }

  draw() {
    for (const field of this.#fields.values()) field.draw();
  }

  get reasons() {
    return [...this.#fields.values()].map((field) => field.reason).filter(Boolean);
  }

  remove() {
    for (const field of this.#fields.values()) field.remove();
  }
}

// Puts elements into this order. One that stands where it belongs is not touched: it may have the focus.
function arrange(parent, elements) {
  elements.forEach((element, place) => {
    if (parent.children[place] !== element) parent.insertBefore(element, parent.children[place] ?? null);
  });
  while (parent.children.length > elements.length) parent.lastElementChild.remove();
}

function keepParagraph(paragraph, reason) {
  paragraph.hidden = !reason;
  if (paragraph.textContent !== (reason ?? "")) paragraph.textContent = reason ?? "";
}

// Words that are there already stay: people who hear the page would hear them twice.
function keepParagraphs(parent, reasons) {
  const said = [...parent.children].map((each) => each.textContent);
  if (said.join("\n\n") === reasons.join("\n\n")) return;
  parent.replaceChildren(...reasons.map((text) => html("p", { class: "form-refusal", role: "alert" }, text)));
}
