// Asks the server about a cell, beside Streamlit. The run of the page that a pick causes says the same
// of it, but later.

export async function ask(asksAs, { matrix, row, column }) {
  const address = new URL("../asked", import.meta.url);
  address.search = new URLSearchParams({ as: asksAs, matrix, row, column });
  const answer = await fetch(address);
  return answer.ok ? answer.json() : null; // null also where the cell has gone
}
