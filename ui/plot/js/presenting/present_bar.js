// The bar of a presentation: what its keys do, by buttons and lists. It hides while nobody moves.

import { button, html, list, setOptions } from "../dom.js";
import { say } from "../language.js";
import { placeOfPart } from "./present_steps.js";

const STAYS = 3000; // ms without a move of the pointer

export class PresentBar {
  // `presenting` is the Presentation, which a press leads on.
  constructor(presenting) {
    const named = (text, name, act) => {
      const made = button(text, () => presenting.afterPress(act));
      made.setAttribute("aria-label", name);
      made.title = name;
      return made;
    };
    this.parts = list(say("Part"), [], (part) => presenting.afterPress(() => presenting.go({ part })));
    this.heads = list(say("Head"), [], (head) => presenting.afterPress(() => presenting.goToHead(Number(head))));
    this.backPart = named("\u2190", say("The part before"), () => presenting.step(-1));
    this.nextPart = named("\u2192", say("Next part"), () => presenting.step(+1));
    this.backHeads = named("\u2191", say("The heads before"), () => presenting.stepHeads(-1));
    this.nextHeads = named("\u2193", say("Next heads"), () => presenting.stepHeads(+1));
    this.fewer = named("+", say("Fewer, larger heads"), () => presenting.changeCount(+1));
    this.more = named("\u2212", say("More heads at once"), () => presenting.changeCount(-1));
    this.backStop = named(say("\u2190 Stop"), say("The stop before"), () => presenting.stop("back"));
    this.nextStop = named(say("Stop \u2192"), say("Next stop"), () => presenting.stop("on"));
    this.mask = named(say("Mask"), say("Next mask"), () => presenting.nextMask());
    this.light = named(say("Spot"), say("Spotlight"), () => presenting.nextLight());
    this.sliders = named(say("Sliders"), say("Sliders of scale and temperature"), () => presenting.toggleSliders());
    this.stops = html("span", { class: "present-group" }, this.backStop, this.nextStop);
    this.ofHeads = html("span", { class: "present-group" }, this.heads, this.more, this.fewer, this.backHeads, this.nextHeads);
    this.element = html("div", { class: "present-bar", role: "toolbar", "aria-label": say("Presenting") },
      html("span", { class: "present-group" }, this.backPart, this.parts, this.nextPart),
      this.ofHeads,
      this.mask,
      this.light,
      this.sliders,
      this.stops,
      named(say("QR"), say("The link as a QR code"), () => presenting.lay("qr")),
      named(say("Full"), say("Full screen"), () => presenting.fill()),
      named("?", say("Keys"), () => presenting.lay("keys")),
      named("\u2715", say("Leave"), () => presenting.leave()));
  }

  // What the server says of the part.
  follow(said) {
    setOptions(this.parts, said.parts.map(([name, title]) => [name, title]), said.part);
    const heads = Array.from({ length: said.n_heads }, (_, i) => [i, say("Head {head}", { head: i + 1 })]);
    setOptions(this.heads, [[-1, say("All heads")], ...heads], String(said.head ?? -1));
    this.ofHeads.hidden = said.n_heads < 2 || said.of === "";
    this.more.hidden = this.fewer.hidden = said.of !== "heads";
    const [, mask = say("another")] = said.masks.find(([name]) => name === said.mask) ?? [];
    this.mask.title = say("Mask: {mask}", { mask });
    this.stops.hidden = !said.tour;
    this.backStop.disabled = !said.tour?.back;
    this.nextStop.disabled = !said.tour?.on;
    const place = placeOfPart(said, said.part);
    this.backPart.disabled = place === 0;
    this.nextPart.disabled = place === said.parts.length - 1;
  }

  // Whether there are heads out of sight.
  followHeads(canStep) {
    this.backHeads.hidden = this.nextHeads.hidden = !canStep;
  }

  followLight(kind) {
    this.light.setAttribute("aria-pressed", kind !== "");
  }

  followSliders(areShown) {
    this.sliders.setAttribute("aria-pressed", areShown);
  }

  show() {
    this.element.classList.add("is-shown");
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => this.hide(), STAYS);
  }

  hide() {
    if (this.element.matches(":hover, :focus-within")) return this.show();
    this.element.classList.remove("is-shown");
  }

  remove() { clearTimeout(this.hiding); }
}
