// Where a file does not reach the server, Streamlit's field names the status of the answer, and only to
// who points at the file. Here the reason stands below the field, in words.

export default function ({ parentElement, data }) {
  const place = parentElement.closest('[data-testid="stElementContainer"]');
  const container = parentElement.closest(".stVerticalBlock"); // the field in it may come later
  const words = parentElement.querySelector("p") ?? parentElement.appendChild(document.createElement("p"));
  words.className = "file-refusal";
  words.setAttribute("role", "alert");
  const say = () => {
    // Streamlit says that it is nothing, and gives it a name and the focus.
    container.querySelector('[data-testid="stFileUploaderDropzone"]')?.setAttribute("role", "group");
    const reason = reasonOf(container, data);
    if (words.textContent !== reason) words.textContent = reason;
    place.style.display = reason ? "" : "none"; // else there would be a gap
  };
  const observer = new MutationObserver(say);
  observer.observe(container, { childList: true, subtree: true, characterData: true });
  say();
  return () => observer.disconnect();
}

// Why the newest file did not reach the server; nothing where it did, or where Streamlit says why.
export function reasonOf(container, { full, lost }) {
  const newest = [...container.querySelectorAll('[data-testid="stFileChip"]')].at(-1);
  const said = newest?.querySelector('[role="alert"]')?.textContent ?? "";
  if (!said.includes("AxiosError")) return "";
  return said.includes("413") ? full : lost;
}
