// Space and the right arrow go on to the next screen, or to the next stop of a tour; the left arrow
// goes back. Where a key means something else (in a field, in a picture, on a button), it stays. The
// keys of a remote control mean something else only in a field, and in a picture that takes them itself.

const ON = [" ", "ArrowRight", "PageDown"];
const BACK = ["ArrowLeft", "PageUp"];
const OF_REMOTE_CONTROL = ["PageDown", "PageUp"];
const OF_REMOTE_ELSEWHERE = "input, textarea, select, [role=menu], [role=dialog], [contenteditable=true]";
const OWN_KEYS = `${OF_REMOTE_ELSEWHERE}, [role=application], [role=radio]`;
const OWN_SPACE = `${OWN_KEYS}, button, a, summary, [role=button]`; // where arrow keys mean nothing
const WALKED = "attention-walked"; // a picture has shown all its numbers, and is to go on

export default function ({ parentElement, data }) {
  parentElement.listening?.abort(); // Streamlit may call again, and cleans up after its last call alone
  const listeners = (parentElement.listening = new AbortController());
  const { signal } = listeners;
  /** @returns {HTMLElement | null} */
  const buttonOf = (key) => document.querySelector(`.st-key-${key} :is(button:not(:disabled), a)`);
  const press = (key) => buttonOf(key)?.click();
  window.addEventListener("keydown", (event) => {
    const way = wayOf(event, data.isForRemoteAlone);
    if (!way || (event.target instanceof Element && event.target.closest(ownersOf(event.key)))) return;
    event.preventDefault();
    press(data[way]);
  }, { signal });
  window.addEventListener(WALKED, () => press(data.on), { signal });
  return () => listeners.abort();
}

// Where a key leads: "on", "back", or nowhere.
export function wayOf({ key, altKey, ctrlKey, metaKey, defaultPrevented }, isForRemoteAlone) {
  if (defaultPrevented || altKey || ctrlKey || metaKey) return "";
  if (isForRemoteAlone && !OF_REMOTE_CONTROL.includes(key)) return "";
  return ON.includes(key) ? "on" : BACK.includes(key) ? "back" : "";
}

// Where a key means something else.
export function ownersOf(key) {
  if (key === " ") return OWN_SPACE;
  return OF_REMOTE_CONTROL.includes(key) ? OF_REMOTE_ELSEWHERE : OWN_KEYS;
}
