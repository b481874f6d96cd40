// Keeps what is typed into a field of Streamlit's that a run may take away and bring again: as where what it
// stands in is closed and opened again, faster than the server answers. It stays until it is taken.

const fields = new Map(); // by key: {text, taken}
globalThis.document?.addEventListener("attention-another-visit", () => fields.clear());

export default function ({ parentElement, data: { field, taken } }) {
  const block = parentElement.closest(".stVerticalBlock");
  if (!block) return; // a run has taken it off the page before this module came
  const its = fields.get(field) ?? { text: "", taken };
  fields.set(field, its);
  if (its.taken !== taken) Object.assign(its, { text: "", taken });
  const find = () => block.querySelector(`.st-key-${field} input`);
  parentElement.listening?.abort(); // Streamlit may call again, and cleans up after its last call alone
  const listening = (parentElement.listening = new AbortController());
  block.addEventListener("input", ({ target }) => {
    if (target === find()) its.text = target.value;
  }, { signal: listening.signal });
  const come = () => {
    const input = find();
    if (!input) return; // it comes later than this
    observer.disconnect();
    if (its.text && !input.value) bring(input, its.text);
  };
  const observer = new MutationObserver(come);
  observer.observe(block, { childList: true, subtree: true });
  come();
  listening.signal.addEventListener("abort", () => observer.disconnect());
  return () => listening.abort();
}

// As a person types it. Streamlit takes a text when its field is left, or at Enter.
function bring(input, text) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  const { activeElement } = document;
  if (!activeElement || activeElement.contains(input)) input.focus({ preventScroll: true });
  else input.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
}
