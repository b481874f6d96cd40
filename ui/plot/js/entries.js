// What a person entered into cells: what waits for the server, and what the server refused.
//
// Streamlit hands on only the last of several reports before a run. So each report holds all that
// waits, numbered, and an entry waits until the server says that it was taken or refused.

export class Entries {
  isOpen = false; // whether cells can be edited at all
  waiting = []; // {number, matrix, row, column, text}, the oldest first
  refused = []; // {matrix, row, column, text, reason}
  #last = 0; // the number of the newest entry
  #send = () => {};
  #whenChanged = new Set();

  // Calls `act` after each change, until it is called off by what this returns.
  follow(act) {
    this.#whenChanged.add(act);
    return () => this.#whenChanged.delete(act);
  }

  enter({ matrix, row, column }, text) {
    this.waiting.push({ number: ++this.#last, matrix: matrix.name, row, column, text });
    this.#sendWaiting();
    this.#change();
  }

  // What the server says at the end of a run: the newest entry that it has heard of, and which of
  // those that it has heard of were refused.
  hear({ taken, refused }, send) {
    this.isOpen = true;
    this.#send = send;
    this.#last = Math.max(this.#last, taken);
    this.refused = refused;
    this.waiting = this.waiting.filter(({ number }) => number > taken);
    // This run was under way when they were sent, or they were lost on the way. To send them twice
    // does no harm.
    if (this.waiting.length) this.#sendWaiting();
    this.#change();
  }

  // What stands in a cell instead of its number: {text}, with the `reason` if it was refused.
  at(matrix, row, column) {
    const isHere = (each) =>
      each.matrix === matrix.name && each.row === row && each.column === column;
    return this.waiting.findLast(isHere) ?? this.refused.find(isHere);
  }

  // All that stands in cells of a matrix instead of their numbers, each cell once.
  in(matrix) {
    const cells = new Map();
    for (const each of [...this.refused, ...this.waiting]) {
      if (each.matrix === matrix.name) cells.set(`${each.row} ${each.column}`, each);
    }
    return [...cells.values()];
  }

  #sendWaiting() {
    this.#send(this.waiting);
  }

  #change() {
    for (const act of this.#whenChanged) act();
  }
}
