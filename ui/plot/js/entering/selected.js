// Keeps the text of a field selected where the page gives it another one. A person who has clicked there in
// order to type over a number means the number, not its letters: without this, what they type would stand
// behind a number that a slower answer has just brought.

// The field that has the focus, what it holds, and whether all of it is selected.
let known = { field: /** @type {any} */ (null), value: "", isAll: false };

export function keepSelected(page) {
  const look = () => {
    const now = lookAt(page.activeElement);
    const isGiven = now.field === known.field && now.value !== known.value;
    if (isGiven && known.isAll) now.field.select();
    known = lookAt(now.field);
  };
  page.addEventListener("selectionchange", look);
  page.addEventListener("keydown", look, { capture: true }); // a browser tells of a selection a little later
  page.addEventListener("input", ({ target }) => { known = lookAt(target); }, { capture: true });
}

function lookAt(field) {
  const { value = "", selectionStart, selectionEnd } = field ?? {};
  return { field, value, isAll: value !== "" && selectionStart === 0 && selectionEnd === value.length };
}
