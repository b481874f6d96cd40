// Asks the server about a cell, beside Streamlit. The run of the page that a pick causes says the same
// of it, but later. A person may have gone on to it from what was said of another cell.

export async function ask(asksAs, { matrix, row, column }, goesOn) {
  const address = new URL("../asked", import.meta.url);
  address.search = new URLSearchParams({ as: asksAs, matrix, row, column, ...(goesOn && { goes_on: "" }) });
  const answer = await fetch(address);
  return answer.ok ? answer.json() : null; // null also where the cell has gone
}
