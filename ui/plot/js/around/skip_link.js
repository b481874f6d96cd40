// "Skip to the numbers", beside Streamlit's "Skip to main content": to X or the first matrix that can be
// edited, or else to the first picture.

import { say } from "../language.js";
import { firstToEdit } from "../hand/play.js";

const THEIRS = '[data-testid="stSkipToContent"]';

/** @type {HTMLAnchorElement | null} */
let link = null; // one for all pages of the document

// Call it when a picture has come or gone: without a picture there is no link. `find` gives all plots.
export function followPictures(find) {
  const theirs = document.querySelector(THEIRS);
  if (!link && theirs) {
    link = /** @type {HTMLAnchorElement} */ (theirs.cloneNode()); // so it looks the same
    link.textContent = say("Skip to the numbers");
    delete link.dataset.testid;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      goTo(find());
    });
  }
  if (link && !link.isConnected) theirs?.after(link);
  if (link) link.hidden = !find().length;
}

function goTo(plots) {
  const seen = plots.filter(({ stage, board }) => board && stage.checkVisibility()).sort(byPlace);
  const plot = seen.find(({ board }) => firstToEdit(board)) ?? seen[0];
  if (!plot) return;
  const { board, stage, hand } = plot;
  stage.scrollIntoView({ block: stage.offsetHeight < window.innerHeight ? "nearest" : "start" });
  stage.focus({ preventScroll: true });
  hand.isByKeys = true;
  hand.moveTo({ matrix: firstToEdit(board) ?? board.matrices[0], row: 0, column: 0 });
}

function byPlace({ stage }, other) {
  return stage.compareDocumentPosition(other.stage) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
