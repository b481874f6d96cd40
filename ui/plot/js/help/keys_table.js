// Keys and what they do, as a table.

import { html } from "../dom.js";

// `rows` are [keys, words].
export function keysAsTable(rows) {
  const made = rows.map(([keys, words]) => html("tr", {}, html("th", { scope: "row" }, keys), html("td", {}, words)));
  return html("table", { class: "keys-table" }, html("tbody", {}, ...made));
}
