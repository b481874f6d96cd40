// A file that is dropped anywhere on the page goes into the field that opens files. It may stand in a menu.

const PATIENCE = 10_000; // ms until the field must be there
const RUN_STATE = "data-test-script-state";
const AT_REST = `[${RUN_STATE}="notRunning"]`;

export default function ({ parentElement, data: { menu, field, words } }) {
  parentElement.listening?.abort(); // Streamlit may call again, and cleans up after its last call alone
  const listening = (parentElement.listening = new AbortController());
  const sign = Object.assign(document.createElement("div"), { className: "drop-file", textContent: words });
  const on = (event, act) => document.addEventListener(event, act, { signal: listening.signal });
  on("dragover", (event) => {
    if (!hasFiles(event) || isInField(event)) return sign.remove();
    event.preventDefault(); // else a browser leaves the page for the file
    if (!sign.isConnected) show(sign, parentElement);
  });
  on("dragleave", (event) => {
    if (!event.relatedTarget) sign.remove(); // it has left the window
  });
  on("drop", async (event) => {
    sign.remove();
    if (!hasFiles(event) || isInField(event)) return;
    event.preventDefault();
    const files = event.dataTransfer.files; // gone when this event is over
    const kept = new DataTransfer();
    kept.items.add(files[0]);
    hand(kept.files, await fieldOf(menu, field));
  });
  listening.signal.addEventListener("abort", () => sign.remove());
  return () => listening.abort();
}

// Over the whole window, which nothing inside the sidebar can be, in the colours of the theme.
function show(sign, parent) {
  const theme = getComputedStyle(parent);
  for (const name of ["--st-primary-color", "--st-background-color", "--st-text-color"]) {
    sign.style.setProperty(name, theme.getPropertyValue(name));
  }
  document.body.append(sign);
}

function hasFiles(event) {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function isInField(event) {
  return Boolean(event.target.closest?.('[data-testid="stFileUploaderDropzone"]'));
}

function press(button) {
  /** @type {HTMLElement | null} */ (document.querySelector(button))?.click();
}

// The field; where it stands in a menu, once that has brought it. A run that is still under way may close the menu, and lose what
// is in the field: so wait first until the page rests.
async function fieldOf(menu, field) {
  const find = () => document.querySelector(`.${field} input[type=file]`);
  await once(() => document.querySelector(AT_REST));
  if (menu && !find()) {
    press('[data-testid="stExpandSidebarButton"]');
    press(`.${menu} button`);
  }
  return once(find);
}

// What is found in the page, as soon as it is there.
function once(find) {
  return find() ?? new Promise((found) => {
    const stop = () => watcher.disconnect();
    const watcher = new MutationObserver(() => {
      if (!find()) return;
      stop();
      found(find());
    });
    watcher.observe(document.body, { childList: true, subtree: true, attributeFilter: [RUN_STATE] });
    setTimeout(stop, PATIENCE);
  });
}

function hand(files, input) {
  input.closest('[data-testid="stFileUploader"]')?.scrollIntoView({ block: "center" }); // it says what comes of them
  input.files = files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}
