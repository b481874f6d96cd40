// Keeps a text in this tab, and tells a server that knows none what it has kept: after a reload. The tab's
// own storage lasts as long as the tab.

export default function ({ data: { name, text, always }, setTriggerValue }) {
  const item = `attention explorer text ${name}`;
  let kept = "";
  try {
    if (text) sessionStorage.setItem(item, text);
    else if (text === "") sessionStorage.removeItem(item);
    else kept = sessionStorage.getItem(item) ?? "";
  } catch { /* a browser may forbid it: then a reload loses the text */ }
  if (text === null && (kept || always)) setTriggerValue("back", kept);
}
