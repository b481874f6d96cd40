// A read-only field with a text, and a button that copies the text.

export default function ({ parentElement, data }) {
  const { label, text, copy, copied, by_key } = data;
  const box = parentElement.querySelector(".copy-text") ?? build(parentElement);
  const [field, button] = [box.querySelector("input"), box.querySelector("button")];
  if (field.value !== text) button.textContent = copy;
  field.value = text;
  field.setAttribute("aria-label", label);
  button.disabled = !text;
  button.onclick = async () => {
    button.textContent = (await hasCopied(field)) ? copied : by_key;
  };
}

function build(parent) {
  const box = Object.assign(document.createElement("div"), { className: "copy-text" });
  const field = Object.assign(document.createElement("input"), { readOnly: true });
  field.onfocus = () => field.select();
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.setAttribute("aria-live", "polite");
  box.append(field, button);
  parent.append(box);
  return box;
}

// Without the right to use the clipboard, the text is selected, so that a key copies it.
async function hasCopied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
