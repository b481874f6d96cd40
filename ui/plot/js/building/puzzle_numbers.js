// The numbers of a puzzle's picture: all are computed here, and what is wanted stays as it is.

import { Derivations } from "../numbers/derive.js";
import { rightInWords } from "../live/count_right.js";
import { inPlace, SavedNumbers } from "../saved/saved_numbers.js";

export class PuzzleNumbers extends SavedNumbers {
  get facts() { return this.stop.facts[this.layer.at]; }

  get derivations() {
    const { at, saved, forward } = this.layer;
    return new Derivations(this.facts, forward.shown, (at ? saved.above[at - 1] : saved).arrays);
  }

  // What comes after the layer that is shown has a page of its own, or is explained nowhere.
  knows({ step }) { return step in this.facts.words; }

  shownIn(picture) { return { ...super.shownIn(picture), widens: true }; }

  // A mask keeps the sentences apart: the pen must not draw in it.
  withItsNumbers(matrix) {
    const shown = matrix.wanted_of ? this.#wanted(matrix) : super.withItsNumbers(matrix);
    return { ...shown, keeps_mask: true };
  }

  #wanted(matrix) {
    const { wanted } = this.stop;
    const made = this.numbersOf(matrix.wanted_of.matrix).rows;
    const caption = rightInWords(wanted, made, matrix.wanted_of);
    return { ...matrix, values: inPlace(Array.from(wanted), matrix.transposed), caption };
  }
}
