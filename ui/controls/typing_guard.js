// Ctrl+Z and Ctrl+Y belong to the field that somebody is typing in, until its text is entered.
//
// Streamlit gives a button's shortcut to the button wherever the keyboard is. Undo would then step
// back through the scenario while a person only wants the last letters back.

const typedIn = new WeakSet(); // fields with text that is not entered yet

export default function () {
  const listeners = new AbortController();
  const listen = (event, act) =>
    window.addEventListener(event, act, { capture: true, signal: listeners.signal });

  listen("input", ({ target }) => typedIn.add(target));
  listen("focusout", ({ target }) => typedIn.delete(target));
  listen("keydown", (event) => {
    const isHistory = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
    if (isHistory && typedIn.has(event.target)) event.stopImmediatePropagation();
    const enters = event.target.tagName !== "TEXTAREA" || event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && enters) typedIn.delete(event.target);
  });
  return () => listeners.abort();
}
