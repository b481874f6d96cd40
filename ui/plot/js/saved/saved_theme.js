// Light or dark: as the notebook is, else as the system is, until a person chooses.

import { DARK, LIGHT } from "../theme.js";

export const FONT = '"Source Sans 3", "Source Sans Pro", system-ui, sans-serif';

export class SavedTheme {
  whenChanged = () => {};

  /** @param {import("./frame.js").Frame} frame */
  constructor(frame) {
    this.frame = frame;
    this.system = window.matchMedia("(prefers-color-scheme: dark)");
    this.system.addEventListener("change", () => this.followOutside());
    this.outside = this.isDarkOutside;
    this.become(this.outside);
  }

  get isDarkOutside() { return this.frame.isDark ?? this.system.matches; }

  // What a person has chosen holds until what is around the page changes.
  followOutside() {
    if (this.isDarkOutside === this.outside) return;
    this.outside = this.isDarkOutside;
    this.become(this.outside);
  }

  get now() { return { ...(this.isDark ? DARK : LIGHT), font: FONT }; }

  turn() { this.become(!this.isDark); }

  become(isDark) {
    this.isDark = isDark;
    const root = document.documentElement;
    root.style.colorScheme = isDark ? "dark" : "light";
    for (const name of ["paper", "field", "text", "primary", "link", "border", "wrong"]) {
      root.style.setProperty(`--${name}`, this.now[name]);
    }
    this.whenChanged();
  }
}
