// A picture while a number is dragged: what it shows of what this browser has computed.
//
// Its methods are what `live` asks of those that follow it.

import { repaint } from "../drawing/cells.js";
import { onceAFrame } from "../dom.js";
import { tooFar } from "./live.js";
import { MASK } from "../hand/mask_pen.js";
import { fourDigits } from "../numbers/numbers.js";

const WAS_WRONG = "has its right numbers now. While the number was dragged, they were wrong by";

export class MovingPicture {
  isLive = false; // whether it shows numbers that this browser has computed
  showLive = onceAFrame(() => this.drawLive());

  constructor(plot) {
    this.plot = plot;
  }

  // Only the matrices that follow from the number are painted anew, and only where they are seen.
  drawLive() {
    const { plot } = this;
    const { board, live, theme, table, tip } = plot;
    if (!board) return;
    if (!live.isOn) {
      if (this.isLive) plot.draw(); // with the numbers of its figure
      return;
    }
    if (!plot.isInView && !table.isShown) return;
    const size = board.textSize(board.matrices[0]);
    const beginsAnew = live.beganWith(this) && board.compareWithFigure();
    const moved = this.takeLive((matrix) => table.isShown || this.isSeen(matrix));
    const hasGrown = board.widen() || beginsAnew;
    const isOther = hasGrown || board.textSize(board.matrices[0]) !== size;
    repaint(plot.cells, isOther ? board.matrices : moved, board, theme);
    if (hasGrown || live.hasMoved(MASK)) plot.drawInk(); // which has the hatching
    table.fill(board);
    if (tip.isShown) tip.sayNumber(moved.length ? undefined : this.comingNumber());
    if (!moved.length) plot.lightUp(); // the number is on its way
    if (moved.length) plot.countPaint();
  }

  // The number that is dragged here, where no picture can follow it yet.
  comingNumber() {
    const { board, live: { drag } } = this.plot;
    return drag && board.named(drag.matrix) ? drag.number : undefined;
  }

  // The matrices that now have live numbers.
  takeLive(isWanted = /** @type {(matrix: Matrix) => boolean} */ (() => true)) {
    const { board, live } = this.plot;
    if (live.beganWith(this)) board.compareWithFigure();
    const moved = board.matrices.filter((each) => live.hasMoved(each.name) && isWanted(each));
    for (const matrix of moved) matrix.take(live.rows(matrix.name), live.maskOf(matrix.name));
    this.isLive = moved.length > 0 || board.comparesWithFigure;
    this.plot.moved.classList.toggle("plot-outdated", this.isLive); // words follow on release
    return moved;
  }

  // Another drag begins, before the server has answered the last: what moves is told from here on.
  beginAnew() {
    if (!this.plot.board) return;
    this.catchUp();
    if (this.plot.board.compareWithShown()) this.plot.drawBoard();
  }

  // Before all numbers are handed out: those of matrices out of sight may be behind.
  catchUp() {
    if (this.plot.live.isOn) this.takeLive();
  }

  // Whether a part of a matrix is in the window.
  isSeen({ y, h }) {
    const { stage, board: { zoom } } = this.plot;
    const { top } = stage.getBoundingClientRect();
    return top + y * zoom < window.innerHeight && top + (y + h) * zoom > 0;
  }

  // Says so if the numbers that were shown live are not those of the figure.
  compare(forward) {
    for (const matrix of this.plot.board.matrices) {
      const { name, meta, trace, isSingle } = matrix;
      const rows = forward.hasMoved(name) && matrix.asShown(forward.rows(name));
      const share = rows && tooFar(trace.z, rows, isSingle || forward.options.is_single);
      if (share) this.say(`${meta.title} ${WAS_WRONG} ${fourDigits(share)} of its largest number.`, name);
    }
  }

  // Says something below the picture that has a matrix.
  say(words, matrix) {
    if (this.plot.board?.named(matrix)) this.plot.note.textContent = words;
  }
}
