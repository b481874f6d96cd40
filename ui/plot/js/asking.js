// Asks the server about a cell, beside Streamlit. A pick also makes the page run, which says the same of
// the cell, but later. `also` says how it was asked for: with `goes_on` by a link from another cell, with
// `all_of` by opening a fold.

export async function ask(asksAs, { matrix, row, column }, also = {}) {
  const address = new URL("../asked", import.meta.url);
  address.search = String(new URLSearchParams({ as: asksAs, matrix, row, column, ...also }));
  const answer = await fetch(address);
  return answer.ok ? answer.json() : null; // null also where the cell has gone
}
