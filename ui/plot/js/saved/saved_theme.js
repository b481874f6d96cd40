// Light or dark: as the system is, until a person chooses.

import { DARK, LIGHT } from "../theme.js";

export const FONT = '"Source Sans 3", "Source Sans Pro", system-ui, sans-serif';

export class SavedTheme {
  whenChanged = () => {};

  constructor() {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.isDark = system.matches;
    system.addEventListener("change", ({ matches }) => this.become(matches));
    this.become(this.isDark);
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
