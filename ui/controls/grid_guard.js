// Looks after one st.data_editor, in three things that would lose or confuse what a person types:
//
// - The part of Streamlit that takes typing is fetched when a cell is first typed in, and what is
//   typed meanwhile is lost: 1e-3 becomes 3. Here it is fetched before.
// - A click on a column's header sorts the rows, but the rows of a matrix have their order. The
//   header only lets columns be made wider.
// - Of a pasted block, what stands out over the edge is dropped without a word. Here are the words.
//
// Streamlit calls the default export on every rerun; the grid is the one in the same container.

const HEADER = 2.1875; // rem, Streamlit's row height
const SETTLED = 300; // milliseconds after which the grid has told which cell is selected

export default function ({ parentElement, data }) {
  fetchEditor(data.editor);
  const container = parentElement.closest(".stVerticalBlock");
  const note = parentElement.querySelector(".grid-note");
  const listeners = new AbortController();
  const listen = (target, event, act) =>
    target.addEventListener(event, act, { capture: true, signal: listeners.signal });

  for (const press of ["pointerdown", "mousedown", "touchstart"]) {
    listen(container, press, (event) => isOnHeader(event) && event.stopPropagation());
  }
  listen(container, "keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) note.textContent = "";
  });
  listen(window, "paste", (event) => {
    if (!container.contains(document.activeElement?.closest("canvas"))) return;
    const text = event.clipboardData.getData("text/plain");
    setTimeout(() => (note.textContent = whatIsLeftOut(text, container, data)), SETTLED);
  });
  return () => listeners.abort();
}

function fetchEditor(name) {
  const ownScript = document.querySelector('script[type="module"][src*="static/js/"]');
  if (name && ownScript) import(new URL(name, ownScript.src).href);
}

function isOnHeader(event) {
  const canvas = event.target.closest(".stDataFrame")?.querySelector("canvas");
  if (!canvas || canvas.style.cursor === "col-resize") return false;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const y = event.clientY ?? event.touches[0].clientY;
  return y < canvas.getBoundingClientRect().top + HEADER * rem;
}

function whatIsLeftOut(text, container, { rows, columns }) {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const height = lines.length;
  const width = Math.max(...lines.map((line) => line.split("\t").length));
  const selected = [...container.querySelectorAll('td[aria-selected="true"]')].map(placeOf);
  const fitHeight = rows - Math.min(...selected.map(({ row }) => row));
  const fitWidth = columns - Math.min(...selected.map(({ column }) => column));
  if (selected.length === 0 || (height <= fitHeight && width <= fitWidth)) return "";
  return (
    `The pasted block must fit below and to the right of the cell, in ${fitHeight} × ${fitWidth}, ` +
    `got ${height} × ${width}. What stands out over the edge was left out. ` +
    "To put another matrix in place of this one, paste it under Text."
  );
}

// A cell's id is glide-cell-<column>-<row>; column 0 has the rows' labels.
function placeOf(cell) {
  const [column, row] = cell.id.split("-").slice(-2).map(Number);
  return { row, column: Math.max(0, column - 1) };
}
