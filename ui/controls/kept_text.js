// Keeps a text in this tab, and gives it back to a server that knows none: after a reload. The tab's own
// storage lasts as long as the tab.

const givenBack = new Set(); // the names of texts, once in this document

export default function ({ data: { name, text }, setTriggerValue }) {
  const item = `attention explorer text ${name}`;
  try {
    if (text) sessionStorage.setItem(item, text);
    else if (text === "") sessionStorage.removeItem(item);
    else if (sessionStorage.getItem(item) && !givenBack.has(name)) {
      givenBack.add(name);
      setTriggerValue("back", sessionStorage.getItem(item));
    }
  } catch { /* a browser may forbid it: then a reload loses the text */ }
}
