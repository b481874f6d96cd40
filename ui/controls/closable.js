// Sentences that a person may close. The browser remembers it, and asks nobody.

export default function ({ parentElement, data: { name, sentences, close } }) {
  const item = `closed: ${name}`;
  const box = parentElement.querySelector(".closable") ?? build(parentElement);
  const items = sentences.split("\n").map((text) => Object.assign(document.createElement("li"), { textContent: text }));
  box.querySelector("ol").replaceChildren(...items);
  box.hidden = isKept(item);
  const button = box.querySelector("button");
  button.setAttribute("aria-label", close);
  button.onclick = () => {
    box.hidden = true;
    keep(item);
  };
}

function build(parent) {
  const box = Object.assign(document.createElement("aside"), { className: "closable" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "\u00d7" });
  box.append(document.createElement("ol"), button);
  parent.append(box);
  return box;
}

// A browser may refuse to keep anything: then they come again.
function isKept(item) {
  try {
    return localStorage.getItem(item) !== null;
  } catch {
    return false;
  }
}

function keep(item) {
  try {
    localStorage.setItem(item, "1");
  } catch {
    // it stays closed until the page is loaded again
  }
}
