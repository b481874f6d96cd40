// The frame of a notebook that a saved page may stand in: it gets the height and the ground of the page's
// surroundings. ui/notebook.py writes it.

import { luminance } from "../board/colors.js";
import { pixelOf } from "../theme.js";

const NAME = "attention-explorer"; // of the frame
const DARK_UP_TO = 0.2; // luminance of a ground
const LIGHT_FROM = 0.5; // and of letters

export class Frame {
  constructor() {
    const { frameElement } = window; // null where there is none, or where it may not be touched
    /** @type {any} */
    this.element = frameElement?.getAttribute("name") === NAME ? frameElement : null;
  }

  get outside() { return this.element?.ownerDocument.defaultView ?? window; }

  // Of what a person sees at once: the frame is as high as the page.
  get windowHeight() { return this.outside.innerHeight; }

  // Whether the notebook is dark, if there is one. VS Code's has no ground: what is written there is light or dark.
  get isDark() {
    if (!this.element) return null;
    for (let around = this.element; around; around = around.parentElement) {
      const [red, green, blue, opaque] = pixelOf(this.outside.getComputedStyle(around).backgroundColor);
      if (opaque) return luminance([red, green, blue]) < DARK_UP_TO;
    }
    return luminance(pixelOf(this.outside.getComputedStyle(this.element).color).slice(0, 3)) > LIGHT_FROM;
  }

  // Keeps the frame as high as the page, and tells when the notebook's colours may have changed.
  follow(main, whenColored) {
    if (!this.element) return;
    document.documentElement.classList.add("in-notebook");
    const { style } = this.element;
    const grow = () => (style.height = `${Math.ceil(main.getBoundingClientRect().height)}px`);
    new ResizeObserver(grow).observe(main);
    const colored = new MutationObserver(() => requestAnimationFrame(whenColored));
    const { body, documentElement } = this.element.ownerDocument;
    for (const each of [body, documentElement]) colored.observe(each, { attributes: true });
  }
}
