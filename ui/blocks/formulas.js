// Formulas. Pointing at a symbol, or giving it the focus, lights its matrices in the pictures of the
// page. Pointing at a matrix lights its symbols. As in ui/plot/js/drawing/symbols.js.

const SYMBOL = "attention-symbol"; // an event on window: the matrices of a symbol; whether it was pressed
const MATRIX = "attention-matrix"; // an event on window: the matrix that is pointed at

export default function ({ parentElement, data: { lines } }) {
  const place = parentElement.querySelector(".formulas");
  parentElement.listening?.abort(); // Streamlit may call again, and cleans up after its last call alone
  const listeners = (parentElement.listening = new AbortController());
  const { signal } = listeners;
  const on = (type, act) => place.addEventListener(type, act, { signal });
  const tell = (isPressed) => {
    const symbol = [place.pointed, place.focused].find((each) => each && place.contains(each));
    const detail = { matrices: symbol ? matricesOf(symbol) : [], isPressed };
    window.dispatchEvent(new CustomEvent(SYMBOL, { detail }));
  };
  const press = (symbol) => {
    symbol.focus();
    tell(true);
  };
  if (place.shown !== lines) place.innerHTML = place.shown = lines; // else the focus would be lost
  if (!place.querySelector(".symbol")) return undefined;
  const follow = (type, of) => on(type, ({ target }) => {
    of(target.closest(".symbol"));
    tell(false);
  });
  // Not by ":hover", which stays where a finger has tapped.
  follow("pointerover", (symbol) => { place.pointed = symbol; });
  follow("pointerout", () => { place.pointed = null; });
  follow("focusin", (symbol) => { place.focused = symbol; });
  follow("focusout", () => { place.focused = null; });
  on("click", ({ target }) => target.closest(".symbol") && press(target.closest(".symbol")));
  on("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press(event.target);
  });
  window.addEventListener(MATRIX, ({ detail }) => {
    for (const symbol of place.querySelectorAll(".symbol")) {
      symbol.classList.toggle("is-lit", matricesOf(symbol).includes(detail));
    }
  }, { signal });
  tell(false);
  return () => listeners.abort();
}

function matricesOf(symbol) {
  return symbol.dataset.matrices.split(" ");
}
