// The labels of a picture where nobody can edit them, as in a page in one file: see Labels. So such a page is
// sent without all that edits them.

export class NoLabels {
  cursor = null;
  drag = null;
  editor = { cell: null, typed: null, goOnWith() {} };
  fields = [];
  over = [];

  listen() {}
  follow() {}
  leave() {}
  say() {}
  press() { return false; }
  lights() { return []; }
}
