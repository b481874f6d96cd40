// One puzzle as a page without a server: its picture, whether the answer is right, what helps, and how to hand in.

import { button, html, list } from "../dom.js";
import { say } from "../language.js";
import { SavedPlace } from "../saved/saved_place.js";
import { howToUse } from "../saved/saved_stop.js";
import { SavedWork } from "../saved/saved_work.js";
import { Answer } from "./answer.js";
import { linkOf } from "./answer_link.js";
import { verdictOn } from "./check.js";
import { fillBar } from "./fill.js";
import { PuzzleNumbers } from "./puzzle_numbers.js";
import { verdictInWords } from "./puzzle_words.js";

export class PuzzleWork extends SavedWork {
  hints = 0; // that are shown
  #told = -1; // the version of the answer of which the verdict speaks

  // `puzzle` is what ui/saved/puzzle_page.py says of it.
  constructor(puzzle, theme) {
    const answer = new Answer(puzzle.inputs, puzzle.free, (matrix) => puzzle.symbols[matrix] ?? matrix);
    answer.at = puzzle.opens_at;
    super(theme, answer, new PuzzleNumbers(puzzle, answer));
    this.puzzle = puzzle;
    this.verdict = html("p", { class: "verdict", role: "status" });
    this.zeros = button(say("Back to zeros"), () => this.change(() => this.layer.write(puzzle.zeros)));
    this.place = new SavedPlace(this, this.picture);
    this.element = html("div", { class: "stop puzzle" }, ...this.makeParts());
  }

  get picture() { return this.puzzle.pictures[this.layer.at]; }

  // ---- its parts ----

  makeParts() {
    const { job, source, seen } = this.puzzle;
    const sentence = html("p", { class: "sentence" }, job);
    const bar = html("div", { class: "bar" }, this.undo, this.zeros, ...this.makeLayers());
    const how = html("p", { class: "caption" }, `${seen} ${howToUse(true)}`);
    const from = html("p", { class: "caption" }, source);
    const help = [this.makeFill(), ...this.makeHelp()];
    return [sentence, bar, this.verdict, this.place.element, how, ...help, ...this.makeKeep(), from];
  }

  // A choice, where there is more than one layer.
  makeLayers() {
    if (this.layer.count < 2) return [];
    const names = this.puzzle.pictures.map((_, i) => [String(i), say("Layer {number}", { number: i + 1 })]);
    const layers = list(say("Layer"), names, (at) => this.showLayer(Number(at)));
    layers.value = String(this.layer.at);
    return [layers];
  }

  showLayer(at) {
    this.place.close();
    this.change(() => {
      this.layer.showLayer(at);
      this.place.picture = this.picture;
    });
  }

  makeFill() {
    const write = (change) => this.change(() => this.layer.write(change(this.layer.arrays)));
    return fillBar(this.puzzle.blocks, this.puzzle.often, (name) => this.nameOf(name), write);
  }

  // A free array, with its layer where there are several.
  nameOf(name) {
    const [array, layer = 1] = name.split(".").reverse();
    const matrix = this.puzzle.symbols[array];
    const isOfLayer = this.layer.count > 1 && array !== "w_u";
    return isOfLayer ? say("Fill {matrix} of layer {layer}", { matrix, layer }) : say("Fill {matrix}", { matrix });
  }

  // Where the page has neither hints nor a solution, nothing helps.
  makeHelp() {
    const { hints, solution } = this.puzzle;
    if (!hints.length && !solution) return [];
    const shown = html("ol", { class: "hints" });
    const more = button("", () => this.showHint(shown, more));
    const solve = button(say("Show a solution"), () => this.change(() => this.layer.write(solution)));
    solve.hidden = !solution;
    this.nameHint(more);
    return [html("div", { class: "bar" }, more, solve), shown];
  }

  showHint(shown, more) {
    shown.append(html("li", {}, this.puzzle.hints[this.hints]));
    this.hints++;
    this.nameHint(more);
  }

  nameHint(more) {
    const count = this.puzzle.hints.length;
    more.hidden = this.hints === count;
    more.textContent = say("Hint {number} of {count}", { number: this.hints + 1, count });
  }

  makeKeep() {
    this.link = html("input", { readonly: "", "aria-label": say("My answer") });
    this.link.onfocus = () => this.link.select();
    this.copy = button(say("Copy my answer"), () => this.copyLink());
    this.copy.setAttribute("aria-live", "polite");
    const how = say("Send it, or keep it in a text file. Behind the address of an explorer, it opens there.");
    const words = html("p", { class: "caption" }, how);
    return [html("h2", {}, say("Keep or hand in")), html("div", { class: "bar keep" }, this.link, this.copy), words];
  }

  // Without the right to use the clipboard, the text is selected, so that a key copies it.
  async copyLink() {
    const copied = await navigator.clipboard.writeText(this.link.value).then(() => true, () => false);
    if (!copied) this.link.focus();
    this.copy.textContent = copied || document.execCommand("copy") ? say("Copied") : say("Press Ctrl + C");
  }

  // ---- what has become of the answer ----

  tell() {
    if (this.#told === this.layer.version) return;
    this.#told = this.layer.version;
    const { arrays } = this.layer;
    const { isRight, first, more } = verdictInWords(verdictOn(this.puzzle, arrays), this.puzzle);
    const mark = html("span", { class: isRight ? "yes" : "no", "aria-hidden": "true" }, isRight ? "✓" : "✗");
    this.verdict.replaceChildren(mark, " ", html("b", {}, first), " ", more);
    this.link.value = linkOf(this.puzzle, arrays);
    this.copy.textContent = say("Copy my answer");
  }
}
