// What a person entered into cells and did to labels: what waits for the server, and what the server refused.
//
// Streamlit hands on only the last of several reports before a run. So each report holds all that
// waits, numbered, and an entry waits until the server says that it was taken or refused.

export class Entries {
  isOpen = false; // whether cells can be edited at all
  isDrawing = false; // whether the pen that draws the mask is in hand
  /** @type {Entry[]} */
  waiting = []; // {number, matrix, row, column, text}, or as `act` and `enterField` make them; the oldest first
  /** @type {Omit<Entry, "number">[]} */
  refused = []; // the same without a number, with a reason
  #last = 0; // the number of the newest entry
  /** @type {(waiting: Entry[]) => void} */
  #send = () => {};
  #whenChanged = new Set();

  // Calls `act` after each change, until the function that it returns is called.
  follow(act) {
    this.#whenChanged.add(act);
    return () => this.#whenChanged.delete(act);
  }

  takePen(isDrawing) {
    this.isDrawing = isDrawing;
    this.#change();
  }

  // Returns the number of the entry.
  enter({ matrix, row, column }, text) {
    return this.#add({ matrix: matrix.name, row, column, text });
  }

  // An entry into the field of the form with this key. Several into one field are all kept and sent. One that goes
  // on from the last, as a held key does, is one step with it.
  enterField(field, value, goesOn = false) {
    return this.#add({ field, value, ...(goesOn && { goes_on: true }) });
  }

  // What is on its way from a field of the form: {value}.
  intoField(key) {
    return this.waiting.findLast(({ field }) => field === key);
  }

  // On the label at a place: rename it to `text`, add one there, remove it, move it `to` a place,
  // or switch what it stands for off or on.
  act({ matrix, source, place, act, text = "", to = place }) {
    return this.#add({ matrix: matrix.name, source, place, act, text, to });
  }

  // The number of the newest entry that waits; 0 if none does.
  get newest() {
    return this.waiting.at(-1)?.number ?? 0;
  }

  // Whether labels are on their way to other places, or off, after the entry of this number.
  isReordering(since) {
    return this.waiting.some(({ act, number }) => act && act !== "rename" && number > since);
  }

  // Whether any label has another name than in the pictures.
  get hasNames() {
    return [...this.waiting, ...this.refused].some(({ act }) => act === "rename");
  }

  // What stands on a label instead of its name: {text}, with the `reason` if it was refused.
  onLabel(source, place) {
    const isHere = (each) => each.act === "rename" && each.source === source && each.place === place;
    return this.waiting.findLast(isHere) ?? this.refused.find(isHere);
  }

  // What the server says at the end of a run: the newest entry that it has heard of, and which of
  // those that it has heard of were refused.
  hear({ taken, refused, is_open }, send) {
    this.isOpen = is_open;
    this.#send = send;
    this.#last = Math.max(this.#last, taken);
    this.refused = refused;
    this.waiting = this.waiting.filter(({ number }) => number > taken);
    // This run was under way when they were sent, or they were lost on the way. Sending them twice does
    // no harm.
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
      if (each.matrix === matrix.name && !each.act) cells.set(`${each.row} ${each.column}`, each);
    }
    return [...cells.values()];
  }

  #add(entry) {
    this.waiting.push({ number: ++this.#last, ...entry });
    this.#sendWaiting();
    this.#change();
    return this.#last;
  }

  #sendWaiting() {
    this.#send(this.waiting);
  }

  #change() {
    for (const act of this.#whenChanged) act();
  }
}
