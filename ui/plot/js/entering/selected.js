// Keeps the text of a field selected where the page gives it another one. A person who has clicked there in
// order to type over a number means the number, not its letters: without this, what they type would stand
// behind a number that a slower answer has just brought.

// The field that has the focus, what it holds, and whether all of it is selected.
let known = { field: /** @type {any} */ (null), value: "", isAll: false };

export function keepSelected(page) {
  page.addEventListener("selectionchange", () => {
    const now = lookAt(page.activeElement);
    const isGiven = now.field === known.field && now.value !== known.value;
    if (isGiven && known.isAll) now.field.select(); // this is called again
    else known = now;
  });
  page.addEventListener("input", ({ target }) => { known = lookAt(target); }, { capture: true });
}

function lookAt(field) {
  const { value = "", selectionStart, selectionEnd } = field ?? {};
  return { field, value, isAll: value !== "" && selectionStart === 0 && selectionEnd === value.length };
}
