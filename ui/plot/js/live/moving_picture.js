// A picture while a number is dragged: what it shows of what this browser has computed.
//
// Its methods are what `live` asks of those that follow it.

import { onceAFrame } from "../dom.js";
import { say } from "../language.js";
import { countRight } from "./count_right.js";
import { tooFar } from "./live.js";
import { MASK } from "../hand/mask_pen.js";
import { fourDigits } from "../numbers/numbers.js";

export class MovingPicture {
  isLive = false; // whether it shows numbers that this browser has computed
  looksOther = false; // whether its colours or the size of its numbers have changed since they began to move
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
      this.looksOther = false;
      return;
    }
    if (!plot.isInView && !table.isShown) return;
    const size = board.textSize(board.matrices[0]);
    const beginsAnew = live.beganWith(this) && board.compareWithFigure();
    const isSeen = this.whatIsSeen();
    const moved = this.takeLive(table.isShown ? undefined : isSeen);
    const hasGrown = board.widen();
    this.looksOther ||= hasGrown || beginsAnew || board.textSize(board.matrices[0]) !== size;
    plot.cells.repaint((this.looksOther ? board.matrices : moved).filter(isSeen), board, theme);
    const isToldAnew = countRight(board);
    if (beginsAnew || live.hasMoved(MASK)) plot.drawInk(); // which has the hatching
    else if (isToldAnew || hasGrown) plot.drawRanges();
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

  // The matrices that now have live numbers: those that are wanted.
  takeLive(isWanted = /** @type {(matrix: Matrix) => boolean} */ (() => true)) {
    const { board, live } = this.plot;
    if (live.beganWith(this)) board.compareWithFigure();
    const moved = board.matrices.filter((each) => live.hasMoved(each.name));
    const wanted = moved.filter(isWanted);
    for (const matrix of wanted) matrix.take(live.rows(matrix.name), live.maskOf(matrix.name));
    this.isLive = moved.length > 0 || board.comparesWithFigure;
    this.plot.moved.classList.toggle("plot-outdated", this.isLive); // words follow on release
    return wanted;
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

  // Tells whether a part of a matrix is in the window.
  whatIsSeen() {
    const { stage, board: { zoom } } = this.plot;
    const { top } = stage.getBoundingClientRect();
    return ({ y, h }) => top + y * zoom < window.innerHeight && top + (y + h) * zoom > 0;
  }

  // Says so if the numbers that were shown live are not those of the figure.
  compare(forward) {
    for (const matrix of this.plot.board.matrices) {
      const { name, sent, isSingle } = matrix;
      const rows = forward.hasMoved(name) && matrix.asShown(forward.rows(name));
      const share = rows && tooFar(sent.values, rows, isSingle || forward.options.is_single);
      if (share) this.say(wasWrong(sent.title, fourDigits(share)), name);
    }
  }

  // Says something below the picture that has a matrix.
  say(words, matrix) {
    if (this.plot.board?.named(matrix)) this.plot.note.textContent = words;
  }
}

function wasWrong(matrix, share) {
  return say(
    "{matrix} has its right numbers now. While the number was dragged, they were wrong by {share} of its " +
      "largest number.",
    { matrix, share },
  );
}
