// A field with a text that can only be read, and a button that copies the text.

export default function ({ parentElement, data }) {
  const { label, text } = data;
  const box = parentElement.querySelector(".copy-text") ?? build(parentElement);
  const [field, button] = [box.querySelector("input"), box.querySelector("button")];
  if (field.value !== text) button.textContent = "Copy";
  field.value = text;
  field.setAttribute("aria-label", label);
  button.disabled = !text;
  button.onclick = async () => {
    button.textContent = (await copied(field)) ? "Copied" : "Press Ctrl + C";
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
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
