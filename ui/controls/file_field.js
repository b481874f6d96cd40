// If a file does not reach the server, Streamlit's field says so in its own words, and only when a person
// points at the file. Here the reason stands below the field, in words of the page.

export default function ({ parentElement, data }) {
  const place = parentElement.closest('[data-testid="stElementContainer"]');
  const container = parentElement.closest(".stVerticalBlock"); // the field in it may come later
  if (!container) return; // a run has taken it off the page before this module came
  parentElement.listening?.abort(); // Streamlit may call again, and cleans up after its last call alone
  const listening = (parentElement.listening = new AbortController());
  const words = parentElement.querySelector("p") ?? parentElement.appendChild(document.createElement("p"));
  words.className = "file-refusal";
  words.setAttribute("role", "alert");
  const said = JSON.parse(data.words);
  const say = () => {
    // Streamlit says that it is nothing, and gives it a name and the focus.
    container.querySelector('[data-testid="stFileUploaderDropzone"]')?.setAttribute("role", "group");
    const { reason, program } = reasonOf(container, said);
    const shown = [reason, ...(program ? [Object.assign(document.createElement("code"), { textContent: program })] : [])];
    if (reason) silenceTheirs(container);
    if (words.dataset.said !== reason + program) words.replaceChildren(...shown);
    words.dataset.said = reason + program;
    place.style.display = reason ? "" : "none"; // else there would be a gap
  };
  const observer = new MutationObserver(say);
  observer.observe(container, { childList: true, subtree: true, characterData: true });
  say();
  listening.signal.addEventListener("abort", () => observer.disconnect());
  return () => listening.abort();
}

// A screen reader would read Streamlit's words, too.
function silenceTheirs(container) {
  for (const theirs of container.querySelectorAll('[data-testid="stFileChip"] [role="alert"]')) {
    theirs.setAttribute("aria-hidden", "true");
  }
}

// Why the newest file did not reach the server, and a program that converts it; nothing if it did.
export function reasonOf(container, { full, lost, large, kinds }) {
  const newest = [...container.querySelectorAll('[data-testid="stFileChip"]')].at(-1);
  const said = newest?.querySelector('[role="alert"]')?.textContent ?? "";
  const because = (reason, program = "") => ({ reason, program });
  if (said.includes("not allowed")) return otherKind(newest.querySelector('[data-testid="stFileChipName"]')?.title ?? "", kinds);
  if (said.includes("must be")) return because(large);
  if (said.includes("413")) return because(full);
  return because(said.includes("AxiosError") ? lost : "");
}

// What to do with a file whose ending is not one of the field's.
function otherKind(name, { others, usual, name_in_program, refused, nameless }) {
  const ending = /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? "";
  const { words, program } = others[ending] ?? { words: usual, program: "" };
  const own = /^\w[\w .-]*$/.test(name) ? name : `layer${ending}`;
  const line = program && `python -c "${program.replace(name_in_program, own)}"`;
  return { reason: `${refused.replace("{file}", ending || nameless)} ${words}`, program: line };
}
