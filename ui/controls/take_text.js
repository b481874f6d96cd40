// Ctrl + Enter in the text box takes the text, as the button does.
//
// Streamlit hears Ctrl + Enter as "this is the text". The button is pressed in the frame after that.

export default function ({ parentElement }) {
  const container = parentElement.closest(".stVerticalBlock");
  if (!container) return; // a run has taken it off the page before this module came
  parentElement.listening?.abort(); // Streamlit may call again, and cleans up after its last call alone
  const listeners = (parentElement.listening = new AbortController());
  const take = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.target.tagName !== "TEXTAREA") return;
    requestAnimationFrame(() => container.querySelector(".stButton button")?.click());
  };
  container.addEventListener("keydown", take, { signal: listeners.signal });
  return () => listeners.abort();
}
