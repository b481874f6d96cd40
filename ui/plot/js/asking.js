// Asks the server beside Streamlit.

import { unpack } from "./wire.js";

// About a cell. A pick also makes the page run, which says the same of
// the cell, but later. `also` says how it was asked for: with `goes_on` by a link from another cell, with
// `all_of` by opening a fold.

export async function ask(asksAs, { matrix, row, column }, also = {}) {
  const answer = await fetchFrom("../asked", { as: asksAs, matrix, row, column, ...also });
  return answer.ok ? answer.json() : null; // null also where the cell has gone
}

// With what a forward pass would begin, if a field held a value: {inputs, moved, version}. Null where the
// server does not say.
export async function askDrawn(asksAs, field, value) {
  const answer = await fetchFrom("../drawn", { as: asksAs, field, value });
  return answer.status === 200 ? unpack(new Uint8Array(await answer.arrayBuffer())) : null;
}

function fetchFrom(place, asked) {
  const address = new URL(place, import.meta.url);
  address.search = String(new URLSearchParams(asked));
  return fetch(address);
}
